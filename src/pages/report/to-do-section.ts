import type { Check, Fix, Report } from "../../contract/report.js";
import { type Html, html, paragraph } from "../kit/html.js";
import {
  checkAnchor,
  checkLinks,
  type LinkedContext,
  type PageContext,
  type Section,
} from "../kit/page-context.js";
import { taskAddress } from "../kit/page-names.js";
import { linkButtons, publisherLinks } from "../kit/publisher-links.js";
import { titleOf, visible } from "../kit/words.js";
import { evidenceHtml } from "./check-evidence.js";
import type { LeftOut } from "./excerpt.js";
import { hasTask, type Outlook, type ToDo } from "./faults.js";
import {
  capNotice,
  costText,
  fixesText,
  fixGainText,
  leadText,
  unearnableText,
} from "./outlook-texts.js";
import { lifecycleText, statusWord } from "./report-texts.js";

/** What to do, each with its fix if the plan shows it; null if no check, fix or cap is known. */
export function toDoSection(
  report: Report,
  outlook: Outlook,
  context: LinkedContext,
  left: LeftOut,
): Section | null {
  const known = fixesText(outlook, report, left);
  const { cap, faults, optional } = outlook;
  if (report.checks.length === 0 && report.fixes.total === 0 && cap === null) return null;
  const drawn = itemsDrawer(report, context);
  const notice = cap === null ? null : capNotice(cap);
  const capped =
    notice === null
      ? null
      : html`<p class="notice"><strong>${notice.title}</strong> ${notice.text}</p>`;
  const task = hasTask(report, outlook)
    ? html`<p class="task">
      <a href="${context.to(taskAddress(report.site.host))}" data-copy="Copy it all as one prompt">All of it as a task for a coding agent</a></p>`
    : null;
  const body = html`${task}${capped}${drawn(cap?.causes ?? [])}${paragraph(leadText(outlook, report, left))}${drawn(faults)}${paragraph(unearnableText(outlook, report))}${
    optional.length === 0
      ? null
      : html`<h3>Optional: these bring no points</h3>${drawn(optional, true)}`
  }${known === null ? null : html`<p class="quiet">${known}</p>`}${
    report.scan.score === null ? null : linkButtons(publisherLinks(report, context))
  }`;
  return { id: "fixes", title: "What to do", body };
}

/** Draws lists of things to do, numbered consecutively across lists. */
function itemsDrawer(report: Report, context: LinkedContext) {
  const described = checkLinks(context);
  let number = 0;
  return (items: readonly ToDo[], isOptional = false): Html | null => {
    if (items.length === 0) return null;
    const drawn = items.map((one) => {
      number += 1;
      return toDoItem(one, number, statusKind(one, isOptional), report, described, context);
    });
    return html`<ol class="checks">${drawn}</ol>`;
  };
}

/** The name of a thing to do: its check's label, or else its fix's title, or else its id. */
export function toDoName({ check, fix }: ToDo): string {
  return visible(check?.label ?? fix?.title ?? null) ?? check?.checkId ?? fix?.checkId ?? "";
}

function toDoItem(
  one: ToDo,
  number: number,
  kind: string,
  report: Report,
  described: ReturnType<typeof checkLinks>,
  context: PageContext,
): Html {
  const { check, fix } = one;
  const label = toDoName(one);
  const id = check === null ? null : html` id="${checkAnchor(check.checkId)}"`;
  const status =
    check === null ? null : html`<span class="status status-${kind}">${statusWord(check)}</span> `;
  const cost = costText(one, report.scan);
  const lifecycle = check === null ? null : lifecycleText(check);
  // Without a fix, the methodology says what a site should do.
  const aim = check === null || fix !== null ? null : methodologyLine(check, context);
  return html`<li class="check"${id}><div class="check-head"><h3 dir="auto">${label}</h3>
    <p class="outcome">${status}${cost === null ? null : html`<span class="cost">${cost}</span>`}</p></div>${
      check === null
        ? null
        : html`${titleLine(check, label, described(check.checkId))}${paragraph(check.summary)}${paragraph(aim, "quiet")}${lifecycle === null ? null : html`<p class="quiet">${lifecycle}. Version ${check.checkVersion}.</p>`}`
    }${fix === null ? null : fixPart(one, fix, number, report.scan)}${check === null ? null : evidenceHtml(check, label, report)}</li>`;
}

/** What the current methodology asks for in a check; null if it does not have that check. */
export function methodologyLine(
  { checkId }: Pick<Check, "checkId">,
  { overviews }: PageContext,
): string | null {
  const line = Object.hasOwn(overviews, checkId) ? visible(overviews[checkId] ?? null) : null;
  return line === null ? null : `What is checked: ${line}`;
}

/** The check's question, and a link to how it is judged. */
function titleLine({ title }: Check, label: string, link: string | null): Html | null {
  const parts = [
    visible(title) === null ? null : html`<bdi>${title}</bdi>`,
    link === null
      ? null
      : html`<a href="${link}">How we check this<span class="hidden"> (${label})</span></a>`,
  ].filter((part) => part !== null);
  const line = parts.map((part, index) => (index === 0 ? part : html` · ${part}`));
  return parts.length === 0 ? null : html`<p class="check-title">${line}</p>`;
}

/** The title of a fix that has no title of its own. */
export function usualFixTitle({ status }: Fix): string {
  return status === "na" ? "If it applies one day" : "How to fix it";
}

/** How to fix it. Texts that the check has already said are left out. */
function fixPart(one: ToDo, fix: Fix, number: number, scan: Report["scan"]): Html {
  const { check } = one;
  const id = `fix-${number}`;
  const own = visible(fix.title);
  const title = own === null || own === check?.title ? usualFixTitle(fix) : own;
  const summary = fix.summary === check?.summary ? null : fix.summary;
  const prompt =
    visible(fix.prompt) === null
      ? html`<p class="quiet">There is no prompt for this fix.</p>`
      : html`<details class="prompt"><summary>Prompt<span class="hidden"> for: ${title}</span></summary>
        <pre id="prompt-${number}" data-copy="Copy the prompt" data-about="${id}" dir="auto" tabindex="0">${fix.prompt}</pre></details>`;
  const gain = fixGainText(one, scan);
  const parts = [
    gain === null
      ? null
      : html`<span class="${gain.startsWith("+") ? "gain" : "quiet"}">${gain}</span>`,
    fix.status === check?.status
      ? null
      : html`<span class="quiet">${titleOf(fix.kind)} · ${fixStatus(fix)}</span>`,
  ].filter((part) => part !== null);
  return html`<div class="fix"><h4 id="${id}" dir="auto">${title}
    </h4>${parts.length === 0 ? null : html`<p class="outcome">${parts}</p>`}${paragraph(summary)}${prompt}</div>`;
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

/** The colour of a status: a check that changes no score is grey unless it passed. */
function statusKind({ check }: ToDo, isOptional: boolean): string {
  if (check === null) return "na";
  const isGrey = isOptional || check.kind === "capability";
  return isGrey && check.status !== "pass" ? "na" : check.status;
}
