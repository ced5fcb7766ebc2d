import { type Finding, type Path, quote } from "./finding.js";
import { BACKSLASH, isBlank, QUOTE } from "./json-characters.js";

/**
 * Whether an object in a JSON text may have a key twice; only false is certain. `JSON.parse` retains only the
 * last of equal keys, so a text with a repeated key has more keys than its value.
 * @param keys how many keys the parsed value has
 */
export function mayRepeatKeys(text: string, keys: number): boolean {
  let found = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTE ? isClosing(text, at - 1) : isBlank(before) && followsText(text, at)) {
      found += 1;
    }
  }
  return found > keys;
}

/**
 * Whether the quote is unescaped, as the quote before the colon of every key is. The opening quote of a
 * string such as `":"` is unescaped too, so the count may be too high.
 */
function isClosing(text: string, quoteAt: number): boolean {
  let before = quoteAt - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quoteAt - before) % 2 === 1;
}

/** Whether only blanks are between a quote and the colon. */
function followsText(text: string, colon: number): boolean {
  let at = colon - 1;
  while (isBlank(text.charCodeAt(at))) at -= 1;
  return text.charCodeAt(at) === QUOTE && isClosing(text, at);
}

/** An object or array that is open at the current place in a text. */
interface Container {
  /** Keys of an object so far; null for an array. */
  readonly keys: Set<string> | null;
  /** The object's current key, or the array's current index. */
  step: string | number;
  expectsKey: boolean;
}

/**
 * Yields each key of a JSON text that repeats an earlier key of the same object, at its place.
 * @param text a text that `JSON.parse` accepts
 */
export function* repeatedKeys(text: string): Generator<Finding, void> {
  const open: Container[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    switch (text[at]) {
      case "{":
        open.push({ keys: new Set(), step: "", expectsKey: true });
        break;
      case "[":
        open.push({ keys: null, step: 0, expectsKey: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (inside === undefined) break;
        if (typeof inside.step === "number") inside.step += 1;
        else inside.expectsKey = true;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (inside?.keys && inside.expectsKey) {
          const key: string = JSON.parse(text.slice(at, end));
          inside.step = key;
          inside.expectsKey = false;
          if (inside.keys.has(key)) yield repeatedKeyFinding(open, key, at);
          inside.keys.add(key);
        }
        at = end - 1;
        break;
      }
    }
  }
}

/** @param start the offset of the opening quote. @returns the offset after the closing quote */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function repeatedKeyFinding(open: readonly Container[], key: string, at: number): Finding {
  const path: Path = open.map(({ step }) => step);
  const message = `the key ${quote(key)} occurs more than once in an object; only the last one counts`;
  return { path, at, message };
}
