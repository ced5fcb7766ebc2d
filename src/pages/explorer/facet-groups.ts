import type { Facets, TaxonomyEntry } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { titleOf, visible } from "../kit/words.js";
import { type Choice, type SearchState, valuesMax } from "./search-state.js";

/** What the explorer knows of the directory beside what it has found. */
export interface Directory {
  readonly rubric: Pick<Standards["rubric"], "version" | "bands">;
  /** The active tags, in the order of the tags read. */
  readonly tags: readonly TaxonomyEntry[];
}

/** How many listings there are of what can be chosen. */
export interface Counts {
  readonly facets: Facets;
  /** By band id, with every other filter; a band that was not counted is not in it. */
  readonly bands: Readonly<Record<string, number>>;
}

/** Something that can be chosen. */
export interface FacetItem {
  readonly value: string;
  readonly label: string;
  /** Listings that a choice would show; null where they are not counted. */
  readonly count: number | null;
  readonly isChosen: boolean;
}

/** Things of which several can be chosen. */
export interface FacetGroup {
  readonly name: Choice;
  readonly title: string;
  /** Whether a listing must have all that is chosen, and not just any of it (contract section 4). */
  readonly needsAll: boolean;
  readonly items: readonly FacetItem[];
  /** Whether as much is chosen as may be. */
  readonly isFull: boolean;
}

/**
 * What can be chosen, in the order in which it is shown. What is chosen is always among it, also what the directory does
 * not know (any more), so that it can be taken back.
 * @param counts null where nothing is counted: then there is only what the directory's rubric and tags have
 */
export function facetGroups(
  state: SearchState,
  { rubric, tags }: Directory,
  counts: Counts | null,
): FacetGroup[] {
  const group = (name: Choice, title: string, known: readonly Known[]): FacetGroup => ({
    name,
    title,
    needsAll: name === "capability",
    items: merged(state[name], known, counts !== null && isCounted(name)),
    isFull: state[name].length >= valuesMax(name),
  });
  const bands = rubric.bands
    .map(({ band, label }) => ({
      ...named(band, label),
      count: counts?.bands[band] ?? null,
    }))
    .reverse();
  const { categories, signals, platforms } = counts?.facets ?? NONE;
  return [
    group("band", "Band", bands),
    group("category", "Category", categories.items.map(counted).sort(byCount)),
    group("capability", "Passed checks", signals.map(signal)),
    group("platform", "Platform", platforms.map(counted).sort(byCount)),
    group(
      "tag",
      "Tag",
      tags.map(({ slug, name }) => ({ ...named(slug, name), count: null })),
    ),
  ].filter(({ items }) => items.length > 0);
}

const NONE: Pick<Facets, "categories" | "signals" | "platforms"> = {
  categories: { total: 0, items: [] },
  signals: [],
  platforms: [],
};

type Known = Omit<FacetItem, "isChosen">;

function counted({ slug, name, count }: { slug: string; name: string; count: number }): Known {
  return { ...named(slug, name), count };
}

function signal({ id, label, count }: Facets["signals"][number]): Known {
  return { ...named(id, label), count };
}

/** What is chosen by its value, called by its label where that says something. */
function named(value: string, label: string): Pick<Known, "value" | "label"> {
  return { value, label: visible(label) ?? value };
}

/** Most first; equal ones stay in the order in which they came. */
function byCount(a: Known, b: Known): number {
  return (b.count ?? 0) - (a.count ?? 0);
}

/**
 * Whether all that listings can have of a group is counted, so that what was not counted has none. Scans by another
 * scoring version have bands, and passed checks, that today's standards do not know.
 */
function isCounted(name: Choice): boolean {
  return name !== "band" && name !== "capability";
}

/** @param isCounted whether nothing is found of what is not known */
function merged(
  chosen: readonly string[],
  known: readonly Known[],
  isCounted: boolean,
): FacetItem[] {
  const values = new Set(known.map(({ value }) => value));
  const unknown = chosen
    .filter((value) => !values.has(value))
    .map((value) => ({ value, label: titleOf(value), count: isCounted ? 0 : null }));
  return [...known, ...unknown].map((item) => ({ ...item, isChosen: chosen.includes(item.value) }));
}
