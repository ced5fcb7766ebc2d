import { isCanonicalHost } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import type { Pagination, SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { categoryAddress } from "../kit/page-names.js";
import { siteRow } from "../kit/site-row.js";
import { tickView } from "../kit/ticks.js";
import { el, type TreeElement, unseen } from "../kit/tree.js";
import { counted, numberOf, visible } from "../kit/words.js";
import { type Counts, type Directory, facetGroups } from "./facet-groups.js";
import {
  ALL_SITES,
  addressOf,
  allSites,
  changed,
  isAllSites,
  isFiltered,
  isStart,
  readState,
  type SearchState,
  SORTS,
  stateLink,
  without,
} from "./search-state.js";

/** The results of a search. */
export interface Found extends Counts {
  readonly sites: readonly SiteSummary[];
  readonly pagination: Pagination;
  /** Suggested corrections of the text; empty if any site matches it. */
  readonly didYouMean: readonly string[];
}

/** The number of results, both for display and for screen readers: `711 sites, page 2 of 30` if that page exists. */
export function foundText({ pagination }: Pick<Found, "pagination">): string {
  const { total, page, totalPages } = pagination;
  const sites = counted(total, "site");
  const isPart = totalPages > 1 && page <= totalPages;
  return isPart ? `${sites}, page ${numberOf(page)} of ${numberOf(totalPages)}` : sites;
}

/**
 * The results, the filters in use, the sort order and the links to other pages; at the start of the explorer, the sites
 * that were scanned last.
 */
export function resultsView(state: SearchState, directory: Directory, found: Found): TreeElement[] {
  if (isStart(state)) return startView(state, directory, found);
  const { sites, pagination } = found;
  return [
    el(
      "div",
      { class: "found" },
      el("h2", { id: "found", tabindex: -1 }, foundText(found)),
      sortView(state),
    ),
    ...ignoredView(state),
    ...chosenView(state, directory, found),
    ...(sites.length === 0 ? nothingView(state, found) : [sitesView(state, directory, found)]),
    ...pagesView(state, pagination),
  ];
}

function startView(state: SearchState, directory: Directory, found: Found): TreeElement[] {
  const { total } = found.pagination;
  return [
    el(
      "div",
      { class: "found" },
      el("h2", { id: "found", tabindex: -1 }, "Recently scanned"),
      total === 0
        ? null
        : stateLink(allSites(), { class: "all" }, `All ${counted(total, "site")}, best first`),
    ),
    ...ignoredView(state),
    total === 0
      ? el("p", { class: "nothing" }, "No site has been published yet.")
      : sitesView(state, directory, found),
  ];
}

function sitesView(
  state: SearchState,
  directory: Directory,
  { sites, pagination }: Found,
): TreeElement {
  return el(
    "ol",
    { class: "sites", start: (pagination.page - 1) * pagination.limit + 1 },
    sites.map((site) => siteRow(site, directory, factsOf(site, state, directory), state.q)),
  );
}

function factsOf(
  { host, category, tags }: SiteSummary,
  state: SearchState,
  { canCompare = false }: Directory,
): TreeElement[] {
  return [
    ...(canCompare ? [tickView(host)] : []),
    ...(category === null ? [] : [categoryLink(category, state)]),
    ...(tags.length === 0 ? [] : [el("bdi", {}, tags.map(nameOf).join(", "))]),
  ];
}

/** The most characters of a part of the address that the page repeats. */
const REPEATED_MAX = 80;

/** Says which parts of the address the search leaves out. */
function ignoredView({ ignored }: SearchState): TreeElement[] {
  if (ignored.length === 0) return [];
  const text = "The address has parts that are not valid and were ignored: ";
  const named = ignored.map(([name, value], index) => [
    index === 0 ? null : ", ",
    el("code", {}, el("bdi", {}, `${name}=${value}`.slice(0, REPEATED_MAX).toWellFormed())),
  ]);
  return [el("p", { class: "notice" }, text, named, ".")];
}

/** The first order is the one without a choice. It has no value, so that it adds nothing to the address. */
function sortView(state: SearchState): TreeElement {
  const options = Object.entries(SORTS);
  const [usual, ...others] = state.q === "" ? options : [["", "Best match"], ...options];
  const first = isAllSites(state) ? ALL_SITES : "";
  return el(
    "label",
    { class: "sort" },
    el("span", {}, "Order"),
    el(
      "select",
      { name: "sort" },
      el(
        "option",
        { value: first, selected: state.sort === null || first !== "" },
        usual?.[1] ?? "",
      ),
      others.map(([value = "", label = ""]) =>
        el("option", { value, selected: value === state.sort }, label),
      ),
    ),
  );
}

/** The filters in use, each as a link that removes it. */
function chosenView(state: SearchState, directory: Directory, counts: Counts): TreeElement[] {
  if (!isFiltered(state)) return [];
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
  return [
    el(
      "ul",
      { class: "chips", "aria-label": "Filters in use" },
      chips.map(({ label, next }) =>
        el(
          "li",
          {},
          stateLink(
            next,
            { class: "chip" },
            unseen("Without "),
            el("bdi", {}, label),
            el("span", { class: "cross", "aria-hidden": "true" }, "×"),
          ),
        ),
      ),
      el("li", {}, stateLink(withoutFilters(state), { class: "chip clear" }, "Clear all filters")),
    ),
  ];
}

function withoutFilters({ q, sort }: SearchState): SearchState {
  return { ...readState(""), q, sort };
}

/** A link to a category's page. The script filters by the category instead of opening the page. */
function categoryLink(category: TaxonomyEntry, state: SearchState): TreeElement {
  const filtered = changed(state, { category: [category.slug] });
  const attributes = { href: categoryAddress(category.slug), "data-state": addressOf(filtered) };
  return el("a", attributes, el("bdi", {}, nameOf(category)));
}

function nameOf({ slug, name }: TaxonomyEntry): string {
  return visible(name) ?? slug;
}

/** The message when no site is shown, and links to try instead. */
function nothingView(state: SearchState, { pagination, didYouMean }: Found): TreeElement[] {
  const { total, totalPages } = pagination;
  if (total > 0) {
    const last = { ...state, page: Math.min(totalPages, LIMITS.pageMax) };
    return [
      el("p", { class: "nothing" }, "This page does not exist. "),
      el("p", {}, stateLink(last, {}, "Go to the last page")),
    ];
  }
  const text =
    state.q === ""
      ? "No site matches all of these filters."
      : [
          "No site has ",
          el("q", {}, el("bdi", {}, state.q)),
          " in its name, host or tagline",
          isFiltered(state) ? " and passes the filters." : ".",
        ];
  return [
    el("p", { class: "nothing" }, text),
    ...(didYouMean.length === 0
      ? []
      : [
          el(
            "p",
            { class: "did-you-mean" },
            "Did you mean ",
            didYouMean.map((q, index) => [
              index === 0 ? null : " or ",
              stateLink(changed(state, { q }), {}, el("bdi", {}, q)),
            ]),
            "?",
          ),
        ]),
    ...(isCanonicalHost(state.q)
      ? [el("p", {}, el("a", { href: `sites/${state.q}` }, `How to have ${state.q} listed`))]
      : []),
    ...(isFiltered(state)
      ? [el("p", {}, stateLink(withoutFilters(state), {}, "Search without the filters"))]
      : []),
    el(
      "p",
      {},
      el("a", { href: "#categories" }, "Browse by category"),
      " or ",
      stateLink(allSites(), {}, "see all sites"),
      ".",
    ),
  ];
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

function pagesView(state: SearchState, { page, totalPages }: Pagination): TreeElement[] {
  const last = Math.min(totalPages, LIMITS.pageMax);
  if (last < 2 || page > last) return [];
  const to = (number: number) => ({ ...state, page: number });
  const step = (number: number, rel: string, label: string) =>
    number < 1 || number > last
      ? null
      : el("li", {}, stateLink(to(number), { rel: `${rel} nofollow`, class: "step" }, label));
  return [
    el(
      "nav",
      { class: "pages", "aria-label": "Pages" },
      el(
        "ul",
        {},
        step(page - 1, "prev", "Previous"),
        pageNumbers(page, last).map((number) =>
          number === null
            ? el("li", { class: "gap", "aria-hidden": "true" }, "…")
            : el(
                "li",
                {},
                stateLink(
                  to(number),
                  number === page ? { "aria-current": "page" } : {},
                  unseen("Page "),
                  numberOf(number),
                ),
              ),
        ),
        step(page + 1, "next", "Next"),
      ),
    ),
  ];
}
