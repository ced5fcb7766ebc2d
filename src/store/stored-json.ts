import type { SiteSummary } from "../contract/listing.js";

/* Reads JSON of our own that is stored: summaries, reports, documents. */

const decoder = new TextDecoder();

/**
 * Parses JSON that a build wrote. Its shape is the build's, and is not checked again.
 * @throws SyntaxError if it is no JSON, which only bytes without a checked sha256 can be
 */
export function storedJson<T>(json: Uint8Array | string): T {
  return JSON.parse(typeof json === "string" ? json : decoder.decode(json));
}

const VALUE = /"(?:[^"\\]|\\.)*"|[^,}]*/y;

/**
 * The JSON of a text, number or null in the JSON of a summary, without parsing all of it, which would take five times
 * as long. No text in the summary can contain a key, since JSON puts a backslash before each quote.
 */
export function memberIn(json: string, name: keyof SiteSummary): string {
  const start = json.indexOf(`"${name}":`) + name.length + '"":'.length;
  if (json[start] === '"') {
    // In a text without escapes, the first quote is the end.
    const text = json.slice(start, json.indexOf('"', start + 1) + 1);
    if (!text.includes("\\")) return text;
  }
  VALUE.lastIndex = start;
  return VALUE.exec(json)?.[0] ?? "null";
}
