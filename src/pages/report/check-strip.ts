import type { Report } from "../../contract/report.js";
import type { Check } from "../../contract/report-parts.js";
import { type Html, html } from "../kit/html.js";
import { PART_NAMES } from "../kit/part-names.js";
import { checkAnchor } from "../kit/section.js";
import { numberOf, visible } from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";
import { statusWord } from "./report-texts.js";

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
