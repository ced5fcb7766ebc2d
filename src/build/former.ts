import { hostHash } from "../contract/host.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { BucketFiles } from "../store/bucket-files.js";
import type { Manifest, ShardEntry } from "../store/format.js";
import type { BucketWriter } from "./writer.js";

/** A bucket as the last build left it, and what has changed of it since. It can be posted to a thread. */
export interface FormerFiles {
  readonly files: Manifest["buckets"][number];
  /** Hashes of the hosts whose listings must be compiled anew. */
  readonly changed: ReadonlySet<number>;
}

/** Copies the answers of unchanged listings out of a bucket of the last build, each checked again. */
export class FormerBucket {
  readonly #changed: ReadonlySet<number>;
  readonly #entries: ReadonlyMap<number, readonly ShardEntry[]>;
  readonly #files: BucketFiles;

  private constructor(changed: ReadonlySet<number>, files: BucketFiles) {
    this.#changed = changed;
    this.#files = files;
    const byHash = new Map<number, ShardEntry[]>();
    for (const entry of files.entries) {
      const hash = hostHash(entry.host);
      const group = byHash.get(hash);
      if (group === undefined) byHash.set(hash, [entry]);
      else group.push(entry);
    }
    this.#entries = byHash;
  }

  /** Null where its files are not what they were: nothing can be copied then. */
  static open(store: string, { files, changed }: FormerFiles): FormerBucket | null {
    return unlessBad(() => new FormerBucket(changed, BucketFiles.open(store, files)));
  }

  /**
   * Copies what there is of the listings whose hosts have a hash.
   * @returns false where they have changed, or what there is of them is damaged: nothing was copied
   */
  copy(hash: number, writer: BucketWriter): boolean {
    if (this.#changed.has(hash)) return false;
    const entries = this.#entries.get(hash) ?? [];
    const copies = unlessBad(() =>
      entries.map((entry) => ({ entry, lines: this.#files.lines(entry) })),
    );
    for (const { entry, lines } of copies ?? []) writer.copy(entry, lines);
    return copies !== null;
  }

  close(): void {
    this.#files.close();
  }
}

/** What was read; null where the bytes are not those that were left. */
function unlessBad<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
