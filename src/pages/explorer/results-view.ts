import { isCanonicalHost } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import type { Pagination, SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { foldText } from "../../contract/order.js";
import { flag, type Html, html, unseen } from "../kit/html.js";
import type { LinkTo } from "../kit/links.js";
import { categoryAddress } from "../kit/page-names.js";
import { highlightNote, siteRow } from "../kit/site-row.js";
import { counted, numberOf, visible } from "../kit/words.js";
import { type Counts, type Directory, facetGroups } from "./facets.js";
import {
  ALL_SITES,
  addressOf,
  allSites,
  changed,
  isAllSites,
  isFiltered,
  isReversed,
  isStart,
  REVERSED_TEXT,
  readState,
  type SearchState,
  SORT_LABELS,
  stateLink,
  without,
} from "./search-state.js";

/** The sites that a search finds. */
export interface Listed {
  readonly sites: readonly SiteSummary[];
  readonly pagination: Pagination;
  /** Suggested corrections of the text; empty if any site matches it. */
  readonly didYouMean: readonly string[];
  /** The other sites with all words of the text; see `FoundSites`. */
  readonly withAllWords: readonly SiteSummary[];
}

/** The results of a search. */
export interface Found extends Listed, Counts {}

/** What was found, both for display and for screen readers: `711 sites, page 2 of 30` if that page exists. */
export function foundText({ pagination, withAllWords }: Omit<Listed, "didYouMean">): string {
  const { total, page, totalPages } = pagination;
  if (total === 0 && withAllWords.length > 0) return "No exact match";
  const sites = counted(total, "site");
  const isPart = totalPages > 1 && page <= totalPages;
  return isPart ? `${sites}, page ${numberOf(page)} of ${numberOf(totalPages)}` : sites;
}

/**
 * The results, the filters in use, the sort order and the links to other pages; at the start of the explorer, the sites
 * that were scanned last.
 * @param counts null if they are not known yet
 */
export function resultsView(
  state: SearchState,
  directory: Directory,
  listed: Listed,
  counts: Counts | null,
): Html {
  if (isStart(state)) return startView(state, directory, listed);
  const { sites, pagination } = listed;
  const list =
    sites.length === 0
      ? nothingView(state, directory, listed)
      : sitesView(state, directory, listed);
  return html`<div class="found">
      ${headingView(foundText(listed))}
      ${sortView(state)}
    </div>
    ${ignoredView(state)}${chosenView(state, directory, counts)}${termsView(state, directory, counts)}${list}
    ${sites.length === 0 ? null : withWordsView(state, directory, listed)}${pagesView(state, directory, pagination)}`;
}

/** The heading of the results. While a search runs, styles show that in place of the text. */
function headingView(text: string): Html {
  return html`<h2 id="found" tabindex="-1"><span>${text}</span></h2>`;
}

function startView(state: SearchState, directory: Directory, listed: Listed): Html {
  const { total } = listed.pagination;
  const all = `All ${counted(total, "site")}, best first`;
  const link = total === 0 ? null : stateLink(allSites(), directory.to, html` class="all"`, all);
  const list =
    total === 0
      ? html`<p class="nothing">No site has been published yet.</p>`
      : sitesView(state, directory, listed);
  return html`<div class="found">
      ${headingView("Recently scanned")}
      ${link}
    </div>
    ${ignoredView(state)}${list}`;
}

function sitesView(state: SearchState, directory: Directory, { sites, pagination }: Listed): Html {
  const start = (pagination.page - 1) * pagination.limit + 1;
  return html`<ol class="sites" start="${start}">${siteRows(sites, state, directory)}</ol>
    ${highlightNote(sites)}`;
}

/** The other sites with all words of the text; null for none. */
function withWordsView(
  state: SearchState,
  directory: Directory,
  { sites, withAllWords }: Listed,
): Html | null {
  if (withAllWords.length === 0) return null;
  const isSeveral = /\s/.test(state.q);
  const which = isSeveral ? "with all of these words" : "with this word in their host";
  const title = `${sites.length === 0 ? "Sites" : "Other sites"} ${which}`;
  return html`<h3 class="with-words">${title}</h3>
    <ol class="sites">${siteRows(withAllWords, state, directory)}</ol>`;
}

function siteRows(sites: readonly SiteSummary[], state: SearchState, directory: Directory): Html[] {
  return sites.map((site) => siteRow(site, directory, factsOf(site, state, directory), state.q));
}

/** Links to the sites of the categories and tags that the text names; null for none. */
function termsView(state: SearchState, directory: Directory, counts: Counts | null): Html | null {
  const sought = plainText(state.q);
  if (sought === "") return null;
  const links = facetGroups(state, directory, counts).flatMap(({ name, items }) => {
    const words = TERM_WORDS.get(name);
    if (words === undefined) return [];
    return items
      .filter(({ value, label, isChosen }) => !isChosen && isNamed(sought, value, label))
      .map(({ value, label }) => {
        const next = changed(readState(""), { [name]: [value] });
        const content = html`All sites ${words} <bdi>${label}</bdi>`;
        return html`<li>${stateLink(next, directory.to, null, content)}</li>`;
      });
  });
  return links.length === 0 ? null : html`<ul class="terms">${links}</ul>`;
}

/** What comes before the name of a term, by its filter. */
const TERM_WORDS: ReadonlyMap<string, string> = new Map([
  ["category", "of the category"],
  ["tag", "with the tag"],
]);

function isNamed(sought: string, value: string, label: string): boolean {
  return plainText(label) === sought || plainText(value) === sought;
}

/** A text without case and punctuation. */
function plainText(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

function factsOf(
  { host, category, tags }: SiteSummary,
  state: SearchState,
  { ticks = null, to }: Directory,
): Html[] {
  return [
    ...(ticks === null ? [] : [tickView(host, ticks)]),
    ...(category === null ? [] : [categoryLink(category, state, to)]),
    ...(tags.length === 0 ? [] : [html`<bdi>${tags.map(nameOf).join(", ")}</bdi>`]),
  ];
}

/** The most characters of a part of the address that the page repeats. */
const REPEATED_MAX = 80;

/** Says which parts of the address the search leaves out; null for none. */
function ignoredView({ ignored }: SearchState): Html | null {
  if (ignored.length === 0) return null;
  const named = ignored.map(([name, value], index) => {
    const part = `${name}=${value}`.slice(0, REPEATED_MAX).toWellFormed();
    return html`${index === 0 ? "" : ", "}<code><bdi>${part}</bdi></code>`;
  });
  return html`<p class="notice">The address has parts that are not valid and were ignored: ${named}.</p>`;
}

/**
 * The box that ticks a site of a list. Its id is the site's own, so that a redrawn list never takes
 * over the tick of another site.
 */
function tickView(host: string, { form, label }: NonNullable<Directory["ticks"]>): Html {
  return html`<label class="tick">
    <input id="tick-${host}" type="checkbox" name="sites" value="${host}" form="${form}"> ${label}</label>`;
}

/** The first option is the default order. It has no value, so that it adds nothing to the address. */
function sortView(state: SearchState): Html {
  const options: (readonly [string, string])[] = Object.entries(SORT_LABELS);
  const [usual, ...others] = state.q === "" ? options : [["", "Best match"] as const, ...options];
  const first = isAllSites(state) ? ALL_SITES : "";
  const option = (value: string, label: string, isSelected: boolean) =>
    html`<option value="${value}"${flag("selected", isSelected)}>${label}</option>`;
  const isUsual = state.sort === null || first !== "";
  const rest = others.map(([value, label]) => option(value, label, value === state.sort));
  return html`<label class="sort">
    <span>Order</span>
    <select name="sort">${option(first, usual?.[1] ?? "", isUsual)}${rest}</select></label>`;
}

/** The filters in use, each as a link that removes it; null for none. */
function chosenView(state: SearchState, directory: Directory, counts: Counts | null): Html | null {
  if (!isFiltered(state)) return null;
  const { to } = directory;
  const chips = facetGroups(state, directory, counts).flatMap(({ name, items }) =>
    items
      .filter(({ isChosen }) => isChosen)
      .map(({ value, label }) => ({ label, next: without(state, name, value) })),
  );
  const { minScore, maxScore, status } = state;
  if (minScore !== null || maxScore !== null) {
    chips.push({
      label: `Score ${minScore ?? LIMITS.scoreMin} to ${maxScore ?? LIMITS.scoreMax}`,
      next: changed(state, { minScore: null, maxScore: null }),
    });
  }
  if (status !== null) {
    const label = status === "claimed" ? "Claimed" : "Not claimed";
    chips.push({ label, next: changed(state, { status: null }) });
  }
  const items = chips.map(({ label, next }) => {
    const content = html`${unseen("Without ")}<bdi>${label}</bdi><span class="cross" aria-hidden="true">×</span>`;
    return html`<li>${stateLink(next, to, html` class="chip"`, content)}</li>`;
  });
  const clear = html` class="chip clear"`;
  return html`<ul class="chips" aria-label="Filters in use">${items}
    <li>${stateLink(withoutFilters(state), to, clear, "Clear all filters")}</li></ul>`;
}

function withoutFilters({ q, sort }: SearchState): SearchState {
  return { ...readState(""), q, sort };
}

/** A link to a category's page. The script filters by the category instead of opening the page. */
function categoryLink(category: TaxonomyEntry, state: SearchState, to: LinkTo): Html {
  const filtered = addressOf(changed(state, { category: [category.slug] }));
  return html`<a href="${to(categoryAddress(category.slug))}" data-state="${filtered}">
    <bdi>${nameOf(category)}</bdi></a>`;
}

function nameOf({ slug, name }: TaxonomyEntry): string {
  return visible(name) ?? slug;
}

/** The message when no site is shown, and links to try instead. */
function nothingView(state: SearchState, directory: Directory, listed: Listed): Html {
  const { pagination, didYouMean } = listed;
  const { to } = directory;
  const { total, totalPages } = pagination;
  if (total > 0) {
    const last = { ...state, page: Math.min(totalPages, LIMITS.pageMax) };
    return html`<p class="nothing">This page does not exist. </p>
      <p>${stateLink(last, to, null, "Go to the last page")}</p>`;
  }
  const { q } = state;
  const hasFilters = isFiltered(state);
  const text = isReversed(state)
    ? REVERSED_TEXT
    : q === ""
      ? "No site matches all of these filters."
      : html`No site has <q><bdi>${q}</bdi></q> in its name, host or tagline
          ${hasFilters ? " and passes the filters." : "."}`;
  const corrections = didYouMean.map((meant, index) => {
    const link = stateLink(changed(state, { q: meant }), to, null, html`<bdi>${meant}</bdi>`);
    return html`${index === 0 ? null : " or "}${link}`;
  });
  const meantView =
    corrections.length === 0
      ? null
      : html`<p class="did-you-mean">Did you mean ${corrections}?</p>`;
  const listingLink = isCanonicalHost(q)
    ? html`<p><a href="${to(`sites/${q}`)}">How to have ${q} listed</a></p>`
    : null;
  const unfiltered = hasFilters
    ? html`<p>${stateLink(withoutFilters(state), to, null, "Search without the filters")}</p>`
    : null;
  const allLink = stateLink(allSites(), to, null, "see all sites");
  return html`<p class="nothing">${text}</p>
    ${withWordsView(state, directory, listed)}${meantView}${listingLink}${unfiltered}
    <p><a href="${to("#categories")}">Browse by category</a> or ${allLink}.</p>`;
}

/** Page links on each side of the current page. */
const BESIDE = 1;

/** The page numbers to link to, with null for each gap between them. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const near = Array.from({ length: 2 * BESIDE + 1 }, (_, i) => page - BESIDE + i);
  const numbers = [...new Set([1, ...near, last])].filter((one) => one >= 1 && one <= last);
  return numbers.flatMap((one, index) => {
    const before = numbers[index - 1] ?? one - 1;
    if (one - before === 1) return [one];
    return one - before === 2 ? [one - 1, one] : [null, one];
  });
}

function pagesView(
  state: SearchState,
  { to }: Directory,
  { page, totalPages }: Pagination,
): Html | null {
  const last = Math.min(totalPages, LIMITS.pageMax);
  if (last < 2 || page > last) return null;
  const at = (number: number) => {
    const next = { ...state, page: number };
    return isStart(next) ? allSites() : next;
  };
  const step = (number: number, rel: string, label: string) =>
    number < 1 || number > last
      ? null
      : html`<li>${stateLink(at(number), to, html` class="step"`, label, `${rel} nofollow`)}</li>`;
  const numbers = pageNumbers(page, last).map((number) => {
    if (number === null) return html`<li class="gap" aria-hidden="true">…</li>`;
    const current = flag('aria-current="page"', number === page);
    return html`<li>${stateLink(at(number), to, current, [unseen("Page "), numberOf(number)])}</li>`;
  });
  return html`<nav class="pages" aria-label="Pages">
    <ul>${step(page - 1, "prev", "Previous")}${numbers}${step(page + 1, "next", "Next")}</ul></nav>`;
}
