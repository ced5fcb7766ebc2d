import type { Report } from "../../contract/report.js";
import { ADDRESS_MAX } from "../kit/escape.js";
import { counted, numberOf } from "../kit/words.js";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonScanner,
  OPEN_LIST,
  OPEN_OBJECT,
  type WeightLimits,
} from "./json-scanner.js";

/*
 * A scan may have up to 16 MiB, which would take seconds to render. So pages render an excerpt of the report. Ordinary
 * reports fit whole; in larger ones, lists end early and long texts are cut. The scanner skips over omitted parts
 * without creating objects for them. HTML, Markdown and the exported tree all render the same excerpt.
 */

/** The part of a report that a page renders. */
export interface ReportExcerpt {
  readonly report: Report;
  readonly left: LeftOut;
}

/**
 * The number of entries that an excerpt omits. The key is a list, for its own omissions, or the name of a part of the
 * report, for the total. A part with only cut texts has 0; a complete part has no entry.
 */
export type LeftOut = ReadonlyMap<unknown, number>;

export const NOTHING_LEFT_OUT: LeftOut = new Map();

/** The weight of a value in addition to its JSON bytes: rendering one costs as much as this many more characters. */
const VALUE_WEIGHT = 64;
/** The maximum weight of all parts of a report together: three times an ordinary report. */
const PAGE_WEIGHT = 240_000;
/** The maximum weight of one part: about 130 observations, or 100 checks. */
const PART_WEIGHT = 120_000;
/** Weight reserved for each part, regardless of the size of the parts before it. */
const RESERVED: Readonly<Record<string, number>> = {
  accessPolicy: 20_000,
  prerender: 5_000,
  profile: 15_000,
  checks: 60_000,
  observations: 20_000,
  pages: 20_000,
  fixes: 20_000,
  starterFiles: 10_000,
  history: 20_000,
};
/** The maximum weight of one check's details, and of the details of all checks. */
const DETAILS_WEIGHT = 6_000;
const ALL_DETAILS_WEIGHT = 30_000;
/** The maximum length of a text, in UTF-16 code units; a listing's description may be this long. */
const TEXT_MAX = 20_000;

/** Names of the objects whose keys the contract leaves open. All other objects have few keys and stay complete. */
const FREE_FORM: ReadonlySet<string> = new Set(["profile", "details", "starterFiles"]);
/** The key under which a shortened free-form object holds the number of its omitted keys. */
const MORE = "…";

/** The remaining weight. It may fall below 0, because a value that has begun is read to its end, with texts cut. */
interface Room {
  weight: number;
}

/** Reads the JSON answer of the report endpoint into an excerpt. @throws SyntaxError if it is not such an answer */
export function reportExcerpt(answer: Uint8Array): ReportExcerpt {
  // Almost all reports fit whole. One call that parses everything takes half the time of one for each part.
  if (new ExcerptReader(answer).isWhole()) {
    const { data }: { readonly data: Report } = JSON.parse(decoder.decode(answer));
    return { report: data, left: NOTHING_LEFT_OUT };
  }
  return new ExcerptReader(answer).read();
}

const decoder = new TextDecoder();

/** The number of entries that a list has in the full report. */
export function totalOf(list: readonly unknown[], left: LeftOut): number {
  return list.length + (left.get(list) ?? 0);
}

/** The note for an incomplete part, to be followed by a link to the JSON; null if the part is complete. */
export function leftOutText(part: keyof Report, left: LeftOut): string | null {
  const more = left.get(part);
  if (more === undefined) return null;
  const what =
    more === 0
      ? "Long texts are shortened"
      : `… and ${counted(more, "more entry", "more entries")}`;
  return `${what}; the rest is in the `;
}

/** Shares a page's weight out to the parts of a report. */
class Allowance {
  #weight = PAGE_WEIGHT;
  /** Reserved for the parts that are still to come. */
  #reserved = Object.values(RESERVED).reduce((sum, part) => sum + part, 0);

  /** The maximum weight of the next part. */
  of(key: string): number {
    const own = RESERVED[key] ?? 0;
    this.#reserved -= own;
    return Math.max(own, Math.min(PART_WEIGHT, this.#weight - this.#reserved));
  }

  take(weight: number): void {
    this.#weight -= weight;
  }
}

function limitsOf(weight: number): WeightLimits {
  return { weight, perValue: VALUE_WEIGHT, textBytes: TEXT_MAX };
}

class ExcerptReader {
  readonly #json: JsonScanner;
  readonly #left = new Map<unknown, number>();
  readonly #details: Room = { weight: ALL_DETAILS_WEIGHT };
  /** Entries omitted from the current part; null while nothing is omitted. */
  #more: number | null = null;

  constructor(answer: Uint8Array) {
    this.#json = new JsonScanner(answer);
  }

  /** Whether the report's excerpt is the whole report. */
  isWhole(): boolean {
    const json = this.#json;
    this.#begin();
    json.expect(OPEN_OBJECT);
    if (json.take(CLOSE_OBJECT)) return true;
    const allowance = new Allowance();
    do {
      const key = json.text(TEXT_MAX).text;
      json.expect(COLON);
      const weight = json.skipLight(limitsOf(allowance.of(key)));
      if (weight === null) return false;
      allowance.take(weight);
    } while (json.take(COMMA));
    return true;
  }

  read(): ReportExcerpt {
    this.#begin();
    const allowance = new Allowance();
    const report = this.#entries((key) => {
      const { value, weight } = this.#part(key, allowance.of(key));
      allowance.take(weight);
      return value;
    });
    this.#json.expect(CLOSE_OBJECT);
    return { report: Object.fromEntries(report) as Report, left: this.#left };
  }

  #begin(): void {
    const json = this.#json;
    json.expect(OPEN_OBJECT);
    if (json.text(TEXT_MAX).text !== "data") throw new SyntaxError("the answer has no data");
    json.expect(COLON);
  }

  #part(key: string, weight: number): { readonly value: unknown; readonly weight: number } {
    const whole = this.#json.lightValue(limitsOf(weight));
    if (whole !== null) return whole;
    const room = { weight };
    this.#more = null;
    const value = this.#value(room, FREE_FORM.has(key), 0);
    if (this.#more !== null) this.#left.set(key, this.#more);
    return { value, weight: weight - room.weight };
  }

  #value(room: Room, isFree: boolean, depth: number): unknown {
    const json = this.#json;
    const start = json.at;
    // Depth adds weight, because deep values are rendered as JSON with one space of indent per level.
    room.weight -= VALUE_WEIGHT + depth;
    if (json.isAt(OPEN_OBJECT)) return this.#object(room, isFree, depth);
    if (json.isAt(OPEN_LIST)) return this.#list(room, isFree, depth);
    if (json.isAtText) return this.#text(room);
    const value = json.scalar();
    room.weight -= json.at - start;
    return value;
  }

  #object(room: Room, isFree: boolean, depth: number): object {
    const read = (key: string) => {
      if (isFree || !FREE_FORM.has(key)) return this.#value(room, isFree, depth + 1);
      const weight = Math.min(DETAILS_WEIGHT, this.#details.weight);
      const own = { weight };
      const value = this.#value(own, true, 0);
      this.#details.weight -= weight - own.weight;
      return value;
    };
    const entries = this.#entries(read, room, isFree);
    return Object.fromEntries(entries);
  }

  /**
   * Reads an object's keys and values.
   * @param room the weight that the keys count against
   * @param isFree whether to omit the remaining entries once the room is used up
   */
  #entries(
    read: (key: string) => unknown,
    room: Room = { weight: 0 },
    isFree = false,
  ): [string, unknown][] {
    const json = this.#json;
    const entries: [string, unknown][] = [];
    json.expect(OPEN_OBJECT);
    if (json.take(CLOSE_OBJECT)) return entries;
    do {
      if (isFree && room.weight <= 0) {
        const known = new Set(entries.map(([key]) => key));
        let key = MORE;
        while (known.has(key)) key += MORE;
        entries.push([key, `and ${numberOf(this.#skipRest())} more`]);
        return entries;
      }
      const key = this.#text(room);
      json.expect(COLON);
      entries.push([key, read(key)]);
    } while (json.take(COMMA));
    json.expect(CLOSE_OBJECT);
    return entries;
  }

  #list(room: Room, isFree: boolean, depth: number): unknown[] {
    const json = this.#json;
    const items: unknown[] = [];
    json.expect(OPEN_LIST);
    if (json.take(CLOSE_LIST)) return items;
    do {
      if (room.weight <= 0) {
        const more = this.#skipRest();
        this.#left.set(items, more);
        if (isFree) items.push(`… and ${numberOf(more)} more`);
        return items;
      }
      items.push(this.#value(room, isFree, depth + 1));
    } while (json.take(COMMA));
    json.expect(CLOSE_LIST);
    return items;
  }

  /** Cuts a long text. The limit never falls below `ADDRESS_MAX`, because a cut address would lead elsewhere. */
  #text(room: Room): string {
    const { text, isCut } = this.#json.text(Math.max(ADDRESS_MAX, Math.min(TEXT_MAX, room.weight)));
    room.weight -= text.length;
    if (!isCut) return text;
    this.#more ??= 0;
    return `${text}…`;
  }

  #skipRest(): number {
    const more = this.#json.skipRest();
    this.#more = (this.#more ?? 0) + more;
    return more;
  }
}
