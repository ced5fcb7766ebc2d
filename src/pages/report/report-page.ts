import type { Report } from "../../contract/report.js";
import { siteHeader } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { hasAnswer, linkedFrom, treeMarks } from "../kit/links.js";
import type { PageContext, Section } from "../kit/page-context.js";
import { publisherLine, waysFrom, waysText } from "../kit/publisher-links.js";
import { momentOf } from "../kit/words.js";
import { type LeftOut, NOTHING_LEFT_OUT } from "./excerpt.js";
import { outlookOf } from "./faults.js";
import { hero } from "./hero.js";
import { reportHead } from "./report-head.js";
import { reportSections } from "./report-sections.js";
import { queryOf } from "./report-texts.js";
import { NO_SURROUNDINGS, type Surroundings } from "./surroundings.js";

/**
 * A report as a page for people (contract section 2, links.canonical). Its links are relative, so that the page works
 * under any base address. Addresses meant for other sites, such as the canonical one, are absolute.
 * @param left what the excerpt omits; the page says so and links to the JSON
 * @param around what the page shows of the directory around the report
 */
export function reportPage(
  report: Report,
  place: PageContext,
  left: LeftOut = NOTHING_LEFT_OUT,
  around: Surroundings = NO_SURROUNDINGS,
): string {
  const { host } = report.site;
  const query = queryOf(report);
  const context = linkedFrom(`sites/${host}${query}`, place);
  const { to } = context;
  const address = `api/sites/${host}/report${query}`;
  const json = hasAnswer(address, place) ? html`<a href="${to(address)}">JSON</a>` : html`JSON`;
  const outlook = outlookOf(report, left);
  const sections = reportSections(report, outlook, context, left, json);
  // A badge always shows the latest score, so a historical report does not link to it.
  const badgeLink = report.scan.historical
    ? null
    : html`, <a href="${to(`sites/${host}/badge.svg`)}">badge</a>`;
  const page = html`<!doctype html>
<html lang="en"${treeMarks(place)}>
<head>
${reportHead(report, context, around)}
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
${siteHeader(to, null, context)}
<main id="report" tabindex="-1">
${hero(report, outlook, context, around, left)}
<div class="wide columns">
${contents(sections)}
<div class="sections">
${sections.map(sectionHtml)}
</div>
</div>
</main>
<footer class="bottom"><div class="wide"><p>This report as <a href="${to(`sites/${host}/report.md${query}`)}">Markdown</a>, ${json}${badgeLink}.</p><p>${context.name}. The scan of ${momentOf(report.scan.finishedAt)} has the id <code>${report.scan.id}</code>.${waysText(waysFrom(report, context))}</p>${publisherLine(context)}</div></footer>
</body>
</html>
`;
  return page.markup;
}

function contents(sections: readonly Section[]): Html | null {
  if (sections.length < 2) return null;
  return html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}

function sectionHtml({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}</section>
`;
}
