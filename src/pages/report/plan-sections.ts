import type { HistoryEntry, Report } from "../../contract/report.js";
import { linkTarget, markdownLink } from "../kit/escape.js";
import { type Html, html, timeElement } from "../kit/html.js";
import { absoluteLink } from "../kit/links.js";
import type { LinkedContext, Section } from "../kit/page-context.js";
import { bandLabel, counted, dayOf, NO_VALUE, visible } from "../kit/words.js";
import { badgeSize } from "./badge.js";
import { BADGE_STYLES, DEFAULT_LOOK, LABEL_MAX } from "./badge-look.js";
import { type LeftOut, totalOf } from "./excerpt.js";
import { historyChart } from "./history-chart.js";
import { enrichmentRows, isPending, isShared, scoreText } from "./report-texts.js";

/** The table of a history with more scans than this is folded. */
const OPEN_HISTORY_MAX = 12;

/** All published scans as a chart and a table; null if the plan does not include history. */
export function historySection(
  report: Report,
  context: LinkedContext,
  left: LeftOut,
): Section | null {
  const { history, site, scan } = report;
  if (history === undefined) return null;
  const addressOf = (entry: HistoryEntry) => {
    if (entry.id === scan.id) return null;
    const query = entry === history[0] ? "" : `?scan=${entry.id}`;
    return context.to(`sites/${site.host}${query}`);
  };
  const rows = history.map((entry) => {
    const day = timeElement(entry.finishedAt, dayOf(entry.finishedAt));
    const address = addressOf(entry);
    const name = address === null ? html`${day} (this one)` : html`<a href="${address}">${day}</a>`;
    return html`<tr><th scope="row">${name}</th><td class="score">${scoreText(entry.score)}</td>
      <td>${bandLabel(entry, context) ?? NO_VALUE}</td><td>${visible(entry.scoreVersion) ?? NO_VALUE}</td></tr>`;
  });
  const table = html`<div class="scroll" role="region" aria-label="Table: All scans" tabindex="0"><table>
    <caption class="hidden">All scans, newest first</caption><thead><tr><th scope="col">Scan</th>
    <th scope="col">Score</th><th scope="col">Band</th><th scope="col">Scoring version</th></tr></thead>
    <tbody>${rows}</tbody></table></div>`;
  const total = totalOf("history", history, left);
  const scans = counted(total, "published scan");
  const folded =
    history.length > OPEN_HISTORY_MAX
      ? html`<details>
        <summary>${history.length < total ? "The latest" : "All"} ${counted(history.length, "published scan")} as a table</summary>${table}</details>`
      : table;
  const versions = new Set(
    history.flatMap(({ score, scoreVersion }) => (score === null ? [] : scoreVersion)),
  );
  const joined =
    versions.size > 1
      ? " Scores of different scoring versions cannot be compared, and the chart does not connect them."
      : "";
  const body = html`<p>${scans}.${joined}</p>${historyChart(history, context, addressOf)}${folded}`;
  return { id: "history", title: "History", body };
}

/** The progress of generated content; null if the report has none. While it is pending, a script looks for changes. */
export function enrichmentSection(report: Report): Section | null {
  const { enrichment, site } = report;
  if (enrichment === null) return null;
  const rows = enrichmentRows(enrichment, report).map(
    ([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`,
  );
  const list = html`<dl class="facts">${rows}</dl>`;
  const body: Html = isPending(enrichment)
    ? html`${list}<p class="quiet">This was the state when the page was made.</p>
      <p id="enrichment-news" role="status" data-host="${site.host}" data-known="${JSON.stringify(enrichment)}"></p>`
    : list;
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
  const codes = [
    ["HTML", html`<a href="${canonical}"><img src="${badge}" alt="${name}"></a>`.markup],
    ["Markdown", `[!${markdownLink(name, badge)}](${linkTarget(canonical) ?? ""})`],
    ["Link", canonical],
  ].map(
    ([title, code], index) =>
      html`<div class="draft"><h3 id="code-${index + 1}">${title ?? ""}</h3>
        <pre data-about="code-${index + 1}" data-copy="Copy" tabindex="0">${code ?? ""}</pre></div>`,
  );
  const { width, height } = badgeSize(report, context, DEFAULT_LOOK);
  const looks = BADGE_STYLES.filter((style) => style !== DEFAULT_LOOK.style).map(
    (style) => html` <code>?style=${style}</code>,`,
  );
  // The badge of a tree is a file, which ignores queries.
  const options =
    context.tree !== undefined
      ? null
      : html`<fieldset id="builder" class="needs-script"><legend class="hidden">The look of the badge</legend>
        <label>Style <select name="style">${BADGE_STYLES.map((style) => html`<option>${style}</option>`)}</select>
        </label><label>Words 
        <input name="label" type="text" maxlength="${LABEL_MAX}" placeholder="${DEFAULT_LOOK.label}" autocomplete="off"></label></fieldset>
<p class="quiet looks no-script">The badge has other looks:${looks} and <code>?label=
  </code> with up to 40 characters of your own.</p>\n`;
  const body = html`<div>
    <img class="badge" data-address="${badge}" src="${context.to(file)}" width="${width}" height="${height}" alt="The badge of ${site.host}" loading="lazy"></div>
<p>The badge always shows the latest score. Put it on your own pages, or share the link.</p>
${options}${codes}`;
  return { id: "share", title: "Share this report", body };
}
