import type { Report } from "../../contract/report.js";
import { type Html, html } from "../kit/html.js";
import type { LinkedContext, Section } from "../kit/page-context.js";
import { accessSection, observationsSection, pagesSection } from "./evidence-sections.js";
import { type LeftOut, leftOutText } from "./excerpt.js";
import type { Outlook } from "./faults.js";
import { profileSection } from "./free-form.js";
import { factsSection } from "./hero.js";
import { enrichmentSection, historySection, shareSection } from "./plan-sections.js";
import { checksSection, prerenderSection, scoreSection } from "./score-section.js";
import { starterFilesSection } from "./starter-files.js";
import { toDoSection } from "./to-do-section.js";

/** The parts of a report that a section shows, for its notes of what an excerpt omits. */
type ShownParts = readonly (keyof Report)[];

/**
 * All that a report says below its first screen: the page and its Markdown form are made of these sections.
 * @param json the link to the full JSON, or its name
 * @param hasDetails whether checks that need nothing have their details
 */
export function reportSections(
  report: Report,
  outlook: Outlook,
  context: LinkedContext,
  left: LeftOut,
  json: Html,
  hasDetails = false,
): Section[] {
  const checks = checksSection(report, outlook, context, hasDetails);
  const sections: [ShownParts, Section | null][] = [
    [
      checks === null ? ["fixes", "checks"] : ["fixes"],
      toDoSection(report, outlook, context, left),
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
  return sections.flatMap(([parts, section]) => {
    if (section === null) return [];
    const notes = parts.map((part) => leftOutNote(part, left, json));
    return { ...section, body: html`${section.body}\n${notes}` };
  });
}

/** A note that a part is incomplete, with a link to the full JSON; null if the part is complete. */
function leftOutNote(part: keyof Report, left: LeftOut, json: Html): Html | null {
  const text = leftOutText(part, left);
  return text === null ? null : html`<p class="quiet">${text}${json}.</p>\n`;
}
