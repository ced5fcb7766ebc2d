import type { Band, Standards } from "../contract/standards.js";
import { isObject } from "./breaches.js";
import { describeValue, type Finding, formatPath, type Path, quote } from "./finding.js";
import { didYouMean } from "./nearest.js";
import type { Taxonomy } from "./schemas.js";

/**
 * The rules that no schema of one value can say (published format). They look at parsed values as they
 * came, so that a record that breaks its schema elsewhere is still told everything at once; what has the
 * wrong type they pass over.
 */
export type Rules = (record: Readonly<Record<string, unknown>>) => Iterable<Finding>;

/** standards.json: unique ids, `related` checks that exist, bands that cover 0 to 100 once. */
export function* standardsRules(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  const { rubric, checks, crawlerCatalogue } = record;
  yield* repeats(checks, ["checks"], "id");
  yield* repeats(crawlerCatalogue, ["crawlerCatalogue"], "id");
  const ids = [...checkIds(checks)];
  for (const [place, check] of itemsOf(checks)) {
    if (!isObject(check)) continue;
    for (const [at, id] of itemsOf(check.related)) {
      if (typeof id !== "string" || ids.includes(id)) continue;
      const path = ["checks", place, "related", at];
      yield unexpected(path, id, `the id of a check${didYouMean(id, ids)}`);
    }
  }
  if (isObject(rubric)) {
    yield* repeats(rubric.bands, ["rubric", "bands"], "band");
    yield* coverage(rubric.bands, ["rubric", "bands"]);
  }
}

function* checkIds(checks: unknown): Generator<string> {
  for (const [, check] of itemsOf(checks)) {
    if (isObject(check) && typeof check.id === "string") yield check.id;
  }
}

/** Bands that cover 0 to 100 with no gap and no overlap, in whatever order they stand. */
function* coverage(bands: unknown, path: Path): Generator<Finding> {
  if (!Array.isArray(bands)) return;
  const bounds = bands.map((band, place) => ({ ...boundsOf(band), place }));
  if (!bounds.every(({ min, max }) => Number.isInteger(min) && Number.isInteger(max))) return;
  const inOrder = bounds.toSorted((a, b) => a.min - b.min || a.max - b.max);
  let next = 0;
  for (const { min, max, place } of inOrder) {
    if (min > max) {
      yield unexpected([...path, place, "max"], max, `at least the band's min, ${min}`);
      return;
    }
    if (min !== next) {
      const expected = next > 100 ? "no band above the one that ends at 100" : `${next}`;
      const why = min < next ? "bands overlap" : "bands leave a gap";
      yield unexpected([...path, place, "min"], min, `${expected}: ${why}`);
      return;
    }
    next = max + 1;
  }
  if (next === 101) return;
  const last = inOrder.at(-1);
  if (last === undefined) {
    yield { path, at: "value", message: "found no band, expected bands that cover 0 to 100" };
  } else {
    yield unexpected([...path, last.place, "max"], last.max, "100: bands leave a gap");
  }
}

function boundsOf(band: unknown): Pick<Band, "min" | "max"> {
  const { min, max } = isObject(band) ? band : {};
  return {
    min: typeof min === "number" ? min : Number.NaN,
    max: typeof max === "number" ? max : Number.NaN,
  };
}

/** taxonomy.json: slugs are unique within their list. */
export function* taxonomyRules(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  for (const list of ["categories", "tags", "platforms"]) {
    yield* repeats(record[list], [list], "slug");
  }
}

/** A listing: its category, tags and platforms are the taxonomy's, inactive ones included. */
export function listingRules(taxonomy: Taxonomy | null): Rules {
  if (taxonomy === null) return () => [];
  const categories = new Slugs(taxonomy.categories, "category");
  const lists = [
    { key: "tags", known: new Slugs(taxonomy.tags, "tag") },
    { key: "platforms", known: new Slugs(taxonomy.platforms, "platform") },
  ];
  return function* rules(record) {
    yield* categories.unknown(["category"], record.category);
    for (const { key, known } of lists) {
      for (const [place, slug] of itemsOf(record[key])) yield* known.unknown([key, place], slug);
    }
  };
}

/** The slugs of one list of the taxonomy. */
class Slugs {
  readonly #known: ReadonlySet<string>;
  /** Slugs by what is left of their entry's name, and of themselves, without case and punctuation. */
  readonly #byName = new Map<string, string>();
  readonly #noun: string;

  constructor(entries: readonly { slug: string; name: string }[], noun: string) {
    this.#noun = noun;
    this.#known = new Set(entries.map(({ slug }) => slug));
    for (const { slug, name } of entries) this.#byName.set(bareName(name), slug);
    for (const { slug } of entries) this.#byName.set(bareName(slug), slug);
  }

  *unknown(path: Path, text: unknown): Generator<Finding> {
    if (typeof text !== "string" || this.#known.has(text)) return;
    const slug = this.#byName.get(bareName(text));
    if (slug === undefined) {
      yield unexpected(
        path,
        text,
        `a ${this.#noun} of taxonomy.json${didYouMean(text, this.#known)}`,
      );
      return;
    }
    const expected = `the slug of a ${this.#noun} of taxonomy.json; did you mean ${quote(slug)}?`;
    // Whoever writes a name for a slug does so in every record.
    yield { ...unexpected(path, text, expected), counted: true };
  }
}

function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A scan: unique check ids, what a moved one has, and the rubric's own band. */
export function scanRules(standards: Standards | null): Rules {
  return function* rules(record) {
    yield* repeats(record.checks, ["checks"], "checkId");
    if (record.status === "moved") yield* movedRules(record);
    if (standards !== null) yield* bandRules(record, standards.rubric);
  };
}

function* movedRules({ score, redirect }: Readonly<Record<string, unknown>>): Generator<Finding> {
  if (score !== undefined && score !== null) {
    yield unexpected(["score"], score, 'null, as the status is "moved"');
  }
  if (redirect === undefined) {
    const message = 'is missing, expected an object, as the status is "moved"';
    yield { path: ["redirect"], at: "object", message };
  } else if (redirect === null) {
    yield unexpected(["redirect"], redirect, 'an object, as the status is "moved"');
  }
}

function* bandRules(
  { score, band, scoreVersion }: Readonly<Record<string, unknown>>,
  rubric: Standards["rubric"],
): Generator<Finding> {
  if (scoreVersion !== rubric.version) return;
  if (typeof score !== "number" || typeof band !== "string") return;
  const expected = rubric.bands.find(({ min, max }) => min <= score && score <= max)?.band;
  if (expected === undefined || expected === band) return;
  yield unexpected(
    ["band"],
    band,
    `${quote(expected)}, the band of score ${score} in rubric ${quote(rubric.version)}`,
  );
}

/** Objects of a list that have the same text under a key as an earlier one. */
function* repeats(list: unknown, path: Path, key: string): Generator<Finding> {
  const first = new Map<string, number>();
  for (const [place, item] of itemsOf(list)) {
    const id = isObject(item) ? item[key] : undefined;
    if (typeof id !== "string") continue;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, place);
      continue;
    }
    const other = formatPath([...path, earlier, key]);
    const message = `found ${quote(id)} a second time, it is ${other} already`;
    yield { path: [...path, place, key], at: "value", message };
  }
}

function unexpected(path: Path, value: unknown, expected: string): Finding {
  return { path, at: "value", message: `found ${describeValue(value)}, expected ${expected}` };
}

/** The items of an array with their indexes; none where it is no array. */
export function* itemsOf(list: unknown): Generator<[number, unknown]> {
  if (Array.isArray(list)) yield* list.entries();
}
