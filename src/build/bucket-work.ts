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

/** The settings that all buckets of a build share. Can be posted to a thread. */
export interface BuildWork {
  readonly bits: number;
  readonly published: SharedPublished;
  /** The store to write to, and the documents to compile against; null if records are only checked. */
  readonly target: { readonly store: string; readonly context: DirectoryContext } | null;
}

/** A bucket to process. Can be posted to a thread. */
export interface BucketOrder {
  readonly bucket: number;
  /** False: the records are only read, to find their errors. */
  readonly write: boolean;
  /** The earlier files whose unchanged listings need not be compiled again; null if there are none. */
  readonly former: FormerFiles | null;
}

export interface BucketOutcome {
  /** Null if the order was not to write, or if an error was found. */
  readonly stored: StoredBucket | null;
  /** Tombstones of the listings that were read. Copied listings keep the ones from the last build. */
  readonly tombstones: readonly Tombstone[];
  readonly findings: Findings;
}

/** Reads, checks, compiles and writes buckets, one at a time. Works in any thread. */
export class BucketWork {
  readonly #work: BuildWork;
  readonly #reader: SharedReader;

  constructor(work: BuildWork) {
    this.#work = work;
    this.#reader = openShared(work.published);
  }

  /**
   * Processes a bucket. All compiling happens before this returns its promise. The promise then waits
   * only for the disk, so the caller can start the next bucket meanwhile.
   * @throws StoreWriteError
   */
  async run({ bucket, write, former }: BucketOrder): Promise<BucketOutcome> {
    const { target } = this.#work;
    const writer =
      write && target !== null
        ? new BucketWriter(target.store, bucket, target.context.standards.rubric.version)
        : null;
    const source =
      former === null || target === null ? null : FormerBucket.open(target.store, former);
    const tombstones: Tombstone[] = [];
    try {
      const isCopied = (hash: number) =>
        writer === null ? former?.changed.has(hash) === false : source?.copy(hash, writer) === true;
      this.#compile(bucket, isCopied, writer, tombstones);
    } catch (error) {
      // A lost record is a problem of the input, and the reader has already reported it.
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
