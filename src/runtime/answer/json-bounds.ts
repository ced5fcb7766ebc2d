import { SERVER_LIMITS } from "../limits.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[`, `]`, `{` and `}`. */
const LIST = 0x5b;
const LIST_END = 0x5d;
const MAP = 0x7b;
const MAP_END = 0x7d;
const SPACE = 0x20;

/**
 * Measures JSON before anything parses it: what reads it later may recurse, or do work for each value.
 * @param json UTF-8, which need not be valid JSON
 * @returns what it has too much of; null if it is within the bounds
 */
export function excessOf(json: Uint8Array): string | null {
  const { bodyDepthMax, bodyValuesMax } = SERVER_LIMITS;
  let depth = 0;
  let values = 0;
  /** Whether the last character opened a list or an object: the next one shows whether that has a value. */
  let isOpened = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte <= SPACE) continue;
    const isEnd = byte === LIST_END || byte === MAP_END;
    if (byte === COMMA || (isOpened && !isEnd)) values += 1;
    isOpened = byte === LIST || byte === MAP;
    if (isOpened) depth += 1;
    else if (isEnd) depth -= 1;
    else if (byte === QUOTE) at = endOfText(json, at);
    if (values > bodyValuesMax) {
      return `has more than ${bodyValuesMax} members and elements in all`;
    }
    if (depth > bodyDepthMax) return `has lists and objects in more than ${bodyDepthMax} levels`;
  }
  return null;
}

/** The index of the quotation mark that ends the text that begins at `start`. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
