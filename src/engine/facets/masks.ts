/*
 * A listing's mask has one bit for each value that it carries, 32 values to a plane; planes lie one after the
 * other, each a word a listing. Counting values among listings is adding masks without carry from bit to bit:
 * a word holds eight counters of four bits, then four of eight, before each counter is read by itself.
 */

/** Values of a plane. */
export const MASK_BITS = 32;

/** Planes that so many values take. */
export function planesFor(values: number): number {
  return Math.ceil(values / MASK_BITS);
}

/** Says in masks of `size` listings that a listing carries the value at a place. */
export function setMask(masks: Uint32Array, size: number, place: number, number: number): void {
  masks[(place >>> 5) * size + number]! |= 1 << (place & 31);
}

/** What a counter of four bits can add, and one of eight. */
const NIBBLE_MAX = 15;
const BYTE_MAX = 255;
const NIBBLES = 0x11111111;
const LOW_NIBBLES = 0x0f0f0f0f;

/**
 * Adds to 32 counts, from `place` on, how many of the listings have each bit of the plane that starts at
 * `start`.
 */
export function addMasks(
  masks: Uint32Array,
  start: number,
  numbers: Uint32Array,
  counts: Uint32Array,
  place: number,
): void {
  for (let at = 0; at < numbers.length; ) {
    const byteEnd = Math.min(at + BYTE_MAX, numbers.length);
    // Bits 0, 4, 8 and so on are added in `a`; the next ones in `b`, `c` and `d`.
    let [a0, a4, b0, b4, c0, c4, d0, d4] = [0, 0, 0, 0, 0, 0, 0, 0];
    while (at < byteEnd) {
      const nibbleEnd = Math.min(at + NIBBLE_MAX, byteEnd);
      let [a, b, c, d] = [0, 0, 0, 0];
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
    addBytes(a0, counts, place);
    addBytes(b0, counts, place + 1);
    addBytes(c0, counts, place + 2);
    addBytes(d0, counts, place + 3);
    addBytes(a4, counts, place + 4);
    addBytes(b4, counts, place + 5);
    addBytes(c4, counts, place + 6);
    addBytes(d4, counts, place + 7);
  }
}

/** Adds the four bytes of a word to every eighth count. */
function addBytes(bytes: number, counts: Uint32Array, place: number): void {
  counts[place]! += bytes & 0xff;
  counts[place + 8]! += (bytes >>> 8) & 0xff;
  counts[place + 16]! += (bytes >>> 16) & 0xff;
  counts[place + 24]! += bytes >>> 24;
}
