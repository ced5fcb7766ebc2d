import type { AccessPolicy, Check, Report } from "../../contract/report.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import { momentOf, sizeText, titleOf, visible } from "../kit/words.js";
import { HOME_PAGE, requestName } from "./evidence-sections.js";
import { freeFormHtml } from "./free-form.js";

/*
 * The evidence for a fault, if the scan has any. The contract does not say which request a check is about, so we take
 * the one with the check's name, and otherwise the one for the home page.
 */

type Observation = Report["observations"][number];

/** The request that a check is about, with the text of its answer. */
export interface AskedRequest {
  readonly name: string;
  readonly observation: Observation;
  readonly answer: string;
}

/** The request that a check is about; null if the scan has neither one with its name nor one for the home page. */
export function askedFor({ checkId }: Check, { observations }: Report): AskedRequest | null {
  const named = (name: string) => observations.find(({ key }) => requestName(key) === name);
  const observation = named(requestName(checkId)) ?? named(HOME_PAGE);
  if (observation === undefined) return null;
  return { name: requestName(observation.key), observation, answer: answerText(observation) };
}

function answerText({ status, contentType, byteLength, redirects }: Observation): string {
  const parts = [
    status === null ? "No answer" : `Status ${status}`,
    visible(contentType),
    status === null ? null : sizeText(byteLength),
    redirects === 0 ? null : `${redirects === 1 ? "1 redirect" : `${redirects} redirects`}`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

type Finding = AccessPolicy["rows"][number]["findings"][number];

/** The first findings of the access policy that a check uses, at most FINDINGS_MAX. */
export function findingsFor({ checkId }: Check, { accessPolicy }: Report): Finding[] {
  const findings = (accessPolicy?.rows ?? []).flatMap((row) => row.findings);
  return findings.filter(({ checkIds }) => checkIds.includes(checkId)).slice(0, FINDINGS_MAX);
}

/** The section about access shows all findings. */
const FINDINGS_MAX = 3;

/** What the scan saw, folded; null if it kept nothing about the check. */
export function evidenceHtml(check: Check, label: string, report: Report): Html | null {
  const asked = askedFor(check, report);
  const findings = findingsFor(check, report);
  const hasDetails = Object.keys(check.details).length > 0;
  if (asked === null && findings.length === 0 && !hasDetails) return null;
  return html`<details><summary>What the scan saw<span class="hidden"> (${label})</span></summary>${
    asked === null ? null : askedHtml(asked, report)
  }${findings.map(({ explanation, raw }) => {
    const lines = raw.length === 0 ? null : html`<pre tabindex="0">${raw.join("\n")}</pre>`;
    return html`${paragraph(explanation)}${lines}`;
  })}${hasDetails ? freeFormHtml(check.details) : null}</details>`;
}

function askedHtml({ name, observation, answer }: AskedRequest, { scan }: Report): Html {
  const { url, rung } = observation;
  return html`<dl class="free"><dt>Requested</dt><dd><bdi>${name}</bdi>: ${outsideLink(url)}</dd><dt>When</dt>
    <dd>In the scan that finished on ${momentOf(scan.finishedAt)}</dd><dt>Asked as</dt><dd>
    <bdi>${titleOf(rung)}</bdi></dd><dt>Answer</dt><dd><bdi>${answer}</bdi></dd></dl>`;
}
