import type { Report } from "../../contract/report.js";
import { siteHeader } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import { hasAnswer, linkedFrom, treeMarks } from "../kit/links.js";
import { contentsList } from "../kit/lists.js";
import {
  type LinkedContext,
  languageOf,
  type PageContext,
  type Section,
} from "../kit/page-context.js";
import { linkSentences, publisherLine, publisherLinks } from "../kit/publisher-links.js";
import { momentOf } from "../kit/words.js";
import { accessSection, observationsSection, pagesSection } from "./evidence.js";
import { type LeftOut, leftOutText, NOTHING_LEFT_OUT } from "./excerpt.js";
import { profileSection } from "./free-form.js";
import { factsSection, hero } from "./hero.js";
import { type Outlook, outlookOf } from "./outlook.js";
import {
  enrichmentSection,
  historySection,
  shareSection,
  starterFilesSection,
} from "./plan-sections.js";
import { reportHead } from "./report-head.js";
import { queryOf } from "./report-texts.js";
import { checksSection, prerenderSection, scoreSection } from "./score-section.js";
import { NO_SURROUNDINGS, type Surroundings } from "./surroundings.js";
import { toDoSection } from "./to-do.js";

/**
 * A report as a page for people (docs/contract.md#23-report). Its links are relative, so that the page works
 * under any base address. Addresses meant for other sites, such as the canonical one, are absolute.
 * @param left what the excerpt omits; the page says so and links to the JSON
 * @param around what the page shows of the directory around the report
 */
export function reportPage(
  report: Report,
  unlinked: PageContext,
  left: LeftOut = NOTHING_LEFT_OUT,
  around: Surroundings = NO_SURROUNDINGS,
): string {
  const { host } = report.site;
  const query = queryOf(report);
  const context = linkedFrom(`sites/${host}${query}`, unlinked);
  const { to } = context;
  const address = `api/sites/${host}/report${query}`;
  const json = hasAnswer(address, unlinked) ? html`<a href="${to(address)}">JSON</a>` : html`JSON`;
  const outlook = outlookOf(report, left);
  const sections = sectionsOf(report, outlook, context, left, around).map(([parts, section]) => {
    const notes = parts.map((part) => leftOutNote(part, left, json));
    return { ...section, notes };
  });
  // A badge always shows the latest score, so a historical report does not link to it.
  const badgeLink = report.scan.historical
    ? null
    : html`, <a href="${to(`sites/${host}/badge.svg`)}">badge</a>`;
  const page = html`<!doctype html>
<html lang="${languageOf(unlinked)}"${treeMarks(unlinked)}>
<head>
${reportHead(report, context, around)}
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
${siteHeader(to, null, context)}
<main id="report" tabindex="-1">
${hero(report, outlook, context, around, left)}
<div class="wide columns">
${sections.length < 2 ? null : contentsList(sections)}
<div class="sections">
${sections.map(sectionHtml)}
</div>
</div>
</main>
<footer class="bottom"><div class="wide">
  <p>This report as <a href="${to(`sites/${host}/report.md${query}`)}">Markdown</a>, ${json}${badgeLink}.</p>
  <p>${context.name}. The scan of ${momentOf(report.scan.finishedAt)} has the id <code>${report.scan.id}</code>.
    ${linkSentences(publisherLinks(report, context))}</p>
  ${publisherLine(context)}</div></footer>
</body>
</html>
`;
  return page.markup;
}

/** The sections that the report has, each with the parts of the report that it shows. */
function sectionsOf(
  report: Report,
  outlook: Outlook,
  context: LinkedContext,
  left: LeftOut,
  around: Surroundings,
): [(keyof Report)[], Section][] {
  const checks = checksSection(report, outlook, context);
  const sections: [(keyof Report)[], Section | null][] = [
    [
      checks === null ? ["fixes", "checks"] : ["fixes"],
      toDoSection(report, outlook, context, left, around),
    ],
    [["scan"], scoreSection(report, outlook, context)],
    [["prerender"], prerenderSection(report)],
    [["checks"], checks],
    [["history"], historySection(report, context, left)],
    [["accessPolicy"], accessSection(report)],
    [["starterFiles"], starterFilesSection(report, left)],
    [["profile"], profileSection(report)],
    [["pages"], pagesSection(report, left)],
    [["observations"], observationsSection(report)],
    [["enrichment"], enrichmentSection(report)],
    [[], shareSection(report, context)],
    [["site"], factsSection(report)],
  ];
  return sections.flatMap(([parts, section]) => (section === null ? [] : [[parts, section]]));
}

/** A note that a part is incomplete, with a link to the full JSON; null if the part is complete. */
function leftOutNote(part: keyof Report, left: LeftOut, json: Html): Html | null {
  const text = leftOutText(part, left);
  return text === null ? null : html`<p class="quiet">${text}${json}.</p>\n`;
}

function sectionHtml({
  id,
  title,
  body,
  notes,
}: Section & { readonly notes: readonly (Html | null)[] }): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
${notes}</section>
`;
}
