import { STYLES } from "#scripts/names";
import { type GroupFigures, medianScore } from "../../contract/figures.js";
import type { SiteSummary, TaxonomyEntry } from "../../contract/listing.js";
import { oneLine } from "../kit/escape.js";
import { framed } from "../kit/frame.js";
import { binGroups, histogram } from "../kit/histogram.js";
import { type Html, html, shareBar, timeElement, unseen } from "../kit/html.js";
import { absoluteLink, type LinkTo, linkedFrom } from "../kit/links.js";
import { shareLine } from "../kit/lists.js";
import type { LinkedContext, PageContext } from "../kit/page-context.js";
import {
  addressAt,
  CATEGORIES,
  CATEGORY_PAGE_SIZE,
  categoryAddress,
  categoryPageName,
  categoryPagesOf,
  checkAddress,
  type FigureKind,
  feedAddress,
} from "../kit/page-names.js";
import {
  categoryGroup,
  checksFact,
  type FailedCheck,
  mostFailed,
  type NamedCheck,
  quoteView,
  scoresFact,
} from "../kit/quote.js";
import { highlightMark, highlightNote, scoreTag } from "../kit/site-row.js";
import {
  bandLabel,
  counted,
  dayOf,
  hostInScript,
  hostText,
  levelOf,
  listed,
  NO_VALUE,
  numberOf,
  visible,
} from "../kit/words.js";

import type { FindsExactly } from "./band-charts.js";

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
  /** The median score of the whole directory; null if no site is scored. */
  readonly directoryMedian: number | null;
  readonly finds: FindsExactly;
}

/** The HTML of a category's page. It needs no script: every listing is in it, with a link to its report. */
export function categoryPage(data: CategoryData, unlinked: PageContext): string {
  const { category, page, total, sites } = data;
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
  const failing = failingMost(data, context);
  const scores = scoresView(data, context);
  const facts =
    scores === null && failing === null
      ? null
      : html`<div class="facts">${scores}${failing}</div>\n`;
  const body = html`<main id="sites" tabindex="-1">
<div class="hero find"><div class="wide intro">
<p class="eyebrow"><a href="${to(CATEGORIES)}">Categories</a></p>
<h1 class="clamped" dir="auto">${name}</h1>
<p class="lead">${counted(total, "site")}${part}.${mediansText(data)}</p>
<p class="near">${linksTo(slug, page, context)}<a href="${to(`?category=${slug}`)}" rel="nofollow">Search them</a></p>
${facts}</div></div>
<div class="wide category">
<h2>Sites, the highest score first</h2>
${sitesTable(sites, context)}
${steps(slug, page, pages, to)}</div>
</main>`;
  return framed(
    {
      title,
      description,
      address,
      style: STYLES.explorer,
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

/** The median of the category, and that of all sites. */
function mediansText({ figures, directoryMedian }: CategoryData): string {
  const median = medianScore(figures);
  if (median === null) return "";
  const all =
    directoryMedian === null ? "" : `; that of the whole directory is ${numberOf(directoryMedian)}`;
  return ` The median score is ${numberOf(median)} of 100${all}.`;
}

/** Links to other pages about the same sites. */
function linksTo(slug: string, page: number, { pages = [], to }: LinkedContext): Html[] {
  return pages.flatMap(({ path, ofCategory }) => {
    if (ofCategory === undefined) return [];
    const name = ofCategory.isOfAll ? slug : categoryPageName(slug, page);
    const address = addressAt(path, name);
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
  const { category, figures, finds } = data;
  const { listed, scored, scores } = figures;
  if (scored === 0) return null;
  const left = listed - scored;
  const drawn = histogram(
    binGroups(context.rubric, scores),
    {
      bar: (_, bar) => html`<span class="bin">${bar}</span>`,
      band: (band, attributes, drawn, count) => {
        if (count === 0 || !finds(category.slug, band, count))
          return html`<span${attributes}>${drawn}</span>`;
        const query = `?category=${category.slug}&band=${band}`;
        return html`<a${attributes} href="${context.to(query)}" rel="nofollow">${drawn}</a>`;
      },
    },
    left === 0 ? "" : `${counted(left, "site")} without a current score`,
  );
  return html`<section class="scores" aria-labelledby="scores-title"><h2 id="scores-title">Scores</h2>
${drawn}${quoteOf("scores", data, context)}</section>
`;
}

/** The fact that a chart shows, to quote. */
function quoteOf(
  kind: FigureKind,
  { category, figures, checks, lastScannedAt }: CategoryData,
  context: LinkedContext,
): Html | null {
  const { slug } = category;
  const group = categoryGroup(category);
  const fact = kind === "scores" ? scoresFact(figures, group) : checksFact(figures, checks, group);
  const source = { address: categoryAddress(slug), kind, slug, lastScannedAt };
  return quoteView(fact, source, context);
}

/** The sites as a table. Sites that share a rank are a group with one cell for the rank and one for the score. */
function sitesTable(sites: readonly RankedSite[], context: LinkedContext): Html {
  const groups: RankedSite[][] = [];
  for (const one of sites) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isTied(last[0], one)) last.push(one);
    else groups.push([one]);
  }
  return html`<table class="ranks"><caption class="hidden">Sites, the highest score first</caption>
<thead><tr><th scope="col" class="shared">Rank</th><th scope="col" class="shared">Score</th><th scope="col">Site</th>
  <th scope="col" class="about">What it is</th><th scope="col" class="number passed">Checks passed</th>
  <th scope="col" class="scanned">Scanned</th></tr></thead>
${groups.map((group) => tiedSites(group, context))}</table>
${highlightNote(sites.map(({ site }) => site))}`;
}

/** Whether two sites have the same score of one version, or none, and so the same rank or none. */
function isTied({ site: a }: RankedSite, { site: b }: RankedSite): boolean {
  return a.latestScore === b.latestScore && a.latestScoreVersion === b.latestScoreVersion;
}

/** The rows of sites that share a rank. */
function tiedSites(group: readonly RankedSite[], context: LinkedContext): Html {
  const [first] = group;
  if (first === undefined) return html``;
  const { latestScore, latestBand: band, latestScoreVersion: scoreVersion } = first.site;
  const banded = { band, scoreVersion };
  const label = latestScore === null ? "Not scored" : bandLabel(banded, context);
  const score = latestScore === null ? NO_VALUE : numberOf(latestScore);
  const older =
    latestScore !== null && scoreVersion !== context.rubric.version
      ? html` <span class="quiet">older version</span>`
      : null;
  const span = group.length === 1 ? null : html` rowspan="${group.length}"`;
  const heads = html`<th scope="rowgroup" class="shared"${span}><div>${rankView(first.rank)}</div></th>
    <td class="shared"${span}><div>${scoreTag(levelOf(banded, context), score)}
      ${label === null ? null : html` <span class="quiet clamped" dir="auto">${label}</span>`}${older}</div></td>`;
  const rows = group.map(
    ({ site }, index) => html`<tr>${index === 0 ? heads : null}${siteCells(site, context)}</tr>
`,
  );
  return html`<tbody>${rows}</tbody>`;
}

/** A rank, in words for screen readers: `Rank 3 of 31, shared by 5`. */
function rankView(rank: SharedRank | null): Html | string {
  if (rank === null) return NO_VALUE;
  const ties =
    rank.of === 1
      ? null
      : html`${unseen(", ")}<span class="quiet">shared by ${numberOf(rank.of)}</span>`;
  return html`${unseen("Rank ")}${numberOf(rank.rank)}${unseen(` of ${numberOf(rank.among)}`)}${ties}`;
}

function siteCells(site: SiteSummary, { to }: LinkedContext): Html {
  const { host, name, tagline, capabilities, latestScore, latestScannedAt } = site;
  const shown = visible(name) ?? hostInScript(host);
  const hostLine =
    shown === null
      ? null
      : html` <span class="address clamped">${visible(name) === null ? host : hostText(host)}</span>`;
  const address = to(`sites/${encodeURIComponent(host)}`);
  const scanned =
    latestScannedAt === null ? NO_VALUE : timeElement(latestScannedAt, dayOf(latestScannedAt));
  return html`<th scope="row"><div>
      <a class="clamped" href="${address}"><bdi>${shown ?? host}</bdi></a>${highlightMark(site)}${hostLine}
    </div></th>
    <td class="about"><span class="clamped" dir="auto">${visible(tagline)}</span></td>
    <td class="number passed">${latestScore === null ? NO_VALUE : numberOf(capabilities.length)}</td>
    <td class="scanned">${scanned}</td>`;
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

/** ` Open CORS applies to 14 of 31 sites.`, for checks that do not apply to many; "" for none. */
function appliesText(failed: readonly FailedCheck[], { listed: sites }: GroupFigures): string {
  const rare = failed.filter(({ subject }) => subject < MOST * sites);
  const of = (count: number) => `${numberOf(count)} of ${counted(sites, "site")}`;
  const parts = rare.map(({ name, subject }) => `${oneLine(name)} applies to ${of(subject)}`);
  return parts.length === 0 ? "" : ` ${listed(parts)}.`;
}

/** A check that applies to a smaller share of the sites is named. */
const MOST = 0.9;

/** The most checks that the chart of failed checks shows. */
const FAILED_MAX = 8;

/** A chart of what the sites of a category fail most; null if they pass everything. */
function failingMost(data: CategoryData, context: LinkedContext): Html | null {
  const failed = mostFailed(data.figures, data.checks).slice(0, FAILED_MAX);
  if (failed.length === 0) return null;
  const lines = failed.map(({ id, name, failing, subject }) => {
    const text = `${numberOf(failing)} of ${numberOf(subject)}`;
    return shareLine(context.to(checkAddress(id)), name, shareBar((100 * failing) / subject), text);
  });
  return html`<section id="fail" aria-labelledby="fail-title"><h2 id="fail-title">Not passed most often</h2>
<ol class="shares">${lines}</ol>
<p class="quiet">Sites that do not pass the check, or only in part, of those to which it 
  applies.${appliesText(failed, data.figures)}</p>
${quoteOf("checks", data, context)}</section>
`;
}
