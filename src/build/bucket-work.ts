import type { DirectoryContext } from "../compile/directory.js";
import { compileListing } from "../compile/listing.js";
import {
  type Findings,
  LostRecordError,
  openShared,
  type SharedPublished,
  type SharedReader,
} from "../published/published.js";
import { FormerBucket, type FormerFiles } from "./former.js";
import type { Tombstone } from "./tombstones.js";
import { BucketWriter, type StoredBucket } from "./writer.js";

/** What all buckets of a build have in common; it can be posted to a thread. */
export interface BuildWork {
  readonly bits: number;
  readonly published: SharedPublished;
  /** Where to, and what against; null where all is only read, for its errors. */
  readonly target: { readonly store: string; readonly context: DirectoryContext } | null;
}

/** A bucket that is to be done; it can be posted to a thread. */
export interface BucketOrder {
  readonly bucket: number;
  /** False: it is only read, for its errors. */
  readonly write: boolean;
  /** What may be copied instead of being compiled; null where nothing may. */
  readonly former: FormerFiles | null;
}

export interface BucketOutcome {
  /** Null where nothing was to be written, or an error was found. */
  readonly stored: StoredBucket | null;
  /** Of the listings that were read; those that were copied keep theirs. */
  readonly tombstones: readonly Tombstone[];
  readonly findings: Findings;
}

/** Reads, checks, compiles and writes buckets, one at a time, in whatever thread. */
export class BucketWork {
  readonly #work: BuildWork;
  readonly #reader: SharedReader;

  constructor(work: BuildWork) {
    this.#work = work;
    this.#reader = openShared(work.published);
  }

  /**
   * Does a bucket. Compiling is over when this returns; what is awaited is the disk, so that the next
   * bucket may be begun meanwhile.
   * @throws StoreWriteError
   */
  async run({ bucket, write, former }: BucketOrder): Promise<BucketOutcome> {
    const { target } = this.#work;
    const writer = write && target !== null ? new BucketWriter(target.store, bucket) : null;
    const source =
      former === null || target === null ? null : FormerBucket.open(target.store, former);
    const tombstones: Tombstone[] = [];
    try {
      const isCopied = (hash: number) =>
        writer === null ? former?.changed.has(hash) === false : source?.copy(hash, writer) === true;
      this.#compile(bucket, isCopied, writer, tombstones);
    } catch (error) {
      // A lost record is a problem of the input, which has been told.
      if (!(error instanceof LostRecordError)) {
        writer?.discard();
        throw error;
      }
    } finally {
      source?.close();
    }
    const good = this.#reader.problemCount === 0;
    const findings = this.#reader.takeFindings();
    if (writer !== null && !good) writer.discard();
    const stored = writer !== null && good ? await writer.finish() : null;
    return { stored, tombstones, findings };
  }

  close(): void {
    this.#reader.close();
  }

  #compile(
    bucket: number,
    isCopied: (hash: number) => boolean,
    writer: BucketWriter | null,
    tombstones: Tombstone[],
  ): void {
    const { bits, target } = this.#work;
    for (const { listing, scans } of this.#reader.readBucket(bucket, bits, isCopied)) {
      if (writer === null || target === null || this.#reader.problemCount > 0) continue;
      const compiled = compileListing(listing, scans, target.context);
      if (compiled !== null) writer.add(compiled);
      const { host, visibility } = listing;
      if (visibility !== "listed") tombstones.push({ host, why: visibility });
      else if (compiled === null) tombstones.push({ host, why: "unscanned" });
    }
  }
}
