import type { Report } from "../../contract/report.js";
import type { Check } from "../../contract/report-parts.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { PART_NAMES } from "../kit/part-names.js";
import { checkAnchor, type Section } from "../kit/section.js";
import { counted, numberOf, visible } from "../kit/words.js";
import { checkPoints, lifecycleText, statusWord } from "./report-texts.js";
import type { ToDo } from "./to-do-section.js";

/** The checks that ask for nothing, one line each and folded; null if there are none. */
export function checksSection(
  { checks }: Report,
  toDos: readonly ToDo[],
  { checkIds }: PageContext,
): Section | null {
  const open = new Set(toDos.map(({ check }) => check));
  const others = checks.filter((check) => !open.has(check));
  if (others.length === 0) return null;
  const known = new Set(checkIds);
  const extras = others.filter(({ kind }) => kind === "capability");
  const offered = extras.filter(({ status }) => status === "pass").length;
  const counting = others.filter(({ kind }) => kind !== "capability");
  const passed = counting.filter(({ status }) => status !== "na");
  const without = counting.filter(({ status }) => status === "na");
  const groups: [string, readonly Check[]][] = [
    [`${counted(passed.length, "check")} passed`, passed],
    [
      `${counted(without.length, "check")} ${without.length === 1 ? "does" : "do"} not apply`,
      without,
    ],
    [
      `${PART_NAMES.capabilities}, which add no points: ${numberOf(offered)} of ${numberOf(extras.length)} offered`,
      extras,
    ],
  ];
  const body = html`${groups.map(([title, members]) =>
    members.length === 0
      ? null
      : html`<details class="folded"><summary>${title}</summary><ul class="lines">${members.map((check) => checkLine(check, known.has(check.checkId)))}</ul></details>`,
  )}`;
  return { id: "checks", title: "Other checks", body };
}

/** A check in one line. @param isKnown whether the methodology has this check, so that a link to it works */
function checkLine(check: Check, isKnown: boolean): Html {
  const { checkId, kind, status, title, summary } = check;
  const label = visible(check.label) ?? checkId;
  const anchor = checkAnchor(checkId);
  const name = isKnown
    ? html`<a href="../standards#${anchor}">${label}</a>`
    : html`<strong>${label}</strong>`;
  // The summary of the group says what the others have in common.
  const word =
    kind === "penalty" || kind === "capability" ? html` <em>${statusWord(check)}</em>` : null;
  const text = visible(summary) ?? visible(title);
  const points = kind === "achievement" ? checkPoints(check) : null;
  const lifecycle = lifecycleText(check);
  return html`<li class="${status}" id="${anchor}"><bdi>${name}</bdi>${word}${text === null ? null : html` <span class="quiet" dir="auto">${text}</span>`}${lifecycle === null ? null : html` <span class="quiet">${lifecycle}.</span>`}${points === null ? null : html` <span class="points">${points}</span>`}</li>`;
}
