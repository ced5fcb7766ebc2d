import { SCRIPTS, STYLES } from "#scripts/names";
import { LIMITS } from "../../contract/limits.js";
import type { Facets } from "../../contract/listing.js";
import { datasetData } from "../kit/dataset.js";
import { oneLine, scriptJson } from "../kit/escape.js";
import { type Frame, framed, inlineScript } from "../kit/frame.js";
import { Html, html } from "../kit/html.js";
import { absoluteLink, type LinkTo, linkedFrom, sitesPage } from "../kit/links.js";
import { type LinkedContext, languageOf, type PageContext } from "../kit/page-context.js";
import { CATEGORIES, categoryAddress } from "../kit/page-names.js";
import { directoryText } from "../kit/publisher-links.js";
import { quoteView, scoresFact } from "../kit/quote.js";
import { EXPLORER_POLICY } from "../kit/routes.js";
import { numberOf, visible } from "../kit/words.js";
import { type Directory, facetsView, filtersText, sheetText } from "./facets.js";
import { overviewView } from "./overview.js";
import { type Found, resultsView } from "./results-view.js";
import { addressOf, isStart, type SearchState, searchJson, searchTitle } from "./search-state.js";

/** The explorer's content on first load: a state and its search results. */
export interface Shown {
  readonly state: SearchState;
  readonly found: Found;
  readonly tags: Directory["tags"];
  /** The categories that have listings, with the number of all their listings. */
  readonly categories: Facets["categories"]["items"];
  /** The number of the publication. */
  readonly generation: number;
}

/**
 * The HTML of the explorer, the page that searches the directory. Without a script it is a plain form, and the server
 * answers each search with another such page. In a tree of files, it shows the first results and leads to the
 * categories.
 */
export function explorerPage(place: PageContext, shown: Shown): string {
  const context = linkedFrom("", place);
  const { rubric, achievements, to } = context;
  const name = oneLine(context.name);
  const { state, found, tags, categories } = shown;
  const ticked = sitesPage(context);
  const about = directoryText(context);
  const former = context.tree && context.former;
  const headline = oneLine(context.publisher?.headline ?? "") || null;
  const known = { rubric, achievements, tags, about, headline, former };
  const ticks = ticked === null ? null : { form: ticked.name, label: ticked.label };
  const directory: Directory = { ...known, ticks, to };
  const isServed = context.tree === undefined;
  const search =
    `Search ${name}: websites with reports that score from 0 to 100 how readable and accessible each ` +
    "is to AI crawlers.";
  const description = (isStart(state) ? about : null) ?? search;
  const body = html`<main id="sites" tabindex="-1"${isServed ? null : UNSERVED}>
<form id="search" action="./" method="get" autocomplete="off" novalidate>
<div class="hero find"><div id="overview" class="wide">${overviewView(state, directory, found, found)}</div></div>
<div class="wide explorer">
${isServed ? null : WITHOUT_SCRIPT}
  <button type="button" id="filters-toggle" class="button needs-script" aria-haspopup="dialog">
    ${filtersText(state)}</button>
<div id="outcome" class="outcome-column">
<p id="told" class="hidden" role="status"></p>
<div id="problem"></div>
<div id="results">${resultsView(state, directory, found, found)}</div>
</div>
<div id="filters" class="filters" role="group" aria-label="Filters">${facetsView(state, directory, found)}</div>
${isServed ? SEND : null}</div>
${sheet(found.facets.total)}</form>
${ticked === null ? null : ticksForm(ticked, to)}${categoriesView(categories, quoteOfAll(shown, context), to)}</main>
<script type="application/json" id="directory">${new Html(scriptJson({ ...known, tags: [] }))}</script>`;
  return framed(
    {
      policy: EXPLORER_POLICY,
      title: searchTitle(state, found.pagination.total, name),
      description,
      address: "",
      isIndexed: isStart(state),
      seek: seekBox(state.q),
      style: STYLES.explorer,
      script: SCRIPTS.explorer,
      early: isServed ? null : inlineScript(context.tree?.start),
      // No file has the results of a search.
      json: isServed ? searchJson(state) : null,
      main: "found",
      ...(isServed && context.extensions !== false && searchFeed(state, context)),
      skip: "Skip to the results",
      linkedData: directoryData(context, description, isStart(state) ? shown : null),
      body,
    },
    context,
  );
}

/** The feed of changes to the results of a search, if an extra has one. */
function searchFeed(state: SearchState, { pages = [] }: PageContext): Partial<Pick<Frame, "feed">> {
  const feed = pages.find(({ searchFeed }) => searchFeed !== undefined)?.searchFeed;
  if (feed === undefined) return {};
  const title = state.q === "" ? "Changes of this search" : `Changes of “${oneLine(state.q)}”`;
  return { feed: { address: `${feed}${addressOf(state)}`, title } };
}

/** The search in the header. It belongs to the form of the page, which has the filters. */
function seekBox(q: string): Html {
  return html`<div class="seek" role="search">
    <label class="hidden" for="q">Search sites by name, host or tagline</label>
    <input id="q" name="q" form="search" type="search" value="${q}" maxlength="${LIMITS.queryTextMax}" 
      placeholder="Search sites" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search">
    <button class="button" form="search">Search</button>
    <ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden></ul></div>
`;
}

/**
 * The directory as schema.org linked data: a website that can be searched and, at the start, a dataset.
 * @param shown what the start of the explorer shows; null for a search
 */
function directoryData(context: PageContext, description: string, shown: Shown | null) {
  const { name } = context;
  const url = absoluteLink("", context);
  const website = {
    "@type": "WebSite",
    "@id": url,
    url,
    name: oneLine(name),
    description,
    inLanguage: languageOf(context),
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${url}?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  };
  const dataset =
    shown &&
    datasetData(context, {
      sites: shown.found.pagination.total,
      scannedTo: shown.found.sites[0]?.latestScannedAt ?? null,
      generation: shown.generation,
    });
  return {
    "@context": "https://schema.org",
    "@graph": dataset === null ? [website] : [website, dataset],
  };
}

const UNSERVED = html` class="unserved"`;
const WITHOUT_SCRIPT = html`<p class="no-script">Searching needs JavaScript here; without it, 
  <a href="#categories">the categories</a> and <a href="sitemap.xml">the sitemap</a> lead to the reports.</p>
`;
const SEND = html`<div class="no-script"><button class="button">Search with these filters</button></div>
`;

/** The form of the ticked sites (browser/explorer-controls.ts). It shows once a site is ticked. */
function ticksForm(page: NonNullable<ReturnType<typeof sitesPage>>, to: LinkTo): Html {
  const { name, address, label, prompt } = page;
  return html`<form id="${name}" class="ticks" action="${to(address)}" method="get">
    <p id="ticked" role="status">${prompt}</p>
    <button class="button strong">${label}</button></form>
`;
}

/** In a narrow window, the script moves the filters into this sheet. */
function sheet(total: number): Html {
  return html`<dialog id="sheet" class="sheet" aria-labelledby="sheet-title">
    <div class="sheet-head">
      <h2 id="sheet-title">Filters</h2>
      <button type="button" id="sheet-close" class="button">Close</button></div>
<div id="sheet-body" class="sheet-body"></div>
<div class="sheet-foot">
  <button type="button" id="sheet-done" class="button strong">${sheetText(total)}</button></div></dialog>
`;
}

/** Links to the pages of the categories; null if no category has listings. @param quote the fact of the histogram */
function categoriesView(
  categories: Shown["categories"],
  quote: Html | null,
  to: LinkTo,
): Html | null {
  if (categories.length === 0) return null;
  const items = categories.map(
    ({ slug, name, count }) =>
      html`<li><a href="${to(categoryAddress(slug))}"><bdi>${visible(name) ?? slug}</bdi></a>
        <span class="count">${numberOf(count)}<span class="hidden"> ${count === 1 ? "site" : "sites"}</span></span></li>
`,
  );
  return html`<section id="categories" class="wide by-category" aria-labelledby="by-category">
    <h2 id="by-category">Browse by category</h2>
<p><a href="${to(CATEGORIES)}">Compare the categories</a></p>
<ul class="names">${items}</ul>
${quote}</section>
`;
}

/** The scores of all sites, to quote; null unless the page shows them. */
function quoteOfAll({ state, found }: Shown, context: LinkedContext): Html | null {
  if (!isStart(state)) return null;
  const { points: scores } = found.facets.scores;
  const scored = scores.reduce((sum, [, count]) => sum + count, 0);
  const lastScannedAt = found.sites[0]?.latestScannedAt ?? null;
  const place = { address: "", kind: "scores", slug: null, lastScannedAt } as const;
  return quoteView(scoresFact({ scored, scores }, oneLine(context.name)), place, context);
}
