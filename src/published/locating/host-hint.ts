import { QUOTE } from "../checking/json-characters.js";

/** The key `"host"` without its first quote. A search stops at each match of the first byte, and quotes are common. */
const KEY_END = Buffer.from('host"');
/** An escaped letter of "host" begins with \u006 or \u007. Most records contain no \u00 at all. */
const ESCAPE = Buffer.from("\\u00");
const ESCAPED_LETTERS = [Buffer.from("\\u006"), Buffer.from("\\u007")];
/** A host that the hint reads must end within this many bytes after the key. A canonical host takes up to 253. */
const VALUE_ROOM = 300;

/**
 * The host that a record names, found without parsing it. Null means that only parsing can tell.
 *
 * Correct for every valid record: its host is under the key `"host"`. If these bytes occur only once and no
 * escape can hide another occurrence, they are that key. In an invalid record the hint may be wrong; then it
 * only decides in which bucket the record's errors are found.
 */
export function hostHint(bytes: Buffer): string | null {
  const start = endOfOnlyKey(bytes);
  if (start === null || hasEscapedLetter(bytes)) return null;
  const following = bytes.toString("latin1", start, start + VALUE_ROOM);
  return /^[ \t\r\n]*:[ \t\r\n]*"([!#-[\]-~]+)"/.exec(following)?.[1] ?? null;
}

/** The offset after the key; null unless the key occurs exactly once. */
function endOfOnlyKey(bytes: Buffer): number | null {
  let end: number | null = null;
  for (let at = bytes.indexOf(KEY_END); at >= 0; at = bytes.indexOf(KEY_END, at + 1)) {
    if (bytes[at - 1] !== QUOTE) continue;
    if (end !== null) return null;
    end = at + KEY_END.length;
  }
  return end;
}

function hasEscapedLetter(bytes: Buffer): boolean {
  return bytes.includes(ESCAPE) && ESCAPED_LETTERS.some((escaped) => bytes.includes(escaped));
}
