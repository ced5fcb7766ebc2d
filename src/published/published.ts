import { lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { Standards } from "../contract/standards.js";
import { type PublishedListing, type RecordSets, readListings } from "./bucket.js";
import { findFiles, isWithin, wholeFile } from "./files.js";
import { type KindDocuments, listingKind, type RecordsOf, scanKind } from "./kinds.js";
import { type KnownFile, type LocatedFile, readWhole, tooLong } from "./locate.js";
import { type Problem, ProblemList, type TakenProblems } from "./problem.js";
import { checkRecord, type RecordKind } from "./record.js";
import { RecordSet, type SharedRecords } from "./record-set.js";
import { FileError, fileError, PublishedFolderError } from "./regular-file.js";
import { standardsRules, taxonomyRules } from "./rules.js";
import { Directory, Taxonomy } from "./schemas.js";

export { LostRecordError, type PublishedListing, type PublishedScan } from "./bucket.js";
export { PublishedFolderError } from "./regular-file.js";

/** A published directory (published format 1), opened: its records are located, and read bucket by bucket. */
export interface Published {
  /** Null where the document is bad; `problems` say why. */
  readonly directory: Directory | null;
  readonly standards: Standards | null;
  readonly taxonomy: Taxonomy | null;
  /** Records that were located, good or bad. */
  readonly listingCount: number;
  readonly scanCount: number;
  /**
   * Every error found so far, by file, line and column: those of all records once every bucket has been
   * read. Of very many the first `PROBLEMS_KEPT` (problem.ts).
   */
  readonly problems: readonly Problem[];
  /** How many errors were found so far, also where not all of them are in `problems`. */
  readonly problemCount: number;
  /** What is left out, or not looked at, without being an error; kept and sorted as problems are. */
  readonly warnings: readonly Problem[];
  /** Hashes that more than one host was found to have, of what has been read so far. */
  readonly sharedHashes: ReadonlySet<number>;
  /**
   * Reads and validates the listings whose host's hash begins with `bucketBits` bits that make `bucket`,
   * with their scans, one after the other; by the hash, then by host. Leaves out a listing that has a problem, or a scan with one.
   * @param bucketBits 0 to 32; with 0 bits, bucket 0 is all there is
   * @param leavesOut is asked of each hash in turn; what it says so of is not read
   */
  readBucket(
    bucket: number,
    bucketBits: number,
    leavesOut?: (hash: number) => boolean,
  ): Iterable<PublishedListing>;
  /** The files of records as they were located, for `known` of the next time. */
  readonly files: Readonly<Record<RecordsOf, readonly LocatedFile[]>>;
  /** What other threads need to read buckets too: `openShared`. It can be posted. */
  readonly shared: SharedPublished;
  /** Adds what another thread has found. */
  receive(findings: Findings): void;
  /** Closes the files. Nothing can be read afterwards. */
  close(): void;
}

export interface OpenOptions {
  /** Ends it: its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Files whose records need not be located again, by their paths inside the folder. */
  readonly known?: Readonly<Record<RecordsOf, ReadonlyMap<string, KnownFile>>> | undefined;
  /** Threads that may locate records; 1, the default, locates them in the calling thread. */
  readonly jobs?: number;
  /** Told how many bytes have been gone through, of all that must be. */
  readonly onRead?: ((records: RecordsOf, done: number, total: number) => void) | undefined;
}

/** A published directory as one thread hands it to another; of pointers no copy is made. */
export interface SharedPublished extends KindDocuments {
  readonly listings: SharedRecords;
  readonly scans: SharedRecords;
}

/** Errors, warnings and shared hashes that a thread has found. */
export interface Findings {
  readonly problems: TakenProblems;
  readonly warnings: TakenProblems;
  readonly sharedHashes: readonly number[];
}

/** A published directory that was located elsewhere, to be read bucket by bucket. */
export interface SharedReader extends Pick<Published, "readBucket" | "problemCount" | "close"> {
  /** Hands over what was found since the last time. */
  takeFindings(): Findings;
}

/** Opens what another thread, or this one, has located. */
export function openShared(shared: SharedPublished): SharedReader {
  const problems = new ProblemList();
  const warnings = new ProblemList();
  const sets: RecordSets = {
    listings: new RecordSet(shared.listings, listingKind(shared), problems),
    scans: new RecordSet(shared.scans, scanKind(shared), problems),
    warnings,
    sharedHashes: new Set(),
  };
  return {
    get problemCount() {
      return problems.count;
    },
    readBucket: (...which) => readListings(sets, ...which),
    takeFindings() {
      const sharedHashes = [...sets.sharedHashes];
      sets.sharedHashes.clear();
      return { problems: problems.take(), warnings: warnings.take(), sharedHashes };
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
 * @throws PublishedFolderError where it is not there, is no folder, or cannot be listed. Whatever is
 * wrong inside it is in `problems` instead.
 */
export async function openPublished(
  folder: string,
  { signal, known, jobs = 1, onRead }: OpenOptions = {},
): Promise<Published> {
  const root = rootOf(folder);
  const problems = new ProblemList();
  const warnings = new ProblemList();
  const read = <T>(name: string, kind: RecordKind<T>) => readDocument(root, name, kind, problems);
  const directory = read("directory.json", { schema: Directory, rules: () => [] });
  const standards = read("standards.json", { schema: Standards, rules: standardsRules });
  const taxonomy = read("taxonomy.json", { schema: Taxonomy, rules: taxonomyRules });
  const documents = { standards, taxonomy };
  const locate = async <T>(records: RecordsOf, kind: RecordKind<T>) => {
    const found = await findFiles(root, records);
    problems.add(found.problems);
    warnings.add(found.warnings);
    return RecordSet.locate(found.files, kind, problems, {
      work: { records, documents },
      jobs,
      known: known?.[records],
      signal,
      onRead: onRead && ((done, total) => onRead(records, done, total)),
    });
  };
  const sets: RecordSets = {
    listings: await locate("listings", listingKind(documents)),
    scans: await locate("scans", scanKind(documents)),
    warnings,
    sharedHashes: new Set(),
  };
  return {
    directory,
    standards,
    taxonomy,
    listingCount: sets.listings.count,
    scanCount: sets.scans.count,
    get problems() {
      return problems.sorted;
    },
    get problemCount() {
      return problems.count;
    },
    get warnings() {
      return warnings.sorted;
    },
    sharedHashes: sets.sharedHashes,
    readBucket: (...which) => readListings(sets, ...which),
    files: { listings: sets.listings.located, scans: sets.scans.located },
    shared: {
      standards,
      taxonomy,
      listings: sets.listings.shared,
      scans: sets.scans.shared,
    },
    receive(findings) {
      problems.receive(findings.problems);
      warnings.receive(findings.warnings);
      for (const hash of findings.sharedHashes) sets.sharedHashes.add(hash);
    },
    close: () => closeSets(sets),
  };
}

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    throw new PublishedFolderError(`the published folder ${folder} ${fileError(error).message}`);
  }
  throw new PublishedFolderError(`the published folder ${folder} is not a folder`);
}

/** Reads one of the three single documents; null where it is bad. */
function readDocument<T>(
  root: string,
  name: string,
  kind: RecordKind<T>,
  problems: ProblemList,
): T | null {
  try {
    const { bytes, length } = readWhole(placeInside(root, name));
    if (bytes === null) throw new FileError(tooLong(length));
    const checked = checkRecord(kind, { file: name, line: 1, bytes });
    problems.add(checked.problems);
    return checked.value;
  } catch (error) {
    problems.add([wholeFile(name, fileError(error).message)]);
    return null;
  }
}

function placeInside(root: string, name: string): string {
  const place = join(root, name);
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined) {
    throw new FileError(
      "is missing, expected directory.json, standards.json and taxonomy.json in the folder",
    );
  }
  const path = realpathSync(place);
  if (!isWithin(root, path)) throw new FileError("is a link out of the published folder");
  return path;
}
