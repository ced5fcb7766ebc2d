import type { AccessPolicy, Check, Report } from "../../contract/report.js";
import { markdownCodeCell, markdownLink, markdownText } from "../kit/escape.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import { markdownTable, numberHead, scrollingTable } from "../kit/lists.js";
import type { Section } from "../kit/page-context.js";
import {
  counted,
  durationOf,
  joined,
  momentOf,
  NO_VALUE,
  numberOf,
  orNone,
  sizeText,
  titleOf,
  visible,
} from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";
import { freeFormHtml } from "./free-form.js";

/* What a scan saw: the pages that it sampled, its requests, and what crawlers may do; as HTML and as Markdown. */

const COMPLETENESS = {
  full: "The sample is complete.",
  partial: "The sample is partial.",
  empty: "No page could be sampled.",
};

/** How complete a sample of pages is, and why it stopped, in words. */
function sampleText(
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
    const moved = isMoved(url, finalUrl)
      ? html`<span class="quiet">→ ${outsideLink(finalUrl)}</span>`
      : null;
    return html`<tr>
      <th scope="row">${outsideLink(url)}${moved}</th>
      <td>${titleOf(kind)}</td>
      <td>${titleOf(outcome)}</td>
      <td class="number">${orNone(status, String)}</td>
      <td>${sources.map(titleOf).join(", ")}${why === "" ? null : quietText(why)}</td>
      </tr>`;
  });
  const name = "Sampled pages";
  const columns = ["Page", "Kind", "Outcome", numberHead("Status"), "Found by"];
  const table = scrollingTable({ name, columns }, html`<tbody>${rows}</tbody>`);
  const body = html`<p dir="auto">${sampleText(pages, left)}</p>${rows.length === 0 ? null : table}`;
  return { id: "pages", title: name, body };
}

export function pagesMarkdown({ pages }: Report, left: LeftOut): string | null {
  if (pages === null) return null;
  const rows = pages.pages.map(({ url, kind, sources, reasons, outcome, status, finalUrl }) => [
    movedMarkdown(url, finalUrl),
    markdownText(titleOf(kind)),
    markdownText(titleOf(outcome)),
    orNone(status, String),
    joined([sources.join(", "), ...reasons.map(markdownText)], "; "),
  ]);
  const table = markdownTable(["Page", "Kind", "Outcome", "Status", "Found by"], rows);
  return joined([markdownText(sampleText(pages, left)), table]);
}

function isMoved(url: string, finalUrl: string | null): finalUrl is string {
  return finalUrl !== null && finalUrl !== url;
}

function movedMarkdown(url: string, finalUrl: string | null): string {
  const from = markdownLink(url, url);
  return isMoved(url, finalUrl) ? `${from} → ${markdownLink(finalUrl, finalUrl)}` : from;
}

function quietText(text: string): Html {
  return html`<span class="quiet" dir="auto">${text}</span>`;
}

const HOME_PAGE = "Home page";

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
function requestName(key: string): string {
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
    ({ key, url, finalUrl, status, contentType, durationMs, rung, redirects, byteLength }) => {
      const moved = isMoved(url, finalUrl) ? html` → ${outsideLink(finalUrl)}` : null;
      return html`<tr>
        <th scope="row"><bdi>${requestName(key)}</bdi><span class="quiet">${outsideLink(url)}${moved}</span></th>
        <td class="number">${orNone(status, String)}</td>
        <td><bdi>${visible(contentType) ?? NO_VALUE}</bdi></td>
        <td class="number">${sizeText(byteLength)}</td>
        <td class="number">${durationOf(durationMs)}</td>
        <td class="number">${numberOf(redirects)}</td>
        <td>${titleOf(rung)}</td>
        </tr>`;
    },
  );
  const name = "Requests of the scan";
  const numbers = ["Size", "Time", "Redirects"].map(numberHead);
  const columns = ["Request", numberHead("Status"), "Type", ...numbers, "Asked as"];
  const body = html`<p>${requestsText(observations.length, scan.stats)}</p>
    ${scrollingTable({ name, columns }, html`<tbody>${rows}</tbody>`)}`;
  return { id: "observations", title: name, body };
}

export function observationsMarkdown({ observations, scan }: Report): string | null {
  if (observations.length === 0) return null;
  const rows = observations.map(
    ({ key, url, finalUrl, status, contentType, durationMs, rung, redirects, byteLength }) => [
      markdownText(titleOf(key)),
      movedMarkdown(url, finalUrl),
      orNone(status, String),
      markdownText(contentType ?? NO_VALUE),
      sizeText(byteLength),
      durationOf(durationMs),
      numberOf(redirects),
      markdownText(titleOf(rung)),
    ],
  );
  const columns = ["Request", "Address", "Status", "Type", "Size", "Time", "Redirects", "Asked as"];
  return joined([requestsText(observations.length, scan.stats), markdownTable(columns, rows)]);
}

/** The size of a scan, and whether its report has fewer requests than the scan sent. */
function requestsText(shown: number, stats: Report["scan"]["stats"]): string {
  const { pagesScanned, requestCount, bytesFetched, durationMs } = stats;
  const parts = [
    pagesScanned === null ? null : `${counted(pagesScanned, "page")} read`,
    requestCount === null ? null : counted(requestCount, "request"),
    bytesFetched === null ? null : `${sizeText(bytesFetched)} fetched`,
    durationMs === null ? null : `${durationOf(durationMs)} in all`,
  ];
  const size = joined(parts, ", ") || "The scan’s size and duration are not known";
  const all = requestCount ?? shown;
  const part =
    all > shown ? ` Listed here: ${numberOf(shown)} of the ${numberOf(all)} requests.` : "";
  return `${size}.${part}`;
}

type PolicyRow = AccessPolicy["rows"][number];
type PolicyFinding = PolicyRow["findings"][number];

/** The permissions of each crawler; null if the scan has no access policy. */
export function accessSection({ accessPolicy }: Report): Section | null {
  if (accessPolicy === null) return null;
  const { summary, notes, rows, identities, url } = accessPolicy;
  const title = "What crawlers may do";
  const table = scrollingTable(
    {
      name: "What each crawler may do",
      caption: "Grouped by what the crawlers are for",
      hasVisibleCaption: true,
      className: "access",
      columns: ["Crawlers", "May they read?", "Why"],
    },
    rows.map(rowHtml),
  );
  const body = html`${paragraph(summary, "summary")}
${rows.length === 0 ? null : table}
${notes.map((note) => paragraph(note))}
${identities.length === 0 ? null : identitiesHtml(identities)}
<p class="quiet">Read at ${outsideLink(url)}</p>`;
  return { id: "access", title, body };
}

function identitiesHtml(identities: AccessPolicy["identities"]): Html {
  const name = "Who the crawlers are";
  const rows = identities.map(
    ({ token, operator, purpose }) =>
      html`<tr>
        <th scope="row"><bdi>${visible(token) ?? NO_VALUE}</bdi></th>
        <td><bdi>${visible(operator) ?? NO_VALUE}</bdi></td>
        <td>${titleOf(purpose)}</td>
        </tr>`,
  );
  const caption = "Crawlers, their operators and purposes";
  const columns = ["Crawler", "Operator", "Purpose"];
  return html`<details><summary>${name}</summary>
    ${scrollingTable({ name, caption, columns }, html`<tbody>${rows}</tbody>`)}
    </details>`;
}

function rowHtml({ id, title, summary, findings }: PolicyRow): Html {
  const about = visible(summary) === null ? null : quietText(summary);
  return html`<tbody>
    <tr><th scope="rowgroup" colspan="3"><bdi>${visible(title) ?? titleOf(id)}</bdi>${about}</th></tr>
    ${findings.map(findingHtml)}
    </tbody>`;
}

function findingHtml(finding: PolicyFinding): Html {
  const { subjects, state, explanation, source, url, scope, raw } = finding;
  const original = html`<details>
    <summary>Original text<span class="hidden"> (${subjects.join(", ")})</span></summary>
    ${rawLines(raw)}
    </details>`;
  const where = html`<span class="quiet">
    ${visible(source) ?? NO_VALUE}, for <code>${visible(scope) ?? NO_VALUE}</code>: ${outsideLink(url)}</span>`;
  return html`<tr>
    <td><ul class="subjects">${subjects.map(
      (subject) => html`<li><bdi>${visible(subject) ?? NO_VALUE}</bdi></li>`,
    )}</ul></td>
    <td><span class="status status-${ACCESS_KIND[state]}">${titleOf(state)}</span></td>
    <td>
      <span dir="auto">${visible(explanation) ?? NO_VALUE}</span>
      ${where}
      ${raw.length === 0 ? null : original}</td></tr>`;
}

function rawLines(raw: readonly string[]): Html {
  return html`<pre tabindex="0">${raw.join("\n")}</pre>`;
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

export function accessMarkdown({ accessPolicy }: Report): string | null {
  if (accessPolicy === null) return null;
  const { summary, rows, notes, identities, url } = accessPolicy;
  const uses = rows.map(({ id, title, summary: about }) =>
    joined([`- ${markdownText(visible(title) ?? titleOf(id))}`, markdownText(about)], ": "),
  );
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
  const crawlers = identities.map(({ token, operator, purpose }) => [
    markdownCodeCell(token),
    markdownText(operator),
    markdownText(titleOf(purpose)),
  ]);
  return joined([
    markdownText(summary),
    uses.join("\n"),
    markdownTable(
      ["Use", "Crawlers", "May they read?", "Why", "Source", "Original text"],
      findings,
    ),
    ...notes.map(markdownText),
    markdownTable(["Crawler", "Operator", "Purpose"], crawlers),
    `Read at ${markdownLink(url, url)}`,
  ]);
}

/**
 * What the scan saw of one check. The contract does not say which request a check is about, so we take the one with the
 * check's name, and otherwise the one for the home page.
 */
interface CheckEvidence {
  /** Terms and texts about the request; null without a request. */
  readonly request: {
    readonly name: string;
    readonly url: string;
    readonly when: string;
    readonly askedAs: string;
    readonly answer: string;
  } | null;
  readonly findings: readonly PolicyFinding[];
}

/** The most findings that a check shows. The section about access has all of them. */
const FINDINGS_MAX = 3;

function evidenceOf(
  { checkId }: Check,
  { observations, accessPolicy, scan }: Report,
): CheckEvidence {
  const named = (name: string) => observations.find(({ key }) => requestName(key) === name);
  const observation = named(requestName(checkId)) ?? named(HOME_PAGE);
  const findings = (accessPolicy?.rows ?? [])
    .flatMap((row) => row.findings)
    .filter(({ checkIds }) => checkIds.includes(checkId))
    .slice(0, FINDINGS_MAX);
  if (observation === undefined) return { request: null, findings };
  const { key, url, rung, status, contentType, byteLength, redirects } = observation;
  const answer = [
    status === null ? "No answer" : `Status ${status}`,
    visible(contentType),
    status === null ? null : sizeText(byteLength),
    redirects === 0 ? null : `${redirects === 1 ? "1 redirect" : `${redirects} redirects`}`,
  ];
  const request = {
    name: requestName(key),
    url,
    when: momentOf(scan.finishedAt),
    askedAs: titleOf(rung),
    answer: joined(answer, ", "),
  };
  return { request, findings };
}

/** What the scan saw, folded; null if it kept nothing about the check. */
export function evidenceHtml(check: Check, label: string, report: Report): Html | null {
  const { request, findings } = evidenceOf(check, report);
  const hasDetails = Object.keys(check.details).length > 0;
  if (request === null && findings.length === 0 && !hasDetails) return null;
  const asked =
    request &&
    html`<dl class="free">
      <dt>Requested</dt><dd><bdi>${request.name}</bdi>: ${outsideLink(request.url)}</dd>
      <dt>When</dt><dd>In the scan that finished on ${request.when}</dd>
      <dt>Asked as</dt><dd><bdi>${request.askedAs}</bdi></dd>
      <dt>Answer</dt><dd><bdi>${request.answer}</bdi></dd>
      </dl>`;
  const policies = findings.map(
    ({ explanation, raw }) =>
      html`${paragraph(explanation)}${raw.length === 0 ? null : rawLines(raw)}`,
  );
  return html`<details>
    <summary>What the scan saw<span class="hidden"> (${label})</span></summary>
    ${asked}
    ${policies}
    ${hasDetails ? freeFormHtml(check.details) : null}
    </details>`;
}

/** What the scan saw, as items of a list. The details of the check are in the list of all checks. */
export function evidenceMarkdown(check: Check, report: Report): string[] {
  const { request, findings } = evidenceOf(check, report);
  const lines = findings.map(
    ({ explanation, raw }) =>
      `- ${joined([markdownText(explanation), ...raw.map(markdownCodeCell)], " ")}`,
  );
  if (request === null) return lines;
  const { name, url, when, askedAs, answer } = request;
  return [
    `- Requested: ${markdownText(name)}, ${markdownLink(url, url)}`,
    `- When: in the scan that finished on ${when}`,
    `- Asked as: ${markdownText(askedAs)}`,
    `- Answer: ${markdownText(answer)}`,
    ...lines,
  ];
}
