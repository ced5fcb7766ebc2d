import { chance, pick, whole } from "./random.js";
import type { Records } from "./records.js";
import { matchesOf } from "./search.js";
import { fold } from "./text.js";
import { scannedOnce } from "./tiny.js";

/* Texts in which folding has much to do, and pieces of them in other cases. */

/** Letters, some of them with marks. Those that fold to the same text are the same letter in another case or form. */
const LETTERS: readonly string[] = [
  ..."İ i ı I i\u0307 I\u0307 ſ s S k K \u212a a A å \u212b A\u030a a\u030a".split(" "),
  ..."σ ς Σ é É e\u0301 E\u0301 ß ẞ ŉ ﬁ ǆ ǅ Ǆ ǰ J\u030c ẖ H\u0331 ᾳ ᾼ ị Ị".split(" "),
  // Georgian, Cherokee, Deseret, and Hangul as one letter and as three.
  ..."ა Ა ꭰ Ꭰ ᏸ Ᏸ 𐐨 𐐀 한 \u1112\u1161\u11ab".split(" "),
  ..."\u0307 \u0323 \u0301 - % _".split(" "),
];

const CASES = new Map<string, string[]>();
for (const letter of LETTERS) {
  const folded = fold(letter);
  CASES.set(folded, [...(CASES.get(folded) ?? []), letter]);
}

/** What a piece may not be cut before: it may become one letter with the letter before. */
const ATTACHED = /^[\p{M}\u1160-\u11ff]/u;

/** The letters of a text, each with what is attached to it. */
function lettersOf(text: string): string[] {
  const letters: string[] = [];
  for (const codePoint of text) {
    if (ATTACHED.test(codePoint) && letters.length > 0) letters.push(letters.pop() + codePoint);
    else letters.push(codePoint);
  }
  return letters;
}

export function casedText(random: () => number): string {
  return Array.from({ length: whole(random, 3, 12) }, () => pick(random, LETTERS)).join("");
}

/** A piece of a text, with some of its letters in another case or form. */
export function casedPiece(random: () => number, text: string): string {
  const letters = lettersOf(text);
  const start = whole(random, 0, letters.length - 1);
  return letters
    .slice(start, whole(random, start + 1, letters.length))
    .map((letter) =>
      chance(random, 0.5) ? letter : pick(random, CASES.get(fold(letter)) ?? [letter]),
    )
    .join("");
}

/** A directory of such texts, and requests for pieces of them, each of which finds a listing. */
export function casedDirectory(
  random: () => number,
  size: number,
): { readonly records: Records; readonly targets: readonly string[] } {
  const texts = Array.from({ length: size }, () => casedText(random));
  const records = scannedOnce(
    Object.fromEntries(
      texts.map((text, at) => [`${at}.example.com`, at % 2 ? { name: text } : { tagline: text }]),
    ),
  );
  const pieces = texts.flatMap((text) => [casedPiece(random, text), casedPiece(random, text)]);
  for (const piece of pieces) {
    if (matchesOf(records, "search", piece).length === 0) throw new Error(`${piece} finds nothing`);
  }
  const targets = [...pieces, "İ", "i̇", "ı", "I"].flatMap((text) => {
    const q = encodeURIComponent(text);
    return [
      `/api/sites?q=${q}`,
      `/api/sites/facets?q=${q}`,
      ...([...text].length > 1 ? [`/api/sites/suggestions?q=${q}`] : []),
    ];
  });
  return { records, targets };
}
