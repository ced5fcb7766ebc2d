import { isUtf8 } from "node:buffer";
import type { Finding } from "./finding.js";
import { syntaxFinding } from "./positions.js";

/** Levels of objects and arrays in a record, the record itself being the first (published format, general rules). */
const DEPTH_MAX = 200;

/**
 * Characters of a text that is parsed before its depth is known: so few cannot hold the levels that
 * would cost time or memory, and a parsed value's depth is read off far faster than a text's.
 */
export const SMALL_TEXT = 65_536;

/** A record's text and what it says, or why it says nothing. */
export type Json =
  | { readonly text: string; readonly value: unknown; readonly finite: boolean }
  | { readonly text: string; readonly finding: Finding };

/**
 * Reads one JSON text, a leading byte-order mark already left out. `finite` is false where a number in
 * it is too large. Never throws: neither broken bytes nor millions of levels do more than be found.
 */
export function parseJson(bytes: Buffer): Json {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) return { text, finding: encodingFinding(bytes, text) };
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
  return finding === null ? { text, value, finite: shape.finite } : { text, finding };
}

/** Goes through a parsed value level by level, so that no depth of it can exhaust the stack. */
function shapeOf(value: unknown): { deep: boolean; finite: boolean } {
  let finite = true;
  let below: object[] = [];
  const look = (item: unknown) => {
    if (typeof item === "object") {
      if (item !== null) below.push(item);
    } else if (typeof item === "number" && !Number.isFinite(item)) {
      finite = false;
    }
  };
  look(value);
  for (let depth = 1; below.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return { deep: true, finite };
    const level = below;
    below = [];
    for (const container of level) {
      if (Array.isArray(container)) for (const item of container) look(item);
      else for (const key in container) look((container as Record<string, unknown>)[key]);
    }
  }
  return { deep: false, finite };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The first bracket that opens a level too many; null where there is none, also in what is no JSON otherwise. */
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

/** The first place where bytes are no UTF-8. `text` is what they decode to, with U+FFFD for what does not. */
function encodingFinding(bytes: Buffer, text: string): Finding {
  const utf16 = UTF16_MARKS.has(bytes.toString("latin1", 0, 2));
  let byte = 0;
  let at = -1;
  for (;;) {
    const from = at + 1;
    at = text.indexOf("\ufffd", from);
    byte += Buffer.byteLength(text.slice(from, at));
    // A U+FFFD that the publisher wrote is three bytes of its own, and no error.
    if (!bytes.subarray(byte, byte + 3).equals(REPLACEMENT)) break;
    byte += REPLACEMENT.length;
  }
  const found = `0x${bytes[byte]!.toString(16).padStart(2, "0")}`;
  const remedy = utf16 ? "; it looks like UTF-16, save it as UTF-8" : "";
  return { path: [], at, message: `is not UTF-8: found the byte ${found}${remedy}` };
}

const REPLACEMENT = Buffer.from("\ufffd");
/** The byte-order marks of UTF-16, each byte as a character. */
const UTF16_MARKS: ReadonlySet<string> = new Set(["\xff\xfe", "\xfe\xff"]);
