import { createHash } from "node:crypto";
import { namesOf } from "../contract/tables.js";

/*
 * Plain data as one block of bytes: a lead, a head (the data as JSON, with a reference in place of each typed array),
 * then the arrays. The block can be shared by threads, and is the beginning of an index file. Arrays that are `Outside`
 * follow the block: they may stay in the file, and are read from there when they are needed.
 */

/** Every array begins at a multiple of so many bytes: the length of a processor's cache line. */
const ALIGNMENT = 64;
export const LEAD_BYTES = 128;
/** The bytes "cdxindex". */
const MAGIC = new TextEncoder().encode("cdxindex");
const SHA256_BYTES = 32;
/** Where the lead has the sha256 of the block, without the lead, and the sha256 of what is outside the block. */
const BLOCK_SHA256_AT = 32;
const OUTSIDE_SHA256_AT = 64;

const KINDS = { Uint8Array, Uint16Array, Uint32Array, Float64Array } as const;
type Kind = keyof typeof KINDS;

/** Bytes of plain data that need not be in memory. */
export class Outside {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Where bytes lie in the file. */
export interface OutsidePart {
  readonly offset: number;
  readonly length: number;
}

/** In the JSON of the head, in place of an array: its type, its start after the head, its bytes. */
type ArrayRef = readonly ["#array", Kind, number, number];
/** In place of bytes outside: their start after the block, their length. */
type OutsideRef = readonly ["#outside", number, number];

export interface PackedIndex {
  /** Bytes of the block, and of everything. */
  readonly blockBytes: number;
  readonly bytes: number;
  /** The bytes in order: those of the block, then, if `isWhole`, those outside it. */
  pieces(isWhole: boolean): Generator<Uint8Array>;
}

/** Packs plain data. @param data objects and lists of typed arrays, `Outside` bytes, and what JSON has */
export function packIndex(data: object): PackedIndex {
  const arrays: ArrayBufferView[] = [];
  const outside: Uint8Array[] = [];
  let end = 0;
  let outsideEnd = 0;
  const json = JSON.stringify(data, (_, value: unknown): unknown => {
    if (value instanceof Outside) {
      const { bytes } = value;
      const ref: OutsideRef = ["#outside", outsideEnd, bytes.length];
      outside.push(bytes);
      outsideEnd = aligned(outsideEnd + bytes.length);
      return ref;
    }
    if (!ArrayBuffer.isView(value)) return value;
    const ref: ArrayRef = ["#array", kindOf(value), end, value.byteLength];
    arrays.push(value);
    end = aligned(end + value.byteLength);
    return ref;
  });
  const head = new TextEncoder().encode(json);
  const blockBytes = aligned(LEAD_BYTES + head.length) + end;
  const bytes = blockBytes + outsideEnd;
  const sizes = [head.length, blockBytes, bytes];
  return {
    blockBytes,
    bytes,
    *pieces(isWhole) {
      yield leadOf(sizes, [head, ...arrays], outside);
      for (const part of [head, ...arrays, ...(isWhole ? outside : [])]) yield* padded(part);
    },
  };
}

/** The magic bytes, the lengths of the head, of the block and of everything, and both sha256. */
function leadOf(
  sizes: readonly number[],
  inBlock: readonly ArrayBufferView[],
  outside: readonly ArrayBufferView[],
): Uint8Array {
  const lead = new Uint8Array(LEAD_BYTES);
  lead.set(MAGIC);
  const view = new DataView(lead.buffer);
  for (const [at, size] of sizes.entries()) view.setFloat64(8 * (at + 1), size);
  lead.set(digestOf(inBlock), BLOCK_SHA256_AT);
  lead.set(digestOf(outside), OUTSIDE_SHA256_AT);
  return lead;
}

function digestOf(parts: readonly ArrayBufferView[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) for (const piece of padded(part)) hash.update(piece);
  return hash.digest();
}

function* padded({ buffer, byteOffset, byteLength }: ArrayBufferView): Generator<Uint8Array> {
  yield new Uint8Array(buffer, byteOffset, byteLength);
  const gap = aligned(byteLength) - byteLength;
  if (gap > 0) yield new Uint8Array(gap);
}

/** The packed data in memory that threads can share. @param isWhole whether to include the bytes outside the block */
export function blockOf(packed: PackedIndex, isWhole: boolean): SharedArrayBuffer {
  const block = new SharedArrayBuffer(isWhole ? packed.bytes : packed.blockBytes);
  const bytes = new Uint8Array(block);
  let end = 0;
  for (const piece of packed.pieces(isWhole)) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return block;
}

/** What the lead of an index file says; null if it is none. */
export function readLead(lead: Uint8Array) {
  if (lead.length < LEAD_BYTES || MAGIC.some((byte, at) => lead[at] !== byte)) return null;
  const view = new DataView(lead.buffer, lead.byteOffset);
  const [headBytes = 0, blockBytes = 0, bytes = 0] = [1, 2, 3].map((at) => view.getFloat64(8 * at));
  const areCounts = [headBytes, blockBytes, bytes].every((size) => Number.isSafeInteger(size));
  const isInOrder = 0 < headBytes && LEAD_BYTES + headBytes <= blockBytes && blockBytes <= bytes;
  if (!areCounts || !isInOrder) return null;
  const sha256At = (at: number) =>
    Buffer.from(lead.subarray(at, at + SHA256_BYTES)).toString("hex");
  const blockSha256 = sha256At(BLOCK_SHA256_AT);
  return { headBytes, blockBytes, bytes, blockSha256, outsideSha256: sha256At(OUTSIDE_SHA256_AT) };
}

/** The data of a block, whose arrays are views of it, with an `OutsidePart` in place of each `Outside`. */
export function unpackIndex<T extends object>(block: SharedArrayBuffer): T {
  const lead = readLead(new Uint8Array(block, 0, LEAD_BYTES));
  if (lead === null) throw new RangeError("the block has no lead");
  const { headBytes, blockBytes } = lead;
  const start = aligned(LEAD_BYTES + headBytes);
  const head = new Uint8Array(block, LEAD_BYTES, headBytes).slice();
  return JSON.parse(new TextDecoder().decode(head), (_, value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (isArrayRef(value)) return viewOf(block, value[1], start + value[2], value[3]);
    if (!isOutsideRef(value)) return value;
    return { offset: blockBytes + value[1], length: value[2] } satisfies OutsidePart;
  });
}

function kindOf(array: ArrayBufferView): Kind {
  const kind = namesOf(KINDS).find((name) => array instanceof KINDS[name]);
  if (kind === undefined) throw new TypeError("an index has an array of another type");
  return kind;
}

function viewOf(block: SharedArrayBuffer, kind: Kind, offset: number, bytes: number) {
  const make: {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: SharedArrayBuffer, offset: number, length: number): ArrayBufferView;
  } = KINDS[kind];
  return new make(block, offset, bytes / make.BYTES_PER_ELEMENT);
}

function isArrayRef(value: readonly unknown[]): value is ArrayRef {
  return value[0] === "#array" && typeof value[2] === "number";
}

function isOutsideRef(value: readonly unknown[]): value is OutsideRef {
  return value[0] === "#outside" && typeof value[1] === "number";
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
