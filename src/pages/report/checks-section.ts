import type { Report } from "../../contract/report.js";
import type { Check } from "../../contract/report-parts.js";
import { type Html, html } from "../kit/html.js";
import { checkAnchor, type PageContext, type Section } from "../kit/page-context.js";
import { counted, numberOf, PART_NAMES, visible } from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";
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

/** The kinds of squares in their order, with the word for their number. */
const SQUARES = [
  ["fail", "failed"],
  ["warn", "in part"],
  ["pass", "passed"],
  ["na", "not applicable"],
] as const;

/** All checks as one strip of squares that link to them, after their numbers; null if the report has none. */
export function checkStrip({ checks }: Report, left: LeftOut): Html | null {
  if (checks.length === 0) return null;
  const counting = checks.filter(({ kind }) => kind !== "capability");
  const groups = SQUARES.map(([status, word]) => ({
    status,
    word,
    members: counting.filter((check) => check.status === status),
  })).filter(({ members }) => members.length > 0);
  const counts = groups.map(({ members, word }) => `${numberOf(members.length)} ${word}`);
  const extras = checks.filter(({ kind }) => kind === "capability");
  const offered = extras.filter(({ status }) => status === "pass");
  if (extras.length > 0) {
    const name = PART_NAMES.capabilities.toLowerCase();
    counts.push(`${numberOf(offered.length)} of ${numberOf(extras.length)} ${name}`);
  }
  const omitted = totalOf("checks", checks, left) - checks.length;
  if (omitted > 0) counts.push(`${numberOf(omitted)} more in the JSON`);
  const squares = [
    ...groups.map(({ members, status }) => members.map((check) => square(check, status))),
    ...offered.map((check) => square(check, "extra")),
    ...extras.filter((one) => !offered.includes(one)).map((check) => square(check, "none")),
  ];
  return html`<div class="strip"><p>${counts.join(", ")}</p><ul class="squares">${squares}</ul></div>
`;
}

function square(check: Check, kind: string): Html {
  const text = `${visible(check.label) ?? check.checkId}: ${statusWord(check).toLowerCase()}`;
  return html`<li><a class="${kind}" href="#${checkAnchor(check.checkId)}" title="${text}">${text}</a></li>`;
}
