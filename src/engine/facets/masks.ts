/*
 * A listing's mask has one bit for each of its values. A plane holds the masks for 32 values, one word for each
 * listing. Planes lie one after another. To count values, masks are added without a carry between bits: a word first
 * holds eight 4-bit counters, then four 8-bit ones, before each counter is read.
 */

/** The number of values in a plane. */
export const MASK_BITS = 32;

/** The number of planes for a number of values. */
export function planesFor(values: number): number {
  return Math.ceil(values / MASK_BITS);
}

/** Sets the bit of the value at `index` for a listing, in masks of `size` listings. */
export function setMask(masks: Uint32Array, size: number, index: number, number: number): void {
  masks[(index >>> 5) * size + number]! |= 1 << (index & 31);
}

/** The largest sums of a 4-bit and of an 8-bit counter. */
const NIBBLE_MAX = 15;
const BYTE_MAX = 255;
const NIBBLES = 0x11111111;
const LOW_NIBBLES = 0x0f0f0f0f;

/**
 * Counts the listings that have each bit of the plane at `start`, and adds the results to the 32 counts from `index`
 * on.
 */
export function addMasks(
  masks: Uint32Array,
  start: number,
  numbers: Uint32Array,
  counts: Uint32Array,
  index: number,
): void {
  for (let at = 0; at < numbers.length; ) {
    const byteEnd = Math.min(at + BYTE_MAX, numbers.length);
    // `a` sums the bits 0, 4, 8 and so on; `b`, `c` and `d` sum the bits one, two and three above.
    let a0 = 0;
    let a4 = 0;
    let b0 = 0;
    let b4 = 0;
    let c0 = 0;
    let c4 = 0;
    let d0 = 0;
    let d4 = 0;
    while (at < byteEnd) {
      const nibbleEnd = Math.min(at + NIBBLE_MAX, byteEnd);
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (; at < nibbleEnd; at += 1) {
        const mask = masks[start + numbers[at]!]!;
        a = (a + (mask & NIBBLES)) | 0;
        b = (b + ((mask >>> 1) & NIBBLES)) | 0;
        c = (c + ((mask >>> 2) & NIBBLES)) | 0;
        d = (d + ((mask >>> 3) & NIBBLES)) | 0;
      }
      a0 = (a0 + (a & LOW_NIBBLES)) | 0;
      a4 = (a4 + ((a >>> 4) & LOW_NIBBLES)) | 0;
      b0 = (b0 + (b & LOW_NIBBLES)) | 0;
      b4 = (b4 + ((b >>> 4) & LOW_NIBBLES)) | 0;
      c0 = (c0 + (c & LOW_NIBBLES)) | 0;
      c4 = (c4 + ((c >>> 4) & LOW_NIBBLES)) | 0;
      d0 = (d0 + (d & LOW_NIBBLES)) | 0;
      d4 = (d4 + ((d >>> 4) & LOW_NIBBLES)) | 0;
    }
    addBytes(a0, counts, index);
    addBytes(b0, counts, index + 1);
    addBytes(c0, counts, index + 2);
    addBytes(d0, counts, index + 3);
    addBytes(a4, counts, index + 4);
    addBytes(b4, counts, index + 5);
    addBytes(c4, counts, index + 6);
    addBytes(d4, counts, index + 7);
  }
}

/** Adds the four bytes of a word to every eighth count. */
function addBytes(bytes: number, counts: Uint32Array, index: number): void {
  counts[index]! += bytes & 0xff;
  counts[index + 8]! += (bytes >>> 8) & 0xff;
  counts[index + 16]! += (bytes >>> 16) & 0xff;
  counts[index + 24]! += bytes >>> 24;
}
