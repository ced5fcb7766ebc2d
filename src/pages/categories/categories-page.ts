import { SCRIPTS, STYLES } from "#scripts/names";
import {
  FIGURES_MIN,
  type Figures,
  type GroupFigures,
  medianScore,
  wholePercent,
} from "../../contract/figures.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { type Html, html, movedView, shareBar, timeElement, unseen } from "../kit/html.js";
import { absoluteLink, linkedFrom } from "../kit/links.js";
import { shareLine } from "../kit/lists.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";
import { addressAt, CATEGORIES, categoryAddress, checkAddress } from "../kit/page-names.js";
import {
  type Fact,
  type FailedCheck,
  isOfFew,
  mostFailed,
  type NamedCheck,
  quoteView,
  scoresFact,
} from "../kit/quote.js";
import { scoreTag } from "../kit/site-row.js";
import {
  counted,
  cutText,
  dayOf,
  decimalOf,
  listed,
  NO_VALUE,
  numberOf,
  tenth,
  visible,
} from "../kit/words.js";
import {
  type BandCount,
  bandCounts,
  bandsBar,
  type FindsExactly,
  scoreSketch,
} from "./band-charts.js";
import {
  CATEGORY_SORTS,
  type CategoryOrder,
  type CategorySort,
  orderAfter,
  orderQuery,
  readOrder,
  type SortedFacts,
  sortedCategories,
} from "./category-order.js";

/** What the list of categories shows. */
export interface CategoriesData {
  readonly figures: Figures;
  readonly categories: readonly Pick<TaxonomyEntry, "slug" | "name">[];
  readonly checks: readonly NamedCheck[];
  readonly finds: FindsExactly;
  /** Null if there is nothing to compare with: then the column is not there. */
  readonly earlier: EarlierShares | null;
}

/** The shares of the highest band in the publication before. */
export interface EarlierShares {
  /** Null if it is not known. */
  readonly publishedAt: string | null;
  /** From 0 to 1; null with too few sites to say. @param slug of a category; null for all sites */
  readonly shareOf: (slug: string | null) => number | null;
}

/** A category with sites, or all sites of the directory. */
interface GroupRow extends SortedFacts {
  /** Null for all sites. */
  readonly slug: string | null;
  readonly group: GroupFigures;
  /** The highest band first. */
  readonly bands: readonly BandCount[];
  /** The checks that sites do not pass, the greatest share first. */
  readonly missed: readonly FailedCheck[];
}

/** The columns that can be sorted, besides the bands, whose heading is the name of the highest band. */
const HEADINGS: Readonly<Record<Exclude<CategorySort, "share">, string>> = {
  name: "Category",
  sites: "Sites",
  change: "Change",
  median: "Median",
  failed: "Not passed most often",
};

/** What the page says where no two categories can be compared. */
const LEAD = "How readable the sites of each category are to AI crawlers.";

/** The most checks that an opened row names. */
const MISSED_MAX = 3;
/** The most characters of a category's name in a sentence, and the most names. */
const NAME_MAX = 80;
const NAMES_MAX = 2;

/**
 * The page that lists all categories, with figures about their sites.
 * @param query the order of the list; a script changes it without loading a page
 */
export function categoriesPage(data: CategoriesData, unlinked: PageContext, query: string): string {
  const context = linkedFrom(CATEGORIES, unlinked);
  const order = readOrder(query);
  const rows = categoryRows(data, context);
  const directory = oneLine(unlinked.name);
  const title = `Categories · ${directory}`;
  const description =
    `${counted(rows.length, "category", "categories")} of ${directory}, compared: how readable the ` +
    "sites of each are to AI crawlers, and what they do not pass most often.";
  const fact = categoriesFact(rows, directory);
  const { lastScannedAt } = data.figures;
  const source = { address: CATEGORIES, kind: null, slug: null, lastScannedAt } as const;
  const body = html`<main id="categories" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>Categories</h1>
<p class="lead" dir="auto">${fact?.sentence ?? LEAD}</p>
${quoteView(fact, source, context)}</div></div>
<div class="wide table-page">
${rows.length === 0 ? html`<p>No site has a category yet.</p>` : tableOf(rows, data, order, context)}</div>
</main>`;
  return framed(
    {
      title,
      description,
      address: CATEGORIES,
      isIndexed: orderQuery(order) === "",
      style: STYLES.tables,
      script: SCRIPTS.categories,
      json: "api/categories",
      main: "categories",
      linkedData: {
        "@type": "CollectionPage",
        mainEntity: {
          "@type": "ItemList",
          numberOfItems: rows.length,
          itemListElement: rows.map(({ slug }, index) => ({
            "@type": "ListItem",
            position: index + 1,
            url: absoluteLink(categoryAddress(slug ?? ""), context),
          })),
        },
      },
      body,
    },
    context,
  );
}

/** The categories that have sites, in the usual order. */
function categoryRows(data: CategoriesData, context: LinkedContext): GroupRow[] {
  const names = new Map(data.categories.map(({ slug, name }) => [slug, visible(name)]));
  const rows = Object.entries(data.figures.categories).map(([slug, group]) =>
    groupRow(slug, names.get(slug) ?? slug, group, data, context),
  );
  return sortedCategories(rows, readOrder(""));
}

function groupRow(
  slug: string | null,
  name: string,
  group: GroupFigures,
  { checks, earlier }: CategoriesData,
  context: LinkedContext,
): GroupRow {
  const bands = bandCounts(group, context);
  const missed = mostFailed(group, checks);
  const [worst] = missed;
  const isFew = group.scored < FIGURES_MIN;
  const share = isFew ? null : (bands[0]?.count ?? 0) / group.scored;
  const before = earlier?.shareOf(slug) ?? null;
  return {
    slug,
    name,
    group,
    bands,
    missed,
    sites: group.listed,
    share,
    change: share === null || before === null ? null : tenth(100 * (share - before)),
    median: isFew ? null : medianScore(group),
    failed: worst === undefined || isOfFew(worst) ? null : worst.failing / worst.subject,
  };
}

/** The categories with the highest and the lowest median, as a fact; null if fewer than two have one. */
function categoriesFact(rows: readonly GroupRow[], directory: string): Fact | null {
  const ranked = rows.filter(({ median }) => median !== null);
  const highest = ranked[0]?.median ?? null;
  const lowest = ranked.at(-1)?.median ?? null;
  if (highest === null || lowest === null || highest === lowest) return null;
  const n = ranked.reduce((sum, { group }) => sum + group.scored, 0);
  return {
    sentence:
      `Of the ${counted(ranked.length, "category", "categories")} with at least ${FIGURES_MIN} scored sites in ` +
      `${directory}, ${having(ranked, highest)} the highest median score for how readable their sites are to AI ` +
      `crawlers, ${numberOf(highest)} of 100; ${having(ranked, lowest)} the lowest, ${numberOf(lowest)}.`,
    n,
  };
}

/** The categories with a median, and the verb: `Books and Anime have`. */
function having(ranked: readonly GroupRow[], median: number): string {
  const all = ranked.filter((one) => one.median === median);
  const names = all.slice(0, NAMES_MAX).map(({ name }) => cutText(oneLine(name), NAME_MAX));
  const more = all.length - names.length;
  const others = more === 0 ? [] : [counted(more, "other")];
  return `${listed([...names, ...others])} ${all.length === 1 ? "has" : "have"}`;
}

function tableOf(
  rows: readonly GroupRow[],
  data: CategoriesData,
  order: CategoryOrder,
  context: LinkedContext,
): Html {
  const { figures, earlier } = data;
  const all = groupRow(null, "All sites", figures.all, data, context);
  const without = rows.reduce((left, { sites }) => left - sites, all.sites);
  const sum =
    without === 0
      ? `All ${counted(all.sites, "site")} have a category.`
      : `${counted(without, "site")} of ${numberOf(all.sites)} ${without === 1 ? "has" : "have"} no category.`;
  const bands = all.bands.map(
    ({ level, label, range }) =>
      html`<li class="level-${level}"><span dir="auto">${label}</span> <span class="quiet">${range}</span></li>`,
  );
  const heads = columnsOf(data).map((by) =>
    headCell(by, by === "share" ? (all.bands[0]?.label ?? "Bands") : HEADINGS[by], order, context),
  );
  const quote = quoteView(
    scoresFact(figures.all, oneLine(context.name)),
    { address: CATEGORIES, kind: "scores", slug: null, lastScannedAt: figures.lastScannedAt },
    context,
  );
  const shown = sortedCategories(rows, order).map((row) => bodyOf(row, data, null, context));
  return html`<ul class="key" aria-label="Bands">${bands}</ul>
<table class="groups"><caption class="hidden">Categories</caption>
<thead><tr>${heads}</tr></thead>
${bodyOf(all, data, quote, context)}${shown}</table>
<p class="quiet measure">${sum} Shares and medians need ${FIGURES_MIN} sites with a current score. Of the two 
  middle scores of an even number of sites, the median is the lower one. ${earlier && changeText(all, earlier)}</p>`;
}

function columnsOf({ earlier }: CategoriesData): CategorySort[] {
  return CATEGORY_SORTS.filter((by) => by !== "change" || earlier !== null);
}

/** What the changes are of, and since when. */
function changeText({ bands }: GroupRow, { publishedAt }: EarlierShares): Html {
  const since =
    publishedAt === null
      ? "the publication before"
      : html`the publication of ${timeElement(publishedAt, dayOf(publishedAt))}`;
  const band = html`<q><bdi>${bands[0]?.label ?? ""}</bdi></q>`;
  return html`The change is that of the share in ${band} since ${since}, in points. Sites that were added 
  or removed move it, too. `;
}

/** The heading of a column. It links to the list in the order of the column. */
function headCell(
  by: CategorySort,
  label: string,
  order: CategoryOrder,
  { to }: LinkedContext,
): Html {
  const query = orderQuery(orderAfter(order, by));
  const sorted = order.by === by ? html` aria-sort="${order.direction}"` : null;
  const address = query === "" ? to(CATEGORIES) : `?${query}`;
  return html`
    <th scope="col" class="by-${by}" data-sort="${by}"${sorted}>
      <a href="${address}" rel="nofollow" dir="auto"><span class="clamped">${label}</span></a></th>`;
}

/**
 * The row of a group, and the row that opens below it.
 * @param quote the fact of its scores; null for none
 */
function bodyOf(
  row: GroupRow,
  shown: CategoriesData,
  quote: Html | null,
  context: LinkedContext,
): Html {
  const { slug, name, sites, share, change, median, failed, bands, group, missed } = row;
  const { to } = context;
  const linkOf = ({ band, count }: BandCount) =>
    count > 0 && shown.finds(slug, band, count) ? to(searchOf(slug, `band=${band}`)) : null;
  const data = { sites, share, change, median, failed };
  const facts = Object.entries(data).map(([key, value]) =>
    value === null ? null : html` data-${key}="${value}"`,
  );
  const top = bands[0]?.count ?? 0;
  const shareText =
    share === null ? counts(top, group.scored) : html`<b>${wholePercent(top, group.scored)}%</b>`;
  const bar = group.scored === 0 ? null : bandsBar(bands, linkOf);
  const label =
    slug === null ? name : html`<a href="${to(categoryAddress(slug))}" dir="auto">${name}</a>`;
  const found = to(slug === null ? "?sort=score" : searchOf(slug));
  return html`<tbody${slug === null ? html` class="all"` : facts}><tr>
    <th scope="row"><span class="clamped">${label}</span></th>
    <td class="by-sites"><a href="${found}" rel="nofollow">${siteCount(sites)}</a></td>
    <td class="by-share"><div>${group.scored === 0 ? NO_VALUE : shareText}${bar}</div></td>
    ${shown.earlier && html`<td class="by-change">${changeView(change)}</td>`}
    <td class="by-median">${median === null ? NO_VALUE : medianTag(median, bands)}</td>
    <td class="by-failed">${worstText(missed, to)}</td></tr>
    <tr class="more"><td colspan="${columnsOf(shown).length}"><details>
      <summary>${unseen(`Scores and checks: ${name}`)}</summary>
      ${openedRow(row, linkOf, quote, context)}</details></td></tr></tbody>
`;
}

/** The change of a share in points. Most have not moved, so that is not written in words. */
function changeView(change: number | null): Html | string {
  if (change === null) return NO_VALUE;
  return change === 0 ? html`<span class="quiet">0</span>` : movedView(change, decimalOf, false);
}

/** A median in the colour of its band. */
function medianTag(median: number, bands: readonly BandCount[]): Html {
  const own = bands.find(({ bins }) => bins.some(({ from, to }) => from <= median && median <= to));
  return scoreTag(own?.level ?? "none", numberOf(median));
}

/** A number of sites. Screen readers hear of what. */
function siteCount(count: number): Html {
  return html`${numberOf(count)}${unseen(count === 1 ? " site" : " sites")}`;
}

function searchOf(slug: string | null, query = ""): string {
  return `?${[slug === null ? "" : `category=${slug}`, query].filter(Boolean).join("&")}`;
}

function counts(count: number, of: number): string {
  return `${numberOf(count)} of ${numberOf(of)}`;
}

/** The check that most sites do not pass, with their share, or with their number if they are few. */
function worstText([worst]: readonly FailedCheck[], to: LinkedContext["to"]): Html {
  if (worst === undefined) return html`<span>${NO_VALUE}</span>`;
  const { id, name, failing, subject } = worst;
  const percent = isOfFew(worst) ? null : html`<b>${wholePercent(failing, subject)}%</b>`;
  const share = html`${percent} <span class="quiet">${counts(failing, subject)}</span>`;
  return html`<div>${share} <a class="clamped" href="${to(checkAddress(id))}" dir="auto">${name}</a></div>`;
}

/** The histogram of a group with the numbers of the bands, what it does not pass most often, and the pages about it. */
function openedRow(
  { slug, name, group, bands, missed }: GroupRow,
  linkOf: (band: BandCount) => string | null,
  quote: Html | null,
  context: LinkedContext,
): Html {
  const { to } = context;
  const numbers = bands.map((one) => {
    const link = linkOf(one);
    const count = siteCount(one.count);
    const number = link === null ? count : html`<a href="${link}" rel="nofollow">${count}</a>`;
    return html`<li class="level-${one.level}"><span dir="auto">${one.label}</span> 
      <span class="quiet">${one.range}</span> <b>${number}</b></li>`;
  });
  const chart =
    group.scored === 0
      ? null
      : html`${scoreSketch(bands)}<p class="ends" aria-hidden="true"><span>0</span><span>100</span></p>
      <ul class="key">${numbers}</ul>`;
  const lines = missed
    .slice(0, MISSED_MAX)
    .map((one) =>
      shareLine(
        to(checkAddress(one.id)),
        one.name,
        shareBar((100 * one.failing) / one.subject),
        counts(one.failing, one.subject),
      ),
    );
  const checks =
    lines.length === 0
      ? null
      : html`<div><p class="quiet">Not passed, or only in part, of the sites to which the check applies:</p>
      <ol class="shares">${lines}</ol></div>`;
  return html`<div class="opened"><div>${chart}
    <p class="quiet">${counts(group.scored, group.listed)} sites have a current score.</p>${quote}</div>
    ${checks}${slug === null ? null : linksOf(slug, name, context)}</div>`;
}

/** Links to the pages about a category. */
function linksOf(slug: string, name: string, { pages = [], to }: LinkedContext): Html {
  const others = pages.flatMap(({ path, ofCategory }) =>
    ofCategory === undefined ? [] : [{ address: addressAt(path, slug), text: ofCategory.rowLink }],
  );
  const links = [{ address: categoryAddress(slug), text: "All sites and ranks" }, ...others].map(
    ({ address, text }) => html`<a href="${to(address)}">${text}${unseen(` in ${name}`)}</a>`,
  );
  return html`<p class="near">${links}</p>`;
}
