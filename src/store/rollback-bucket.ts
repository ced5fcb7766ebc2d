import type { CompiledListing } from "../compile/listing.js";
import { isSameTerms, restricted, type Terms, termsOf, termsToday } from "../compile/restricted.js";
import type { Report } from "../contract/report.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { BucketFiles } from "./bucket-files.js";
import { contentOf } from "./changes.js";
import type { Manifest, ShardEntry } from "./format.js";
import { checkHash, StoredSnapshot } from "./reader.js";
import { BucketWriter, countsOf, type StoredBucket } from "./writer.js";

/** What becomes of a former listing: it is shown as it was, as it is today, on terms, or not at all. */
type Fate =
  | { readonly kind: "same" | "removed" | "withdrawn" }
  | { readonly kind: "withheld"; readonly today: ShardEntry }
  | { readonly kind: "restricted"; readonly terms: Terms };

/** How many former listings are not shown as they were, by what becomes of them. */
export type FateCounts = Record<Exclude<Fate["kind"], "same">, number>;

/** A former bucket under today's terms. */
export interface RolledBackBucket {
  /** Null where it stays as it is. */
  readonly stored: StoredBucket | null;
  readonly counts: Manifest["counts"];
  readonly fates: FateCounts;
}

/** The listings of the snapshot that was built last, which say what may be shown today. */
export class TodaysListings {
  readonly #store: string;
  readonly #snapshot: StoredSnapshot;
  readonly #files: ReadonlySet<string>;
  /** The bucket that was looked into last: hosts come in the order of their hashes. */
  #open: { bucket: number; files: BucketFiles; byHost: Map<string, ShardEntry> } | null = null;

  private constructor(store: string, snapshot: StoredSnapshot) {
    this.#store = store;
    this.#snapshot = snapshot;
    const { buckets } = snapshot.manifest;
    this.#files = new Set(buckets.flatMap(namesOf));
  }

  /** @throws BadSnapshotError, as all of it does, where what is published today cannot be told */
  static async open(store: string, id: string): Promise<TodaysListings> {
    try {
      return new TodaysListings(store, await StoredSnapshot.openManifest(store, id));
    } catch (error) {
      throw unknownToday(error);
    }
  }

  /** Whether a bucket of another snapshot is one here. */
  has(bucket: Manifest["buckets"][number]): boolean {
    return namesOf(bucket).every((file) => this.#files.has(file));
  }

  /** Undefined where the host has no report. */
  find(host: string): ShardEntry | undefined {
    return this.#bucketOf(host).byHost.get(host);
  }

  report(entry: ShardEntry): Report {
    return this.#read(entry, (files) => reportIn(files.answer(entry.report)));
  }

  listing(entry: ShardEntry): CompiledListing {
    return this.#read(entry, (files) => files.listing(entry));
  }

  close(): void {
    this.#open?.files.close();
    this.#open = null;
    this.#snapshot.close();
  }

  #read<T>({ host }: ShardEntry, read: (files: BucketFiles) => T): T {
    const { files } = this.#bucketOf(host);
    try {
      return read(files);
    } catch (error) {
      throw unknownToday(error);
    }
  }

  #bucketOf(host: string) {
    const bucket = this.#snapshot.bucketOf(host);
    if (this.#open?.bucket === bucket) return this.#open;
    this.#open?.files.close();
    this.#open = null;
    try {
      const files = BucketFiles.open(this.#store, this.#snapshot.manifest.buckets[bucket]!);
      const byHost = new Map(files.entries.map((entry) => [entry.host, entry]));
      this.#open = { bucket, files, byHost };
      return this.#open;
    } catch (error) {
      throw unknownToday(error);
    }
  }
}

/**
 * Brings a former bucket under today's terms: it is left as it is where nothing has to change.
 * @throws BadSnapshotError, StoreWriteError
 */
export async function rollBackBucket(
  store: string,
  bucket: number,
  former: Manifest["buckets"][number],
  today: TodaysListings,
): Promise<RolledBackBucket> {
  for (const file of [former.pack, former.columns]) await checkHash(store, file);
  const files = BucketFiles.open(store, former);
  try {
    const { entries } = files;
    const counts: FateCounts = { removed: 0, withdrawn: 0, withheld: 0, restricted: 0 };
    const fates = today.has(former) ? [] : entries.map((entry) => fateOf(entry, files, today));
    for (const { kind } of fates) if (kind !== "same") counts[kind] += 1;
    if (fates.every(({ kind }) => kind === "same")) {
      return { stored: null, counts: countsOf(entries), fates: counts };
    }
    const stored = await written(store, bucket, (writer) => {
      for (const [place, entry] of entries.entries()) {
        write(entry, fates[place]!, files, today, writer);
      }
    });
    return { stored, counts: stored.counts, fates: counts };
  } finally {
    files.close();
  }
}

async function written(
  store: string,
  bucket: number,
  fill: (writer: BucketWriter) => void,
): Promise<StoredBucket> {
  const writer = new BucketWriter(store, bucket);
  try {
    fill(writer);
  } catch (error) {
    writer.discard();
    throw error;
  }
  // The files may be those of the last build, which the next one keeps while nobody touches them.
  return writer.finish(true);
}

function fateOf(entry: ShardEntry, files: BucketFiles, today: TodaysListings): Fate {
  const todays = today.find(entry.host);
  if (todays === undefined) return { kind: "removed" };
  if (contentOf(todays) === contentOf(entry)) return { kind: "same" };
  if (todays.search === null) return { kind: "withheld", today: todays };
  const former = termsOf(entry, reportIn(files.answer(entry.report)));
  const terms = termsToday(former, termsOf(todays, today.report(todays)));
  if (terms === null) return { kind: "withdrawn" };
  return isSameTerms(former, terms) ? { kind: "same" } : { kind: "restricted", terms };
}

function write(
  entry: ShardEntry,
  fate: Fate,
  files: BucketFiles,
  today: TodaysListings,
  writer: BucketWriter,
): void {
  if (fate.kind === "same") writer.add(files.listing(entry));
  if (fate.kind === "withheld") writer.add(today.listing(fate.today));
  if (fate.kind === "restricted") writer.add(restricted(files.listing(entry), fate.terms));
}

function namesOf(bucket: Manifest["buckets"][number]): string[] {
  return Object.values(bucket).map(({ file }) => file);
}

function reportIn(body: Buffer): Report {
  return (JSON.parse(body.toString("utf8")) as { data: Report }).data;
}

function unknownToday(error: unknown): unknown {
  if (!(error instanceof BadSnapshotError)) return error;
  const { message } = error;
  return new BadSnapshotError(
    `${message}; what may be shown today is not known: run crawldex build`,
    { cause: error },
  );
}
