import type { Report } from "../../contract/report.js";
import { bandLabel } from "../kit/bands.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import type { Section } from "../kit/section.js";
import { siteHeader } from "../kit/site-header.js";
import { counted, dayOf, momentOf, numberOf, titleOf, visible } from "../kit/words.js";
import { accessSection } from "./access-section.js";
import { checksSection, fixesSection } from "./checks-section.js";
import { observationsSection, pagesSection, profileSection } from "./evidence-sections.js";
import { type LeftOut, leftOutText, NOTHING_LEFT_OUT } from "./excerpt.js";
import { gauge } from "./figures.js";
import { enrichmentSection, historySection, starterFilesSection } from "./plan-sections.js";
import { reportHead } from "./report-head.js";
import { noticesOf, queryOf, standingOf } from "./report-texts.js";
import { prerenderSection, scoreSection } from "./score-section.js";

/**
 * A report as a page for people (contract section 2, links.canonical). Its links are relative to `/sites/<host>`, so
 * that the page works under any base address. Addresses meant for other sites, such as the canonical one, are absolute.
 * @param left what the excerpt omits; the page says so and links to the JSON
 */
export function reportPage(
  report: Report,
  context: PageContext,
  left: LeftOut = NOTHING_LEFT_OUT,
): string {
  const { host } = report.site;
  const json = `../api/sites/${host}/report${queryOf(report)}`;
  const note = (part: keyof Report) => leftOutNote(part, left, json);
  const parts: [keyof Report, Section | null][] = [
    ["scan", scoreSection(report, context)],
    ["prerender", prerenderSection(report)],
    ["fixes", fixesSection(report)],
    ["checks", checksSection(report, context)],
    ["accessPolicy", accessSection(report)],
    ["pages", pagesSection(report, left)],
    ["observations", observationsSection(report)],
    ["profile", profileSection(report)],
    ["history", historySection(report, context, left)],
    ["enrichment", enrichmentSection(report)],
    ["starterFiles", starterFilesSection(report)],
  ];
  const sections = parts.flatMap(([part, section]) =>
    section === null ? [] : [{ ...section, note: note(part) }],
  );
  // A badge always shows the latest score, so a historical report does not link to it.
  const badgeLink = report.scan.historical ? null : html`, <a href="${host}/badge.svg">badge</a>`;
  const page = html`<!doctype html>
<html lang="en">
<head>
${reportHead(report, context)}
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
${siteHeader("../", null, context)}
<main id="report" tabindex="-1">
${hero(report, context, note("site"))}
<div class="wide columns">
${contents(sections)}
<div class="sections">
${sections.map(sectionHtml)}
</div>
</div>
</main>
<footer class="bottom"><div class="wide"><p>This report as <a href="${host}/report.md${queryOf(report)}">Markdown</a>, <a href="${json}">JSON</a>${badgeLink}.</p><p>${context.name}. The scan of ${momentOf(report.scan.finishedAt)} has the id <code>${report.scan.id}</code>.</p></div></footer>
</body>
</html>
`;
  return page.markup;
}

function hero(report: Report, context: PageContext, note: Html | null): Html {
  const { site, scan } = report;
  const notices = noticesOf(report).map(
    ({ title, text }) => html`<p class="notice"><strong>${title}</strong> ${text}</p>`,
  );
  const band = bandLabel(scan, context);
  const caption =
    scan.score === null
      ? null
      : html`<figcaption>${band === null ? "Score" : html`<span class="band">${band}</span>`}</figcaption>`;
  return html`<div class="hero"><div class="wide hero-grid">
<div class="hero-text">
<p class="eyebrow">Crawler-readiness report</p>
<h1>${brokenAtDots(site.host)}</h1>
${paragraph(site.name, "name")}
${paragraph(site.description, "lead")}
${note}${notices}
</div>
<figure class="dial">${gauge(scan, band, context)}${caption}</figure>
${facts(report)}
</div></div>`;
}

/** Lets a host wrap after each of its dots. */
function brokenAtDots(host: string): Html {
  return html`${host.split(".").map((label, place) => (place === 0 ? label : html`.<wbr>${label}`))}`;
}

/** The key facts at a glance. */
function facts(report: Report): Html {
  const { site, scan } = report;
  const rows: [string, Html | string][] = [
    ["Site", outsideLink(site.url)],
    ["Scanned", html`<time datetime="${scan.finishedAt}">${dayOf(scan.finishedAt)}</time>`],
    ["Listing", site.claimed ? "Claimed by its owner" : titleOf(site.status)],
  ];
  const scoreVersion = visible(scan.scoreVersion);
  if (scoreVersion !== null) rows.push(["Scoring version", scoreVersion]);
  if (standingOf(report) !== "withheld") rows.push(["Scan", titleOf(scan.status)]);
  if (scan.stats.pagesScanned !== null) {
    rows.push(["Read", counted(scan.stats.pagesScanned, "page")]);
  }
  if (scan.stats.requestCount !== null) {
    rows.push(["Requests", numberOf(scan.stats.requestCount)]);
  }
  return html`<dl class="facts">${rows.map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

function contents(sections: readonly Section[]): Html | null {
  if (sections.length < 2) return null;
  return html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}

/** A note that a part is incomplete, with a link to the full JSON; null if the part is complete. */
function leftOutNote(part: keyof Report, left: LeftOut, json: string): Html | null {
  const text = leftOutText(part, left);
  return text === null ? null : html`<p class="quiet">${text}<a href="${json}">JSON</a>.</p>\n`;
}

function sectionHtml({ id, title, body, note }: Section & { readonly note: Html | null }): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
${note}</section>
`;
}
