import type { Report } from "../../contract/report.js";
import type { Check, Fix } from "../../contract/report-parts.js";
import { type Html, html, paragraph } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { checkAnchor, type Section } from "../kit/section.js";
import { titleOf, visible } from "../kit/words.js";
import { freeFormHtml } from "./free-form.js";
import { checkGroups, checkPoints, fixesText, lifecycleText, statusWord } from "./report-texts.js";
import { gainText } from "./score-section.js";

/** All checks, grouped by the block or kind that they count towards; null if the report has none. */
export function checksSection(report: Report, { checkIds }: PageContext): Section | null {
  const groups = checkGroups(report);
  if (groups.length === 0) return null;
  const known = new Set(checkIds);
  const body = html`${groups.map(
    ({ id, title, about, checks }) =>
      html`<div class="group"><h3 id="${id}">${title}</h3><p class="quiet">${about}</p><ul class="checks">${checks.map((check) => checkResultItem(check, known.has(check.checkId)))}</ul></div>`,
  )}`;
  return { id: "checks", title: "Checks", body };
}

/** @param isKnown whether the methodology has this check, so that a link to it works */
function checkResultItem(check: Check, isKnown: boolean): Html {
  const label = visible(check.label) ?? check.checkId;
  const points = checkPoints(check);
  const lifecycle = lifecycleText(check);
  const details =
    Object.keys(check.details).length === 0
      ? null
      : html`<details><summary>What it saw<span class="hidden"> (${label})</span></summary>${freeFormHtml(check.details)}</details>`;
  return html`<li class="check" id="check-${check.checkId}"><div class="check-head"><h4 dir="auto">${label}</h4><p class="outcome"><span class="status status-${statusKind(check)}">${statusWord(check)}</span>${
    points === null ? null : html` <span class="points">${points}</span>`
  }</p></div>${titleLine(check, label, isKnown)}${paragraph(check.summary)}${lifecycle === null ? null : html`<p class="quiet">${lifecycle}. Version ${check.checkVersion}.</p>`}${details}</li>`;
}

/** The check's question, and a link to how it is judged. */
function titleLine({ checkId, title }: Check, label: string, isKnown: boolean): Html | null {
  const parts = [
    visible(title) === null ? null : html`<bdi>${title}</bdi>`,
    isKnown
      ? html`<a href="../standards#${checkAnchor(checkId)}">How it is judged<span class="hidden"> (${label})</span></a>`
      : null,
  ].filter((part) => part !== null);
  const line = parts.map((part, place) => (place === 0 ? part : html` · ${part}`));
  return parts.length === 0 ? null : html`<p class="check-title">${line}</p>`;
}

/** The colour of a status. A missing capability is not a fault. */
function statusKind({ kind, status }: Check): string {
  return kind === "capability" && status === "fail" ? "na" : status;
}

/** Fixes that would earn points, each with a prompt that asks for it; null if none are known. */
export function fixesSection({ fixes }: Report): Section | null {
  const text = fixesText(fixes);
  if (text === null) return null;
  const list =
    fixes.data.length === 0 ? null : html`<ol class="fixes">${fixes.data.map(fixItem)}</ol>`;
  return { id: "fixes", title: "Fixes", body: html`<p>${text}</p>${list}` };
}

function fixItem(fix: Fix, place: number): Html {
  const title = visible(fix.title) ?? fix.checkId;
  const id = `fix-${place + 1}`;
  const prompt =
    visible(fix.prompt) === null
      ? html`<p class="quiet">There is no prompt for this fix.</p>`
      : html`<details class="prompt"><summary>Prompt<span class="hidden"> for: ${title}</span></summary><pre id="prompt-${place + 1}" data-copy="Copy the prompt" data-about="${id}" dir="auto" tabindex="0">${fix.prompt}</pre></details>`;
  return html`<li class="fix"><h3 id="${id}" dir="auto">${title}</h3><p class="outcome"><span class="gain">${gainText(fix.recoverablePoints, fix.scoreAfter)}</span> <span class="quiet">${titleOf(fix.kind)} · ${fixStatus(fix)}</span></p>${paragraph(fix.summary)}${prompt}</li>`;
}

const FIX_STATUS: ReadonlyMap<string, string> = new Map([
  ["pass", "the check passes"],
  ["warn", "the check passes in part"],
  ["fail", "the check fails"],
  ["na", "the check does not apply"],
]);

/** A fix's status in words; it may be one that checks do not have. */
export function fixStatus({ status }: Fix): string {
  return FIX_STATUS.get(status) ?? titleOf(status);
}
