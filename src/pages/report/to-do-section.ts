import type { Report } from "../../contract/report.js";
import type { Check, Fix } from "../../contract/report-parts.js";
import { type Html, html, paragraph } from "../kit/html.js";
import { checkAnchor, checkLinks, type LinkedContext, type Section } from "../kit/page-context.js";
import { counted, titleOf, visible } from "../kit/words.js";
import { freeFormHtml } from "./free-form.js";
import { fixesText, gainText, lifecycleText, pointsOf, statusWord } from "./report-texts.js";

/** Something to improve: a check that did not pass, its fix, or both. */
export interface ToDo {
  readonly check: Check | null;
  readonly fix: Fix | null;
  /** The points of the score that the check has lost. */
  readonly cost: number;
  /** The points that it may bring back. */
  readonly worth: number;
}

/** What a site can improve, what is worth the most first. Items of equal worth stay in the report's order. */
export function toDosOf({ checks, fixes }: Report): ToDo[] {
  const attached = new Map<string, Fix>();
  for (const fix of fixes.data) {
    if (!attached.has(fix.checkId)) attached.set(fix.checkId, fix);
  }
  const items = checks.flatMap((check) => {
    const fix = attached.get(check.checkId) ?? null;
    if (fix === null && !isFault(check)) return [];
    const cost = isFault(check) ? costOf(check) : 0;
    return [{ check, fix, cost, worth: Math.max(cost, fix?.recoverablePoints ?? 0) }];
  });
  const used = new Set(items.map(({ fix }) => fix));
  const others = fixes.data.filter((fix) => !used.has(fix));
  return [
    ...items,
    ...others.map((fix) => ({ check: null, fix, cost: 0, worth: fix.recoverablePoints })),
  ].sort((one, other) => other.worth - one.worth);
}

/** Whether a check counts against the site. A capability that is missing does not. */
function isFault({ kind, status }: Check): boolean {
  return kind !== "capability" && (status === "fail" || status === "warn");
}

function costOf({ kind, points, maxPoints }: Check): number {
  return kind === "penalty" ? Math.abs(points) : Math.max(0, maxPoints - points);
}

/** What to do, each with its fix if the plan shows it; null if no check or fix is known. */
export function toDoSection(
  report: Report,
  toDos: readonly ToDo[],
  context: LinkedContext,
): Section | null {
  const known = fixesText(report.fixes);
  if (report.checks.length === 0 && known === null) return null;
  const described = checkLinks(context);
  const worth = toDos.reduce((sum, one) => sum + one.worth, 0);
  const lead =
    toDos.length === 0
      ? "Every check that applies to this site has passed."
      : `${counted(toDos.length, "thing")} to improve${worth > 0 ? `, worth up to ${pointsOf(worth)}` : ""}.${toDos.length > 1 && worth > 0 ? " The costliest come first." : ""}`;
  const list =
    toDos.length === 0
      ? null
      : html`<ol class="checks">${toDos.map((one, index) => toDoItem(one, index, described))}</ol>`;
  const about = known === null ? null : html`<p class="quiet">${known}</p>`;
  return { id: "fixes", title: "What to do", body: html`<p>${lead}</p>${list}${about}` };
}

function toDoItem(
  { check, fix, cost }: ToDo,
  index: number,
  described: ReturnType<typeof checkLinks>,
): Html {
  const label = visible(check?.label ?? fix?.title ?? null) ?? check?.checkId ?? fix?.checkId ?? "";
  const id = check === null ? null : html` id="${checkAnchor(check.checkId)}"`;
  const status =
    check === null
      ? null
      : html`<span class="status status-${statusKind(check)}">${statusWord(check)}</span> `;
  const lost = cost > 0 ? html`<span class="cost">${`−${pointsOf(cost)}`}</span>` : null;
  const lifecycle = check === null ? null : lifecycleText(check);
  const details =
    check === null || Object.keys(check.details).length === 0
      ? null
      : html`<details><summary>What the scan saw<span class="hidden"> (${label})</span></summary>${freeFormHtml(check.details)}</details>`;
  return html`<li class="check"${id}><div class="check-head"><h3 dir="auto">${label}</h3><p class="outcome">${status}${lost}</p></div>${
    check === null
      ? null
      : html`${titleLine(check, label, described(check.checkId))}${paragraph(check.summary)}${lifecycle === null ? null : html`<p class="quiet">${lifecycle}. Version ${check.checkVersion}.</p>`}`
  }${fix === null ? null : fixPart(fix, check, index + 1)}${details}</li>`;
}

/** The check's question, and a link to how it is judged. */
function titleLine({ title }: Check, label: string, link: string | null): Html | null {
  const parts = [
    visible(title) === null ? null : html`<bdi>${title}</bdi>`,
    link === null
      ? null
      : html`<a href="${link}">How it is judged<span class="hidden"> (${label})</span></a>`,
  ].filter((part) => part !== null);
  const line = parts.map((part, index) => (index === 0 ? part : html` · ${part}`));
  return parts.length === 0 ? null : html`<p class="check-title">${line}</p>`;
}

/** How to fix it. Texts that the check has already said are left out. */
function fixPart(fix: Fix, check: Check | null, number: number): Html {
  const id = `fix-${number}`;
  const own = visible(fix.title);
  const title = own === null || own === check?.title ? "How to fix it" : own;
  const summary = fix.summary === check?.summary ? null : fix.summary;
  const prompt =
    visible(fix.prompt) === null
      ? html`<p class="quiet">There is no prompt for this fix.</p>`
      : html`<details class="prompt"><summary>Prompt<span class="hidden"> for: ${title}</span></summary><pre id="prompt-${number}" data-copy="Copy the prompt" data-about="${id}" dir="auto" tabindex="0">${fix.prompt}</pre></details>`;
  const state =
    fix.status === check?.status
      ? null
      : html` <span class="quiet">${titleOf(fix.kind)} · ${fixStatus(fix)}</span>`;
  return html`<div class="fix"><h4 id="${id}" dir="auto">${title}</h4><p class="outcome"><span class="gain">${gainText(fix.recoverablePoints, fix.scoreAfter)}</span>${state}</p>${paragraph(summary)}${prompt}</div>`;
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

/** The colour of a status. A missing capability is not a fault. */
function statusKind({ kind, status }: Check): string {
  return kind === "capability" && status === "fail" ? "na" : status;
}
