import type { Check, Report } from "../../contract/report.js";
import { markdownCode, markdownLink, markdownText } from "../kit/escape.js";
import { absoluteLink, apiLink } from "../kit/links.js";
import { markdownTable } from "../kit/lists.js";
import type { PageContext } from "../kit/page-context.js";
import { publisherLinks, publisherMarkdown } from "../kit/publisher-links.js";
import {
  bandLabel,
  hostText,
  joined,
  momentOf,
  numberOf,
  orNone,
  sentenceOf,
  titleOf,
  visible,
} from "../kit/words.js";
import { accessMarkdown, observationsMarkdown, pagesMarkdown } from "./evidence.js";
import { type LeftOut, leftOutText, NOTHING_LEFT_OUT } from "./excerpt.js";
import { freeFormMarkdown } from "./free-form.js";
import { outlookOf, planText } from "./outlook.js";
import { historyMarkdown } from "./plan-sections.js";
import {
  capText,
  checkGroups,
  checkPoints,
  enrichmentRows,
  hasParts,
  lifecycleText,
  noticesOf,
  ownSummary,
  queryOf,
  scoreParts,
  scoreText,
  starterFilesOf,
  statusWord,
  totalText,
} from "./report-texts.js";
import { taskMarkdown, toDoMarkdown } from "./to-do.js";

/**
 * A report in Markdown (docs/contract.md#23-report), with the full content of the report page.
 * @param left what the excerpt omits; the text says so and links to the JSON
 */
export function reportMarkdown(
  report: Report,
  context: PageContext,
  left: LeftOut = NOTHING_LEFT_OUT,
): string {
  const { site, scan, profile, enrichment, prerender } = report;
  const name = visible(site.name);
  const about = visible(site.description);
  const summary = visible(scan.summary);
  const starterFiles = starterFilesOf(report);
  const outlook = outlookOf(report, left);
  const toDo = [toDoMarkdown(report, outlook, context, left), planText(outlook, report, left)];
  const note = (part: keyof Report) => leftOutMarkdown(part, left, jsonAddress(report, context));
  const section = (title: string, body: string | null, part?: keyof Report) =>
    body === null || body === ""
      ? []
      : [`## ${title}`, body, part === undefined ? null : note(part)];
  return `${joined([
    `# ${markdownText(hostText(site.host))}: ${scan.score === null ? "no score" : scoreText(scan.score)}`,
    name && `**${markdownText(name)}**`,
    about && `> ${markdownText(about)}`,
    note("site"),
    ...noticesOf(report).map(
      ({ title, text }) => `**${markdownText(title)}** ${markdownText(text)}`,
    ),
    factsMarkdown(report, context),
    summary && markdownText(summary),
    note("scan"),
    ...section("Score", scan.score === null ? null : scoreMarkdown(report, context)),
    ...section("Rendering for crawlers", prerender && prerenderMarkdown(prerender), "prerender"),
    ...section("What to do", joined(toDo), "fixes"),
    taskMarkdown(report, outlook, context),
    ...section("Checks", checksMarkdown(report), "checks"),
    ...section("What crawlers may do", accessMarkdown(report), "accessPolicy"),
    ...section("Sampled pages", pagesMarkdown(report, left), "pages"),
    ...section("Observations", observationsMarkdown(report), "observations"),
    ...section("Observed features", profile && freeFormMarkdown(profile), "profile"),
    ...section("History", historyMarkdown(report, context), "history"),
    ...section(
      "Generated content",
      enrichment && markdownList(enrichmentRows(enrichment, report)),
      "enrichment",
    ),
    ...section("Starter files", starterFiles && freeFormMarkdown(starterFiles), "starterFiles"),
    linksMarkdown(report, context),
  ])}\n`;
}

/** A note that a part is incomplete, with a link to the full JSON; null if the part is complete. */
function leftOutMarkdown(part: keyof Report, left: LeftOut, json: string): string | null {
  const text = leftOutText(part, left);
  return text === null ? null : `${text}${markdownLink("JSON", json)}.`;
}

function markdownList(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([term, value]) => `- ${term}: ${markdownText(value)}`).join("\n");
}

function factsMarkdown({ site, scan }: Report, context: PageContext): string {
  const band = bandLabel(scan, context);
  const rows = [
    `- Site: ${markdownLink(site.url, site.url)}`,
    `- Score: ${scoreText(scan.score)}${band === null ? "" : ` (${markdownText(band)})`}`,
    `- Scanned: ${markdownText(momentOf(scan.finishedAt))}`,
    `- Scan: ${markdownCode(scan.id)}, ${markdownText(titleOf(scan.status))}`,
    `- Listing: ${site.claimed ? "Claimed by its owner" : markdownText(titleOf(site.status))}`,
  ];
  const scoreVersion = visible(scan.scoreVersion);
  if (scoreVersion !== null) rows.push(`- Scoring version: ${markdownText(scoreVersion)}`);
  if (scan.robotsVerdict !== null) {
    rows.push(`- Verdict on robots.txt: ${markdownText(titleOf(scan.robotsVerdict))}`);
  }
  return rows.join("\n");
}

function scoreMarkdown(report: Report, context: PageContext): string {
  const parts = scoreParts(report, context).map(({ label, points, of }) => [
    label,
    orNone(points, numberOf),
    orNone(of, numberOf),
  ]);
  const total = ["**Score**", `**${totalText(report)}**`, "100"];
  const cap = capText(report.scan);
  return joined([
    hasParts(report) ? markdownTable(["Part", "Points", "Out of"], [...parts, total]) : null,
    cap && `**Capped.** ${cap}`,
  ]);
}

function prerenderMarkdown(prerender: NonNullable<Report["prerender"]>): string {
  const { title, paragraphs, sources, platform, markdownOnRequest } = prerender;
  return joined([
    visible(title) && `**${markdownText(title)}**`,
    ...paragraphs.map(markdownText),
    `Platform: ${titleOf(platform)}. Markdown on request: ${markdownOnRequest ? "yes" : "no"}.`,
    sources.map(({ label, url }) => `- ${markdownLink(visible(label) ?? url, url)}`).join("\n"),
  ]);
}

function checksMarkdown(report: Report): string {
  const groups = checkGroups(report).map(
    ({ title, about, checks }) =>
      `### ${title}\n\n${about}\n\n${checks.map((check) => checkMarkdown(check, report)).join("\n")}`,
  );
  return joined(groups);
}

function checkMarkdown(check: Check, { scan }: Report): string {
  const { label, title, details, checkId, checkVersion } = check;
  const name = markdownText(label) || markdownCode(checkId);
  const outcome = joined([statusWord(check), checkPoints(check, scan)], ", ");
  const about = joined(
    [sentenceOf(markdownText(title)), markdownText(ownSummary(check) ?? "")],
    " ",
  );
  const lifecycle = lifecycleText(check);
  return joined(
    [
      `- **${name}**: ${outcome}. ${about}`,
      `  - Check: ${markdownCode(checkId)}, version ${checkVersion}`,
      lifecycle && `  - ${lifecycle}`,
      freeFormMarkdown(details, "  "),
    ],
    "\n",
  );
}

/** Links to the other formats. They are absolute, because a copy of this text has no address of its own. */
function linksMarkdown(report: Report, context: PageContext): string {
  const page = absoluteLink(`sites/${report.site.host}${queryOf(report)}`, context);
  const json = jsonAddress(report, context);
  const links = publisherLinks(report, context).map(
    ({ label, href }) => ` ${markdownLink(label, href)}.`,
  );
  const formats =
    `${markdownText(context.name)}: ${markdownLink("this report as a page", page)}, ` +
    `${markdownLink("as JSON", json)}.`;
  return joined([`---\n\n${formats}${links.join("")}`, publisherMarkdown(context)]);
}

function jsonAddress(report: Report, context: PageContext): string {
  return apiLink(`api/sites/${report.site.host}/report${queryOf(report)}`, context);
}
