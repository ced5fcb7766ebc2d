import { deflateSync, Inflate } from "fflate";

/*
 * Compression inside of stored files: raw deflate, which `DecompressionStream` reads everywhere. fflate gives the same
 * bytes on every machine; those of Node's zlib depend on its version and on the processor.
 */

export function deflated(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes);
}

/** Bytes that are inflated at a time. Deflate makes at most a thousand times as many of them. */
const PIECE_BYTES = 4096;

/** @returns null if the bytes are not deflated ones, or if there are more than `max` of them when they are inflated */
export function inflated(bytes: Uint8Array, max: number): Uint8Array | null {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const stream = new Inflate((piece, isLast) => {
    length += piece.length;
    isWhole = isLast;
    pieces.push(piece);
  });
  try {
    for (let at = 0; at < bytes.length && length <= max; at += PIECE_BYTES) {
      stream.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
    }
  } catch {
    return null;
  }
  if (!isWhole || length > max) return null;
  const all = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}
