import type { Report } from "../../contract/report.js";
import { categoryAddress } from "../kit/category-name.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import { homeText, type PageContext } from "../kit/page-context.js";
import type { Section } from "../kit/section.js";
import { counted, dayOf, momentOf, numberOf, titleOf, visible } from "../kit/words.js";
import { checkStrip } from "./check-strip.js";
import type { LeftOut } from "./excerpt.js";
import { noticesHtml } from "./notices.js";
import { standingOf } from "./report-texts.js";
import { scoreCard } from "./score-card.js";
import type { Surroundings } from "./surroundings.js";

/** The most characters of a text on the first screen. The section about the site has longer ones whole. */
const LEAD_MAX = 240;

/** The first screen: whose report it is, how good the site is, and where its checks stand. */
export function hero(
  report: Report,
  context: PageContext,
  around: Surroundings,
  left: LeftOut,
): Html {
  const { site, scan } = report;
  return html`<div class="hero"><div class="wide">
${crumbs(report, context, around)}
<div class="hero-grid">
<div class="hero-text">
<h1>${brokenAtDots(site.host)}</h1>
${paragraph(site.name, "name")}
${paragraph(leadOf(scan.summary), "summary")}
<p class="quiet">Crawler readiness, scanned <time datetime="${scan.finishedAt}">${dayOf(scan.finishedAt)}</time></p>
</div>
${scoreCard(report, context, around)}
</div>
${noticesHtml(report, context, around)}
${checkStrip(report, left)}</div></div>`;
}

/** The way from the directory to this report. */
function crumbs({ site }: Report, context: PageContext, { listing }: Surroundings): Html {
  const category = listing?.category ?? null;
  const between =
    category === null
      ? null
      : html`<li><a href="../${categoryAddress(category.slug)}">${visible(category.name) ?? category.slug}</a></li>`;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="../">${homeText(context)}</a></li>${between}<li aria-current="page">${site.host}</li></ol></nav>`;
}

/** Lets a host wrap after each of its dots. */
function brokenAtDots(host: string): Html {
  return html`${host.split(".").map((label, place) => (place === 0 ? label : html`.<wbr>${label}`))}`;
}

/** A text for the first screen: the whole of a short one, the beginning of a long one. */
function leadOf(text: string | null): string | null {
  if (text === null || text.length <= LEAD_MAX) return text;
  return `${text
    .slice(0, LEAD_MAX)
    .toWellFormed()
    .replace(/(?<!\s)\s*\S{0,40}$/, "")}…`;
}

/** The facts of the site and the scan, with the whole texts of the first screen. */
export function factsSection(report: Report): Section {
  const { site, scan } = report;
  const { pagesScanned, requestCount } = scan.stats;
  const rows: [string, Html | string][] = [
    ["Site", outsideLink(site.url)],
    ["Scanned", html`<time datetime="${scan.finishedAt}">${momentOf(scan.finishedAt)}</time>`],
    ["Listing", site.claimed ? "Claimed by its owner" : titleOf(site.status)],
  ];
  const scoreVersion = visible(scan.scoreVersion);
  if (scoreVersion !== null) rows.push(["Scoring version", scoreVersion]);
  if (scan.robotsVerdict !== null) rows.push(["robots.txt", titleOf(scan.robotsVerdict)]);
  if (standingOf(report) !== "withheld") rows.push(["Scan", titleOf(scan.status)]);
  if (pagesScanned !== null) rows.push(["Read", counted(pagesScanned, "page")]);
  if (requestCount !== null) rows.push(["Requests", numberOf(requestCount)]);
  const isCut = leadOf(scan.summary) !== scan.summary;
  const body = html`${paragraph(site.description, "measure")}${isCut ? paragraph(scan.summary) : null}<dl class="facts">${rows.map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
  return { id: "about", title: "About the site and the scan", body };
}
