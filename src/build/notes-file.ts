import { createHash } from "node:crypto";
import { fillSync } from "../files/regular.js";

/*
 * A file with a JSON object and columns of numbers in the machine's byte order: the object's length in eight bytes, the
 * object, the columns, and the sha256 of all these bytes. The columns never become text, so they may be very long.
 */

export type NotedColumn = Uint32Array | Float64Array;

const LENGTH_BYTES = 8;
const DIGEST_BYTES = 32;
/** Bytes that are copied, hashed and written at a time. */
const PIECE = 16 * 1024 * 1024;

/** The bytes of a file, in pieces. */
export function* notesBytes(
  object: object,
  columns: readonly NotedColumn[],
): Generator<Uint8Array> {
  const hash = createHash("sha256");
  for (const piece of piecesOf(object, columns)) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

function* piecesOf(object: object, columns: readonly NotedColumn[]): Generator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(object));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(text.length));
  yield length;
  yield text;
  for (const { buffer, byteOffset, byteLength } of columns) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    // Copies: threads may share the memory.
    for (let at = 0; at < byteLength; at += PIECE) yield bytes.slice(at, at + PIECE);
  }
}

/** Reads a file's columns in their order, and then its digest. All methods throw TypeError if the file is damaged. */
export class NotesFile {
  /** Not checked against the digest before `finish`. */
  readonly object: unknown;
  readonly #descriptor: number;
  readonly #size: number;
  readonly #hash = createHash("sha256");
  #at = 0;

  constructor(descriptor: number, size: number) {
    this.#descriptor = descriptor;
    this.#size = size;
    const length = Buffer.from(this.#next(LENGTH_BYTES)).readBigUInt64LE();
    this.object = JSON.parse(Buffer.from(this.#next(Number(length))).toString("utf8"));
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#next(4 * count));
  }

  doubles(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#next(8 * count));
  }

  finish(): void {
    const digest = this.#hash.digest("hex");
    const stated = Buffer.alloc(DIGEST_BYTES);
    const isWhole = this.#at + DIGEST_BYTES === this.#size;
    fillSync(this.#descriptor, stated, this.#at);
    if (!isWhole || stated.toString("hex") !== digest) throw new TypeError("the notes are damaged");
  }

  #next(length: number): ArrayBuffer {
    if (this.#at + length + DIGEST_BYTES > this.#size)
      throw new TypeError("the notes end too early");
    const buffer = new ArrayBuffer(length);
    const bytes = new Uint8Array(buffer);
    fillSync(this.#descriptor, bytes, this.#at);
    this.#hash.update(bytes);
    this.#at += length;
    return buffer;
  }
}
