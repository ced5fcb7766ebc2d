import type { HistoryEntry, Report } from "../../contract/report.js";
import { own } from "../../contract/tables.js";
import { linkTarget, markdownLink, markdownText } from "../kit/escape.js";
import { type Html, html, timeElement } from "../kit/html.js";
import { absoluteLink } from "../kit/links.js";
import { markdownTable, scrollingTable } from "../kit/lists.js";
import type { LinkedContext, PageContext, Section } from "../kit/page-context.js";
import { bandLabel, counted, dayOf, NO_VALUE, titleOf, visible } from "../kit/words.js";
import { badgeSize } from "./badge.js";
import { BADGE_STYLES, DEFAULT_LOOK, LABEL_MAX } from "./badge-look.js";
import { type LeftOut, totalOf } from "./excerpt.js";
import { freeFormHtml } from "./free-form.js";
import { historyChart } from "./history-chart.js";
import { enrichmentRows, isPending, isShared, scoreText, starterFilesOf } from "./report-texts.js";

/** The table of a history with more scans than this is folded. */
const OPEN_HISTORY_MAX = 12;

/** The query of a scan's report: the latest one is at the address without a scan. */
function scanQuery(entry: HistoryEntry, history: readonly HistoryEntry[]): string {
  return entry === history[0] ? "" : `?scan=${entry.id}`;
}

/** The band and the scoring version of a scan. */
function bandAndVersion(entry: HistoryEntry, context: PageContext): [string, string] {
  return [bandLabel(entry, context) ?? NO_VALUE, visible(entry.scoreVersion) ?? NO_VALUE];
}

const HISTORY_COLUMNS = ["Scan", "Score", "Band", "Scoring version"];

/** All published scans as a chart and a table; null if the plan does not include history. */
export function historySection(
  report: Report,
  context: LinkedContext,
  left: LeftOut,
): Section | null {
  const { history, site, scan } = report;
  if (history === undefined) return null;
  const addressOf = (entry: HistoryEntry) =>
    entry.id === scan.id ? null : context.to(`sites/${site.host}${scanQuery(entry, history)}`);
  const rows = history.map((entry) => {
    const day = timeElement(entry.finishedAt, dayOf(entry.finishedAt));
    const address = addressOf(entry);
    const [band, version] = bandAndVersion(entry, context);
    return html`<tr>
      <th scope="row">${address === null ? html`${day} (this one)` : html`<a href="${address}">${day}</a>`}</th>
      <td class="score">${scoreText(entry.score)}</td>
      <td>${band}</td>
      <td>${version}</td>
      </tr>`;
  });
  const head = { name: "All scans", caption: "All scans, newest first", columns: HISTORY_COLUMNS };
  const table = scrollingTable(head, html`<tbody>${rows}</tbody>`);
  const total = totalOf("history", history, left);
  const which = history.length < total ? "The latest" : "All";
  const count = counted(history.length, "published scan");
  const folded = html`<details><summary>${which} ${count} as a table</summary>${table}</details>`;
  const versions = new Set(
    history.flatMap(({ score, scoreVersion }) => (score === null ? [] : scoreVersion)),
  );
  const apart =
    versions.size > 1
      ? " Scores of different scoring versions cannot be compared, and the chart does not connect them."
      : "";
  const body = html`<p>${counted(total, "published scan")}.${apart}</p>
    ${historyChart(history, context, addressOf)}
    ${history.length > OPEN_HISTORY_MAX ? folded : table}`;
  return { id: "history", title: "History", body };
}

/** All published scans, newest first; null if the plan does not include history. */
export function historyMarkdown(
  { history, scan, site }: Report,
  context: PageContext,
): string | null {
  if (history === undefined) return null;
  const rows = history.map((entry) => {
    const file = `sites/${site.host}/report.md${scanQuery(entry, history)}`;
    const day = dayOf(entry.finishedAt);
    const name =
      entry.id === scan.id
        ? `${markdownText(day)} (this one)`
        : markdownLink(day, absoluteLink(file, context));
    return [name, scoreText(entry.score), ...bandAndVersion(entry, context).map(markdownText)];
  });
  return markdownTable(HISTORY_COLUMNS, rows);
}

/** The progress of generated content; null if the report has none. While it is pending, a script looks for changes. */
export function enrichmentSection(report: Report): Section | null {
  const { enrichment, site } = report;
  if (enrichment === null) return null;
  const rows = enrichmentRows(enrichment, report).map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`,
  );
  const list = html`<dl class="facts">${rows}</dl>`;
  const news = html`<p class="quiet">This was the state when the page was made.</p>
    <p id="enrichment-news" role="status" data-host="${site.host}" data-known="${JSON.stringify(enrichment)}"></p>`;
  const body = html`${list}${isPending(enrichment) ? news : null}`;
  return { id: "enrichment", title: "Generated content", body };
}

/** The badge, with the code to embed it; null for reports that are historical, withheld or redirected. */
export function shareSection(report: Report, context: LinkedContext): Section | null {
  if (!isShared(report)) return null;
  const { site } = report;
  const canonical = absoluteLink(`sites/${site.host}`, context);
  const file = `sites/${site.host}/badge.svg`;
  const badge = absoluteLink(file, context);
  const name = `Crawler readiness of ${site.host}`;
  const codes: [string, string][] = [
    ["HTML", html`<a href="${canonical}"><img src="${badge}" alt="${name}"></a>`.markup],
    ["Markdown", `[!${markdownLink(name, badge)}](${linkTarget(canonical) ?? ""})`],
    ["Link", canonical],
  ];
  const blocks = codes.map(([title, code], index) => {
    const id = `code-${index + 1}`;
    return html`<div class="draft"><h3 id="${id}">${title}</h3>
      <pre data-about="${id}" data-copy="Copy" tabindex="0">${code}</pre></div>`;
  });
  const { width, height } = badgeSize(report, context, DEFAULT_LOOK);
  const size = html` width="${width}" height="${height}"`;
  const body = html`<div>
    <img class="badge" data-address="${badge}" src="${context.to(file)}"${size} 
      alt="The badge of ${site.host}" loading="lazy"></div>
<p>The badge always shows the latest score. Put it on your own pages, or share the link.</p>
${context.tree === undefined ? badgeBuilder() : null}${blocks}`;
  return { id: "share", title: "Share this report", body };
}

/** The choice of the badge's look. A tree has none: its badge is a file, which ignores queries. */
function badgeBuilder(): Html {
  const styles = BADGE_STYLES.map((style) => html`<option>${style}</option>`);
  const looks = BADGE_STYLES.filter((style) => style !== DEFAULT_LOOK.style).map(
    (style) => html` <code>?style=${style}</code>,`,
  );
  return html`<fieldset id="builder" class="needs-script">
    <legend class="hidden">The look of the badge</legend>
    <label>Style <select name="style">${styles}</select></label>
    <label>Words 
      <input name="label" type="text" maxlength="${LABEL_MAX}" placeholder="${DEFAULT_LOOK.label}" 
        autocomplete="off"></label></fieldset>
<p class="quiet looks no-script">The badge has other looks:${looks} and <code>?label=</code> with up to 40 characters 
  of your own.</p>\n`;
}

/** A draft of a file for the site. */
interface Draft {
  readonly name: string;
  readonly text: string;
  /** Its readiness as the publisher calls it; null if unknown. */
  readonly state: string | null;
}

/** File names by the keys that stand for them. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  llmsTxt: "llms.txt",
  llmsFullTxt: "llms-full.txt",
  robotsTxt: "robots.txt",
  sitemapXml: "sitemap.xml",
};

/** A key that is itself a file's name or path. */
const FILE_KEY = /^\/?[\w./-]+\.[a-z0-9]{1,8}$/i;

/** Generated drafts of files; null if there are none. The page's script adds buttons that copy and save them. */
export function starterFilesSection(report: Report, left: LeftOut): Section | null {
  const starterFiles = starterFilesOf(report);
  if (starterFiles === null) return null;
  const { drafts, isReady, rest } = draftsOf(starterFiles);
  const ready =
    isReady === true ? "These drafts are ready to use." : "These drafts are not finished yet.";
  // A shortened draft gets no buttons to copy or save it.
  const isWhole = left.starterFiles === undefined;
  const body = html`${isReady === null ? null : html`<p>${ready}</p>`}
    ${drafts.map((draft, index) => draftPart(draft, `draft-${index + 1}`, isWhole))}
    ${Object.keys(rest).length === 0 ? null : freeFormHtml(rest)}`;
  return { id: "starter-files", title: "Starter files", body };
}

function draftPart({ name, text, state }: Draft, id: string, isWhole: boolean): Html {
  const use = isWhole ? html` data-copy="Copy" data-file="${fileName(name)}"` : null;
  return html`<div class="draft">
    <h3 id="${id}"><bdi>${name}</bdi></h3>
    ${state && html`<p class="quiet">${titleOf(state)}</p>`}
    <pre data-about="${id}"${use} dir="auto" tabindex="0">${text}</pre>
    </div>`;
}

/** The last part of a path, in characters that every system allows. */
function fileName(name: string): string {
  return name.replace(/^.*\//, "").replace(/[^\w.-]+/g, "-") || "draft.txt";
}

/** Separates drafts in any of the usual forms from everything else. */
function draftsOf(starterFiles: object): {
  readonly drafts: readonly Draft[];
  readonly isReady: boolean | null;
  readonly rest: Record<string, unknown>;
} {
  const drafts: Draft[] = [];
  const rest: [string, unknown][] = [];
  let isReady: boolean | null = null;
  for (const [key, value] of Object.entries(starterFiles)) {
    const listed = key === "files" && Array.isArray(value) ? value.map(listedDraft) : [];
    const known = listed.filter((draft) => draft !== null);
    const own = keyedDraft(key, value);
    if (key === "ready" && typeof value === "boolean") isReady = value;
    else if (known.length > 0 && known.length === listed.length) drafts.push(...known);
    else if (own !== null) drafts.push(own);
    else rest.push([key, value]);
  }
  return { drafts, isReady, rest: Object.fromEntries(rest) };
}

/** An entry of a list of files: its `path` or `name` with its `text` or `content`. */
function listedDraft(value: unknown): Draft | null {
  const name = draftText(value, "path") ?? draftText(value, "name");
  return name === null ? null : draftOf(name, value);
}

/** A file under its own name, as an object or as its text alone. */
function keyedDraft(key: string, value: unknown): Draft | null {
  const named = own(FILE_NAMES, key);
  const name = named ?? (FILE_KEY.test(key) ? key : null);
  if (name === null) return null;
  return typeof value === "string" && visible(value) !== null
    ? { name, text: value, state: null }
    : draftOf(name, value);
}

function draftOf(name: string, value: unknown): Draft | null {
  const text = draftText(value, "text") ?? draftText(value, "content");
  return text === null ? null : { name, text, state: draftText(value, "state") };
}

/** A visible text of an object; null if it has none under this key. */
function draftText(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? visible(found) : null;
}
