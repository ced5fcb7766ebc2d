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
} from "./json-scanner.js";

/*
 * A scan may have up to 16 MiB, which would take seconds to draw. So a page draws an excerpt of the report: every
 * ordinary report is its own excerpt; of a larger one, lists end early and long texts are cut. What is left out is only
 * skipped: no objects are made of it. HTML, Markdown and the exported tree all draw the same excerpt.
 */

/** A report as far as a page draws it. */
export interface Excerpt {
  readonly report: Report;
  readonly left: LeftOut;
}

/**
 * How many entries an excerpt leaves out: of a list by the list itself, of a part of the report in all by the part's name.
 * A part in which no more than texts are cut has 0; one that is whole is absent.
 */
export type LeftOut = ReadonlyMap<unknown, number>;

export const NOTHING_LEFT_OUT: LeftOut = new Map();

/** What a value weighs beyond its bytes of JSON: to draw it costs as much as so many more characters. */
const VALUE_WEIGHT = 64;
/** The most that the parts of a report may weigh together: three times an ordinary report. */
const PAGE_WEIGHT = 240_000;
/** The most that one part may: about 130 observations, or 100 checks. */
const PART_WEIGHT = 120_000;
/** What each part may weigh however large those before it are. */
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
/** What the details of one check may weigh, and those of all checks. */
const DETAILS_WEIGHT = 6_000;
const ALL_DETAILS_WEIGHT = 30_000;
/** UTF-16 code units of one text: a listing's description may have as many. */
const TEXT_MAX = 20_000;

/** Keys of the objects whose own keys the contract leaves open. All other objects have few keys, and keep them all. */
const FREE_FORM: ReadonlySet<string> = new Set(["profile", "details", "starterFiles"]);
/** The key below which a free-form object says how many of its keys are left out. */
const MORE = "…";

/** The weight that may still be read. It may fall below 0: a value that was begun is read to its end, with texts cut. */
interface Room {
  weight: number;
}

/** Reads an answer of the report read as far as a page draws it. @throws SyntaxError where it is none */
export function excerptOf(answer: Uint8Array): Excerpt {
  return new ExcerptReader(answer).read();
}

/** How many entries a list has in the report itself. */
export function totalOf(list: readonly unknown[], left: LeftOut): number {
  return list.length + (left.get(list) ?? 0);
}

/** What a page says of a part that it does not draw whole, before the link to the JSON; null where it draws all. */
export function leftOutText(part: keyof Report, left: LeftOut): string | null {
  const more = left.get(part);
  if (more === undefined) return null;
  const what =
    more === 0 ? "Long texts are cut" : `… and ${counted(more, "more entry", "more entries")}`;
  return `${what}; the rest is in the `;
}

class ExcerptReader {
  readonly #json: JsonScanner;
  readonly #left = new Map<unknown, number>();
  readonly #details: Room = { weight: ALL_DETAILS_WEIGHT };
  /** Entries that the part being read leaves out; null while it is whole. */
  #more: number | null = null;

  constructor(answer: Uint8Array) {
    this.#json = new JsonScanner(answer);
  }

  read(): Excerpt {
    const json = this.#json;
    json.expect(OPEN_OBJECT);
    if (json.text(TEXT_MAX).text !== "data") throw new SyntaxError("the answer has no data");
    json.expect(COLON);
    let weight = PAGE_WEIGHT;
    let reserved = Object.values(RESERVED).reduce((sum, part) => sum + part, 0);
    const report = this.#entries((key) => {
      const own = RESERVED[key] ?? 0;
      reserved -= own;
      const allowed = Math.max(own, Math.min(PART_WEIGHT, weight - reserved));
      const { value, weight: taken } = this.#part(key, allowed);
      weight -= taken;
      return value;
    });
    json.expect(CLOSE_OBJECT);
    return { report: Object.fromEntries(report) as Report, left: this.#left };
  }

  #part(key: string, weight: number): { readonly value: unknown; readonly weight: number } {
    const limits = { weight, perValue: VALUE_WEIGHT, textBytes: TEXT_MAX };
    const whole = this.#json.lightValue(limits);
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
    // Depth weighs, too: what lies deep is drawn as JSON with a space for each level.
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
   * @param room what its keys take room of
   * @param isFree whether it ends where there is no more room
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

  /** A text, cut where it is long. One that may be an address is whole: a part of it would lead elsewhere. */
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
