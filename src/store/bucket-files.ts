import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { itemAt } from "../contract/tables.js";
import { isInside, openRegularSync } from "../files/regular.js";
import { BadSnapshotError, reading } from "./bad-snapshot.js";
import type { AnswerLocation, BucketNames, ShardEntry } from "./format.js";
import { sha256 } from "./layout.js";
import { parseShard, readCheckedSync } from "./reader.js";
import { answersOf } from "./shard-entries.js";

/** A bucket's shard and pack, opened for copying. Every read is checked against its checksum. */
export class BucketFiles {
  readonly entries: readonly ShardEntry[];
  readonly #name: string;
  readonly #pack: number;
  /** The size of the pack, in bytes. */
  readonly #size: number;

  private constructor(
    entries: readonly ShardEntry[],
    name: string,
    { descriptor, size }: ReturnType<typeof openRegularSync>,
  ) {
    this.entries = entries;
    this.#name = name;
    this.#pack = descriptor;
    this.#size = size;
  }

  /** @throws BadSnapshotError if the shard does not match the manifest, or the pack cannot be opened */
  static open(store: string, { shard, pack }: BucketNames): BucketFiles {
    const entries = parseShard(readCheckedSync(store, shard), shard.file);
    const opened = reading(pack.file, () => openRegularSync(join(store, pack.file)));
    return new BucketFiles(entries, pack.file, opened);
  }

  /**
   * The lines of all of a listing's answers, which are contiguous in the pack.
   * @throws BadSnapshotError if one of them is damaged
   */
  lines(entry: ShardEntry): Buffer {
    const answers = answersOf(entry);
    const start = entry.report[0];
    const [offset, length] = itemAt(answers, answers.length - 1);
    const lines = this.#read(start, offset + length + 1 - start);
    if (start + lines.length !== offset + length + 1) {
      throw new BadSnapshotError(`${this.#name} ends too early`);
    }
    for (const answer of answers) this.#check(answer, lines, start);
    return lines;
  }

  /** The body of one answer. @throws BadSnapshotError if it is damaged */
  answer(location: AnswerLocation): Buffer {
    const [offset, length] = location;
    const body = this.#read(offset, length);
    this.#check(location, body, offset);
    return body;
  }

  close(): void {
    closeSync(this.#pack);
  }

  #read(offset: number, length: number): Buffer {
    if (!isInside(offset, length, this.#size)) {
      throw new BadSnapshotError(`${this.#name} cannot have ${length} bytes at byte ${offset}`);
    }
    const bytes = Buffer.allocUnsafe(length);
    const read = reading(this.#name, () => readSync(this.#pack, bytes, 0, length, offset));
    return bytes.subarray(0, read);
  }

  #check([offset, length, hash]: AnswerLocation, bytes: Buffer, start: number): void {
    if (sha256(bytes.subarray(offset - start, offset - start + length)) === hash) return;
    throw new BadSnapshotError(`${this.#name} is damaged at byte ${offset}`);
  }
}
