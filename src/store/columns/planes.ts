import { broken } from "./file.js";
import type { Texts } from "./texts.js";

/*
 * Columns that are made to compress well. Numbers become planes of bytes: the lowest byte of every number, then the
 * next byte of every number, and so on, as many planes as the greatest number needs. Texts are UTF-8, each ended by a
 * byte that UTF-8 never contains.
 */

/** Ends a text. */
export const TEXT_END = 0xff;

/** The most planes: numbers are below 2 ** 32. */
const PLANES_MAX = 4;

/** @param numbers whole ones from 0 to 2 ** 32 - 1 */
export function planesOf(numbers: Uint32Array): Uint8Array {
  const greatest = numbers.reduce((a, b) => Math.max(a, b), 0);
  let planes = 1;
  while (greatest >= 2 ** (8 * planes)) planes += 1;
  const bytes = new Uint8Array(planes * numbers.length);
  for (let plane = 0; plane < planes; plane += 1) {
    for (const [at, number] of numbers.entries()) {
      bytes[plane * numbers.length + at] = number >>> (8 * plane);
    }
  }
  return bytes;
}

/**
 * Reads the numbers of `planesOf`. Reserves no more memory than four times that of the planes.
 * @param count how many there are
 * @throws BadColumnsError if the planes are not of so many numbers
 */
export function numbersIn(planes: Uint8Array, count: number, name: string): Uint32Array {
  const planeCount = count === 0 ? 1 : planes.length / count;
  if (![1, 2, 3, PLANES_MAX].includes(planeCount) || planes.length !== planeCount * count) {
    throw broken(name);
  }
  const numbers = new Uint32Array(count);
  for (let plane = 0; plane < planeCount; plane += 1) {
    const bytes = planes.subarray(plane * count, (plane + 1) * count);
    for (const [at, byte] of bytes.entries()) {
      numbers[at] = (numbers[at] ?? 0) | (byte << (8 * plane));
    }
  }
  return numbers;
}

/** Joins texts, each ended by TEXT_END. */
export function endedTexts({ bytes, starts }: Texts): Uint8Array {
  const ended = new Uint8Array(bytes.length + starts.length - 1);
  let start = 0;
  for (const [text, end] of starts.subarray(1).entries()) {
    ended.set(bytes.subarray(start, end), start + text);
    ended[end + text] = TEXT_END;
    start = end;
  }
  return ended;
}

/** Reads the texts of `endedTexts`. @throws BadColumnsError */
export function textsIn(ended: Uint8Array, name: string): Texts {
  if (ended.length > 0 && ended.at(-1) !== TEXT_END) throw broken(name);
  const count = ended.reduce((sum, byte) => sum + (byte === TEXT_END ? 1 : 0), 0);
  const bytes = new Uint8Array(ended.length - count);
  const starts = new Uint32Array(count + 1);
  let [text, end] = [0, 0];
  for (const byte of ended) {
    if (byte === TEXT_END) {
      text += 1;
      starts[text] = end;
    } else {
      bytes[end] = byte;
      end += 1;
    }
  }
  return { bytes, starts };
}
