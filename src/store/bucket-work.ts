import { createHash } from "node:crypto";
import type { DirectoryContext } from "../compile/directory.js";
import { compileListing } from "../compile/listing.js";
import {
  type Findings,
  openShared,
  type SharedPublished,
  type SharedReader,
} from "../published/published.js";
import { BucketWriter, type StoredBucket } from "./writer.js";

/** What all buckets of a build have in common; it can be posted to a thread. */
export interface BuildWork {
  readonly store: string;
  readonly bits: number;
  readonly context: DirectoryContext;
  readonly published: SharedPublished;
}

export interface BucketOutcome {
  /** Null where nothing was to be written, or an error was found. */
  readonly stored: StoredBucket | null;
  /** sha256 of the digests of the bucket's listings, in hex. */
  readonly records: string;
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
   * @param write false: it is only read, for its errors
   * @throws StoreWriteError
   */
  async run(bucket: number, write: boolean): Promise<BucketOutcome> {
    const { store, bits, context } = this.#work;
    const digests = createHash("sha256");
    const writer = write ? new BucketWriter(store, bucket) : null;
    try {
      for (const { listing, scans, digest } of this.#reader.readBucket(bucket, bits)) {
        digests.update(digest);
        if (writer === null || this.#reader.problemCount > 0) continue;
        const compiled = compileListing(listing, scans, context);
        if (compiled !== null) writer.add(compiled);
      }
    } catch (error) {
      writer?.discard();
      throw error;
    }
    const good = this.#reader.problemCount === 0;
    const findings = this.#reader.takeFindings();
    if (writer !== null && !good) writer.discard();
    const records = digests.digest("hex");
    const stored = writer !== null && good ? await writer.finish() : null;
    return { stored, records, findings };
  }

  close(): void {
    this.#reader.close();
  }
}
