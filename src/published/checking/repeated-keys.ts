import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { describeValue, type Finding, type Path, quote } from "./finding.js";
import { BACKSLASH, isBlank, QUOTE } from "./json.js";

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

/** An object or array that is open at the current position in a text. */
interface Container {
  /** Keys of an object so far, each with its last offset; null for an array. */
  readonly keys: Map<string, number> | null;
  /** The object's current key, or the array's current index. */
  step: string | number;
  expectsKey: boolean;
}

/** A key that repeats an earlier key of the same object. */
interface Repeat {
  readonly path: Path;
  readonly key: string;
  /** The offset of the key, and that of the equal key before it. */
  readonly at: number;
  readonly before: number;
}

/**
 * Yields a finding for each key of a JSON text that repeats an earlier key of the same object.
 * @param text a text that `JSON.parse` accepts
 */
export function* repeatedKeys(text: string): Generator<Finding, void> {
  for (const { path, key, at } of repeatsIn(text)) {
    const message = `the key ${quote(key)} occurs more than once in an object; only the last one counts`;
    yield { path, at, message };
  }
}

/**
 * Yields a finding for each repeat of one of the given keys with another value than before, and for each in the object
 * under such a key.
 * @param text a text that `JSON.parse` accepts
 * @param keys of the record itself
 */
export function* conflictingKeys(
  text: string,
  keys: ReadonlySet<unknown>,
): Generator<Finding, void> {
  for (const { path, key, at, before } of repeatsIn(text)) {
    if (path.length > 2 || !keys.has(path[0])) continue;
    const [earlier, later] = [valueAfter(text, before), valueAfter(text, at)];
    if (isDeepStrictEqual(earlier, later)) continue;
    const values = `${describeValue(earlier)}, then ${describeValue(later)}`;
    const message = `the key ${quote(key)} occurs more than once with different values: ${values}; keep the one that you mean`;
    yield { path, at, message };
  }
}

function* repeatsIn(text: string): Generator<Repeat, void> {
  const open: Container[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    switch (text[at]) {
      case "{":
        open.push({ keys: new Map(), step: "", expectsKey: true });
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
          const before = inside.keys.get(key);
          if (before !== undefined) yield { path: open.map(({ step }) => step), key, at, before };
          inside.keys.set(key, at);
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

/** @param key the offset of a key's opening quote. @returns the value of the key */
function valueAfter(text: string, key: number): unknown {
  return parse(text.slice(text.indexOf(":", endOfString(text, key)) + 1));
}
