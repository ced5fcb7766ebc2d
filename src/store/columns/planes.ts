import { broken } from "./file.js";
import type { Texts } from "./texts.js";

/*
 * Columns that are made to compress well. Numbers become planes of bytes: the lowest byte of every number, then the
 * next byte of every number, and so on, without the planes at the top that are all zero. Texts are UTF-8, each ended
 * by a byte that UTF-8 never contains.
 */

/** Ends a text. */
export const TEXT_END = 0xff;

/** The most planes: numbers are below 2 ** 32. */
const PLANES_MAX = 4;

/** @param numbers whole ones from 0 to 2 ** 32 - 1 */
export function planesOf(numbers: Uint32Array): Uint8Array {
  const greatest = numbers.reduce((a, b) => Math.max(a, b), 0);
  let planes = 0;
  while (greatest >= 2 ** (8 * planes)) planes += 1;
  const bytes = new Uint8Array(planes * numbers.length);
  for (let plane = 0; plane < planes; plane += 1) {
    for (let at = 0; at < numbers.length; at += 1) {
      bytes[plane * numbers.length + at] = numbers[at]! >>> (8 * plane);
    }
  }
  return bytes;
}

/** Reads the numbers of `planesOf`. @param count how many there are @throws BadColumnsError */
export function numbersIn(planes: Uint8Array, count: number, name: string): Uint32Array {
  if (planes.length > PLANES_MAX * count || planes.length % Math.max(count, 1) !== 0) {
    throw broken(name);
  }
  const numbers = new Uint32Array(count);
  for (let at = 0; at < planes.length; at += 1) {
    numbers[at % count]! |= planes[at]! << (8 * Math.floor(at / count));
  }
  return numbers;
}

/** Joins texts, each ended by TEXT_END. */
export function endedTexts({ bytes, starts }: Texts): Uint8Array {
  const ended = new Uint8Array(bytes.length + starts.length - 1);
  for (let text = 0; text + 1 < starts.length; text += 1) {
    ended.set(bytes.subarray(starts[text], starts[text + 1]), starts[text]! + text);
    ended[starts[text + 1]! + text] = TEXT_END;
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
