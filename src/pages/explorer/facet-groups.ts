import type { Facets, TaxonomyEntry } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { titleOf, visible } from "../kit/words.js";
import { type Choice, type SearchState, valuesMax } from "./search-state.js";

/** What the explorer knows about the directory apart from search results. */
export interface Directory {
  readonly rubric: Pick<Standards["rubric"], "version" | "bands">;
  /** The active tags, in the order in which the tags endpoint returns them. */
  readonly tags: readonly TaxonomyEntry[];
}

/** The number of listings for each choice. */
export interface Counts {
  readonly facets: Facets;
  /** Listings by band id that pass every other filter. Bands without a count are missing. */
  readonly bands: Readonly<Record<string, number>>;
}

/** One value that a reader can choose. */
export interface FacetItem {
  readonly value: string;
  readonly label: string;
  /** Listings that this choice would show; null if unknown. */
  readonly count: number | null;
  readonly isChosen: boolean;
}

/** A filter that accepts several values. */
export interface FacetGroup {
  readonly name: Choice;
  readonly title: string;
  /** True if a listing must match all chosen values, false if one is enough (contract section 4). */
  readonly needsAll: boolean;
  readonly items: readonly FacetItem[];
  /** True if the maximum number of values is chosen. */
  readonly isFull: boolean;
}

/**
 * The non-empty groups of choices, in display order. Chosen values are always included, even if the directory does not
 * know them (any more), so that a reader can remove them.
 * @param counts null if there are no counts; the groups then hold only the rubric's bands, the tags and chosen values
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

/** Falls back to the value if the label has no visible text. */
function named(value: string, label: string): Pick<Known, "value" | "label"> {
  return { value, label: visible(label) ?? value };
}

/** Highest count first. The sort is stable, so items with equal counts keep their order. */
function byCount(a: Known, b: Known): number {
  return (b.count ?? 0) - (a.count ?? 0);
}

/**
 * Whether the counts cover every value that a listing can have in this group, so that a missing value means zero. Bands
 * and passed checks are not covered: scans of another scoring version have ones that today's standards do not know.
 */
function isCounted(name: Choice): boolean {
  return name !== "band" && name !== "capability";
}

/** @param isCounted true if no listing has a value outside `known` */
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
