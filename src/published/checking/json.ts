import { isUtf8 } from "node:buffer";
import type { Finding } from "./finding.js";
import { syntaxFinding } from "./positions.js";

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
        return { path: [], at, message: `is nested deeper than ${DEPTH_MAX} levels` };
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
  if (isUtf16(bytes)) return { path: [], at: 0, message: UTF16 };
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
  return { path: [], at, message: `is not UTF-8: found the byte ${found}` };
}

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
