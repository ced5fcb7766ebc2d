import { SCRIPTS } from "#scripts/names";
import { LIMITS } from "../../contract/limits.js";
import type { Facets } from "../../contract/listing.js";
import { EXPLORER_STYLE } from "../kit/assets.js";
import { categoryAddress } from "../kit/category-name.js";
import { oneLine, scriptJson } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { treesHtml } from "../kit/tree-html.js";
import { numberOf, visible } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { facetsView, filtersText } from "./facets-view.js";
import { type Found, resultsView } from "./results-view.js";
import { addressOf, type SearchState } from "./search-state.js";
import { searchJson, searchTitle } from "./search-title.js";

/** The explorer's content on first load: a state and its search results. */
export interface Shown {
  readonly state: SearchState;
  readonly found: Found;
  readonly tags: Directory["tags"];
  /** The categories that have listings, with the number of all their listings. */
  readonly categories: Facets["categories"]["items"];
}

/** Who answers the searches of a page without a script: the server of the page, or nobody, in a tree of files. */
export type Searched = "server" | "nobody";

/**
 * The HTML of the explorer, the page that searches the directory. Without a script it is a plain form, and the server
 * answers each search with another such page. If nobody does, it shows the first results and leads to the categories.
 */
export function explorerPage(
  context: PageContext,
  shown: Shown,
  searched: Searched = "server",
): string {
  const { rubric, siteUrl } = context;
  const name = oneLine(context.name);
  const { state, found, tags, categories } = shown;
  const directory: Directory = { rubric, tags };
  const isServed = searched === "server";
  const description = `Search ${name}: websites with reports that score from 0 to 100 how readable and accessible each is to AI crawlers.`;
  const body = html`<main id="sites" tabindex="-1"${isServed ? null : UNSERVED}>
<form id="search" action="./" method="get" autocomplete="off" novalidate>
<div class="hero find"><div class="wide">
<h1>What AI crawlers can read</h1>
<p class="lead">Every site here has a report: a score from 0 to 100 for how readable it is to AI crawlers, and what makes up that score.</p>
${isServed ? null : WITHOUT_SCRIPT}<div class="seek-box" role="search">
<label class="hidden" for="q">Search sites by name, host or tagline</label>
<input id="q" name="q" type="search" value="${state.q}" maxlength="${LIMITS.queryTextMax}" placeholder="Name, host or words of a tagline" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search">
<button class="button strong">Search</button>
<ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden></ul>
</div>
</div></div>
<div class="wide explorer">
<button type="button" id="filters-toggle" class="button needs-script" aria-expanded="false" aria-controls="filters">${filtersText(state)}</button>
<div id="filters" class="filters" role="group" aria-label="Filters">${treesHtml(facetsView(state, directory, found))}</div>
${isServed ? SEND : null}<div class="outcome-column">
<p id="told" class="hidden" role="status"></p>
<div id="problem"></div>
<div id="results">${treesHtml(resultsView(state, directory, found))}</div>
</div>
</div>
</form>
${categoriesView(categories)}</main>
<script type="application/json" id="directory">${new Html(scriptJson({ rubric, tags: [] }))}</script>`;
  return framed(
    {
      title: searchTitle(state, found.pagination.total, name),
      description,
      place: "./",
      isIndexed: addressOf(state) === "",
      seek: null,
      style: EXPLORER_STYLE,
      script: SCRIPTS.explorer,
      // No file has the results of a search.
      json: isServed ? searchJson(state) : null,
      main: "sites",
      linkedData: {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "@id": `${siteUrl}/`,
        url: `${siteUrl}/`,
        name,
        description,
        inLanguage: "en",
        potentialAction: {
          "@type": "SearchAction",
          target: { "@type": "EntryPoint", urlTemplate: `${siteUrl}/?q={search_term_string}` },
          "query-input": "required name=search_term_string",
        },
      },
      body,
    },
    context,
  );
}

const UNSERVED = html` class="unserved"`;
const WITHOUT_SCRIPT = html`<p class="no-script">Searching needs JavaScript here; without it, <a href="#categories">the categories</a> and <a href="sitemap.xml">the sitemap</a> lead to the reports.</p>
`;
const SEND = html`<div class="no-script"><button class="button">Search with these filters</button></div>
`;

/** Links to the pages of the categories; null if no category has listings. */
function categoriesView(categories: Shown["categories"]): Html | null {
  if (categories.length === 0) return null;
  const items = categories.map(
    ({ slug, name, count }) =>
      html`<li><a href="${categoryAddress(slug)}"><bdi>${visible(name) ?? slug}</bdi></a><span class="count">${numberOf(count)}<span class="hidden"> ${count === 1 ? "site" : "sites"}</span></span></li>
`,
  );
  return html`<section id="categories" class="wide by-category" aria-labelledby="by-category"><h2 id="by-category">Browse by category</h2>
<ul class="names">${items}</ul></section>
`;
}
