import {
  type FacetFilterName,
  facetItems,
  isFacetFilterName,
  LIST_FILTER_NAMES,
  LIST_FILTERS,
  type ListFilterName,
  SHOWN_FILTERS,
  STATUS_FILTER,
  type Status,
} from "../../contract/filters.js";
import type { FormerSlugs } from "../../contract/former.js";
import { LIMITS } from "../../contract/limits.js";
import type { FacetScores, Facets, TaxonomyEntry } from "../../contract/listing.js";
import type { Standards } from "../../contract/standards.js";
import { flag, type Html, html, unseen } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import { counted, numberOf, titleOf, visible } from "../kit/words.js";
import { isReversed, REVERSED_TEXT, type SearchState } from "./search-state.js";

/** What the explorer knows about the directory apart from search results. */
export interface Directory {
  readonly rubric: Pick<Standards["rubric"], "version" | "bands">;
  /** Ids of the achievements, in the methodology's order. */
  readonly achievements: readonly string[];
  /** The active tags, in the order in which the tags endpoint returns them. */
  readonly tags: readonly TaxonomyEntry[];
  /** The slugs that terms had before, in a tree: a server redirects. Default: none is known. */
  readonly former?: FormerSlugs | undefined;
  /** The choices that are shown until a search has counted the directory's own. Default: none. */
  readonly choices?: Choices | undefined;
  /** What the publisher says about the directory; null or left out if nothing is known. */
  readonly about?: string | null;
  /** The publisher's headline; null or left out for ours. */
  readonly headline?: string | null;
  /** The form that ticked sites belong to, and what ticking one is called. Default: sites cannot be ticked. */
  readonly ticks?: { readonly form: string; readonly label: string } | null;
  /** Writes the links. */
  readonly to: LinkTo;
}

/** Values of filters, with their labels. */
export type Choices = Readonly<
  Partial<Record<ListFilterName, readonly Pick<FacetItem, "value" | "label">[]>>
>;

/** A facets answer with counts by band and by score. */
export type ScoredFacets = Facets & { readonly scores: FacetScores };

/** The number of listings for each choice. */
export interface Counts {
  readonly facets: ScoredFacets;
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
  readonly name: ListFilterName;
  readonly title: string;
  /** True if a listing must match all chosen values, false if one is enough (docs/contract.md#31-filters). */
  readonly needsAll: boolean;
  /** Whether the group is open before a reader chooses one of its values. */
  readonly isOpen: boolean;
  readonly items: readonly FacetItem[];
  /** True if the maximum number of values is chosen. */
  readonly isFull: boolean;
}

/**
 * The non-empty groups of choices, in display order. Chosen values are always included, even if the directory does not
 * know them (any more), so that a reader can remove them.
 * @param counts null if there are no counts; the groups then hold the directory's `choices`, the rubric's bands, the
 * tags and chosen values
 */
export function facetGroups(
  state: SearchState,
  { rubric, tags, choices = {} }: Directory,
  counts: Counts | null,
): FacetGroup[] {
  const uncountedOf = (name: ListFilterName): Known[] =>
    (choices[name] ?? []).map((choice) => ({ ...choice, count: null }));
  const uncounted: Uncounted = {
    band: rubric.bands
      .map(({ band, label }) => ({ ...named(band, label), count: countOfBand(band, counts) }))
      .reverse(),
    tag:
      counts === null && tags.length === 0
        ? uncountedOf("tag")
        : tags.map(({ slug, name }) => ({ ...named(slug, name), count: null })),
  };
  return SHOWN_FILTERS.map((name): FacetGroup => {
    const { title, match, isOpen, isClosed, max } = LIST_FILTERS[name];
    const facetOf = (facet: FacetFilterName) =>
      counts === null ? uncountedOf(facet) : countedItems(facet, counts);
    const known = isFacetFilterName(name) ? facetOf(name) : uncounted[name];
    return {
      name,
      title,
      needsAll: match === "all",
      isOpen,
      items: merged(state[name], known, counts !== null && isClosed),
      isFull: state[name].length >= max,
    };
  }).filter(({ items }) => items.length > 0);
}

function countOfBand(band: string, counts: Counts | null): number | null {
  return counts?.facets.scores.bands.find((one) => one.band === band)?.count ?? null;
}

type Known = Omit<FacetItem, "isChosen">;

/** The values of the filters that facets do not count. */
type Uncounted = Readonly<Record<Exclude<ListFilterName, FacetFilterName>, readonly Known[]>>;

/** The values of a facet, the highest count first. If all values must match, they keep the order of the answer. */
function countedItems(name: FacetFilterName, counts: Counts): Known[] {
  const known = facetItems(counts.facets, name).map((term): Known => {
    const { count } = term;
    if ("id" in term) return { ...named(term.id, term.label), count };
    return { ...named(term.slug, term.name ?? titleOf(term.slug)), count };
  });
  return LIST_FILTERS[name].match === "all" ? known : known.sort(byCount);
}

/** Falls back to the value if the label has no visible text. */
function named(value: string, label: string): Pick<Known, "value" | "label"> {
  return { value, label: visible(label) ?? value };
}

/** Highest count first. The sort is stable, so items with equal counts keep their order. */
function byCount(a: Known, b: Known): number {
  return (b.count ?? 0) - (a.count ?? 0);
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

/** The most items that a long group shows before the reader unfolds it. */
const FOLDED_MAX = 8;

/** The filters of a search as form controls. */
export function facetsView(state: SearchState, directory: Directory, counts: Counts | null): Html {
  // Where nothing is found, choices that find nothing either would only be a wall of zeros.
  const isShort = counts?.facets.total === 0;
  const groups = facetGroups(state, directory, counts);
  return html`${rangeView(state)}${groups.map((group) => groupView(group, isShort))}${statusView(state)}`;
}

/** The boxes for a range of scores. They come first, so that a box that is being filled in stays where it is. */
function rangeView(state: SearchState): Html {
  const isWrong = isReversed(state);
  const box = (name: "minScore" | "maxScore", label: string, end: number) =>
    html`<label><span>${label}</span>
      <input type="number" name="${name}" min="${LIMITS.scoreMin}" max="${LIMITS.scoreMax}" step="1" 
        inputmode="numeric" placeholder="${end}" value="${state[name] ?? ""}" aria-describedby="range-wrong" 
        aria-invalid="${String(isWrong)}"></label>`;
  return html`<fieldset class="facet range"><legend>Score</legend>
    <div>${box("minScore", "from", LIMITS.scoreMin)}${box("maxScore", "to", LIMITS.scoreMax)}</div>
    <p id="range-wrong" class="wrong"${flag("hidden", !isWrong)}>${REVERSED_TEXT}</p></fieldset>`;
}

/** @param isShort whether choices that find nothing are left out */
function groupView(group: FacetGroup, isShort: boolean): Html {
  const { name, title, items, needsAll } = group;
  const chosen = items.filter(({ isChosen }) => isChosen).length;
  const isFull = group.isFull && chosen < items.length;
  const isOut = (item: FacetItem) => isShort && item.count === 0 && !item.isChosen;
  const choices = (shown: readonly FacetItem[]) =>
    html`<ul class="choices">${shown.map((item) => itemView(group, item, isOut(item)))}</ul>`;
  // A long group folds what finds nothing first.
  const useful = items.filter(({ count, isChosen }) => count !== 0 || isChosen);
  const first = (items.length > FOLDED_MAX ? useful : items).slice(0, FOLDED_MAX);
  const more = items.filter((item) => !first.includes(item));
  const isOpen = more.some(({ isChosen }) => isChosen);
  const rest =
    more.length === 0
      ? null
      : html`<details${flag("open", isOpen)}><summary>${numberOf(more.length)} more</summary>
          ${choices(more)}</details>`;
  const chosenText = chosen === 0 ? "" : ` ${numberOf(chosen)} chosen`;
  // Elements that may be hidden are always there, so that the positions of their later siblings do not change.
  const flags = [flag("open", chosen > 0 || group.isOpen), flag("hidden", items.every(isOut))];
  const hint = needsAll ? html`<p class="quiet">A site must pass all that you choose.</p>` : null;
  return html`<details class="facet" id="facet-${name}"${flags}>
    <summary>${title}<span class="chosen"${flag("hidden", chosen === 0)}>${chosenText}</span></summary>
    <div role="group" aria-label="${needsAll ? `${title}: all must match` : title}">
      ${hint}<p class="quiet"${flag("hidden", !isFull)}>You cannot choose more than these.</p>
      ${choices(first)}${rest}
    </div></details>`;
}

function itemView(
  { name, isFull }: FacetGroup,
  { value, label, count, isChosen }: FacetItem,
  isOut: boolean,
): Html {
  const number =
    count === null
      ? null
      : html`<span class="count">${numberOf(count)}${unseen(count === 1 ? " site" : " sites")}</span>`;
  const flags = [flag("checked", isChosen), flag("disabled", isFull && !isChosen)];
  return html`<li class="${count === 0 ? "choice empty" : "choice"}"${flag("hidden", isOut)}><label>
    <input type="checkbox" name="${name}" value="${value}"${flags}>
    <span class="choice-name" dir="auto">${label}</span>${number}</label></li>`;
}

const STATUSES: readonly (readonly [value: Status | "", label: string])[] = [
  ["", "All listings"],
  ["claimed", "Claimed by their owners"],
  ["unclaimed", "Not claimed"],
];

function statusView({ status }: SearchState): Html {
  const choices = STATUSES.map(
    ([value, label]) =>
      html`<li class="choice"><label>
        <input type="radio" name="status" value="${value}"${flag("checked", (status ?? "") === value)}>
        <span class="choice-name">${label}</span></label></li>`,
  );
  return html`<fieldset class="facet">
    <legend>${STATUS_FILTER.title}</legend>
    <ul class="choices">${choices}</ul></fieldset>`;
}

/** The text of the button that opens the filters in a narrow window. */
export function filtersText(state: SearchState): string {
  const { status, minScore, maxScore } = state;
  const chosen =
    LIST_FILTER_NAMES.flatMap((name) => state[name]).length +
    [status, minScore, maxScore].filter((one) => one !== null).length;
  return chosen === 0 ? "Filters" : `Filters: ${counted(chosen, "choice")}`;
}

/** The text of the button that closes the filters in a narrow window. @param total null if it is not known yet */
export function sheetText(total: number | null): string {
  return total === null ? "Show the sites" : `Show ${counted(total, "site")}`;
}
