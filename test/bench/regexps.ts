import { expressionsOf, sourcesOf } from "../house/sources.js";
import { figure, table } from "./engine/statistics.js";

/**
 * `npm run bench:regexps`: how the time of each literal regular expression of the product grows with its text. Each reads
 * hostile texts made of its own parts, repeated to 16,384 and to 32,768 characters. Twice the text should take about twice
 * the time. Exits with 1 where a text takes more than three times as long. `test/house/regexps.test.ts` finds most such
 * expressions without a clock.
 */
const LENGTH = 16_384;
const GROWTH_MAX = 3;
/** Times below this many milliseconds say nothing about growth. */
const MEASURABLE = 8;
const TRIES = 3;

/** What matches no character by itself. */
const MARKS = /(?<=\()\?(?:[:=!]|<[=!])|(?<!\\u)\{[\d,]+\}/g;
/** A class, an escape, or characters that stand for themselves. */
const PART = /\[(?:\\.|[^\]])*\]|\\[pPu]\{[^}]*\}|\\u[0-9a-f]{4}|\\.|[^\\()[\]{}.*+?^$|]+|\./gis;
/** Characters that classes and escapes are tried with. */
const PALETTE = ["a", "0", "/", " ", "\n", "A", "-", ".", "!", '"', "<", "é", "\0", "\u2028"];
/** After these a match may fail. */
const ENDS = ["\0", "\n!", "/", ""];

/** Short texts that a part of an expression matches. */
function samplesOf(part: string, flags: string): string[] {
  if (/^[^\\[.]/.test(part)) return [part];
  const pattern = new RegExp(`^${part}$`, flags.replace("g", ""));
  return PALETTE.filter((character) => pattern.test(character)).slice(0, 3);
}

/** Texts that a hostile sender would repeat: each part, each two neighbours, and all parts together. */
function repeatedTexts({ source, flags }: RegExp): string[] {
  const samples = [...source.replaceAll(MARKS, "").matchAll(PART)].map(([part]) =>
    samplesOf(part, flags),
  );
  const firsts = samples.map(([first = ""]) => first);
  const pairs = firsts.map((first, at) => first + (firsts[at + 1] ?? ""));
  const found = [...samples.flat(), ...pairs, firsts.join(""), "a"];
  return [...new Set(found)].filter((text) => text !== "");
}

/** The shortest time in milliseconds that an expression takes for a text. */
function timeOf(regExp: RegExp, text: string): number {
  const times = Array.from({ length: TRIES }, () => {
    const start = performance.now();
    text.replace(regExp, "");
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** The slowest of an expression's hostile texts: milliseconds for the long one, and the growth from the short one. */
function slowest(regExp: RegExp): { ms: number; growth: number; text: string } {
  const repeated = repeatedTexts(regExp);
  const starts = ["", repeated.at(-2) ?? ""];
  const texts = repeated.flatMap((text) =>
    starts.flatMap((start) =>
      ENDS.map((end) => {
        const of = (length: number) => start + text.repeat(Math.ceil(length / text.length)) + end;
        const ms = timeOf(regExp, of(2 * LENGTH));
        const growth = ms < MEASURABLE ? 1 : ms / timeOf(regExp, of(LENGTH));
        return { ms, growth, text: JSON.stringify(start + text + end) };
      }),
    ),
  );
  return texts.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
}

const rows = expressionsOf(sourcesOf("src", "cli"))
  .map(({ place, regExp }) => ({ place, regExp, ...slowest(regExp) }))
  .sort((a, b) => b.ms - a.ms);
const cells = rows.map(({ place, regExp, ms, growth, text }) => [
  ...[place, `\`${String(regExp).replaceAll("|", "\\|")}\``, figure(ms), figure(growth), text],
]);
process.stdout.write(`${table(["", "expression", "ms", "growth", "text"], cells)}\n`);
process.exitCode = rows.some(({ growth }) => growth > GROWTH_MAX) ? 1 : 0;
