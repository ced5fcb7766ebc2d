import type { SiteSummary } from "../contract/listing.js";
import type { SuggestionsQuery } from "../contract/query.js";
import { SHOWN, type SummaryRows } from "../store/columns/summaries.js";
import { Bytes } from "../store/segments/bytes.js";
import type { SelectedPage, Selection } from "./selector.js";
import { PLACES } from "./summaries.js";

/*
 * Joins an answer's body from bytes that were made before the request: pieces of JSON, and slices of buffers that hold
 * the JSON of all items. Each request writes only counts and corrected queries. Nothing is parsed, and only corrections
 * are stringified.
 */

const encoder = new TextEncoder();

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes one body after another into the same buffer. */
export class Body extends Bytes {
  constructor() {
    super(1 << 16);
  }

  /** Begins a new body. Discards the rest of an earlier body that an exception cut short. */
  begin(bytes: Uint8Array): this {
    this.length = 0;
    return this.bytes(bytes);
  }

  /** Appends the bytes from `start` to before `end`. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): this {
    this.part(bytes, start, end);
    return this;
  }

  text(text: string): this {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    this.reserve(text.length * 3);
    this.length += encoder.encodeInto(text, this.room.subarray(this.length)).written;
    return this;
  }

  /** Appends a whole number, 0 or greater, in decimal digits. */
  count(count: number): this {
    this.reserve(16);
    let digits = 1;
    for (let left = count; left >= 10; left = Math.floor(left / 10)) digits += 1;
    let rest = count;
    for (let at = this.length + digits - 1; at >= this.length; at -= 1) {
      this.room[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.length += digits;
    return this;
  }

  /** Appends a JSON array of the summaries with these numbers. */
  summaries({ own, cuts, pieces, starts, named }: SummaryRows, numbers: Uint32Array): this {
    this.bytes(OPEN);
    for (const number of numbers) {
      const cut = own.starts[number]! + cuts[number]!;
      this.bytes(own.bytes, own.starts[number]!, cut);
      for (let at = starts[number]!; at < starts[number + 1]!; at += 1) {
        const piece = named[at]!;
        this.bytes(pieces.bytes, pieces.starts[piece]!, pieces.starts[piece + 1]!);
      }
      this.bytes(own.bytes, cut, own.starts[number + 1]!);
    }
    return this.closeArray();
  }

  /** Appends a JSON array of the suggestions for the listings with these numbers. */
  suggestions({ own, shown }: SummaryRows, numbers: Uint32Array): this {
    this.bytes(OPEN);
    for (const number of numbers) {
      const start = own.starts[number]!;
      for (let part = 0; part < SHOWN.length; part += 1) {
        const at = PLACES * number + 2 * part;
        this.bytes(HEADS[part]!);
        this.bytes(own.bytes, start + shown[at]!, start + shown[at + 1]!);
      }
      this.bytes(PART_END);
    }
    return this.closeArray();
  }

  /** Appends a JSON array of items that are JSON already. */
  list(items: readonly Uint8Array[]): this {
    this.bytes(OPEN);
    for (const item of items) this.bytes(item).bytes(COMMAS);
    return this.closeArray();
  }

  /** Ends an array and removes the comma after its last item. */
  closeArray(): this {
    if (this.room[this.length - 1] === COMMA) this.length -= 1;
    return this.bytes(CLOSE);
  }
}

/** The JSON in front of each field of SHOWN. */
const HEADS = SHOWN.map((name, part) => encode(`${part === 0 ? "{" : ","}"${name}":`));
const PART_END = encode("},");
const COMMA = 0x2c;
const COMMAS = encode(",");
const OPEN = encode("[");
const CLOSE = encode("]");

const DATA = encode('{"data":');
const PAGE = encode(',"pagination":{"page":');
const LIMIT = encode(',"limit":');
const TOTAL = encode(',"total":');
const TOTAL_PAGES = encode(',"totalPages":');
const PAGE_END = encode("}");
const DID_YOU_MEAN = encode(',"didYouMean":');
const END = encode("}");

/**
 * Writes the body of a search answer.
 * @param writeList appends the JSON array of the listings
 */
export function writeSearch(
  body: Body,
  { page, limit, total, didYouMean }: SelectedPage,
  writeList: (body: Body) => void,
): Uint8Array {
  writeList(body.begin(DATA));
  body.bytes(PAGE).count(page).bytes(LIMIT).count(limit).bytes(TOTAL).count(total);
  body
    .bytes(TOTAL_PAGES)
    .count(Math.ceil(total / limit))
    .bytes(PAGE_END);
  return endBody(body, didYouMean);
}

/**
 * Writes the body of a suggestions answer.
 * @param writeList appends the JSON array of the suggestions
 */
export function writeSuggestions(
  body: Body,
  { didYouMean }: Selection,
  writeList: (body: Body) => void,
): Uint8Array {
  writeList(body.begin(DATA));
  return endBody(body, didYouMean);
}

const decoder = new TextDecoder();

/** The JSON of a suggestion, from the JSON of a summary. */
export function suggestionOf(summary: Uint8Array, { include }: SuggestionsQuery): Uint8Array {
  const site: SiteSummary = JSON.parse(decoder.decode(summary));
  const { host, name, logoUrl, latestScore, latestBand, latestScoreVersion } = site;
  const scores = include === undefined ? {} : { latestScore, latestBand, latestScoreVersion };
  return encode(JSON.stringify({ host, name, logoUrl, ...scores }));
}

function endBody(body: Body, didYouMean: Selection["didYouMean"]): Uint8Array {
  if (didYouMean !== null) body.bytes(DID_YOU_MEAN).text(JSON.stringify(didYouMean));
  return body.bytes(END).taken();
}
