import { isDeepStrictEqual } from "node:util";
import { parse, visit } from "jsonc-parser";
import { describeValue, type Finding, type Path, quote } from "./finding.js";
import { isBlank, QUOTE } from "./json.js";

/**
 * Whether an object in a JSON text may have a key twice; only false is certain. `JSON.parse` retains only the
 * last of equal keys, so a text with a repeated key has more keys than its value.
 * @param keys how many keys the parsed value has
 */
export function mayRepeatKeys(text: string, keys: number): boolean {
  let found = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTE) found += 1;
  }
  return found > keys;
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
 * A finding for each key of a JSON text that repeats an earlier key of the same object.
 * @param text a text that `JSON.parse` accepts
 */
export function repeatedKeys(text: string): Finding[] {
  return repeatsIn(text).map(({ path, key, at }) => {
    const message = `the key ${quote(key)} occurs more than once in an object; only the last one counts`;
    return { path, at, message };
  });
}

/**
 * Yields a finding for each of the given keys that is repeated with a different value, and for each key that is so
 * repeated in an object under a given key.
 * @param text a text that `JSON.parse` accepts
 * @param keys at the top level of the record
 */
export function* conflictingKeys(
  text: string,
  keys: ReadonlySet<unknown>,
): Generator<Finding, void> {
  for (const { path, key, at, before } of repeatsIn(text)) {
    if (path.length > 2 || !keys.has(path[0])) continue;
    const earlier = valueAfter(text, before);
    const later = valueAfter(text, at);
    if (isDeepStrictEqual(earlier, later)) continue;
    const values = `${describeValue(earlier)}, then ${describeValue(later)}`;
    const message =
      `the key ${quote(key)} occurs more than once with different values: ${values}; keep the one that ` +
      "you mean";
    yield { path, at, message };
  }
}

function repeatsIn(text: string): Repeat[] {
  const repeats: Repeat[] = [];
  /** The last offsets of the keys of each open object. */
  const open: Map<string, number>[] = [];
  visit(text, {
    onObjectBegin: () => {
      open.push(new Map());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, at, _length, _line, _column, pathOf) => {
      const before = open.at(-1)?.get(key);
      if (before !== undefined) repeats.push({ path: [...pathOf(), key], key, at, before });
      open.at(-1)?.set(key, at);
    },
  });
  return repeats;
}

/** @param key the offset of a key's opening quote. @returns the value of the key */
function valueAfter(text: string, key: number): unknown {
  const rest = text.slice(key);
  const [quoted = ""] = /^"(?:[^"\\]|\\.)*"/s.exec(rest) ?? [];
  return parse(rest.slice(rest.indexOf(":", quoted.length) + 1));
}
