import type { Check, Enrichment, EnrichmentState, Report } from "../../contract/report.js";
import type { PageContext } from "../kit/page-context.js";
import {
  type Banded,
  bandLabel,
  cutText,
  dayOf,
  hostText,
  momentOf,
  numberOf,
  PART_NAMES,
  visible,
} from "../kit/words.js";
import { costOf, pointsOf } from "./outlook.js";

/*
 * The content of a report in words. The page and its Markdown form both take their texts from here, so that they cannot
 * contradict each other.
 */

/** Whether there is a score, and if not, why. */
type Standing = "scored" | "unscored" | "redirected" | "withheld";

export function standingOf({ scan, ...report }: Report): Standing {
  if (scan.score !== null) return "scored";
  if (scan.status === "moved") return "redirected";
  // A withheld report reveals only that the host is known (docs/contract.md#63-withheld-reports).
  const { checks, observations, fixes, pages, profile, accessPolicy, prerender, history } = report;
  const hasNone = checks.length + observations.length + fixes.total === 0 && history === undefined;
  const found = [scan.summary, scan.robotsVerdict, pages, profile, accessPolicy, prerender];
  const isBare = hasNone && found.every((one) => one === null);
  if (!isBare || scan.historical) return "unscored";
  return scan.redirect === null ? "withheld" : "redirected";
}

/** A warning that a reader must see before the rest of the report. */
export interface Notice {
  readonly kind: "historical" | Exclude<Standing, "scored">;
  readonly title: string;
  readonly text: string;
}

export function noticesOf(report: Report): Notice[] {
  const { scan, site } = report;
  const notices: Notice[] = [];
  if (scan.historical) {
    notices.push({
      kind: "historical",
      title: "This is a historical report.",
      text:
        `It shows the scan of ${dayOf(scan.finishedAt)}, which is not the latest one. It keeps the ` +
        "scoring version that it was scored with.",
    });
  }
  const kind = standingOf(report);
  switch (kind) {
    case "redirected":
      notices.push({ kind, title: "Redirected: no score.", text: redirectText(report) });
      break;
    case "withheld": {
      // The report does not say why it has none, so neither does its page.
      const ending = scan.status === "complete" ? "" : `. Its scan ended as “${scan.status}”`;
      notices.push({
        kind,
        title: "No results, so no score.",
        text: `The directory knows ${site.host} but shows no results for it${ending}. That is not a score of zero.`,
      });
      break;
    }
    case "unscored":
      notices.push({
        kind,
        title: "No score.",
        text: `The scan ended as “${scan.status}” and could not be scored. That is not a score of zero.`,
      });
      break;
    case "scored":
  }
  return notices;
}

function redirectText({ site, scan }: Report): string {
  const { host = null, status = null } = scan.redirect ?? {};
  const where = host === null ? "another domain" : host;
  const how = status === null ? "" : ` (HTTP status ${status})`;
  return (
    `The homepage of ${site.host} redirects to ${where}${how}, so there is nothing here to score. ` +
    "That is not a score of zero."
  );
}

/** Whether the report's page has the badge to share, which always shows the latest score. */
export function isShared(report: Report): boolean {
  const standing = standingOf(report);
  return !report.scan.historical && (standing === "scored" || standing === "unscored");
}

/** The query that selects this report if it is historical; otherwise "". */
export function queryOf({ scan }: Report): string {
  return scan.historical ? `?scan=${scan.id}` : "";
}

/** A score as text. A missing score is never shown as a number. */
export function scoreText(score: number | null): string {
  return score === null ? "No score" : `${score} of 100`;
}

/** The score of a scan in a few words: `63 of 100, Open`. */
export function scoreWords(
  scan: Banded & { readonly score: number | null },
  context: PageContext,
): string {
  const band = bandLabel(scan, context);
  return `${scoreText(scan.score)}${scan.score === null || band === null ? "" : `, ${band}`}`;
}

/** One part of a score. */
export interface ScorePart {
  readonly kind: "block1" | "block2" | "penalties";
  readonly label: string;
  readonly points: number | null;
  /** The maximum number of points; null if unknown. */
  readonly of: number | null;
}

/** Whether a report says anything about the parts of its score. */
export function hasParts({ scan: { block1, block2, penalties } }: Report): boolean {
  return block1 !== null || block2 !== null || penalties !== null;
}

/** The blocks and the penalties. The maximum of a block is known only for the current rubric. */
export function scoreParts({ scan }: Report, { rubric }: PageContext): ScorePart[] {
  const isCurrent = scan.scoreVersion === rubric.version;
  const { block1, block2, penalties } = scan;
  const points = {
    block1,
    block2,
    penalties: penalties === null ? null : -Math.abs(penalties),
  };
  const most = { block1: rubric.block1Points, block2: rubric.block2Points, penalties: null };
  return (["block1", "block2", "penalties"] as const).map((kind) => ({
    kind,
    label: PART_NAMES[kind],
    points: points[kind],
    of: isCurrent ? most[kind] : null,
  }));
}

/** The score below its parts, with their sum if that is another number: `76.5, rounded to 77`. */
export function totalText({ scan }: Report): string {
  const { score, block1, block2, penalties, cappedAt } = scan;
  const shown = numberOf(score ?? 0);
  if (block1 === null || block2 === null || score === null) return shown;
  const sum = block1 + block2 - Math.abs(penalties ?? 0);
  if (sum === score) return shown;
  if (cappedAt !== null && sum > score) return `${numberOf(sum)}, capped at ${shown}`;
  if (Math.abs(sum - score) < 1) return `${numberOf(sum)}, rounded to ${shown}`;
  const isBeyond = (sum < 0 && score === 0) || (sum > 100 && score === 100);
  return isBeyond ? `${numberOf(sum)}, held at ${shown}` : shown;
}

/**
 * Explains why the parts exceed the score (docs/contract.md#24-score-and-band-of-a-scan); null if the score is not
 * capped.
 */
export function capText({ cappedAt }: Report["scan"]): string | null {
  if (cappedAt === null) return null;
  return (
    `The score is capped at ${cappedAt}: the homepage gave a crawler without a browser nothing to ` +
    "read. Its checks and penalties add up to more than the score."
  );
}

/** Related checks, in the report's order. */
export interface CheckGroup {
  readonly title: string;
  readonly about: string;
  readonly checks: readonly Check[];
}

/** All checks by the part of the score that they belong to. */
export function checkGroups({ checks, scan }: Report): CheckGroup[] {
  const inBlock = (block: number | null) =>
    checks.filter((check) => check.kind === "achievement" && check.block === block);
  const sum = (points: number | null) =>
    points === null || scan.score === null ? "" : ` ${pointsOf(points)} earned.`;
  const groups = [
    {
      title: PART_NAMES.block1,
      about: `Each check that passes adds points.${sum(scan.block1)}`,
      checks: inBlock(1),
    },
    {
      title: PART_NAMES.block2,
      about: `Each check that passes adds points.${sum(scan.block2)}`,
      checks: inBlock(2),
    },
    {
      title: PART_NAMES.noBlock,
      about: "These add no points.",
      checks: inBlock(null),
    },
    {
      title: PART_NAMES.penalties,
      about: "Each problem found here takes points away.",
      checks: checks.filter(({ kind }) => kind === "penalty"),
    },
    {
      title: PART_NAMES.capabilities,
      about: "What the site offers beyond the score. Extras add no points.",
      checks: checks.filter(({ kind }) => kind === "capability"),
    },
  ];
  return groups.filter((group) => group.checks.length > 0);
}

const STATUS_WORDS = { pass: "Passed", warn: "In part", fail: "Failed", na: "Not applicable" };
const PENALTY_WORDS = { ...STATUS_WORDS, pass: "Not found", fail: "Found" };
const CAPABILITY_WORDS = { ...STATUS_WORDS, pass: "Offered", fail: "Not offered" };

export function statusWord(check: Check): string {
  const { kind, status } = check;
  if (kind === "penalty") return PENALTY_WORDS[status];
  if (kind === "capability") return CAPABILITY_WORDS[status];
  return status === "fail" && costOf(check) === 0 ? "Not met" : STATUS_WORDS[status];
}

/** What a check's result says beyond its status; null if that is nothing. */
export function ownSummary(check: Check): string | null {
  const summary = visible(check.summary);
  return summary?.replace(/\.$/, "").trim() === statusWord(check) ? null : summary;
}

/** A check's points in words; null if it neither gives nor takes any, as in a report without a score. */
export function checkPoints(
  { points, maxPoints, status }: Check,
  { score }: Report["scan"],
): string | null {
  if (score === null) return null;
  // A check that does not apply has cost nothing, so its points are not shown as a loss.
  if (status === "na" && points === 0 && maxPoints > 0) {
    return `${pointsOf(maxPoints)} ${maxPoints === 1 ? "does" : "do"} not apply`;
  }
  if (maxPoints !== 0) return `${numberOf(points)} of ${pointsOf(maxPoints)}`;
  return points === 0 ? null : pointsOf(points);
}

/** The lifecycle in words if it is worth mentioning, otherwise null. */
export function lifecycleText({ lifecycle }: Check): string | null {
  if (lifecycle === "experimental") return "Experimental: it adds no points";
  return lifecycle === "deprecated" ? "Deprecated" : null;
}

const PENDING_STATES: readonly EnrichmentState["state"][] = ["queued", "generating", "delayed"];

/** The states of generated content that may still change. */
function pendingStates({ copy, starterFiles }: Enrichment): EnrichmentState[] {
  return [copy, starterFiles]
    .filter((one) => one !== null)
    .filter(({ state }) => PENDING_STATES.includes(state));
}

/** Whether any generated content may still change (docs/contract.md#10-polling-enrichment). */
export function isPending(enrichment: Enrichment): boolean {
  return pendingStates(enrichment).length > 0;
}

const ENRICHMENT_WORDS: Readonly<Record<EnrichmentState["state"], string>> = {
  queued: "Queued",
  generating: "Being generated",
  delayed: "Delayed",
  ready: "Ready",
  unavailable: "Not available",
};

/** A report's drafts of files; null if there are none to show. */
export function starterFilesOf({ starterFiles }: Report): Report["starterFiles"] {
  return starterFiles === null || Object.keys(starterFiles).length === 0 ? null : starterFiles;
}

/** The kinds of generated content, each with its progress in words. */
export function enrichmentRows(
  { copy, starterFiles }: Enrichment,
  report: Report,
): [string, string][] {
  const word = ({ state, nextRetryAt }: EnrichmentState) =>
    nextRetryAt === null
      ? ENRICHMENT_WORDS[state]
      : `${ENRICHMENT_WORDS[state]}, next try not before ${momentOf(nextRetryAt)}`;
  const rows: [string, string][] = [["Texts and fix prompts", word(copy)]];
  const unknown = starterFilesOf(report) === null ? "None for this scan" : "Shown below";
  if (starterFiles !== null) rows.push(["Starter files", word(starterFiles)]);
  else if (report.access.starterFiles) rows.push(["Starter files", unknown]);
  return rows;
}

/** The most characters of a site's name in titles. */
const NAME_MAX = 120;

/** A one-line summary of a report, for titles. */
export function headline({ site, scan }: Report): string {
  const name = visible(cutText(site.name ?? "", NAME_MAX));
  const who = name === null ? hostText(site.host) : `${name} (${site.host})`;
  const when = scan.historical ? `, scan of ${dayOf(scan.finishedAt)}` : "";
  return scan.score === null
    ? `${who}: no crawler-readiness score${when}`
    : `${who}: ${scan.score} of 100 for crawler readiness${when}`;
}

/** A description of the report in a sentence or two. */
export function descriptionOf(report: Report, context: PageContext): string {
  const { site, scan } = report;
  if (scan.score === null) {
    // The reason for the missing score comes first, because a description may be cut.
    const notices = noticesOf(report).toReversed();
    return notices.map(({ title, text }) => `${title} ${text}`).join(" ");
  }
  const band = bandLabel(scan, context);
  const score =
    `${site.host} scores ${scan.score} of 100${band === null ? "" : ` (${band})`} for how readable ` +
    "and accessible it is to AI crawlers";
  const summary = visible(scan.summary) === null ? "" : ` ${scan.summary}`;
  return `${score}, according to the scan of ${dayOf(scan.finishedAt)}.${summary}`;
}
