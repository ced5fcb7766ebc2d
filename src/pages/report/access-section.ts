import type { Report } from "../../contract/report.js";
import type { AccessPolicy } from "../../contract/report-parts.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import type { Section } from "../kit/section.js";
import { NO_VALUE, titleOf, visible } from "../kit/words.js";

type PolicyRow = AccessPolicy["rows"][number];
type PolicyFinding = PolicyRow["findings"][number];

/** A table of the permissions of each crawler; null if the scan has no access policy. */
export function accessSection({ accessPolicy }: Report): Section | null {
  if (accessPolicy === null) return null;
  const { summary, notes, rows, identities, url } = accessPolicy;
  const table =
    rows.length === 0
      ? null
      : html`<div class="scroll" role="region" aria-label="Table: What each crawler may do" tabindex="0"><table class="access"><caption class="quiet">Grouped by what the crawlers are for</caption><thead><tr><th scope="col">Crawlers</th><th scope="col">May they read?</th><th scope="col">Why</th></tr></thead>${rows.map(rowHtml)}</table></div>`;
  const known =
    identities.length === 0
      ? null
      : html`<details><summary>Who the crawlers are</summary><div class="scroll" role="region" aria-label="Table: Who the crawlers are" tabindex="0"><table><caption class="hidden">Crawlers, their operators and purposes</caption><thead><tr><th scope="col">Crawler</th><th scope="col">Operator</th><th scope="col">Purpose</th></tr></thead><tbody>${identities.map(
          ({ token, operator, purpose }) =>
            html`<tr><th scope="row"><bdi>${visible(token) ?? NO_VALUE}</bdi></th><td><bdi>${visible(operator) ?? NO_VALUE}</bdi></td><td>${titleOf(purpose)}</td></tr>`,
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
  return html`<tbody><tr><th scope="rowgroup" colspan="3"><bdi>${visible(title) ?? titleOf(id)}</bdi>${about}</th></tr>${findings.map(findingHtml)}</tbody>`;
}

function findingHtml(finding: PolicyFinding): Html {
  const { subjects, state, explanation, source, url, scope, raw } = finding;
  const lines =
    raw.length === 0
      ? null
      : html`<details><summary>Original text<span class="hidden"> (${subjects.join(", ")})</span></summary><pre tabindex="0">${raw.join("\n")}</pre></details>`;
  return html`<tr><td><ul class="subjects">${subjects.map(
    (subject) => html`<li><bdi>${visible(subject) ?? NO_VALUE}</bdi></li>`,
  )}</ul></td><td><span class="status status-${ACCESS_KIND[state]}">${titleOf(state)}</span></td><td><span dir="auto">${visible(explanation) ?? NO_VALUE}</span><span class="quiet">${visible(source) ?? NO_VALUE}, for <code>${visible(scope) ?? NO_VALUE}</code>: ${outsideLink(url)}</span>${lines}</td></tr>`;
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
