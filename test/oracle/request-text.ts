import { searchableOf } from "./derive.js";
import { chance, pick, pickWeighted, whole } from "./random.js";
import type { Records } from "./records.js";

/** A query's name and value, both percent-encoded as they will be sent. */
export type Pair = readonly [name: string, value: string];

/** Encodes a text as form data, in one of the several ways that clients do. */
export function encoded(random: () => number, text: string): string {
  const space = pick(random, ["+", "%20"]);
  const needless = chance(random, 0.1);
  return [...text]
    .map((codePoint) => {
      if (codePoint === " ") return space;
      if (needless && /[a-z0-9]/i.test(codePoint)) return escaped(random, codePoint);
      return encodeURIComponent(codePoint);
    })
    .join("");
}

/** A percent escape of one ASCII character, its digits in either case. */
function escaped(random: () => number, character: string): string {
  const digits = character.charCodeAt(0).toString(16).padStart(2, "0");
  return `%${chance(random, 0.5) ? digits : digits.toUpperCase()}`;
}

/** The query string of the pairs, `?` included; a few have the stray `&` that people leave. */
export function queryString(random: () => number, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return chance(random, 0.05) ? "?" : "";
  const joint = chance(random, 0.02) ? "&&" : "&";
  const end = chance(random, 0.02) ? "&" : "";
  const named = (name: string) => (chance(random, 0.01) ? disguised(random, name) : name);
  return `?${pairs.map(([name, value]) => `${named(name)}=${value}`).join(joint)}${end}`;
}

/** A piece of a text of `least` to `most` code points (the whole text, where it is shorter). */
export function pieceOf(random: () => number, text: string, least: number, most: number): string {
  const codePoints = [...text];
  const length = Math.min(codePoints.length, whole(random, least, most));
  const start = whole(random, 0, codePoints.length - length);
  return codePoints.slice(start, start + length).join("");
}

/** A text in one of the cases that people type it in. */
export function recased(random: () => number, text: string): string {
  const swapped = () =>
    [...text].map((letter) => (chance(random, 0.5) ? letter.toUpperCase() : letter.toLowerCase()));
  return pickWeighted<() => string>(random, [
    [4, () => text],
    [2, () => text.toLowerCase()],
    [2, () => text.toUpperCase()],
    [1, () => swapped().join("")],
    [1, () => text.normalize("NFD")],
  ])();
}

const fixedTexts = [
  "%",
  "_",
  "*",
  "\\",
  "'",
  '"',
  "a%",
  "%a%",
  "c_t",
  "c*t",
  "' OR 1=1 --",
  "qzxqzxqzx",
  "zz top of nothing",
  "İ",
  "i\u0307",
  "istanbul",
  "ß",
  "ς",
  "ſ",
  "K",
  "é",
  "e\u0301",
  "日本",
  "👩‍💻",
  "\u0000",
  "\ufeffa",
  "__proto__",
  "constructor",
  "undefined",
  "null",
  ".com",
  ".",
];

/** A text that rarely or never hits: wildcards, oddities, and pieces that span two fields. */
export function hostileText(random: () => number, records: Records): string {
  const listings = searchableOf(records);
  if (listings.length === 0 || chance(random, 0.5)) return pick(random, fixedTexts);
  const { host, name, tagline } = pick(random, listings).summary;
  const text = name ?? tagline ?? host;
  const piece = pieceOf(random, text, 3, 8);
  return pickWeighted<() => string>(random, [
    [2, () => `${host.slice(-3)}${[...text].slice(0, 3).join("")}`],
    [1, () => `${host} ${text}`],
    [2, () => [...piece].toReversed().join("")],
    [2, () => piece.replace(/\p{L}/u, pick(random, ["_", "%", "*", "?", "."]))],
    [1, () => `%${piece}%`],
    [1, () => `${piece}${pick(random, ["x", "q", "-", "é"])}`],
  ])();
}

/** The path's host or word with some of its characters percent-encoded; it means the same. */
export function disguised(random: () => number, segment: string): string {
  return [...segment]
    .map((letter) => (chance(random, 0.2) ? escaped(random, letter) : letter))
    .join("");
}
