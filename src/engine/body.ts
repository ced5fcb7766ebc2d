import type { SiteSummary } from "../contract/listing.js";
import type { SuggestionsQuery } from "../contract/query.js";
import type { SelectedPage, Selection } from "./selector.js";

/* Joins an answer's body from the JSON of its items, which was made before the request. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

const START = encode('{"data":[');
const COMMA = 0x2c;

/** The body of a search answer. @param items the JSON of its listings */
export function searchBody(
  { page, limit, total, didYouMean }: SelectedPage,
  items: readonly Uint8Array[],
): Uint8Array {
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
  const end = encode(`],"pagination":${JSON.stringify(pagination)}${corrected(didYouMean)}}`);
  const commas = Math.max(0, items.length - 1);
  const listed = items.reduce((sum, { length }) => sum + length, 0);
  const body = new Uint8Array(START.length + listed + commas + end.length).fill(COMMA);
  body.set(START);
  let at = START.length;
  for (const item of items) {
    body.set(item, at);
    at += item.length + 1;
  }
  body.set(end, body.length - end.length);
  return body;
}

const SUGGESTED = ["host", "name", "logoUrl"] as const;
const SCORES = ["latestScore", "latestBand", "latestScoreVersion"] as const;

/** The body of a suggestions answer. @param summaries the JSON of the suggested listings */
export function suggestionsBody(
  didYouMean: Selection["didYouMean"],
  summaries: readonly Uint8Array[],
  { include }: SuggestionsQuery,
): Uint8Array {
  const names = include === undefined ? SUGGESTED : [...SUGGESTED, ...SCORES];
  const items = summaries.map((summary) => {
    const json = decoder.decode(summary);
    return `{${names.map((name) => `"${name}":${memberIn(json, name)}`).join(",")}}`;
  });
  return encode(`{"data":[${items.join(",")}]${corrected(didYouMean)}}`);
}

function corrected(didYouMean: Selection["didYouMean"]): string {
  return didYouMean === null ? "" : `,"didYouMean":${JSON.stringify(didYouMean)}`;
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
