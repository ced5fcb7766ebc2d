import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "../contract/figures.js";
import type { Standards } from "../contract/standards.js";
import { hasCode } from "../files/errors.js";
import type { InputPart } from "../options/options.js";
import {
  BadInputError,
  ProblemList,
  type TakenProblems,
  type Warnings,
} from "./checking/problem.js";
import type { RecordKind } from "./checking/record.js";
import { type KindDocuments, listingKind, type RecordsOf, scanKind } from "./checking/rules.js";
import type { DirectoryRecord, Taxonomy } from "./checking/schemas.js";
import { isThere, readDocuments, unbandedWarnings } from "./documents.js";
import { PartChoice, type PartOfInput } from "./input-part.js";
import {
  FileError,
  fileError,
  findFiles,
  PARTS,
  PublishedFolderError,
  unknownNames,
} from "./locating/files.js";

export { PublishedFolderError } from "./locating/files.js";

import type { KnownFile, LocatedFile, LocatedRecord } from "./locating/locate.js";
import { type ListingWithScans, type RecordSets, readPartListings } from "./part.js";
import { type FindingLists, RecordSet, type SharedRecords } from "./record-set.js";

export { type ListingWithScans, LostRecordError, type ScanOfListing } from "./part.js";

/** An open published directory (docs/publishing.md): its records are located, and are read part by part. */
export interface Published {
  /** This document and the next two are null if they are bad; `problems` says why. */
  readonly directory: DirectoryRecord | null;
  readonly standards: Standards | null;
  readonly taxonomy: Taxonomy | null;
  /** Located records, including bad ones. */
  readonly listingCount: number;
  readonly scanCount: number;
  /** The part of the input that was opened; null if it is the whole input. */
  readonly part: PartOfInput | null;
  /** The errors found so far. They are complete once every part has been read. */
  readonly problems: ProblemList;
  /** Warnings: data that is left out, not read, or probably a mistake, without being an error. */
  readonly warnings: ProblemList;
  /**
   * Hashes that several hosts share, and those of hosts whose records have warnings, among the records read so far. The
   * next build reads them again.
   */
  readonly rereads: ReadonlySet<number>;
  /**
   * Reads and validates the listings in a part, with their scans, one at a time. A listing is in the part if
   * the first `partBits` bits of its host's hash equal `part`. Yields listings sorted by hash, then by host.
   * Leaves out a listing if it or one of its scans has a problem.
   * @param partBits 0 to 32; with 0 bits, part 0 holds every listing
   * @param reads hashes of the hosts to read; null, the default, for all
   */
  readPart(
    part: number,
    partBits: number,
    reads?: ReadonlySet<number> | null,
  ): Iterable<ListingWithScans>;
  /** The located files; the next run can pass them on as `known`. */
  readonly files: Readonly<Record<RecordsOf, readonly LocatedFile[]>>;
  /** Everything another thread needs to read parts too (`openShared`). It can be posted to a thread. */
  readonly shared: SharedPublished;
  /** Adds the findings of another thread. */
  receive(findings: Findings): void;
  /** Warns of listings that had scans in an earlier run and have none now. @param hosts of these listings */
  tellLostScans(hosts: readonly string[]): void;
  /** Warns of scores without a band, because the rubric has another version than they have. */
  tellUnbanded(figures: Figures): void;
  /** Closes the files. Nothing can be read after that. */
  close(): void;
}

export interface OpenOptions {
  /** Aborts opening; the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Files whose records need not be located again, by their paths inside the folder. Changed files are read anyway. */
  readonly known?: Readonly<Record<RecordsOf, ReadonlyMap<string, KnownFile>>> | undefined;
  /** Reads only the records of this part's hosts. All files are read, whether they are known or not. */
  readonly part?: InputPart | undefined;
  /** Called for each record that names a host. No position is kept then, so that every part is empty. */
  readonly take?: ((kind: RecordsOf, ...record: LocatedRecord) => void) | undefined;
  /** This machine's clock, in milliseconds since 1970: scans more than a day later get a warning. Default: none. */
  readonly now?: number | undefined;
  /** Called with the bytes read so far and the total bytes to read. */
  readonly onRead?: ((records: RecordsOf, done: number, total: number) => void) | undefined;
}

/** A published directory as one thread hands it to another. Record pointers are in shared memory, so none is copied. */
export interface SharedPublished extends KindDocuments {
  readonly listings: SharedRecords;
  readonly scans: SharedRecords;
  readonly lacksListings: boolean;
}

/** What one thread has found. */
export interface Findings {
  readonly problems: TakenProblems;
  readonly warnings: TakenProblems;
  readonly rereads: readonly number[];
}

/** A published directory that is already located. It is read part by part. */
export interface SharedReader extends Pick<Published, "readPart" | "close"> {
  /** How many errors were found since the last call of `takeFindings`. */
  readonly problemCount: number;
  /** Hands over the findings since the last call. */
  takeFindings(): Findings;
}

/** Opens a published directory that this thread or another one has located. */
export function openShared(shared: SharedPublished): SharedReader {
  const lists = { problems: new ProblemList(), warnings: new ProblemList() };
  const sets: RecordSets = {
    listings: new RecordSet(shared.listings, listingKind(shared), lists),
    scans: new RecordSet(shared.scans, scanKind(shared), lists),
    lacksListings: shared.lacksListings,
    rereads: new Set(),
  };
  return {
    get problemCount() {
      return lists.problems.count;
    },
    readPart: (...which) => readPartListings(sets, ...which),
    takeFindings() {
      const rereads = [...sets.rereads];
      sets.rereads.clear();
      return { problems: lists.problems.take(), warnings: lists.warnings.take(), rereads };
    },
    close: () => closeSets(sets),
  };
}

function closeSets({ listings, scans }: RecordSets): void {
  listings.close();
  scans.close();
}

/**
 * Opens a published directory: reads its three documents and locates its records.
 * @param folder the folder, or a link to it
 * @throws PublishedFolderError if the folder does not exist, is not a folder, cannot be listed, or has another part
 * than the wanted one. Faults inside the folder are in `problems` instead.
 */
export async function openPublished(folder: string, options: OpenOptions = {}): Promise<Published> {
  const root = rootOf(folder);
  const problems = new ProblemList();
  const warnings = new ProblemList();
  const { directory, standards, taxonomy } = readDocuments(root, problems, warnings);
  const documents = { standards, taxonomy, now: options.now };
  const choice = options.part ? new PartChoice(root, options.part) : null;
  const sets = await locateSets(root, documents, { problems, warnings }, options, choice);
  const part = choice?.found(problems.count > 0) ?? null;
  return {
    directory,
    standards,
    taxonomy,
    listingCount: sets.listings.count,
    scanCount: sets.scans.count,
    part,
    problems,
    warnings,
    rereads: sets.rereads,
    readPart: (...which) => readPartListings(sets, ...which),
    files: { listings: sets.listings.located, scans: sets.scans.located },
    shared: {
      ...documents,
      listings: sets.listings.shared,
      scans: sets.scans.shared,
      lacksListings: sets.lacksListings,
    },
    receive(findings) {
      problems.receive(findings.problems);
      warnings.receive(findings.warnings);
      for (const hash of findings.rereads) sets.rereads.add(hash);
    },
    tellLostScans(hosts) {
      const message = "has no scan any more, so its report goes; is a file of scans missing?";
      warnings.add(sets.listings.problemsAt(hosts, "host", message));
    },
    tellUnbanded(figures) {
      if (standards !== null)
        warnings.add(unbandedWarnings(root, standards.rubric.version, figures));
    },
    close: () => closeSets(sets),
  };
}

async function locateSets(
  root: string,
  documents: KindDocuments,
  lists: FindingLists,
  { signal, known, onRead, take }: OpenOptions,
  part: PartChoice | null,
): Promise<RecordSets> {
  const { problems, warnings } = lists;
  const locate = async <T>(records: RecordsOf, kind: RecordKind<T>) => {
    const found = await findFiles(root, records);
    problems.add(found.problems);
    warnings.add(found.warnings);
    const set = await RecordSet.locate(found.files, kind, lists, {
      ...(part && {
        keeps: (hash) => part.keeps(hash),
        onRecord: (_, __, digest) => part.add(records, digest),
      }),
      ...(take && { keeps: () => false, onRecord: (...record) => take(records, ...record) }),
      known: part ? undefined : known?.[records],
      signal,
      onRead: onRead && ((done, total) => onRead(records, done, total)),
    });
    return { set, isPartial: found.problems.length > 0 || set.located.length < found.files.length };
  };
  const { set: listings, isPartial: lacksListings } = await locate(
    "listings",
    listingKind(documents),
  );
  const { set: scans } = await locate("scans", scanKind(documents));
  warnings.add(unknownNames(root, [...listings.shared.files, ...scans.shared.files]));
  return { listings, scans, lacksListings, rereads: new Set() };
}

/** The published directory has errors, so nothing was written. */
export class BadPublishedError extends BadInputError {
  override readonly name = "BadPublishedError";
}

/**
 * @param strict whether warnings count as errors
 * @throws BadPublishedError
 */
export function throwIfBadPublished(
  { problems, warnings }: Published,
  folder: string,
  strict: boolean,
): void {
  if (strict) problems.receive(warnings.take());
  if (problems.count === 0) return;
  throw new BadPublishedError(folder, "published directory", problems, warnings);
}

/**
 * The standards of a published directory whose three documents are good. @throws PublishedFolderError,
 * BadPublishedError
 */
export function goodStandards(folder: string): Standards {
  const problems = new ProblemList();
  const { standards } = readDocuments(rootOf(folder), problems, new ProblemList());
  if (standards !== null && problems.count === 0) return standards;
  throw new BadPublishedError(folder, "published directory", problems);
}

/** The warnings of a published directory, as results list them. */
export function warningsOf({ warnings }: Published): Warnings {
  const { sorted, count, groups } = warnings;
  return { warnings: sorted, warningCount: count, warningGroups: groups };
}

function rootOf(folder: string): string {
  const hint = (where: string) => `crawldex init ${where} writes a minimal one to start from`;
  try {
    const root = realpathSync(folder);
    if (!statSync(root).isDirectory()) throw new FileError("is not a folder");
    if (["directory.json", "listings"].every((name) => !isThere(join(root, name)))) {
      const missing = PARTS.filter((name) => !isThere(join(root, name))).join(", ");
      const message = `is not a published directory: it lacks ${missing}`;
      throw new FileError(`${message}; ${hint("<new folder>")}`);
    }
    return root;
  } catch (error) {
    const remedy = hasCode(error, ["ENOENT"]) ? `; ${hint(folder)}` : "";
    const { message } = fileError(error);
    throw new PublishedFolderError(`the published folder ${folder} ${message}${remedy}`);
  }
}
