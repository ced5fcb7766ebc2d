import type { Report } from "../contract/report.js";
import { ADDRESS_MAX } from "../pages/kit/escape.js";
import { numberOf } from "../pages/kit/words.js";
import type { Excerpt, LeftOut } from "../pages/report/excerpt.js";

/** The weight of a value in addition to its characters: rendering one costs as much as this many more characters. */
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

/** The part of a report that pages draw if the report is too large; null if it is not. */
export function excerptOf(report: Report): Excerpt | null {
  const lists = { checks: report.checks, history: report.history, pages: report.pages?.pages };
  const ofList = (part: string) => Object.entries(lists).find(([name]) => name === part)?.[1];
  const cutter = new Cutter();
  const left: [string, LeftOut[keyof LeftOut]][] = [];
  let weight = PAGE_WEIGHT;
  /** Reserved for the parts that are still to come. */
  let reserved = Object.values(RESERVED).reduce((sum, part) => sum + part, 0);
  const parts = Object.entries(report).map(([part, value]): [string, unknown] => {
    const own = RESERVED[part] ?? 0;
    reserved -= own;
    const limit = Math.max(own, Math.min(PART_WEIGHT, weight - reserved));
    const whole = drawingWeight(value, 0);
    if (whole <= limit) {
      weight -= whole;
      return [part, value];
    }
    const cut = cutter.part(value, FREE_FORM.has(part), limit);
    weight -= cut.weight;
    if (cut.more !== null) left.push([part, { more: cut.more, of: ofList(part)?.length }]);
    return [part, cut.value];
  });
  if (left.length === 0) return null;
  return { data: Object.fromEntries(parts) as Report, left: Object.fromEntries(left) };
}

/** The weight of a value with all its content; infinite if it has a text that is too long. */
function drawingWeight(value: unknown, depth: number): number {
  // Depth adds weight, because deep values are rendered as JSON with one space of indent per level.
  const own = VALUE_WEIGHT + depth;
  if (typeof value === "string") return own + textWeight(value);
  if (typeof value !== "object" || value === null) return own + String(value).length;
  let weight = own;
  if (Array.isArray(value)) {
    for (const item of value) weight += drawingWeight(item, depth + 1);
  } else {
    for (const [key, one] of Object.entries(value)) {
      weight += textWeight(key) + drawingWeight(one, depth + 1);
    }
  }
  return weight;
}

function textWeight({ length }: string): number {
  return length > TEXT_MAX ? Number.POSITIVE_INFINITY : length;
}

/** Shortens parts of one report: lists end early, and long texts are cut. */
class Cutter {
  /** The current part's remaining weight. Below 0, the current value still gets all its keys, with texts cut. */
  #weight = 0;
  #detailsWeight = ALL_DETAILS_WEIGHT;
  /** Entries omitted from the current part; null while nothing is omitted. */
  #more: number | null = null;

  /** Shortens one part. @returns the part with the weight that it takes, and how many entries it omits */
  part(value: unknown, isFree: boolean, limit: number) {
    this.#weight = limit;
    this.#more = null;
    const cut = this.#value(value, isFree, 0);
    return { value: cut, weight: limit - this.#weight, more: this.#more };
  }

  #value(value: unknown, isFree: boolean, depth: number): unknown {
    this.#weight -= VALUE_WEIGHT + depth;
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return this.#list(value, isFree, depth + 1);
    if (typeof value === "object" && value !== null) return this.#object(value, isFree, depth + 1);
    this.#weight -= String(value).length;
    return value;
  }

  #object(object: object, isFree: boolean, depth: number): object {
    const cut = new Map<string, unknown>();
    const entries = Object.entries(object);
    for (const [index, [key, value]] of entries.entries()) {
      if (isFree && this.#weight <= 0) {
        let name = MORE;
        while (cut.has(name)) name += MORE;
        cut.set(name, `and ${numberOf(this.#omit(entries.length - index))} more`);
        break;
      }
      const isOpen = !isFree && FREE_FORM.has(key);
      cut.set(this.#text(key), isOpen ? this.#details(value) : this.#value(value, isFree, depth));
    }
    return Object.fromEntries(cut);
  }

  /** Shortens a free-form object within an object of the contract. It has its own limit. */
  #details(value: unknown): unknown {
    const weight = this.#weight;
    const limit = Math.min(DETAILS_WEIGHT, this.#detailsWeight);
    this.#weight = limit;
    const cut = this.#value(value, true, 0);
    this.#detailsWeight -= limit - this.#weight;
    this.#weight = weight;
    return cut;
  }

  #list(list: readonly unknown[], isFree: boolean, depth: number): unknown[] {
    const items: unknown[] = [];
    for (const item of list) {
      if (this.#weight <= 0) {
        const more = this.#omit(list.length - items.length);
        if (isFree) items.push(`… and ${numberOf(more)} more`);
        break;
      }
      items.push(this.#value(item, isFree, depth));
    }
    return items;
  }

  /** Cuts a long text. The limit never falls below `ADDRESS_MAX`, because a cut address would lead elsewhere. */
  #text(text: string): string {
    const limit = Math.max(ADDRESS_MAX, Math.min(TEXT_MAX, this.#weight));
    const end = text.codePointAt(limit - 1)! > 0xffff ? limit + 1 : limit;
    const cut = text.slice(0, end);
    this.#weight -= cut.length;
    if (cut.length === text.length) return text;
    this.#more ??= 0;
    return `${cut}…`;
  }

  #omit(entries: number): number {
    this.#more = (this.#more ?? 0) + entries;
    return entries;
  }
}
