import { hostHash } from "../contract/host.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { BucketFiles } from "../store/bucket-files.js";
import type { BucketNames, ShardEntry } from "../store/format.js";
import type { BucketWriter } from "./writer.js";

/** A bucket's files from the last build, and the hosts that have changed since. Can be posted to a thread. */
export interface FormerFiles {
  readonly files: BucketNames;
  /** Hashes of the hosts whose listings must be recompiled. */
  readonly changed: ReadonlySet<number>;
}

/** Copies the answers of unchanged listings from the last build's bucket, and checks each answer again. */
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

  /** Returns null if the bucket's files have changed since: then nothing can be copied. */
  static open(store: string, { files, changed }: FormerFiles): FormerBucket | null {
    return unlessBad(() => new FormerBucket(changed, BucketFiles.open(store, files)));
  }

  /**
   * Copies the answers of all listings whose hosts have this hash.
   * @returns false, with nothing copied, if the listings have changed or their answers are damaged
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

/** Returns what `read` returns, or null if it throws BadSnapshotError. */
function unlessBad<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
