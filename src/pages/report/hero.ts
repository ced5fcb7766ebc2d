import { canonicalHostOf } from "../../contract/host.js";
import type { Report } from "../../contract/report.js";
import { brokenAtDots, type Html, html, outsideLink, paragraph, timeElement } from "../kit/html.js";
import { canCompare } from "../kit/links.js";
import { homeText, type LinkedContext, type Section } from "../kit/page-context.js";
import { categoryAddress } from "../kit/page-names.js";
import { linkButtons, publisherLinks } from "../kit/publisher-links.js";
import {
  counted,
  dayOf,
  hostInScript,
  momentOf,
  numberOf,
  titleOf,
  visible,
} from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";
import type { Outlook } from "./faults.js";
import { isShared, noticesOf, standingOf } from "./report-texts.js";
import { scoreCard, scoreWords } from "./score-card.js";
import { checkStrip } from "./score-section.js";
import type { Surroundings } from "./surroundings.js";

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
  return html`<div class="hero"><div class="wide">
${crumbs(report, context, around)}
<div class="hero-grid">
<div class="hero-text">
${title(site.host)}
${paragraph(site.name, "name")}
${paragraph(leadOf(scan.summary), "summary")}
<p class="quiet">Crawler readiness, scanned ${timeElement(scan.finishedAt, dayOf(scan.finishedAt))}${compareLink(report, context)}</p>
</div>
${scoreCard(report, outlook, context, around)}
</div>
${noticesHtml(report, context, around)}
${checkStrip(report, outlook, left)}</div></div>`;
}

/** A link to a comparison with other sites; null for a report without a current score. */
function compareLink(report: Report, context: LinkedContext): Html | null {
  if (report.scan.score === null || !isShared(report) || !canCompare(context)) return null;
  const { host } = report.site;
  return html`. <a href="${context.to("compare")}?sites=${host}">Compare ${host} with…</a>`;
}

/** The links from the directory to this report. */
function crumbs({ site }: Report, context: LinkedContext, { listing }: Surroundings): Html {
  const category = listing?.category ?? null;
  const between =
    category === null
      ? null
      : html`<li><a href="${context.to(categoryAddress(category.slug))}">${visible(category.name) ?? category.slug}
        </a></li>`;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li>
    <a href="${context.to("")}">${homeText(context)}</a></li>${between}<li aria-current="page">
    <bdi>${hostInScript(site.host) ?? site.host}</bdi></li></ol></nav>`;
}

/** The host, in its own script with Punycode beneath it. */
function title(host: string): Html {
  const name = hostInScript(host);
  if (name === null) return html`<h1>${brokenAtDots(host)}</h1>`;
  return html`<h1><bdi>${brokenAtDots(name)}</bdi></h1>
<p class="address">${host}</p>`;
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
  const scoreVersion = visible(scan.scoreVersion);
  if (scoreVersion !== null) rows.push(["Scoring version", scoreVersion]);
  if (scan.robotsVerdict !== null) rows.push(["robots.txt", titleOf(scan.robotsVerdict)]);
  if (standingOf(report) !== "withheld") rows.push(["Scan", titleOf(scan.status)]);
  if (pagesScanned !== null) rows.push(["Read", counted(pagesScanned, "page")]);
  if (requestCount !== null) rows.push(["Requests", numberOf(requestCount)]);
  const isCut = leadOf(scan.summary) !== scan.summary;
  const body = html`${paragraph(site.description, "measure")}${isCut ? paragraph(scan.summary) : null}
    <dl class="facts">${rows.map(
      ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`,
    )}</dl>`;
  return { id: "about", title: "About the site and the scan", body };
}

/** The notices that a reader must see first, each with links to go on from there. */
function noticesHtml(report: Report, context: LinkedContext, around: Surroundings): Html[] {
  return noticesOf(report).map(
    ({ kind, title, text }) =>
      html`<div class="notice"><p><strong>${title}</strong> ${text}</p>${
        kind === "historical"
          ? latestLink(report, context, around)
          : html`<p>${furtherLinks(report, context, around)}</p>${linkButtons(publisherLinks(report, context))}`
      }</div>`,
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
  return html`<p><a href="${latestPage}">See the latest report${when}
    </a>: ${scoreWords(latest, context)}. This one: ${scoreWords(scan, context)}.</p>`;
}

function furtherLinks(
  { scan, ...report }: Report,
  { to }: LinkedContext,
  { listing, hasTarget }: Surroundings,
): Html {
  const target = scan.redirect?.host ?? null;
  const isRedirected = standingOf({ scan, ...report }) === "redirected";
  if (isRedirected && target !== null && visible(target) !== null) {
    const host = canonicalHostOf(target);
    const found =
      host === null
        ? null
        : hasTarget
          ? html`<a href="${to(`sites/${host}`)}">See the report of ${host}</a>, or go `
          : html`<a href="${to(`?q=${host}`)}">Look for ${host} in the directory</a>, or go `;
    return html`${found ?? "Go "}to the site: ${outsideLink(`https://${target}/`, target)}`;
  }
  const category = listing?.category ?? null;
  if (category === null) return html`<a href="${to("")}">Explore other sites of the directory</a>`;
  const name = visible(category.name) ?? category.slug;
  return html`<a href="${to(categoryAddress(category.slug))}">See other sites in ${name}</a>`;
}
