import type { Band, Standards } from "../../contract/standards.js";
import { isObject } from "./breaches.js";
import {
  describeValue,
  didYouMean,
  type Finding,
  formatPath,
  type Path,
  quote,
} from "./finding.js";
import { type Taxonomy, TERM_LISTS } from "./schemas.js";

/**
 * Rules that no schema of a single value can express. They look at the parsed values as
 * they are, so that a record that also breaks its schema gets all its errors together. They skip values of the
 * wrong type.
 */
export type Rules = (record: Readonly<Record<string, unknown>>) => Iterable<Finding>;

/** standards.json: ids are unique, `related` checks exist, bands cover 0 to 100 exactly once. */
export function* standardsRules(record: Readonly<Record<string, unknown>>): Generator<Finding> {
  const { rubric, checks, crawlerCatalogue } = record;
  yield* repeats(checks, ["checks"], "id");
  yield* repeats(crawlerCatalogue, ["crawlerCatalogue"], "id");
  const ids = [...checkIds(checks)];
  for (const [index, check] of itemsOf(checks)) {
    if (!isObject(check)) continue;
    for (const [at, id] of itemsOf(check.related)) {
      if (typeof id !== "string" || ids.includes(id)) continue;
      const path = ["checks", index, "related", at];
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

/** Checks that bands cover 0 to 100 without gap or overlap, in any order. */
function* coverage(bands: unknown, path: Path): Generator<Finding> {
  if (!Array.isArray(bands)) return;
  const bounds = bands.map((band, index) => ({ ...boundsOf(band), index }));
  if (!bounds.every(({ min, max }) => Number.isInteger(min) && Number.isInteger(max))) return;
  const inOrder = bounds.toSorted((a, b) => a.min - b.min || a.max - b.max);
  let next = 0;
  for (const { min, max, index } of inOrder) {
    if (min > max) {
      yield unexpected([...path, index, "max"], max, `at least the band's min, ${min}`);
      return;
    }
    if (min !== next) {
      const expected = next > 100 ? "no band above the one that ends at 100" : `${next}`;
      const why = min < next ? "bands overlap" : "bands leave a gap";
      yield unexpected([...path, index, "min"], min, `${expected}: ${why}`);
      return;
    }
    next = max + 1;
  }
  if (next === 101) return;
  const last = inOrder.at(-1);
  if (last === undefined) {
    yield { path, at: "value", message: "found no band, expected bands that cover 0 to 100" };
  } else {
    yield unexpected([...path, last.index, "max"], last.max, "100: bands leave a gap");
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
  for (const { list } of TERM_LISTS) yield* repeats(record[list], [list], "slug");
}

/** How many characters the name of a category, tag or platform may have to be recognized. */
const NAME_MAX = 200;

/** A listing: its category, tags and platforms are in the taxonomy; inactive ones count. */
export function listingRules(taxonomy: Taxonomy | null): Rules {
  if (taxonomy === null) return () => [];
  const lists = TERM_LISTS.map(({ key, list, noun }) => {
    const entries: readonly { slug: string; name: string }[] = taxonomy[list];
    const slugs = entries.map(({ slug }) => [bareName(slug), slug] as const);
    // Publishers write names where slugs belong. An entry's own slug takes precedence over another entry's name.
    const named = new Map([
      ...entries.map((one) => [bareName(one.name), one.slug] as const),
      ...slugs,
    ]);
    return { key, noun, named, known: new Set(entries.map(({ slug }) => slug)) };
  });
  return function* rules(record) {
    for (const { key, noun, named, known } of lists) {
      for (const [path, text] of textsAt(record, key)) {
        if (known.has(text)) continue;
        const slug = text.length <= NAME_MAX ? named.get(bareName(text)) : undefined;
        const hint =
          slug === undefined ? didYouMean(text, known) : `; did you mean ${quote(slug)}?`;
        yield unexpected(path, text, `the slug of a ${noun} in taxonomy.json${hint}`);
      }
    }
  };
}

/** A name in lower case, without punctuation. */
function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The text under a key, or each text in the array under it, with its path. */
function* textsAt(
  record: Readonly<Record<string, unknown>>,
  key: string,
): Generator<[Path, string]> {
  const value = record[key];
  if (typeof value === "string" && key === "category") yield [[key], value];
  for (const [index, item] of itemsOf(value)) {
    if (typeof item === "string") yield [[key, index], item];
  }
}

/** A scan: check ids are unique, a moved scan has the right fields, the band fits the rubric. */
export function scanRules(standards: Standards | null): Rules {
  return function* rules(record) {
    yield* repeats(record.checks, ["checks"], "checkId");
    if (record.status === "moved") yield* movedRules(record);
    if (standards !== null) yield* bandRules(record, standards.rubric);
  };
}

function* movedRules({ score, redirect }: Readonly<Record<string, unknown>>): Generator<Finding> {
  if (score !== undefined && score !== null) {
    yield unexpected(["score"], score, 'null, because the status is "moved"');
  }
  if (redirect === undefined) {
    const message = 'is missing, expected an object, because the status is "moved"';
    yield { path: ["redirect"], at: "object", message };
  } else if (redirect === null) {
    yield unexpected(["redirect"], redirect, 'an object, because the status is "moved"');
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

/** Finds objects in a list whose text under a key repeats that of an earlier object. */
function* repeats(list: unknown, path: Path, key: string): Generator<Finding> {
  const first = new Map<string, number>();
  for (const [index, item] of itemsOf(list)) {
    const id = isObject(item) ? item[key] : undefined;
    if (typeof id !== "string") continue;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, index);
      continue;
    }
    const other = formatPath([...path, earlier, key]);
    const message = `found ${quote(id)} a second time; the first is ${other}`;
    yield { path: [...path, index, key], at: "value", message };
  }
}

function unexpected(path: Path, value: unknown, expected: string): Finding {
  return { path, at: "value", message: `found ${describeValue(value)}, expected ${expected}` };
}

/** The items of an array with their indexes; none if the value is not an array. */
export function* itemsOf(list: unknown): Generator<[number, unknown]> {
  if (Array.isArray(list)) yield* list.entries();
}
