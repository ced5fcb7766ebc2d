import { type Finding, type Path, quote } from "./finding.js";

/** The characters that bytes 0x80 to 0xbf become if they are read as Latin-1 or as Windows-1252. */
const TAIL = "[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]";

/**
 * UTF-8 that was read as Latin-1 or Windows-1252, such as `Ã©` for é, `â€™` for an apostrophe, `ðŸ` of an emoji, or two
 * letters of another script. After a capital, Ã and Â may be letters, as in `IRMÃ”`.
 */
const MOJIBAKE = new RegExp(
  `(?<!\\p{Lu})[ÂÃ]${TAIL}|â[\\u0080\\u0082\\u0084€‚„]${TAIL}|ð[\\u009fŸ]|ï(?:»¿|¿½)|(?:[Â-ß]${TAIL}){2}`,
  "u",
);

const TAG =
  /<\/?(a|abbr|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|iframe|img|li|ol|p|pre|s|script|small|span|strong|style|sub|sup|svg|table|td|th|tr|tt|u|ul)(?=[\s/>])[^<>]*>/i;
const ENTITY =
  /&(?:amp|lt|gt|quot|apos|nbsp|copy|reg|trade|hellip|[mn]dash|[lr][sd]quo|[lr]aquo|bull|middot|euro|pound|deg|[a-z]{1,2}(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|lig)|#\d{1,7}|#x[\da-f]{1,6});/i;

/** A text that was read in the wrong encoding. Values that are no text have no notices. */
export function* encodingNotices(path: Path, text: unknown): Generator<Finding> {
  const found = typeof text === "string" ? MOJIBAKE.exec(text)?.[0] : undefined;
  if (found === undefined) return;
  const message = `found ${quote(found)}, which looks like UTF-8 that was read as Latin-1 or Windows-1252: read it as UTF-8`;
  yield { path, at: "value", message };
}

/** A text of one line that has HTML, or was read in the wrong encoding. */
export function* lineNotices(path: Path, text: unknown): Generator<Finding> {
  yield* encodingNotices(path, text);
  if (typeof text !== "string") return;
  const tag = TAG.exec(text)?.[1];
  const found = tag === undefined ? ENTITY.exec(text)?.[0] : `<${tag}>`;
  if (found === undefined) return;
  const message = `found ${quote(found)}, but this is plain text: readers see HTML as it is written`;
  yield { path, at: "value", message };
}
