import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import type { AnswerLocation, Manifest, Shard, ShardEntry } from "./format.js";
import { sha256 } from "./layout.js";
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
  readonly #pack: number;

  private constructor(changed: ReadonlySet<number>, entries: Shard["entries"], pack: number) {
    this.#changed = changed;
    const byHash = new Map<number, ShardEntry[]>();
    for (const entry of entries) {
      const hash = hostHash(entry.host);
      const group = byHash.get(hash);
      if (group === undefined) byHash.set(hash, [entry]);
      else group.push(entry);
    }
    this.#entries = byHash;
    this.#pack = pack;
  }

  /** Null where its files are not what they were: nothing can be copied then. */
  static open(store: string, { files, changed }: FormerFiles): FormerBucket | null {
    try {
      const shard = readFileSync(join(store, files.shard.file));
      if (sha256(shard) !== files.shard.sha256) return null;
      const { entries } = JSON.parse(shard.toString("utf8")) as Shard;
      return new FormerBucket(changed, entries, openSync(join(store, files.pack.file), "r"));
    } catch {
      return null;
    }
  }

  /**
   * Copies what there is of the listings whose hosts have a hash.
   * @returns false where they have changed, or what there is of them is damaged: nothing was copied
   */
  copy(hash: number, writer: BucketWriter): boolean {
    if (this.#changed.has(hash)) return false;
    const copies: { entry: ShardEntry; lines: Buffer }[] = [];
    for (const entry of this.#entries.get(hash) ?? []) {
      const lines = this.#read(entry);
      if (lines === null) return false;
      copies.push({ entry, lines });
    }
    for (const { entry, lines } of copies) writer.copy(entry, lines);
    return true;
  }

  close(): void {
    closeSync(this.#pack);
  }

  /** The lines of all of a listing's answers, which lie one after the other. */
  #read(entry: ShardEntry): Buffer | null {
    const answers = answersOf(entry);
    const start = answers[0]![0];
    const [offset, length] = answers.at(-1)!;
    const lines = Buffer.allocUnsafe(offset + length + 1 - start);
    try {
      if (readSync(this.#pack, lines, 0, lines.length, start) !== lines.length) return null;
    } catch {
      return null;
    }
    const isWhole = ([offset, length, hash]: AnswerLocation) =>
      sha256(lines.subarray(offset - start, offset - start + length)) === hash;
    return answers.every(isWhole) ? lines : null;
  }
}

/** Where all of a listing's answers lie, in the order in which they were written. */
function answersOf({ report, enrichment, historical }: ShardEntry): AnswerLocation[] {
  return [report, enrichment, ...historical.map((one) => one.report)];
}
