import type { AccessPolicy, Report } from "../../contract/report.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import type { Section } from "../kit/page-context.js";
import {
  counted,
  durationOf,
  NO_VALUE,
  numberOf,
  orNone,
  sizeText,
  titleOf,
  visible,
} from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";

const COMPLETENESS = {
  full: "The sample is complete.",
  partial: "The sample is partial.",
  empty: "No page could be sampled.",
};

/** How complete a sample of pages is, and why it stopped, in words. */
export function sampleText(
  { completeness, stopped, pages }: NonNullable<Report["pages"]>,
  left: LeftOut,
): string {
  const count = totalOf("pages", pages, left);
  // "No page could be sampled" says that there are none.
  const isNone = count === 0 && completeness === "empty";
  const sampled = isNone ? "" : `${counted(count, "content page")} sampled. `;
  const end = visible(stopped) === null ? "" : ` The sample ended early: ${stopped}.`;
  return `${sampled}${COMPLETENESS[completeness]}${end}`;
}

/** The sampled pages; null for scans archived before sampling. */
export function pagesSection({ pages }: Report, left: LeftOut): Section | null {
  if (pages === null) return null;
  const rows = pages.pages.map(({ url, kind, sources, reasons, outcome, status, finalUrl }) => {
    const why = reasons.filter((reason) => visible(reason) !== null).join("; ");
    return html`<tr><th scope="row">${outsideLink(url)}${
      finalUrl === null || finalUrl === url
        ? null
        : html`<span class="quiet">→ ${outsideLink(finalUrl)}</span>`
    }</th><td>${titleOf(kind)}</td><td>${titleOf(outcome)}</td><td class="number">${orNone(status, String)}</td>
      <td>${sources.map(titleOf).join(", ")}${
        why === "" ? null : html`<span class="quiet" dir="auto">${why}</span>`
      }</td></tr>`;
  });
  const table =
    rows.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="Table: Sampled pages" tabindex="0"><table>
        <caption class="hidden">Sampled pages</caption><thead><tr><th scope="col">Page</th><th scope="col">Kind</th>
        <th scope="col">Outcome</th><th scope="col" class="number">Status</th><th scope="col">Found by</th></tr>
        </thead><tbody>${rows}</tbody></table></div>`;
  return {
    id: "pages",
    title: "Sampled pages",
    body: html`<p dir="auto">${sampleText(pages, left)}</p>${table}`,
  };
}

export const HOME_PAGE = "Home page";

/** The requests that scanners usually send, as people write them. */
const REQUEST_NAMES: ReadonlyMap<string, string> = new Map([
  ["home", HOME_PAGE],
  ["homepage", HOME_PAGE],
  ["home-rendered", "Home page, after its scripts ran"],
  ["home-as-crawler", "Home page, as a crawler"],
  ["markdown", "Home page as Markdown"],
  ["robots", "robots.txt"],
  ["robots-txt", "robots.txt"],
  ["sitemap", "Sitemap"],
  ["llms", "llms.txt"],
  ["llms-txt", "llms.txt"],
  ["llms-full", "llms-full.txt"],
  ["llms-full-txt", "llms-full.txt"],
  ["catalog", "API catalogue"],
  ["api-catalog", "API catalogue"],
  ["openapi", "OpenAPI description"],
  ["feed", "Feed"],
]);

/**
 * What a request was for, or what the check of this id asks for. Keys may be written as `robots-txt`, `robots_txt` or
 * `robotsTxt`.
 */
export function requestName(key: string): string {
  const usual = key
    .replace(/(?=[A-Z])/g, "-")
    .replaceAll("_", "-")
    .toLowerCase();
  return REQUEST_NAMES.get(usual) ?? titleOf(key);
}

/** The scan's requests; null if the report has none. */
export function observationsSection({ observations, scan }: Report): Section | null {
  if (observations.length === 0) return null;
  const rows = observations.map(
    ({ key, url, finalUrl, status, contentType, durationMs, rung, redirects, byteLength }) =>
      html`<tr><th scope="row"><bdi>${requestName(key)}</bdi><span class="quiet">${outsideLink(url)}${
        finalUrl === null || finalUrl === url ? null : html` → ${outsideLink(finalUrl)}`
      }</span></th><td class="number">${orNone(status, String)}</td><td>
        <bdi>${visible(contentType) ?? NO_VALUE}</bdi></td><td class="number">${sizeText(byteLength)}</td>
        <td class="number">${durationOf(durationMs)}</td><td class="number">${numberOf(redirects)}</td>
        <td>${titleOf(rung)}</td></tr>`,
  );
  const body = html`<p>${requestsText(observations.length, scan.stats)}</p>
    <div class="scroll" role="region" aria-label="Table: Requests of the scan" tabindex="0"><table>
    <caption class="hidden">Requests of the scan</caption><thead><tr><th scope="col">Request</th>
    <th scope="col" class="number">Status</th><th scope="col">Type</th><th scope="col" class="number">Size</th>
    <th scope="col" class="number">Time</th><th scope="col" class="number">Redirects</th>
    <th scope="col">Asked as</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return { id: "observations", title: "Requests of the scan", body };
}

/** The size of a scan, and whether its report has fewer requests than the scan sent. */
export function requestsText(shown: number, stats: Report["scan"]["stats"]): string {
  const all = stats.requestCount ?? shown;
  const part =
    all > shown ? ` Listed here: ${numberOf(shown)} of the ${numberOf(all)} requests.` : "";
  return `${statsText(stats)}${part}`;
}

/** The pages, requests, bytes and time of a scan, if they are known. */
function statsText(stats: Report["scan"]["stats"]): string {
  const { pagesScanned, requestCount, bytesFetched, durationMs } = stats;
  const parts = [
    pagesScanned === null ? null : `${counted(pagesScanned, "page")} read`,
    requestCount === null ? null : counted(requestCount, "request"),
    bytesFetched === null ? null : `${sizeText(bytesFetched)} fetched`,
    durationMs === null ? null : `${durationOf(durationMs)} in all`,
  ].filter((part) => part !== null);
  return parts.length === 0
    ? "The scan’s size and duration are not known."
    : `${parts.join(", ")}.`;
}

type PolicyRow = AccessPolicy["rows"][number];
type PolicyFinding = PolicyRow["findings"][number];

/** A table of the permissions of each crawler; null if the scan has no access policy. */
export function accessSection({ accessPolicy }: Report): Section | null {
  if (accessPolicy === null) return null;
  const { summary, notes, rows, identities, url } = accessPolicy;
  const table =
    rows.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="Table: What each crawler may do" tabindex="0">
        <table class="access"><caption class="quiet">Grouped by what the crawlers are for</caption><thead><tr>
        <th scope="col">Crawlers</th><th scope="col">May they read?</th><th scope="col">Why</th></tr>
        </thead>${rows.map(rowHtml)}</table></div>`;
  const known =
    identities.length === 0
      ? null
      : html`<details><summary>Who the crawlers are</summary>
        <div class="scroll" role="region" aria-label="Table: Who the crawlers are" tabindex="0"><table>
        <caption class="hidden">Crawlers, their operators and purposes</caption><thead><tr>
        <th scope="col">Crawler</th><th scope="col">Operator</th><th scope="col">Purpose</th></tr></thead>
        <tbody>${identities.map(
          ({ token, operator, purpose }) =>
            html`<tr><th scope="row"><bdi>${visible(token) ?? NO_VALUE}</bdi></th><td>
              <bdi>${visible(operator) ?? NO_VALUE}</bdi></td><td>${titleOf(purpose)}</td></tr>`,
        )}</tbody></table></div></details>`;
  const body = html`${paragraph(summary, "summary")}
${table}
${notes.map((note) => paragraph(note))}
${known}
<p class="quiet">Read at ${outsideLink(url)}</p>`;
  return { id: "access", title: "What crawlers may do", body };
}

function rowHtml({ id, title, summary, findings }: PolicyRow): Html {
  const about =
    visible(summary) === null ? null : html`<span class="quiet" dir="auto">${summary}</span>`;
  return html`<tbody><tr><th scope="rowgroup" colspan="3"><bdi>${visible(title) ?? titleOf(id)}</bdi>${about}</th>
    </tr>${findings.map(findingHtml)}</tbody>`;
}

function findingHtml(finding: PolicyFinding): Html {
  const { subjects, state, explanation, source, url, scope, raw } = finding;
  const lines =
    raw.length === 0
      ? null
      : html`<details><summary>Original text<span class="hidden"> (${subjects.join(", ")})</span></summary>
        <pre tabindex="0">${raw.join("\n")}</pre></details>`;
  return html`<tr><td><ul class="subjects">${subjects.map(
    (subject) => html`<li><bdi>${visible(subject) ?? NO_VALUE}</bdi></li>`,
  )}</ul></td><td><span class="status status-${ACCESS_KIND[state]}">${titleOf(state)}</span></td><td>
    <span dir="auto">${visible(explanation) ?? NO_VALUE}</span>
    <span class="quiet">${visible(source) ?? NO_VALUE}, for <code>${visible(scope) ?? NO_VALUE}
    </code>: ${outsideLink(url)}</span>${lines}</td></tr>`;
}

/** The colour of each state, shared with checks. `observed` is a warning because it may be good or bad. */
const ACCESS_KIND: Readonly<Record<PolicyFinding["state"], string>> = {
  allowed: "pass",
  disallowed: "fail",
  observed: "warn",
  mixed: "warn",
  "not-observed": "na",
  unknown: "na",
  unstated: "na",
  unresolved: "na",
};
