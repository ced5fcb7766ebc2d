import { SCRIPTS } from "#scripts/names";
import { LIMITS } from "../../contract/limits.js";
import { oneLine, scriptJson } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { treesHtml } from "../kit/tree-html.js";
import type { Directory } from "./facet-groups.js";
import { facetsView, filtersText } from "./facets-view.js";
import { type Found, resultsView } from "./results-view.js";
import { addressOf, readState, type SearchState } from "./search-state.js";
import { searchJson, searchTitle } from "./search-title.js";

/** The explorer's content on first load: a state and its search results. */
export interface Shown {
  readonly state: SearchState;
  readonly found: Found;
  readonly tags: Directory["tags"];
}

/**
 * The HTML of the explorer, the page that searches the directory. Without a script it is a plain form, and the server
 * answers each search with another such page.
 * @param shown null if the page comes without results, as in an exported tree of files; the script then calls the API
 *   beside the page
 */
export function explorerPage(context: PageContext, shown: Shown | null): string {
  const { rubric, siteUrl } = context;
  const name = oneLine(context.name);
  const state = shown?.state ?? readState("");
  const directory: Directory = { rubric, tags: shown?.tags ?? [] };
  const description = `Search ${name}: websites with reports that score from 0 to 100 how readable and accessible each is to AI crawlers.`;
  const body = html`<main id="sites" tabindex="-1">
<form id="search" action="./" method="get" autocomplete="off" novalidate>
<div class="hero seek"><div class="wide">
<h1>What AI crawlers can read</h1>
<p class="lead">Every site here has a report: a score from 0 to 100 for how readable it is to AI crawlers, and what makes up that score.</p>
<div class="seek-box" role="search">
<label class="hidden" for="q">Search sites by name, host or tagline</label>
<input id="q" name="q" type="search" value="${state.q}" maxlength="${LIMITS.queryTextMax}" placeholder="Name, host or words of a tagline" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search">
<button class="button strong">Search</button>
<ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden></ul>
</div>
</div></div>
<div class="wide explorer">
<button type="button" id="filters-toggle" class="button needs-script" aria-expanded="false" aria-controls="filters">${filtersText(state)}</button>
<div id="filters" class="filters" role="group" aria-label="Filters">${treesHtml(facetsView(state, directory, shown?.found ?? null))}</div>
<div class="no-script"><button class="button">Search with these filters</button></div>
<div class="outcome-column">
<p id="told" class="hidden" role="status"></p>
<div id="problem"></div>
<div id="results"${shown === null ? null : MADE}>${shown === null ? unsearched() : treesHtml(resultsView(state, directory, shown.found))}</div>
</div>
</div>
</form>
</main>
<script type="application/json" id="directory">${new Html(scriptJson({ rubric, tags: [] }))}</script>`;
  return framed(
    {
      title: searchTitle(state, shown?.found.pagination.total ?? null, name),
      description,
      place: "./",
      isIndexed: addressOf(state) === "",
      script: SCRIPTS.explorer,
      json: shown === null ? null : searchJson(state),
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

const MADE = html` data-made="true"`;

/** Placeholder for the results. If there is an API beside the page, a script replaces it; otherwise search is off. */
function unsearched(): Html {
  return html`<h2 id="found" tabindex="-1">Sites</h2>
<p class="needs-script">Searching…</p>
<div class="no-script"><p>Searching needs JavaScript, and the API next to these files. <a href="sitemap.xml">All reports are in the sitemap</a>, each at <code>sites/</code> followed by its host. <a href="standards">How sites are scored</a> can be read without either.</p></div>`;
}
