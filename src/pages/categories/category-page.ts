import { SCRIPTS } from "#scripts/names";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { EXPLORER_STYLE } from "../kit/assets.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { absoluteLink, type LinkTo, linksFrom } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import {
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPagesOf,
  feedAddress,
} from "../kit/page-names.js";
import { siteRow } from "../kit/site-row.js";
import { treesHtml } from "../kit/tree.js";
import { counted, numberOf, visible } from "../kit/words.js";

/** A page of a category: at most CATEGORY_PAGE_SIZE of its listings, in the API's default order. */
export interface CategoryShown {
  readonly category: Pick<TaxonomyEntry, "slug" | "name">;
  /** From 1. */
  readonly page: number;
  /** The number of listings on all pages. */
  readonly total: number;
  readonly sites: readonly SiteSummary[];
}

/** The HTML of a category's page. It needs no script: every listing is in it, with a link to its report. */
export function categoryPage(shown: CategoryShown, context: PageContext): string {
  const { category, page, total, sites } = shown;
  const { slug } = category;
  const pages = categoryPagesOf(total);
  const name = visible(category.name) ?? slug;
  const directory = oneLine(context.name);
  const part = pages === 1 ? "" : `, page ${numberOf(page)} of ${numberOf(pages)}`;
  const title = `${oneLine(name)}${part} · ${directory}`;
  const description = `${counted(total, "site")} of the category ${oneLine(name)} in ${directory}, the highest score first: how readable each is to AI crawlers${part}.`;
  const address = categoryAddress(slug, page);
  const to = linksFrom(address, context);
  const rows = sites.map((site) => siteRow(site, context));
  const start = (page - 1) * CATEGORY_PAGE_SIZE + 1;
  const body = html`<main id="sites" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<p class="eyebrow">Category</p>
<h1 dir="auto">${name}</h1>
<p class="lead">${counted(total, "site")}${part}. The highest score comes first.</p>
<p><a href="${to("#categories")}">All categories</a></p>
</div></div>
<div class="wide category">
<h2 class="hidden">Sites</h2>
<ol class="sites" start="${start}">${treesHtml(rows, to)}</ol>
${steps(slug, page, pages, to)}
</div>
</main>`;
  const url = absoluteLink(address, context);
  const home = absoluteLink("", context);
  return framed(
    {
      page: "category",
      title,
      description,
      address,
      isIndexed: true,
      style: EXPLORER_STYLE,
      // In a packed tree, reports need the worker that this starts.
      script: context.tree?.isPacked === true ? SCRIPTS.register : null,
      json: null,
      main: "sites",
      linkedData: {
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "@id": url,
        url,
        name: title,
        description,
        inLanguage: "en",
        isPartOf: { "@type": "WebSite", "@id": home, url: home, name: directory },
        mainEntity: {
          "@type": "ItemList",
          itemListOrder: "https://schema.org/ItemListOrderDescending",
          numberOfItems: total,
          itemListElement: sites.map(({ host }, index) => ({
            "@type": "ListItem",
            position: start + index,
            url: absoluteLink(`sites/${host}`, context),
          })),
        },
      },
      feed: {
        address: feedAddress(slug, "xml"),
        title: `New scans in ${oneLine(name)} · ${directory}`,
      },
      body,
    },
    context,
  );
}

/** The links to the pages before and after; null if the category has one page. */
function steps(slug: string, page: number, pages: number, to: LinkTo): Html | null {
  if (pages === 1) return null;
  const step = (number: number, rel: string, label: string) =>
    number < 1 || number > pages
      ? null
      : html`<li><a rel="${rel}" href="${to(categoryAddress(slug, number))}">${label}</a></li>`;
  return html`<nav class="pages" aria-label="Pages"><ul>${step(page - 1, "prev", "Previous")}<li>Page ${numberOf(page)} of ${numberOf(pages)}</li>${step(page + 1, "next", "Next")}</ul></nav>`;
}
