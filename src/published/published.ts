import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Standards } from "../contract/standards.js";
import { type PublishedListing, type RecordSets, readListings } from "./bucket.js";
import { type KindDocuments, listingKind, type RecordsOf, scanKind } from "./checking/kinds.js";
import { type AllNotices, NoticeList } from "./checking/notices.js";
import { type Problem, ProblemList, type TakenProblems } from "./checking/problem.js";
import type { RecordKind } from "./checking/record.js";
import type { Directory, Taxonomy } from "./checking/schemas.js";
import { isThere, readDocuments } from "./documents.js";
import { findFiles, unknownNames } from "./locating/files.js";
import type { KnownFile, LocatedFile } from "./locating/locate.js";
import { FileError, fileError, PublishedFolderError } from "./locating/regular-file.js";
import { RecordSet, type SharedRecords } from "./record-set.js";

export { LostRecordError, type PublishedListing, type PublishedScan } from "./bucket.js";
export { PublishedFolderError } from "./locating/regular-file.js";

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
  /**
   * What is left out, not read or probably a mistake, without being an error; kept and sorted as problems
   * are. Notices of records are among them once `tellNotices` was called.
   */
  readonly warnings: readonly Problem[];
  readonly warningCount: number;
  /** The notices of all records that were read, or recalled. */
  readonly notices: AllNotices;
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
  /** Adds notices of records that an earlier run has read and this one does not. */
  recall(notices: AllNotices): void;
  /** Makes warnings of all notices, once; call it when every record was read or recalled. */
  tellNotices(): void;
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
  readonly lacksListings: boolean;
}

/** Errors, warnings, notices and shared hashes that a thread has found. */
export interface Findings {
  readonly problems: TakenProblems;
  readonly warnings: TakenProblems;
  readonly notices: AllNotices;
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
    notices: new NoticeList(),
    lacksListings: shared.lacksListings,
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
      return {
        problems: problems.take(),
        warnings: warnings.take(),
        notices: sets.notices.take(),
        sharedHashes,
      };
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
export async function openPublished(folder: string, options: OpenOptions = {}): Promise<Published> {
  const root = rootOf(folder);
  const problems = new ProblemList();
  const warnings = new ProblemList();
  const notices = new NoticeList();
  const { directory, ...documents } = readDocuments(root, problems, warnings);
  const sets = await locateSets(root, documents, { problems, warnings, notices }, options);
  let hasTold = false;
  return {
    directory,
    ...documents,
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
    get warningCount() {
      return warnings.count;
    },
    get notices() {
      return notices.counts;
    },
    sharedHashes: sets.sharedHashes,
    readBucket: (...which) => readListings(sets, ...which),
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
      notices.receive(findings.notices);
      for (const hash of findings.sharedHashes) sets.sharedHashes.add(hash);
    },
    recall: (earlier) => notices.receive(earlier),
    tellNotices() {
      if (hasTold) return;
      hasTold = true;
      warnings.add(sets.listings.noticeProblems(notices.counts.listings));
      warnings.add(sets.scans.noticeProblems(notices.counts.scans));
    },
    close: () => closeSets(sets),
  };
}

async function locateSets(
  root: string,
  documents: KindDocuments,
  lists: Pick<RecordSets, "warnings" | "notices"> & { readonly problems: ProblemList },
  { signal, known, jobs = 1, onRead }: OpenOptions,
): Promise<RecordSets> {
  const { problems, warnings, notices } = lists;
  const locate = async <T>(records: RecordsOf, kind: RecordKind<T>) => {
    const found = await findFiles(root, records);
    problems.add(found.problems);
    warnings.add(found.warnings);
    const set = await RecordSet.locate(found.files, kind, problems, {
      work: { records, documents },
      jobs,
      known: known?.[records],
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
  return { listings, scans, warnings, notices, lacksListings, sharedHashes: new Set() };
}

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (!statSync(root).isDirectory()) throw new FileError("is not a folder");
    if (["directory.json", "listings"].every((name) => !isThere(join(root, name)))) {
      throw new FileError("is no published directory: it has neither directory.json nor listings");
    }
    return root;
  } catch (error) {
    throw new PublishedFolderError(`the published folder ${folder} ${fileError(error).message}`);
  }
}
