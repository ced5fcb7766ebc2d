import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { parse, visit } from "jsonc-parser";
import type { ProblemCode } from "./codes.js";
import { syntaxFinding } from "./positions.js";
import {
  describeValue,
  excerpt,
  FINDINGS_MAX,
  type Finding,
  NO_FINDINGS,
  type Path,
  quote,
} from "./problem.js";

/**
 * Levels of objects and arrays in a record; the record itself is the first (docs/publishing.md#rules-for-all-files).
 */
const DEPTH_MAX = 200;

/**
 * A text up to this many characters is parsed before its depth is known: it is too short for nesting that
 * costs much time or memory, and a parsed value's depth is found far faster than a text's.
 */
export const SMALL_TEXT = 65_536;

/** A record's text with its parsed value. */
export interface ParsedJson {
  readonly text: string;
  readonly value: unknown;
  /** Whether it has the key `__proto__`. */
  readonly hasProto: boolean;
  /** The number of keys of all objects in `value`. */
  readonly keys: number;
}

/**
 * Parses one JSON text that has no byte-order mark. Never throws: invalid bytes and millions of nested
 * levels are findings too.
 */
export function parseJson(bytes: Buffer): ParsedJson | { text: string; finding: Finding } {
  const text = bytes.toString("utf8");
  const encoding = encodingFinding(bytes, text);
  return encoding === null ? parseJsonText(text) : { text, finding: encoding };
}

/** Like `parseJson`, for bytes that are decoded already. */
export function parseJsonText(text: string): ParsedJson | { text: string; finding: Finding } {
  if (text.length > SMALL_TEXT) {
    const finding = depthFinding(text);
    if (finding !== null) return { text, finding };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { text, finding: depthFinding(text) ?? syntaxFinding(text) };
  }
  const shape = shapeOf(value);
  const finding = shape.deep ? depthFinding(text) : null;
  if (finding !== null) return { text, finding };
  return { text, value, hasProto: shape.hasProto, keys: shape.keys };
}

/** Walks a parsed value level by level, so that no depth can exhaust the stack. */
function shapeOf(value: unknown): { deep: boolean; hasProto: boolean; keys: number } {
  let hasProto = false;
  let keys = 0;
  let below: object[] = [];
  const look = (item: unknown) => {
    if (typeof item === "object" && item !== null) below.push(item);
  };
  look(value);
  for (let depth = 1; below.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return { deep: true, hasProto, keys };
    const level = below;
    below = [];
    for (const container of level) {
      if (Array.isArray(container)) {
        for (const item of container) look(item);
        continue;
      }
      for (const key in container) {
        keys += 1;
        if (key === "__proto__") hasProto = true;
        look((container as Record<string, unknown>)[key]);
      }
    }
  }
  return { deep: false, hasProto, keys };
}

/** Finds the first bracket that is nested too deeply; null if there is none. The text need not be valid JSON. */
function depthFinding(text: string): Finding | null {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > DEPTH_MAX) {
        return {
          code: "json-deep",
          path: [],
          at,
          message: `is nested deeper than ${DEPTH_MAX} levels`,
        };
      }
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return null;
}

/**
 * The first byte that is not UTF-8; null if all are. `text` is the decoded bytes, with U+FFFD for each invalid
 * sequence.
 */
export function encodingFinding(
  bytes: Buffer,
  text: string,
): (Finding & { readonly at: number }) | null {
  if (isUtf16(bytes)) return { code: ENCODING, path: [], at: 0, message: UTF16 };
  if (isUtf8(bytes)) return null;
  let byte = 0;
  let at = -1;
  for (;;) {
    const from = at + 1;
    at = text.indexOf("\ufffd", from);
    byte += Buffer.byteLength(text.slice(from, at));
    // A U+FFFD that the publisher wrote is three valid bytes, not an error.
    if (!bytes.subarray(byte, byte + 3).equals(REPLACEMENT)) break;
    byte += REPLACEMENT.length;
  }
  const found = `0x${bytes.toString("hex", byte, byte + 1)}`;
  return { code: ENCODING, path: [], at, message: `is not UTF-8: found the byte ${found}` };
}

const ENCODING = "encoding-wrong";
const REPLACEMENT = Buffer.from("\ufffd");

/** The message for a text that `isUtf16` recognizes. */
export const UTF16 = "is UTF-16, expected UTF-8: save it as UTF-8";
/** The byte-order marks of UTF-16, little and big endian. */
const UTF16_MARKS: readonly number[] = [0xfffe, 0xfeff];

/** Whether a JSON text is UTF-16: it has a byte-order mark, or each of its first two characters has a zero byte. */
export function isUtf16(bytes: Buffer): boolean {
  if (bytes.length < 2) return false;
  const [a, b, c, d] = Array.from(bytes.subarray(0, 4), (byte) => byte === 0);
  return UTF16_MARKS.includes(bytes.readUInt16BE(0)) || (a !== b && a === c && b === d);
}

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a character, given as its code or as its byte, is white space in JSON. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/*
 * Numbers in JSON may have any number of digits, but JavaScript and most other readers of JSON keep about 16. We would
 * publish another number than the one that was written, so such a number is an error.
 */

/** A quick test that no text with an inexact number fails: such a number has 16 digits or an exponent. */
const MAY_BE_INEXACT = /\d\d[\d.]{13}|\d[eE][-+]?\d/;
/** What may be a number: it follows a character that may precede a value. Texts may contain such matches, too. */
const NUMBERS = /(?:^|[:,[\s])(-?\d[\d.eE+-]*)/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * The numbers of a JSON text that would be rounded.
 * @param text a text that `JSON.parse` accepts
 */
export function inexactNumbers(text: string): readonly Finding[] {
  if (!MAY_BE_INEXACT.test(text)) return NO_FINDINGS;
  let isSuspect = false;
  for (const [, number = ""] of text.matchAll(NUMBERS)) isSuspect ||= isInexact(number);
  if (!isSuspect) return NO_FINDINGS;
  const findings: Finding[] = [];
  visit(text, {
    onLiteralValue: (value, at, length, _line, _column, pathOf) => {
      if (typeof value !== "number" || findings.length > FINDINGS_MAX) return;
      const number = text.slice(at, at + length);
      if (isInexact(number)) findings.push({ ...inexactNumber(pathOf(), number), at });
    },
  });
  return findings;
}

/** Whether a text is a number whose value differs from that of the JavaScript number for it. */
export function isInexact(text: string): boolean {
  const decimal = decimalOf(text);
  return decimal !== null && decimal !== decimalOf(String(Number(text)));
}

/** The finding for an inexact number. */
export function inexactNumber(path: Path, text: string): Finding {
  const stored = Number(text);
  const why = Number.isFinite(stored)
    ? `which would be rounded to \`${stored}\``
    : "which is too large for a number";
  const message = `found ${excerpt(text)}, ${why}; write it as text, in quotes, or with fewer digits`;
  return { code: "number-inexact", path, message };
}

/** A number's significant digits and exponent, the same for all spellings of a value; null if it is not a number. */
function decimalOf(text: string): string | null {
  const [match, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (match === undefined) return null;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const sign = text.startsWith("-") ? "-" : "";
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${power}`;
}

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
interface RepeatedKey {
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
  return repeatsIn(
    text,
    "key-repeated",
    ({ key }) =>
      `the key ${quote(key)} occurs more than once in an object; only the last one counts`,
  );
}

/**
 * A finding for each key that is repeated with a different value.
 * @param text a text that `JSON.parse` accepts
 * @param keys looks only at these keys at the top level, and at those of the objects under them; all keys if left out
 */
export function conflictingKeys(text: string, keys?: ReadonlySet<unknown>): Finding[] {
  return repeatsIn(text, "key-conflicting", ({ path, key, at, before }) => {
    if (keys !== undefined && (path.length > 2 || !keys.has(path[0]))) return null;
    const earlier = valueAfter(text, before);
    const later = valueAfter(text, at);
    if (isDeepStrictEqual(earlier, later)) return null;
    const values = `${describeValue(earlier)}, then ${describeValue(later)}`;
    return (
      `the key ${quote(key)} occurs more than once with different values: ${values}; keep the one that ` +
      "you mean"
    );
  });
}

/** Values of a JSON text that parsing it changes or drops: numbers that are rounded, and values of repeated keys. */
export function hiddenLosses({ text, keys }: ParsedJson): readonly Finding[] {
  const dropped = mayRepeatKeys(text, keys) ? conflictingKeys(text) : NO_FINDINGS;
  return [...inexactNumbers(text), ...dropped];
}

/** @param messageOf returns null for a repeated key that is no finding */
function repeatsIn(
  text: string,
  code: ProblemCode,
  messageOf: (repeat: RepeatedKey) => string | null,
): Finding[] {
  const findings: Finding[] = [];
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
      open.at(-1)?.set(key, at);
      if (before === undefined || findings.length > FINDINGS_MAX) return;
      const path = [...pathOf(), key];
      const message = messageOf({ path, key, at, before });
      if (message !== null) findings.push({ code, path, at, message });
    },
  });
  return findings;
}

/** @param key the offset of a key's opening quote. @returns the value of the key */
function valueAfter(text: string, key: number): unknown {
  const rest = text.slice(key);
  const [quoted = ""] = /^"(?:[^"\\]|\\.)*"/s.exec(rest) ?? [];
  return parse(rest.slice(rest.indexOf(":", quoted.length) + 1));
}
