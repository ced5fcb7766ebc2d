import { canonicalHostOf } from "../../contract/host.js";
import type { HistoryEntry, Report } from "../../contract/report.js";
import { brokenAtDots, type Html, html, outsideLink, paragraph, timeElement } from "../kit/html.js";
import { sitesPage } from "../kit/links.js";
import {
  homeText,
  type LinkedContext,
  type PageContext,
  type Section,
} from "../kit/page-context.js";
import { categoryAddress } from "../kit/page-names.js";
import { linkButtons, publisherLinks } from "../kit/publisher-links.js";
import {
  bandLabel,
  bandLevel,
  counted,
  cutText,
  dayOf,
  hostInScript,
  levelOf,
  momentOf,
  numberOf,
  tenth,
  titleOf,
  visible,
} from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";
import { capNotice, type Outlook } from "./outlook.js";
import { isShared, noticesOf, scoreWords, standingOf } from "./report-texts.js";
import { checkStrip } from "./score-section.js";
import { scoreTrack } from "./score-track.js";
import { followingOf, rankText, type Surroundings } from "./surroundings.js";

/** The most characters of a text on the first screen. The section about the site has longer ones in full. */
const LEAD_MAX = 240;

/** The first screen: which site the report is about, its score, and the results of its checks. */
export function hero(
  report: Report,
  outlook: Outlook,
  context: LinkedContext,
  around: Surroundings,
  left: LeftOut,
): Html {
  const { site, scan } = report;
  const day = timeElement(scan.finishedAt, dayOf(scan.finishedAt));
  const links = [otherSitesLink(report, context), followLinks(report, context, around)];
  return html`<div class="hero"><div class="wide">
${crumbs(report, context, around)}
<div class="hero-grid">
<div class="hero-text">
${title(site.host)}
${paragraph(nameOf(site), "name")}
${paragraph(leadOf(scan.summary), "summary")}
<p class="quiet">Crawler readiness, scanned ${day}${links}</p>
</div>
${scoreCard(report, outlook, context, around)}
</div>
${noticesHtml(report, context, around)}
${checkStrip(report, outlook, left)}</div></div>`;
}

/** A link to a page about the site and others; null for a report without a current score. */
function otherSitesLink(report: Report, context: LinkedContext): Html | null {
  const page = sitesPage(context);
  if (report.scan.score === null || !isShared(report) || page === null) return null;
  const { host } = report.site;
  return html`. <a href="${context.to(page.address)}?sites=${host}">${page.reportLink(host)}</a>`;
}

/** Links to the feed of the site, and to a list with it; null if a reader cannot follow it. */
function followLinks(report: Report, context: LinkedContext, around: Surroundings): Html | null {
  const following = followingOf(report, context, around);
  if (following === null) return null;
  const { host } = report.site;
  const { feed, list } = following;
  return html`. <a href="${context.to(feed(host, "xml"))}">Follow this site</a> 
  or <a href="${context.to(list(host))}">add it to a list</a>`;
}

/** The links from the directory to this report. */
function crumbs(
  { site }: Report,
  { to, ...context }: LinkedContext,
  { listing }: Surroundings,
): Html {
  const category = listing?.category ?? null;
  const name = category && cutText(visible(category.name) ?? category.slug, NAME_MAX);
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
    <li><a href="${to("")}">${homeText(context)}</a></li>
    ${category && html`<li><a href="${to(categoryAddress(category.slug))}">${name}</a></li>`}
    <li aria-current="page"><bdi>${hostInScript(site.host) ?? site.host}</bdi></li>
    </ol></nav>`;
}

/** The host, in its own script with Punycode beneath it. */
function title(host: string): Html {
  const name = hostInScript(host);
  if (name === null) return html`<h1>${brokenAtDots(host)}</h1>`;
  return html`<h1><bdi>${brokenAtDots(name)}</bdi></h1>
<p class="address">${host}</p>`;
}

/** The most characters of a site's name on the first screen. */
const NAME_MAX = 120;

/** A site's name for the first screen. The section about the site has a longer one in full. */
function nameOf({ name }: Report["site"]): string | null {
  return name && cutText(name, NAME_MAX).toWellFormed();
}

/** A text for the first screen: a short one in full, or the beginning of a long one. */
function leadOf(text: string | null): string | null {
  if (text === null || text.length <= LEAD_MAX) return text;
  return `${text
    .slice(0, LEAD_MAX)
    .toWellFormed()
    .replace(/(?<!\s)\s*\S{0,40}$/, "")}…`;
}

/** The facts of the site and the scan, with the full texts of the first screen. */
export function factsSection(report: Report): Section {
  const { site, scan } = report;
  const { pagesScanned, requestCount } = scan.stats;
  const rows: [string, Html | string][] = [
    ["Site", outsideLink(site.url)],
    ["Scanned", timeElement(scan.finishedAt, momentOf(scan.finishedAt))],
    ["Listing", site.claimed ? "Claimed by its owner" : titleOf(site.status)],
  ];
  const name = visible(site.name);
  if (name !== null) rows.unshift(["Name", html`<bdi>${name}</bdi>`]);
  const scoreVersion = visible(scan.scoreVersion);
  if (scoreVersion !== null) rows.push(["Scoring version", scoreVersion]);
  if (scan.robotsVerdict !== null) rows.push(["robots.txt", titleOf(scan.robotsVerdict)]);
  if (standingOf(report) !== "withheld") rows.push(["Scan", titleOf(scan.status)]);
  if (pagesScanned !== null) rows.push(["Read", counted(pagesScanned, "page")]);
  if (requestCount !== null) rows.push(["Requests", numberOf(requestCount)]);
  const isCut = leadOf(scan.summary) !== scan.summary;
  const facts = rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`);
  const body = html`${paragraph(site.description, "measure")}
    ${isCut ? paragraph(scan.summary) : null}
    <dl class="facts">${facts}</dl>`;
  return { id: "about", title: "About the site and the scan", body };
}

/** The notices that a reader must see first, each with links to go on from there. */
function noticesHtml(report: Report, context: LinkedContext, around: Surroundings): Html[] {
  const links = (kind: string) =>
    kind === "historical"
      ? latestLink(report, context, around)
      : html`<p>${furtherLinks(report, context, around)}</p>
        ${linkButtons(publisherLinks(report, context))}`;
  return noticesOf(report).map(
    ({ kind, title, text }) =>
      html`<div class="notice"><p><strong>${title}</strong> ${text}</p>${links(kind)}</div>`,
  );
}

/** The latest report, with its score and this one's. */
function latestLink(
  { site, scan }: Report,
  context: LinkedContext,
  { listing }: Surroundings,
): Html {
  const latestPage = context.to(`sites/${site.host}`);
  if (listing === null) return html`<p><a href="${latestPage}">See the latest report</a></p>`;
  const { latestScore, latestBand, latestScoreVersion, latestScannedAt } = listing;
  const latest = { score: latestScore, band: latestBand, scoreVersion: latestScoreVersion };
  const when = latestScannedAt === null ? "" : ` of ${dayOf(latestScannedAt)}`;
  const scores = `: ${scoreWords(latest, context)}. This one: ${scoreWords(scan, context)}.`;
  return html`<p><a href="${latestPage}">See the latest report${when}</a>${scores}</p>`;
}

function furtherLinks(
  report: Report,
  { to }: LinkedContext,
  { listing, hasTarget }: Surroundings,
): Html {
  const target = report.scan.redirect?.host ?? null;
  if (standingOf(report) === "redirected" && target !== null && visible(target) !== null) {
    const host = canonicalHostOf(target);
    const found =
      host !== null && hasTarget
        ? html`<a href="${to(`sites/${host}`)}">See the report of ${host}</a>, or go `
        : "Go ";
    return html`${found}to the site: ${outsideLink(`https://${target}/`, target)}`;
  }
  const category = listing?.category ?? null;
  if (category === null) return html`<a href="${to("")}">Explore other sites of the directory</a>`;
  const name = visible(category.name) ?? category.slug;
  return html`<a href="${to(categoryAddress(category.slug))}">See other sites in ${name}</a>`;
}

/**
 * The score at a glance: its number and band, its position on a track of all bands, its change and its rank. Without
 * a score there is no number and no mark on the track.
 */
function scoreCard(
  report: Report,
  { cap }: Outlook,
  context: PageContext,
  around: Surroundings,
): Html {
  const { score, scoreVersion, ...scan } = report.scan;
  if (score === null) {
    return html`<div class="card">
      <p class="result"><strong class="no-score">No score</strong></p>
      <svg class="track" width="100%" height="12" aria-hidden="true">
        <rect class="track-none" width="100%" height="12" rx="6"/></svg></div>`;
  }
  const banded = { band: scan.band, scoreVersion };
  const band = bandLabel(banded, context);
  const level = `level-${levelOf(banded, context)}`;
  return html`<div class="card ${level}">
    <p class="result"><span class="hidden">Score: </span>
      <strong class="number-large">${score}</strong><span class="of"> of 100</span> 
      ${band && html`<span class="band-name ${level}">${band}</span>`}</p>
${track(score, scoreVersion, context)}
${cap && html`<p><a href="#fixes">${capNotice(cap).title}</a></p>\n`}
  ${changeLine(report)}
  ${rankLine(report, context, around)}</div>`;
}

/** All bands as a strip from 0 to 100 with a mark at the score, and the same as a list. */
function track(score: number, scoreVersion: string | null, { rubric }: PageContext): Html {
  const isCurrent = scoreVersion === rubric.version;
  const bands = isCurrent ? rubric.bands.toSorted((one, other) => one.min - other.min) : [];
  const names = bands.map(({ band, label, min, max }) => {
    const own = min <= score && score <= max ? html` aria-current="true"` : null;
    return html`<li class="level-${bandLevel(band, rubric)}"${own}>
      <bdi>${visible(label) ?? band}</bdi> ${min}–${max}</li>`;
  });
  const version = visible(scoreVersion);
  const scored =
    version === null ? "The scoring version is not known" : `Scored with version ${version}`;
  const list = isCurrent
    ? html`<ul class="legend" aria-label="All bands">${names}</ul>`
    : html`<p class="quiet">${scored}, so today’s bands and comparisons do not apply.</p>`;
  return html`${scoreTrack(score, scoreVersion, { rubric })}
${list}`;
}

/**
 * The scored scans of the report's own scoring version up to its own scan, oldest first. Empty if the plan shows no
 * history or the report has no score.
 */
function comparableScans({ history, scan }: Report): HistoryEntry[] {
  if (history === undefined || scan.score === null || scan.scoreVersion === null) return [];
  const own = history.findIndex(({ id }) => id === scan.id);
  if (own < 0) return [];
  return history
    .slice(own)
    .filter(({ score, scoreVersion }) => score !== null && scoreVersion === scan.scoreVersion)
    .toReversed();
}

/** The change since the previous comparable scan, with a small line of all of them; null if there is no such scan. */
function changeLine(report: Report): Html | null {
  const scans = comparableScans(report);
  const before = scans.at(-2);
  const { score } = report.scan;
  if (score === null || before === undefined || before.score === null) return null;
  const change = score - before.score;
  const since = `since the scan of ${dayOf(before.finishedAt)}`;
  const [kind, text] =
    change === 0
      ? ["same", "No change"]
      : [change > 0 ? "up" : "down", `${change > 0 ? "+" : ""}${numberOf(change)}`];
  return html`<p class="change"><strong class="${kind}">${text}</strong> ${since}${sparkline(scans)}</p>
`;
}

/** The most scans that the small line shows. */
const SPARK_MAX = 24;
const SPARK = { width: 120, height: 26, margin: 4 } as const;

function sparkline(scans: readonly HistoryEntry[]): Html {
  const scores = scans.slice(-SPARK_MAX).map(({ score }) => score ?? 0);
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  const { width, height, margin } = SPARK;
  const points = scores.map((score, at) => {
    const x = margin + ((width - 2 * margin) * at) / (scores.length - 1);
    const share = most === least ? 0.5 : (score - least) / (most - least);
    return [tenth(x), tenth(height - margin - (height - 2 * margin) * share)];
  });
  const [x, y] = points.at(-1) ?? [];
  return html` <svg class="spark" width="${width}" height="${height}" aria-hidden="true">
    <polyline points="${points.map((point) => point.join(",")).join(" ")}"/>
    <circle cx="${x ?? 0}" cy="${y ?? 0}" r="3.5"/></svg>`;
}

/**
 * How the score compares with others, for the latest report with a score of the current scoring version. A page in a
 * file has an empty line, which its script fills.
 */
function rankLine(
  { scan }: Report,
  { rubric }: PageContext,
  { listing, figures }: Surroundings,
): Html | null {
  const { score, historical, scoreVersion } = scan;
  if (score === null || historical || scoreVersion !== rubric.version) return null;
  if (listing === null || figures === null) return null;
  const { slug, name } = listing.category ?? {};
  const category = slug === undefined ? null : { slug, name: visible(name ?? null) ?? slug };
  const text = figures === "fetched" ? "" : rankText(figures, { score, category });
  const ranked = JSON.stringify({ score, category });
  return html`<p id="rank" dir="auto" data-known="${ranked}">${text}</p>
`;
}
