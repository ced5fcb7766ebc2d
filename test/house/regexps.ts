import { analyse } from "scslre";
import { expect, it } from "vitest";
import { ENTITY, MOJIBAKE, TAG } from "../../src/input/checking/rules.js";
import { OWN_NAMES } from "../../src/store/names.js";
import { expressionsOf, sourcesOf } from "./sources.js";

/** The characters that each match of an expression begins with, if none of them has another meaning. */
const LITERAL_START = /^(?:[\w<>"'=,;:@#%&~ -]|\\[^\w])+(?![*+?{])/;

/**
 * What makes an expression slow, with the square of a text's length or worse: a repetition, such as `\n+` in `\n+$`,
 * that starts again at each character of what it repeats. Null if there is none.
 */
function slowPart({ source, flags }: RegExp): string | null {
  const [report] = analyse({ source, flags }).reports;
  if (report !== undefined) {
    return report.type === "Trade" ? report.startQuant.raw : report.quant.raw;
  }
  // `<a>.*?</a>` starts again at each `<a>`, which `.*?` goes past.
  const [start] = LITERAL_START.exec(source) ?? [];
  if (start === undefined || flags.includes("y")) return null;
  const rest = { source: source.slice(start.length), flags };
  const text = start.replaceAll("\\", "");
  return (
    analyse(rest)
      .reports.flatMap((one) => (one.type === "Move" ? one.quant.raw : []))
      .find((part) => new RegExp(`^(?:${part})$`, flags).test(text)) ?? null
  );
}

it("each regular expression takes time in proportion to its text", () => {
  const all = expressionsOf(sourcesOf("src", "cli"));
  expect(all.length).toBeGreaterThan(150);
  const slow = all.flatMap(({ place, regExp }) => {
    const part = slowPart(regExp);
    return part === null ? [] : `${place}: ${part} in ${regExp}`;
  });
  expect(slow).toEqual([]);
});

it.each([MOJIBAKE, TAG, ENTITY, ...Object.values(OWN_NAMES)])(
  "%s, which is made of lists, takes time in proportion to its text",
  (regExp) => {
    expect(slowPart(regExp)).toBeNull();
  },
);

it.each([/\n+$/, /(?:a+)+b/, /a*a*b/, /<a>(.*?)<\/a>/gs])("%s is known to be slow", (regExp) => {
  expect(slowPart(regExp)).not.toBeNull();
});
