import { STYLES } from "#scripts/names";
import type { SiteSummary } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import { oneLine } from "../../pages/kit/escape.js";
import { framed } from "../../pages/kit/frame.js";
import { type Html, html, movedView, timeElement } from "../../pages/kit/html.js";
import { absoluteLink, linkedFrom } from "../../pages/kit/links.js";
import { scrollingTable } from "../../pages/kit/lists.js";
import type { LinkedContext, PageContext } from "../../pages/kit/page-context.js";
import { scoreTag } from "../../pages/kit/site-row.js";
import {
  bandLabel,
  counted,
  dayOf,
  hostText,
  levelOf,
  NO_VALUE,
  visible,
} from "../../pages/kit/words.js";
import { standingOf } from "../../pages/report/report-texts.js";
import { changeLines, SITE_WORDS } from "./change-feed.js";
import { CHANGES_LIMITS, watchQuery } from "./reads.js";
import type { FoundChange } from "./search-feed.js";
import { watchBadgeFacts } from "./watch-badge.js";
import { WATCH } from "./watch-list.js";

/** A watch list, and what has changed about its sites. */
export interface WatchShown {
  /** The hosts of the list in order. */
  readonly sites: readonly WatchedSite[];
  /** The hosts that a list has no room for. */
  readonly left: readonly string[];
  /** The texts of the address that cannot be hosts. */
  readonly others: readonly string[];
  /** By host, the last change of its score; null if it cannot be compared, or is not told. */
  readonly moves: ReadonlyMap<string, ScoreMove | null>;
  /** The latest changes, the newest first, and how many there are in all. */
  readonly changes: readonly FoundChange[];
  readonly changeCount: number;
  /** Names of checks by their ids. */
  readonly checks: ReadonlyMap<string, string>;
}

/** A change of a score, under one methodology; null where there was or is none. */
export interface ScoreMove {
  readonly from: number | null;
  readonly to: number | null;
  readonly publishedAt: string;
}

interface WatchedSite {
  readonly host: string;
  /** Null if the host is not in search. It may have a report nevertheless, which says why. */
  readonly site: SiteSummary | null;
  readonly report: Report | null;
}

/** The page of a watch list: its sites with their scores, their latest changes, and the feeds to subscribe to. */
export function watchPage(shown: WatchShown, unlinked: PageContext): string {
  const context = linkedFrom(WATCH, unlinked);
  const directory = oneLine(unlinked.name);
  const hosts = shown.sites.map(({ host }) => host);
  const query = watchQuery(hosts);
  const hasFeeds = hosts.length > 0 && unlinked.extensions !== false;
  const feed = {
    address: `${WATCH}.xml?${query}`,
    title: `Changes of ${counted(hosts.length, "site")}`,
  };
  const body = html`<main id="list" tabindex="-1">
<div class="hero"><div class="wide hero-text">
<h1>My list</h1>
<p class="lead">The scores of the sites that you choose, and what has changed about them.</p>
${listForm(hosts, context)}
<p class="quiet">The list is in the address of this page: keep it as a bookmark, or share it.</p>
</div></div>
<div class="wide table-page">
${refusedTexts(shown)}
${
  hosts.length === 0
    ? null
    : html`${sitesTable(shown, context)}
${changesSection(shown, context)}`
}
<div class="list-uses">
${hasFeeds ? feedsSection(query, context) : null}
${hosts.length === 0 ? null : badgeSection(shown, query, context)}
</div>
</div>
</main>`;
  return framed(
    {
      title: `My list · ${directory}`,
      description: `The scores of chosen sites of ${directory}, and what has changed about them.`,
      address: WATCH,
      isIndexed: false,
      style: STYLES.tables,
      main: "list",
      linkedData: { "@type": "WebPage" },
      body,
      ...(hasFeeds && { feed }),
    },
    context,
  );
}

/** The form of the list, which needs no script. The boxes of its sites are in the table; a full list takes no more. */
function listForm(hosts: readonly string[], { to }: LinkedContext): Html {
  const adding = html`<label for="add">A host to add</label>
  <input id="add" type="text" name="host" required placeholder="example.org" autocomplete="off" 
    autocapitalize="none" spellcheck="false">
  <button class="button strong">Add</button>`;
  const full = html`<p>The list is full: it has ${CHANGES_LIMITS.watchMax} sites.</p>`;
  return html`<form id="watched" class="watch-form" action="${to(WATCH)}" method="get">
  ${hosts.length >= CHANGES_LIMITS.watchMax ? full : adding}</form>`;
}

/** What of the address is not on the list, and why. */
function refusedTexts({ left, others }: WatchShown): (Html | null)[] {
  const full = `A list has at most ${CHANGES_LIMITS.watchMax} sites. Not on it:`;
  return [
    others.length === 0 ? null : html`<p>Cannot be a host: ${quoted(others)}.</p>`,
    left.length === 0 ? null : html`<p>${full} ${quoted(left)}.</p>`,
  ];
}

function quoted(texts: readonly string[]): Html[] {
  return texts.map((text, at) => html`${at === 0 ? "" : ", "}<bdi>“${text}”</bdi>`);
}

function sitesTable({ sites, moves }: WatchShown, context: LinkedContext): Html {
  const rows = sites.map(({ host, site, report }) => {
    const box = html`<td><input type="checkbox" form="watched" name="host" value="${host}" 
      aria-label="Keep ${host}" checked></td>`;
    const cells =
      site === null
        ? html`${siteHead(host, report?.site.name ?? null, report !== null, context)}
    <td colspan="4">${unlistedText(report)}</td>`
        : siteCells(site, moves.get(host) ?? null, context);
    return html`<tr>${box}${cells}</tr>`;
  });
  const columns = ["Keep", "Site", "Score", "Last change", "Band", "Last scanned"];
  const body = html`<tbody>${rows}</tbody>`;
  return html`${scrollingTable({ name: "The sites of the list", className: "watched", columns }, body)}
<p><button class="button" form="watched" formnovalidate>Keep the ticked sites only</button></p>`;
}

const NO_CELL = html`<td class="none">${NO_VALUE}</td>`;

/** A site's name and host. @param hasReport whether the name leads to its report */
function siteHead(
  host: string,
  siteName: string | null,
  hasReport: boolean,
  { to }: LinkedContext,
): Html {
  const name = visible(siteName);
  const text = html`<bdi>${name ?? hostText(host)}</bdi>`;
  const own = name === null ? null : html` <span class="quiet"><bdi>${hostText(host)}</bdi></span>`;
  return html`<th scope="row">${hasReport ? html`<a href="${to(`sites/${host}`)}">${text}</a>` : text}${own}</th>`;
}

/** Why a host has no cells of its own. */
function unlistedText(report: Report | null): string {
  if (report === null) return "Not listed";
  return standingOf(report) === "redirected" ? "Redirected: no score" : "Not in search";
}

function siteCells(site: SiteSummary, move: ScoreMove | null, context: LinkedContext): Html {
  const { host, name, latestScore, latestScannedAt } = site;
  const banded = { band: site.latestBand, scoreVersion: site.latestScoreVersion };
  const score = latestScore === null ? "No score" : scoreTag(levelOf(banded, context), latestScore);
  const band = latestScore === null ? null : bandLabel(banded, context);
  const day =
    latestScannedAt === null ? null : timeElement(latestScannedAt, dayOf(latestScannedAt));
  const { from = null, to = null } = move ?? {};
  const moved = from === null || to === null ? null : html` ${movedView(to - from)}`;
  return html`${siteHead(host, name, true, context)}
    <td class="score">${score}${moved}</td>
    ${move === null ? NO_CELL : html`<td class="before">${beforeView(move)}</td>`}
    <td class="of-band" dir="auto">${band ?? NO_VALUE}</td>
    ${day === null ? NO_CELL : html`<td class="scanned">${day}</td>`}`;
}

/** The score before its last change, and when that was published. */
function beforeView({ from, publishedAt }: ScoreMove): Html {
  return html`${from ?? "No score"} before, published ${timeElement(publishedAt, dayOf(publishedAt))}`;
}

/** The badge of the list, and how to embed it. */
function badgeSection({ sites }: WatchShown, query: string, context: LinkedContext): Html {
  const { meaning, isMedian, width, height } = watchBadgeFacts(
    sites.flatMap(({ site }) => site ?? []),
    context,
  );
  const address = `${WATCH}.svg?${query}`;
  const page = absoluteLink(`${WATCH}?${query}`, context);
  const image = absoluteLink(address, context);
  const code = html`<a href="${page}"><img src="${image}" alt="Crawler readiness of my list"></a>`;
  return html`<section><h2>A badge of this list</h2>
<p><img class="badge" src="${context.to(address)}" alt="${meaning}" width="${width}" height="${height}"></p>
<p class="measure">${meaning}${isMedian ? " At least half of them reach it." : null}</p>
<pre data-copy="Copy the code" tabindex="0">${code.markup}</pre></section>`;
}

function changesSection(
  { sites, changes, changeCount, checks }: WatchShown,
  context: LinkedContext,
): Html {
  const listed = new Set(sites.flatMap(({ host, site }) => (site === null ? [] : host)));
  const items = changes.map(({ change, what }) => {
    const { host, publishedAt } = change;
    const name = html`<bdi>${hostText(host)}</bdi>`;
    const link = listed.has(host)
      ? html`<a href="${context.to(`sites/${host}`)}">${name}</a>`
      : name;
    const lines = changeLines(change, checks).join(" ");
    const published = timeElement(publishedAt, dayOf(publishedAt));
    return html`<li>Published ${published}: ${link} ${SITE_WORDS[what]}. ${lines}</li>`;
  });
  const more =
    changeCount > changes.length ? `The latest ${changes.length} of ${changeCount}.` : null;
  const none = html`<p>Nothing has changed about these sites in the last publications.</p>`;
  return html`<h2>Latest changes</h2>
${more === null ? null : html`<p class="quiet">${more}</p>`}
${items.length === 0 ? none : html`<ul class="measure">${items}</ul>`}`;
}

/** The addresses of the feeds, and how to subscribe. */
function feedsSection(query: string, context: LinkedContext): Html {
  const address = `${WATCH}.xml?${query}`;
  return html`<section><h2>Follow this list</h2>
<p class="measure">Copy the address of the <a href="${context.to(address)}">Atom feed</a>, or of the 
  <a href="${context.to(`${WATCH}.json?${query}`)}">JSON feed</a>, into a feed reader. It then tells you when 
  a score, a band or a check of one of these sites changes, and when a site is added or removed.</p>
<pre data-copy="Copy the address" tabindex="0">${absoluteLink(address, context)}</pre></section>`;
}
