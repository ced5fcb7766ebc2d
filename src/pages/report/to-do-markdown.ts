import type { Check, Report } from "../../contract/report.js";
import { markdownBlock, markdownCodeCell, markdownLink, markdownText } from "../kit/escape.js";
import { absoluteLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import { checkAddress } from "../kit/page-names.js";
import { momentOf, titleOf, visible } from "../kit/words.js";
import { askedFor, findingsFor } from "./check-evidence.js";
import type { LeftOut } from "./excerpt.js";
import type { Outlook, ToDo } from "./faults.js";
import {
  capNotice,
  costText,
  fixesText,
  fixGainText,
  leadText,
  unearnableText,
} from "./outlook-texts.js";
import { statusWord } from "./report-texts.js";
import { fixStatus, methodologyLine, toDoName, usualFixTitle } from "./to-do-section.js";

/** What to do, as the page says it; null if no check, fix or cap is known. */
export function toDoMarkdown(
  report: Report,
  outlook: Outlook,
  context: PageContext,
  left: LeftOut,
): string | null {
  const known = fixesText(outlook, report, left);
  const { cap, faults, optional } = outlook;
  if (report.checks.length === 0 && report.fixes.total === 0 && cap === null) return null;
  const causes = cap?.causes ?? [];
  const items = [...causes, ...faults, ...optional].map((one, index) =>
    itemMarkdown(one, index + 1, report, context),
  );
  const end = causes.length + faults.length;
  const notice = cap === null ? null : capNotice(cap);
  return [
    notice === null ? "" : `**${notice.title}** ${notice.text}`,
    ...items.slice(0, causes.length),
    leadText(outlook, report, left),
    ...items.slice(causes.length, end),
    markdownText(unearnableText(outlook, report) ?? ""),
    optional.length === 0 ? "" : "Optional: these bring no points.",
    ...items.slice(end),
    known ?? "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function itemMarkdown(one: ToDo, number: number, report: Report, context: PageContext): string {
  const { check, fix } = one;
  const parts = [`### ${number}. ${markdownText(toDoName(one))}`];
  if (check !== null) {
    const outcome = [statusWord(check), costText(one, report.scan)].filter((part) => part !== null);
    const summary = markdownText(check.summary ?? "");
    parts.push(`${outcome.join(", ")}. ${summary}`.trim());
    const aim = fix === null ? methodologyLine(check, context) : null;
    if (aim !== null) parts.push(markdownText(aim));
  }
  if (fix !== null) parts.push(...fixMarkdown(one, fix, report.scan));
  if (check !== null) parts.push(evidenceMarkdown(check, report, context));
  return parts.filter((part) => part !== "").join("\n\n");
}

function fixMarkdown(
  one: ToDo,
  fix: NonNullable<ToDo["fix"]>,
  scan: Report["scan"],
): readonly string[] {
  const { check } = one;
  const gain = fixGainText(one, scan);
  const own = visible(fix.title);
  const title = own === null || own === check?.title ? usualFixTitle(fix) : own;
  const status =
    fix.status === check?.status ? "" : `${markdownText(titleOf(fix.kind))}: ${fixStatus(fix)}.`;
  const prompt = visible(fix.prompt);
  return [
    `**${markdownText(title)}**`,
    [gain === null ? "" : `${gain}.`, markdownText(status)].filter((part) => part !== "").join(" "),
    fix.summary === null || fix.summary === check?.summary ? "" : markdownText(fix.summary),
    prompt === null ? "There is no prompt for this fix." : markdownBlock(prompt, "text"),
  ];
}

/** The evidence for a fault. The details of its check are in the list of all checks. */
function evidenceMarkdown(check: Check, report: Report, context: PageContext): string {
  const asked = askedFor(check, report);
  const lines = findingsFor(check, report).map(
    ({ explanation, raw }) =>
      `- ${[markdownText(explanation), ...raw.map(markdownCodeCell)].filter((part) => part !== "").join(" ")}`,
  );
  if (asked !== null) {
    const { url, rung } = asked.observation;
    lines.unshift(
      `- Requested: ${markdownText(asked.name)}, ${markdownLink(url, url)}`,
      `- When: in the scan that finished on ${momentOf(report.scan.finishedAt)}`,
      `- Asked as: ${markdownText(titleOf(rung))}`,
      `- Answer: ${markdownText(asked.answer)}`,
    );
  }
  if (context.checkIds.includes(check.checkId)) {
    const address = absoluteLink(checkAddress(check.checkId), context);
    lines.push(`- ${markdownLink("How we check this", address)}`);
  }
  return lines.join("\n");
}
