import type { AccessPolicy, Report } from "../../contract/report.js";
import { markdownCodeCell, markdownLink, markdownText } from "../kit/escape.js";
import { absoluteLink } from "../kit/links.js";
import type { PageContext } from "../kit/page-context.js";
import {
  bandLabel,
  dayOf,
  durationOf,
  NO_VALUE,
  numberOf,
  orNone,
  sizeText,
  titleOf,
  visible,
} from "../kit/words.js";
import { requestsText, sampleText } from "./evidence-sections.js";
import type { LeftOut } from "./excerpt.js";
import { scoreText } from "./report-texts.js";

/** A table in Markdown (GFM). Cells are Markdown; an empty cell becomes `—`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => (cell === "" ? NO_VALUE : cell)).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The permissions of each crawler; null if the scan has no access policy. */
export function accessMarkdown({ accessPolicy }: Report): string | null {
  if (accessPolicy === null) return null;
  const { summary, rows, notes, identities, url } = accessPolicy;
  const findings = rows.flatMap((row) =>
    row.findings.map(({ subjects, state, explanation, source, url: at, scope, raw }) => [
      markdownText(row.title),
      subjects.map(markdownCodeCell).join(", "),
      titleOf(state),
      markdownText(explanation),
      `${markdownText(source)}, for ${markdownCodeCell(scope)}: ${markdownLink(at, at)}`,
      raw.map(markdownCodeCell).join(" "),
    ]),
  );
  const head = ["Use", "Crawlers", "May they read?", "Why", "Source", "Original text"];
  const known = identities.map(({ token, operator, purpose }) => [
    markdownCodeCell(token),
    markdownText(operator),
    markdownText(titleOf(purpose)),
  ]);
  return [
    markdownText(summary),
    rows.map(rowMarkdown).join("\n"),
    findings.length === 0 ? "" : table(head, findings),
    ...notes.map(markdownText),
    known.length === 0 ? "" : table(["Crawler", "Operator", "Purpose"], known),
    `Read at ${markdownLink(url, url)}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function rowMarkdown({ id, title, summary }: AccessPolicy["rows"][number]): string {
  const about = markdownText(summary);
  return `- ${markdownText(visible(title) ?? titleOf(id))}${about === "" ? "" : `: ${about}`}`;
}

/** The sampled pages; null for scans archived before sampling. */
export function pagesMarkdown({ pages }: Report, left: LeftOut): string | null {
  if (pages === null) return null;
  const rows = pages.pages.map(({ url, kind, sources, reasons, outcome, status, finalUrl }) => [
    moved(url, finalUrl),
    markdownText(titleOf(kind)),
    markdownText(titleOf(outcome)),
    orNone(status, String),
    [sources.join(", "), ...reasons.map(markdownText)].filter((part) => part !== "").join("; "),
  ]);
  const text = markdownText(sampleText(pages, left));
  if (rows.length === 0) return text;
  return `${text}\n\n${table(["Page", "Kind", "Outcome", "Status", "Found by"], rows)}`;
}

/** The scan's requests; null if the report has none. */
export function observationsMarkdown({ observations, scan }: Report): string | null {
  if (observations.length === 0) return null;
  const rows = observations.map((observation) => {
    const { key, url, finalUrl, status, contentType, byteLength, durationMs, redirects, rung } =
      observation;
    return [
      markdownText(titleOf(key)),
      moved(url, finalUrl),
      orNone(status, String),
      markdownText(contentType ?? NO_VALUE),
      sizeText(byteLength),
      durationOf(durationMs),
      numberOf(redirects),
      markdownText(titleOf(rung)),
    ];
  });
  const head = ["Request", "Address", "Status", "Type", "Size", "Time", "Redirects", "Asked as"];
  return `${requestsText(observations.length, scan.stats)}\n\n${table(head, rows)}`;
}

/** All published scans, newest first; null if the plan does not include history. */
export function historyMarkdown(
  { history, scan, site }: Report,
  context: PageContext,
): string | null {
  if (history === undefined) return null;
  const rows = history.map((entry) => {
    // The latest report is at the address without a scan.
    const query = entry === history[0] ? "" : `?scan=${entry.id}`;
    const address = absoluteLink(`sites/${site.host}/report.md${query}`, context);
    const day = dayOf(entry.finishedAt);
    return [
      entry.id === scan.id ? `${markdownText(day)} (this one)` : markdownLink(day, address),
      scoreText(entry.score),
      markdownText(bandLabel(entry, context) ?? NO_VALUE),
      markdownText(visible(entry.scoreVersion) ?? NO_VALUE),
    ];
  });
  return table(["Scan", "Score", "Band", "Scoring version"], rows);
}

function moved(url: string, finalUrl: string | null): string {
  const from = markdownLink(url, url);
  return finalUrl === null || finalUrl === url
    ? from
    : `${from} → ${markdownLink(finalUrl, finalUrl)}`;
}
