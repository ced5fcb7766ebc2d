import { SCRIPTS, STYLES } from "#scripts/names";
import { type GroupFigures, medianScore } from "../../contract/figures.js";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { binGroups, histogram } from "../kit/histogram.js";
import { type Html, html, shareBar } from "../kit/html.js";
import { absoluteLink, type LinkTo, linkedFrom } from "../kit/links.js";
import { shareLine } from "../kit/lists.js";
import { checkAnchor, type LinkedContext, type PageContext } from "../kit/page-context.js";
import {
  addressAt,
  CATEGORIES,
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPageName,
  categoryPagesOf,
  type FigureKind,
  feedAddress,
} from "../kit/page-names.js";
import { checksFact, mostFailed, type NamedCheck, quoteView, scoresFact } from "../kit/quote.js";
import { LISTINGS_POLICY } from "../kit/routes.js";
import { siteRow } from "../kit/site-row.js";
import { counted, numberOf, visible } from "../kit/words.js";

/** A site with its rank among the scored sites of its category; null without a score of the current version. */
export interface RankedSite {
  readonly site: SiteSummary;
  readonly rank: SharedRank | null;
  /** The checks that do not apply to it. */
  readonly exempt: readonly string[];
}

/** A rank among `among` sites, which `of` of them share. */
export interface SharedRank {
  readonly rank: number;
  readonly of: number;
  readonly among: number;
}

/** A page of a category: at most CATEGORY_PAGE_SIZE of its listings, in the API's default order. */
export interface CategoryData {
  readonly category: Pick<TaxonomyEntry, "slug" | "name">;
  /** From 1. */
  readonly page: number;
  /** The number of listings on all pages. */
  readonly total: number;
  readonly sites: readonly RankedSite[];
  readonly figures: GroupFigures;
  /** The active checks that summaries mention. */
  readonly checks: readonly NamedCheck[];
  /** When the last site of the directory was scanned; null if none was. */
  readonly lastScannedAt: string | null;
}

/** The HTML of a category's page. It needs no script: every listing is in it, with a link to its report. */
export function categoryPage(data: CategoryData, unlinked: PageContext): string {
  const { category, page, total, sites, figures } = data;
  const { slug } = category;
  const pages = categoryPagesOf(total);
  const name = visible(category.name) ?? slug;
  const directory = oneLine(unlinked.name);
  const part = pages === 1 ? "" : `, page ${numberOf(page)} of ${numberOf(pages)}`;
  const title = `${oneLine(name)}${part} · ${directory}`;
  const description =
    `${counted(total, "site")} of the category ${oneLine(name)} in ${directory}, the highest score ` +
    `first: how readable each is to AI crawlers${part}.`;
  const address = categoryAddress(slug, page);
  const context = linkedFrom(address, unlinked);
  const { to } = context;
  const rows = sites.map(({ site, rank }) =>
    siteRow(
      site,
      context,
      rank === null ? [] : [html`<span class="rank">${sharedRankText(rank)}</span>`],
    ),
  );
  const median = medianScore(figures);
  const medianText = median === null ? "" : ` The median score is ${numberOf(median)} of 100.`;
  const start = (page - 1) * CATEGORY_PAGE_SIZE + 1;
  const failing = page === 1 ? failingMost(data, context) : null;
  const body = html`<main id="sites" tabindex="-1">
<div class="hero find"><div id="overview" class="wide">
<div class="intro">
<p class="eyebrow">Category</p>
<h1 dir="auto">${name}</h1>
<p class="lead">${counted(total, "site")}${part}.${medianText}</p>
<p class="near">${linksTo(slug, page, context)}${failing && html`<a href="#fail">What they fail most</a>`}
  <a href="${to(`?category=${slug}`)}">Search them</a><a href="${to(CATEGORIES)}">All categories</a></p>
</div>
${scoresView(data, context)}</div></div>
<div class="wide category">
<h2>Sites, the highest score first</h2>
<ol class="sites" start="${start}">${rows}</ol>
${steps(slug, page, pages, to)}
${failing}</div>
</main>`;
  return framed(
    {
      policy: LISTINGS_POLICY,
      title,
      description,
      address,
      style: STYLES.explorer,
      script: SCRIPTS.quote,
      main: "sites",
      linkedData: listData(data, context),
      feed: {
        address: feedAddress(slug, "xml"),
        title: `New scans in ${oneLine(name)} · ${directory}`,
      },
      body,
    },
    context,
  );
}

/** Links to other pages about the same sites. */
function linksTo(slug: string, page: number, { pages = [], to }: LinkedContext): Html[] {
  return pages.flatMap(({ path, ofCategory }) => {
    if (ofCategory === undefined) return [];
    const address = addressAt(path, categoryPageName(slug, page));
    return html`<a href="${to(address)}">${ofCategory.link}</a>
  `;
  });
}

/** The page as schema.org linked data: a list of sites. */
function listData({ sites, page, total }: CategoryData, context: PageContext) {
  const home = absoluteLink("", context);
  const start = (page - 1) * CATEGORY_PAGE_SIZE + 1;
  return {
    "@type": "CollectionPage",
    isPartOf: { "@type": "WebSite", "@id": home, url: home, name: oneLine(context.name) },
    mainEntity: {
      "@type": "ItemList",
      itemListOrder: "https://schema.org/ItemListOrderDescending",
      numberOfItems: total,
      itemListElement: sites.map(({ site: { host } }, index) => ({
        "@type": "ListItem",
        position: start + index,
        url: absoluteLink(`sites/${host}`, context),
      })),
    },
  };
}

/** The histogram of the category's scores, whose bands lead to the explorer; null if no site has a score. */
function scoresView(data: CategoryData, context: LinkedContext) {
  const { category, figures } = data;
  const { listed, scored, scores } = figures;
  if (scored === 0) return null;
  const left = listed - scored;
  const drawn = histogram(
    binGroups(context.rubric, scores),
    {
      bar: (_, bar) => html`<span class="bin">${bar}</span>`,
      band: (band, attributes, drawn) => {
        const query = `?category=${category.slug}&band=${band}`;
        return html`<a${attributes} href="${context.to(query)}" rel="nofollow">${drawn}</a>`;
      },
    },
    left === 0 ? "" : `${counted(left, "site")} without a current score`,
  );
  return html`<div class="scores">${drawn}${quoteOf("scores", data, context)}</div>
`;
}

/** The fact that a chart shows, to quote. */
function quoteOf(
  kind: FigureKind,
  { category: { slug, name }, figures, checks, lastScannedAt }: CategoryData,
  context: LinkedContext,
): Html | null {
  const group = `the category ${oneLine(visible(name) ?? slug)}`;
  const fact = kind === "scores" ? scoresFact(figures, group) : checksFact(figures, checks, group);
  const source = { address: categoryAddress(slug), kind, slug, lastScannedAt };
  return quoteView(fact, source, context);
}

/** A rank in words: `Rank 3 of 31, shared by 5`. */
function sharedRankText({ rank, of, among }: SharedRank): string {
  const ties = of === 1 ? "" : `, shared by ${numberOf(of)}`;
  return `Rank ${numberOf(rank)} of ${numberOf(among)}${ties}`;
}

/** The links to the pages before and after; null if the category has one page. */
function steps(slug: string, page: number, pages: number, to: LinkTo): Html | null {
  if (pages === 1) return null;
  const step = (number: number, rel: string, label: string) =>
    number < 1 || number > pages
      ? null
      : html`<li><a rel="${rel}" href="${to(categoryAddress(slug, number))}">${label}</a></li>`;
  return html`<nav class="pages" aria-label="Pages"><ul>
    ${step(page - 1, "prev", "Previous")}
    <li>Page ${numberOf(page)} of ${numberOf(pages)}</li>
    ${step(page + 1, "next", "Next")}
    </ul></nav>`;
}

/** The most checks that the chart of failed checks shows. */
const FAILED_MAX = 8;

/** A chart of what the sites of a category fail most; null if they pass everything. */
function failingMost(data: CategoryData, context: LinkedContext): Html | null {
  const failed = mostFailed(data.figures, data.checks).slice(0, FAILED_MAX);
  if (failed.length === 0) return null;
  const lines = failed.map(({ id, name, failing, subject }) => {
    const address = context.to(`standards#${checkAnchor(id)}`);
    const text = `${numberOf(failing)} of ${numberOf(subject)}`;
    return shareLine(address, name, shareBar((100 * failing) / subject), text);
  });
  return html`<section id="fail" aria-labelledby="fail-title"><h2 id="fail-title">Not passed most often</h2>
<p class="quiet measure">How many sites do not pass a check, or only in part, of those to which it applies.</p>
<ol class="shares">${lines}</ol>
${quoteOf("checks", data, context)}</section>
`;
}
