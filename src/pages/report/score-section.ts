import { isPassed } from "../../contract/figures.js";
import type { Check, Report } from "../../contract/report.js";
import { type Html, html, outsideLink, paragraph } from "../kit/html.js";
import { numberHead, scrollingTable } from "../kit/lists.js";
import {
  checkAnchor,
  checkLinks,
  type LinkedContext,
  type PageContext,
  type Section,
} from "../kit/page-context.js";
import {
  counted,
  numberOf,
  orNone,
  PART_NAMES,
  percentOf,
  titleOf,
  visible,
} from "../kit/words.js";
import { type LeftOut, totalOf } from "./excerpt.js";
import { costOf, isUnmet, type Outlook, pointsOf, unearned } from "./outlook.js";
import {
  capText,
  checkPoints,
  hasParts,
  lifecycleText,
  ownSummary,
  type ScorePart,
  scoreParts,
  statusWord,
  totalText,
} from "./report-texts.js";

/** A stretch of the bar of 100 points. */
interface Stretch {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** How the score is made up, as one bar of 100 points and a table; null if there is no score, or nothing is known. */
export function scoreSection(
  report: Report,
  outlook: Outlook,
  context: PageContext,
): Section | null {
  const { scan } = report;
  if (scan.score === null || (!hasParts(report) && scan.cappedAt === null)) return null;
  const parts = scoreParts(report, context);
  const rows = parts.map(
    ({ kind, label, points, of }) =>
      html`<tr>
        <th scope="row"><span class="key part-${kind}"></span>${label}</th>
        <td class="number">${orNone(points, numberOf)}</td>
        <td class="number">${orNone(of, numberOf)}</td>
        </tr>`,
  );
  const title = "What the score is made of";
  const columns = ["Part", numberHead("Points"), numberHead("Out of")];
  const table = scrollingTable(
    { name: title, caption: "Points of each part", className: "parts", columns },
    html`<tbody>${rows}</tbody>
      <tfoot><tr>
        <th scope="row">Score</th>
        <td class="number">${totalText(report)}</td>
        <td class="number">100</td></tr></tfoot>`,
  );
  const cap = capText(scan);
  const body = html`${pointsBar(report, parts, outlook)}
${hasParts(report) ? table : null}
${cap && html`<p class="notice"><strong>Capped.</strong> ${cap}</p>`}`;
  return { id: "score", title, body };
}

/**
 * All 100 points as one bar, with the points that are not in the table below as text; null if the parts are unknown.
 */
function pointsBar(
  { scan }: Report,
  parts: readonly ScorePart[],
  { unearnable }: Outlook,
): Html | null {
  const { score, block1, block2 } = scan;
  if (score === null || block1 === null || block2 === null) return null;
  const first = Math.min(score, clampedPoints(block1));
  const earned = clampedPoints(block1 + block2);
  const taken = parts.find(({ kind }) => kind === "penalties")?.points ?? 0;
  const afterPenalties = clampedPoints(earned + taken);
  const last = scan.cappedAt === null ? afterPenalties : Math.min(score, afterPenalties);
  const kept = unearnable.reduce((sum, check) => sum + unearned(check), 0);
  const most = Math.max(earned, 100 - kept);
  const stretches: Stretch[] = [
    { kind: "block1", from: 0, to: Math.min(first, last) },
    { kind: "block2", from: Math.min(first, last), to: last },
    { kind: "cap", from: last, to: afterPenalties },
    { kind: "penalties", from: afterPenalties, to: earned },
    { kind: "lost", from: earned, to: most },
    { kind: "na", from: most, to: 100 },
  ];
  const drawn = stretches.filter(({ from, to }) => to > from);
  const words = drawn.flatMap(({ kind, from, to }) => {
    const word = UNTABLED.get(kind);
    return word === undefined
      ? []
      : html`<li><span class="key part-${kind}"></span>${word}: ${pointsOf(to - from)}</li>`;
  });
  const bars = drawn.map(({ kind, from, to }) => {
    const width = percentOf((to - from) / 100);
    return html`<rect class="part-${kind}" x="${percentOf(from / 100)}" width="${width}" height="28"/>`;
  });
  return html`<svg class="points-bar" width="100%" height="28" aria-hidden="true">${bars}</svg>
${words.length === 0 ? null : html`<ul class="keys">${words}</ul>`}`;
}

const UNTABLED: ReadonlyMap<string, string> = new Map([
  ["lost", "Not earned"],
  ["na", "Of checks that do not apply"],
  ["cap", "Held back by the cap"],
]);

function clampedPoints(points: number): number {
  return Math.min(100, Math.max(0, points));
}

/** Notes on a host that renders its pages only for crawlers; null for any other host. */
export function prerenderSection({ prerender }: Report): Section | null {
  if (prerender === null) return null;
  const sources = prerender.sources.map(
    ({ label, url }) => html`<li>${outsideLink(url, label)}</li>`,
  );
  const onRequest = prerender.markdownOnRequest ? "yes" : "no";
  const body = html`${prerender.paragraphs.map((text) => paragraph(text))}
<p>Platform: ${titleOf(prerender.platform)}. Markdown on request: ${onRequest}.</p>
${sources.length === 0 ? null : html`<ul>${sources}</ul>`}`;
  return { id: "prerender", title: visible(prerender.title) ?? "Rendering for crawlers", body };
}

/** The checks that need no action, one line each and folded; null if there are none. */
export function checksSection(
  { checks, scan }: Report,
  { cap, faults, optional }: Outlook,
  context: LinkedContext,
): Section | null {
  const toDos = [...(cap?.causes ?? []), ...faults, ...optional];
  const open = new Set(toDos.map(({ check }) => check));
  const others = checks.filter((check) => !open.has(check));
  if (others.length === 0) return null;
  const described = checkLinks(context);
  const extras = others.filter(({ kind }) => kind === "capability");
  const counting = others.filter(({ kind }) => kind !== "capability");
  const unmet = counting.filter(isUnmet);
  const passed = counting.filter(isPassed);
  const avoided = counting.filter(({ kind, status }) => kind === "penalty" && status === "pass");
  const without = counting.filter(({ status }) => status === "na");
  const { offered, of } = extrasOf(extras);
  const groups: [string, readonly Check[]][] = [
    [`${counted(passed.length, "achievement")} passed`, passed],
    [`${counted(avoided.length, "penalty", "penalties")} avoided`, avoided],
    [
      `${counted(without.length, "check")} ${without.length === 1 ? "does" : "do"} not apply`,
      without,
    ],
    [`${counted(unmet.length, "optional check")} not met, which brings no points`, unmet],
    [
      `${PART_NAMES.capabilities}, which add no points: ` +
        `${of === 0 ? "none applies" : `${numberOf(offered)} of ${numberOf(of)} offered`}`,
      extras,
    ],
  ];
  const lines = (members: readonly Check[]) =>
    members.map((check) => checkLine(check, scan, described(check.checkId)));
  const body = html`${groups.map(([title, members]) =>
    members.length === 0
      ? null
      : html`<details class="folded">
        <summary>${title}</summary>
        <ul class="lines">${lines(members)}</ul>
        </details>`,
  )}`;
  return { id: "checks", title: "Other checks", body };
}

/** How many extras a site offers, and how many apply to it. */
function extrasOf(extras: readonly Check[]): { readonly offered: number; readonly of: number } {
  const offered = extras.filter(({ status }) => status === "pass").length;
  return { offered, of: extras.filter(({ status }) => status !== "na").length };
}

/** A check in one line. @param link to where the methodology describes it; null if it does not */
function checkLine(check: Check, scan: Report["scan"], link: string | null): Html {
  const { checkId, kind, status, title } = check;
  const label = visible(check.label) ?? checkId;
  const name =
    link === null ? html`<strong>${label}</strong>` : html`<a href="${link}">${label}</a>`;
  // The other groups name the result in their summary.
  const isNamed = kind === "penalty" || kind === "capability";
  const text = ownSummary(check) ?? visible(title);
  const points = kind === "achievement" ? checkPoints(check, scan) : null;
  const lifecycle = lifecycleText(check);
  return html`<li class="${isUnmet(check) ? "na" : status}" id="${checkAnchor(checkId)}">
    <bdi>${name}</bdi>
    ${isNamed ? html` <em>${statusWord(check)}</em>` : null}
    ${text && html` <span class="quiet" dir="auto">${text}</span>`}
    ${lifecycle && html` <span class="quiet">${lifecycle}.</span>`}
    ${points && html` <span class="points">${points}</span>`}
    </li>`;
}

/** The kinds of checks as they are counted, in their order. */
const COUNTED_KINDS = ["Scored checks", "Penalties", "Optional checks", "Extras"] as const;

/** Results in the order in which they are counted. */
const STATUSES = ["fail", "warn", "pass", "na"] as const;

function countedKind({ kind, maxPoints, lifecycle }: Check): (typeof COUNTED_KINDS)[number] {
  if (kind === "penalty") return "Penalties";
  if (kind === "capability") return "Extras";
  return maxPoints > 0 && lifecycle !== "experimental" ? "Scored checks" : "Optional checks";
}

/** With more checks than this, the strip shows their signs without their names. */
const NAMED_MAX = 8;

/** The numbers of checks by kind and result, and a strip of links to them; null if the report has no checks. */
export function checkStrip(report: Report, { cap }: Outlook, left: LeftOut): Html | null {
  const { checks, scan } = report;
  if (checks.length === 0) return null;
  const causes = cap?.causes.map(({ check }) => check) ?? [];
  const groups = COUNTED_KINDS.flatMap((kind) => {
    const members = checks.filter((check) => countedKind(check) === kind);
    return members.length === 0 ? [] : { kind, members };
  });
  const counts = groups.map(({ kind, members }) => {
    const name = scan.score === null && kind === "Scored checks" ? "Checks" : kind;
    return `${name}: ${resultsText(members, kind)}.`;
  });
  const omitted = totalOf("checks", checks, left) - checks.length;
  if (omitted > 0) counts.push(`${numberOf(omitted)} more in the JSON.`);
  else if (checks.some((check) => isPassed(check) && countedKind(check) !== "Scored checks"))
    counts.push(`${counted(checks.filter(isPassed).length, "check")} passed in all.`);
  const squares = groups.flatMap(({ members }) =>
    byStatus(members).map((check) => square(check, lookOf(check, causes.includes(check)))),
  );
  const named = checks.length > NAMED_MAX ? null : " named";
  return html`<div class="strip"><p>${counts.join(" ")}</p><ul class="squares${named}">${squares}</ul></div>
`;
}

function byStatus(checks: readonly Check[]): Check[] {
  return STATUSES.flatMap((status) => checks.filter((check) => check.status === status));
}

/** How many checks of a kind have each result: `1 failed, 0 passed`. */
function resultsText(checks: readonly Check[], kind: string): string {
  const counts = new Map<string, number>();
  for (const status of STATUSES) {
    // A reader looks for this number even if it is 0.
    if (kind === "Scored checks" && status === "pass") counts.set("passed", 0);
    for (const check of checks) {
      const word = statusWord(check).toLowerCase();
      if (check.status === status) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts].map(([word, count]) => `${numberOf(count)} ${word}`).join(", ");
}

/** The sign and the colour of a check: one that changes no score is grey unless it passed. */
function lookOf(check: Check, isCause: boolean): string {
  if (check.kind === "capability") return isPassed(check) ? "extra" : "none";
  return isUnmet(check) && costOf(check) === 0 && !isCause ? "na" : check.status;
}

function square(check: Check, look: string): Html {
  const text = `${visible(check.label) ?? check.checkId}: ${statusWord(check).toLowerCase()}`;
  return html`<li><a class="${look}" href="#${checkAnchor(check.checkId)}" title="${text}">${text}</a></li>`;
}
