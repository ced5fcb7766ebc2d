import type { Check, Fix, Report } from "../../contract/report.js";
import { counted, listed, numberOf, sentenceOf, visible } from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";

/*
 * What keeps a score from 100: a cap, faults, and checks that do not apply; first in numbers, then in sentences. The
 * page and its Markdown form take every promise of points from here. None is greater than what the score would gain.
 */

/** Something to improve: a check that did not pass, its fix, or both. */
export interface ToDo {
  readonly check: Check | null;
  readonly fix: Fix | null;
  /** The points that the check costs; 0 if the report has no score. */
  readonly cost: number;
}

/** A ceiling of the score (docs/contract.md#24-score-and-band-of-a-scan). */
export interface Cap {
  readonly at: number;
  /** The points by which the score rises if only the cap is removed; null if the report does not say. */
  readonly heldBack: number | null;
  /** The fixes that lift it, if the plan shows them, and the problems behind it. */
  readonly causes: readonly ToDo[];
}

/** What a report says about the way from its score to 100. */
export interface Outlook {
  /** Null if the score is not capped. */
  readonly cap: Cap | null;
  /** What costs the site points, the costliest first. Faults that cost the same stay in the report's order. */
  readonly faults: readonly ToDo[];
  /** Fixes of checks that change no score. */
  readonly optional: readonly ToDo[];
  /** Checks that do not apply, but whose points the site did not get. */
  readonly unearnable: readonly Check[];
  /** The points that the score gains if all faults are fixed, once any cap is gone. */
  readonly gain: number;
  /** The highest score that the site can reach, without checks that do not apply; null if that is 100 or unknown. */
  readonly reach: number | null;
  /** Whether several fixes are shown, so that what one brings alone is not what they bring together. */
  readonly hasSeveralFixes: boolean;
}

/** A gain of a score. */
export interface Gain {
  readonly points: number;
  /** The score that results, if it is known. */
  readonly scoreAfter: number | null;
  /** Whether the score gains it only once the cap is gone. */
  readonly isAfterCap: boolean;
}

/**
 * What to do leaves out the checks that do not apply, and their fixes.
 * @param left what the report's excerpt omits: sums over omitted checks are not known
 */
export function outlookOf(report: Report, left: LeftOut): Outlook {
  const { checks, fixes, scan } = report;
  const attached = new Map<string, Fix>();
  for (const fix of fixes.data) if (!attached.has(fix.checkId)) attached.set(fix.checkId, fix);
  const ofChecks = checks.flatMap((check) => {
    const fix = attached.get(check.checkId) ?? null;
    const cost = scan.score === null ? 0 : costOf(check);
    return fix !== null || isUnmet(check) ? [{ check, fix, cost }] : [];
  });
  const used = new Set(ofChecks.map(({ fix }) => fix));
  const ofFixes = fixes.data
    .filter((fix) => !used.has(fix))
    .map((fix) => ({ check: null, fix, cost: 0 }));
  const items = [...ofChecks, ...ofFixes].filter(applies);
  const causes = items.filter((item) => isCause(item, scan));
  const others = items.filter((item) => !causes.includes(item));
  const faults = others
    .filter((item) => isFault(item, scan))
    .sort((one, other) => worthOf(other) - worthOf(one));
  const optional = others.filter((item) => !faults.includes(item) && item.fix !== null);
  const unearnable = scan.score === null ? [] : checks.filter((check) => unearned(check) > 0);
  const alone = faults.map((item) => gainOf(item, scan)?.points ?? 0);
  const gain = Math.max(riseBy(sumOf(faults), scan, sumOf(causes)), ...alone);
  const cap =
    scan.cappedAt === null || scan.score === null
      ? null
      : { at: scan.cappedAt, heldBack: heldBackBy(scan), causes };
  const reach = left.checks === undefined ? reachOf(scan, items, unearnable) : null;
  const hasSeveralFixes = [...causes, ...faults].filter(({ fix }) => fix !== null).length > 1;
  return { cap, faults, optional, unearnable, gain, reach, hasSeveralFixes };
}

function applies({ check, fix }: ToDo): boolean {
  return (check ?? fix)?.status !== "na";
}

/** Whether a report's faults are a task for today: an older one may name faults that are long gone. */
export function hasTask({ scan }: Report, { cap, faults }: Outlook): boolean {
  return !scan.historical && faults.length + (cap?.causes.length ?? 0) > 0;
}

/** Whether a check failed, or passed only in part. Missing capabilities do not count. */
export function isUnmet({ kind, status }: Check): boolean {
  return kind !== "capability" && (status === "fail" || status === "warn");
}

/** The points that a check costs if it did not pass; 0 for one that changes no score. */
export function costOf(check: Check): number {
  if (!isUnmet(check) || check.lifecycle === "experimental") return 0;
  const { kind, points, maxPoints } = check;
  return kind === "penalty" ? Math.abs(points) : Math.max(0, maxPoints - points);
}

/** The points that a check which does not apply has kept from the site. */
export function unearned({ kind, status, points, maxPoints, lifecycle }: Check): number {
  const counts = kind === "achievement" && status === "na" && lifecycle !== "experimental";
  return counts ? Math.max(0, maxPoints - points) : 0;
}

/**
 * The gain from fixing something; null if the report has no score, or if that alone does not raise it.
 * The publisher's own `scoreAfter` decides; without it, the points of the check.
 */
function gainOf({ check, fix, cost }: ToDo, scan: Report["scan"]): Gain | null {
  const { score, cappedAt } = scan;
  if (score === null) return null;
  const scoreAfter = fix?.scoreAfter ?? null;
  if (scoreAfter !== null && scoreAfter > score) {
    return { points: scoreAfter - score, scoreAfter, isAfterCap: false };
  }
  const isAfterCap = cappedAt !== null;
  const lost = check === null ? (fix?.recoverablePoints ?? 0) : cost;
  const points = riseBy(lost, scan);
  if (points <= 0 || (scoreAfter !== null && !isAfterCap)) return null;
  return { points, scoreAfter: null, isAfterCap };
}

/** By how much a score without its cap rises with `more` points. @param before other points that are added first */
function riseBy(more: number, scan: Report["scan"], before = 0): number {
  const points = pointsOfScore(scan);
  if (points === null) return 0;
  return withinScale(points + before + more) - withinScale(points + before);
}

/**
 * The points of a score without its cap: those of blocks less penalties, which may be below 0. If they do not add up to
 * the score, the score itself counts, except for a 0 or a capped score, which could stand for any number of points.
 * @returns null if the points are not known
 */
function pointsOfScore({ score, block1, block2, penalties, cappedAt }: Report["scan"]) {
  if (score === null) return null;
  const points = (block1 ?? Number.NaN) + (block2 ?? Number.NaN) - Math.abs(penalties ?? 0);
  const isExplained =
    cappedAt === null ? Math.abs(withinScale(points) - score) < 1 : withinScale(points) >= score;
  if (isExplained) return points;
  return cappedAt === null && score > 0 ? score : null;
}

/** The points that a cap keeps from a score; null if the parts of the score do not say. */
function heldBackBy(scan: Report["scan"]): number | null {
  const points = pointsOfScore(scan);
  const held = points === null ? 0 : withinScale(points) - (scan.score ?? 0);
  return held > 0 ? held : null;
}

function withinScale(points: number): number {
  return Math.min(100, Math.max(0, points));
}

function sumOf(items: readonly ToDo[]): number {
  return items.reduce((sum, { cost }) => sum + cost, 0);
}

function reachOf(
  scan: Report["scan"],
  items: readonly ToDo[],
  unearnable: readonly Check[],
): number | null {
  const points = pointsOfScore(scan);
  if (points === null || unearnable.length === 0) return null;
  const reach = Math.round(withinScale(points + sumOf(items)));
  // Where no check applies, nothing is known about what such a site can reach.
  if (reach === 0) return null;
  const kept = unearnable.reduce((sum, check) => sum + unearned(check), 0);
  // Points that neither a fault nor a check that does not apply explains may still be earned.
  return Math.abs(100 - kept - reach) <= 1 ? reach : null;
}

/** Whether something is behind a cap: a fix that lifts it, or a problem that was found but takes no points itself. */
function isCause({ check, fix, cost }: ToDo, { cappedAt }: Report["scan"]): boolean {
  if (cappedAt === null) return false;
  const lifts = (fix?.scoreAfter ?? 0) > cappedAt;
  return lifts || (check?.kind === "penalty" && check.status === "fail" && cost === 0);
}

/** Whether something costs the site points, or would if there were a score. */
function isFault(item: ToDo, scan: Report["scan"]): boolean {
  const { check, cost } = item;
  if (scan.score !== null) return cost > 0 || gainOf(item, scan) !== null;
  return check === null || costOf(check) > 0;
}

function worthOf({ cost, fix }: ToDo): number {
  return Math.max(cost, fix?.recoverablePoints ?? 0);
}

export function pointsOf(points: number): string {
  return counted(points, "point");
}

/** What a cap does to the score, in a title and a text. */
export function capNotice({ at, heldBack }: Cap): {
  readonly title: string;
  readonly text: string;
} {
  const held =
    heldBack === null ? "" : `: ${pointsOf(heldBack)} ${heldBack === 1 ? "is" : "are"} held back`;
  return {
    title: `An empty shell limits this score to ${at}.`,
    text: `Fix this first${held}. The homepage gives a crawler without a browser nothing to read.`,
  };
}

/** How much there is to improve, in a sentence or two; "" if the report has neither checks nor faults. */
export function leadText(outlook: Outlook, report: Report, left: LeftOut): string {
  const { cap, faults, gain } = outlook;
  const isWhole = left.checks === undefined;
  if (faults.length === 0) return cap === null ? faultlessText(report, isWhole) : "";
  const least = isWhole ? "" : "At least ";
  const worth = `worth up to ${pointsOf(gain)}`;
  if (cap === null) {
    const order = faults.length > 1 && gain > 0 ? " The costliest come first." : "";
    return `${least}${counted(faults.length, "thing")} to improve${gain > 0 ? `, ${worth}` : ""}.${order}`;
  }
  const are = faults.length === 1 ? "is" : "are";
  const when = gain > 0 ? ` ${are} ${worth} once the cap is gone` : "";
  return `${least}${counted(faults.length, "other thing")} to improve${when}.`;
}

function faultlessText({ scan, checks }: Report, isWhole: boolean): string {
  if (checks.length === 0) return "";
  if (scan.score === null)
    return "No check of this scan has failed. As it gave no score, it may lack some of the checks.";
  const kept = checks.reduce((sum, check) => sum + unearned(check), 0);
  if (isWhole && scan.score + kept < 99)
    return "No check of this report says why the score is below 100.";
  return isWhole || scan.score === 100
    ? "Nothing costs this site points."
    : "None of the checks shown here costs this site points.";
}

/** What the plan hides of the fixes and of the drafts of starter files; null if that is nothing. */
export function planText(outlook: Outlook, report: Report, left: LeftOut): string | null {
  const fixes = fixesText(outlook, report, left);
  if (!report.starterFilesOffer) return fixes;
  return fixes === null
    ? "There are drafts of starter files for this site, but this listing’s plan does not include them."
    : `${fixes} It hides the drafts of starter files, too.`;
}

/**
 * How many fixes of failed checks are known, and how many of these the plan hides; null if it hides none. A report does
 * not say which fixes are hidden. The publisher's order is kept, so they are those of the failed checks that have none.
 */
function fixesText(
  { cap }: Outlook,
  { fixes: { data, hidden }, checks }: Report,
  left: LeftOut,
): string | null {
  if (hidden === 0) return null;
  if (left.checks !== undefined) return "This listing’s plan may hide further fixes.";
  const causes = cap?.causes.map(({ check }) => check) ?? [];
  const failed = checks.filter((check) => costOf(check) > 0 || causes.includes(check));
  const withFix = new Set(data.map(({ checkId }) => checkId));
  const shown = failed.filter(({ checkId }) => withFix.has(checkId)).length;
  const rest = Math.min(hidden, failed.length - shown);
  if (rest === 0) return null;
  const total = shown + rest;
  const known = `${counted(total, "fix", "fixes")} ${total === 1 ? "is" : "are"} known`;
  const are = rest === 1 ? "is" : "are";
  return shown === 0
    ? `${known}, but this listing’s plan does not show ${total === 1 ? "it" : "them"}.`
    : `${known}. The first ${shown === 1 ? "is" : `${numberOf(shown)} are`} shown; ${numberOf(rest)} ` +
        `more ${are} hidden by this listing’s plan.`;
}

/** The checks whose points the site could not earn, and the score that it can reach; null if it can earn all points. */
export function unearnableText({ unearnable, reach }: Outlook, { scan }: Report): string | null {
  if (unearnable.length === 0) return null;
  const parts = unearnable.map((check, index) => {
    const points = unearned(check);
    const number = index === 0 ? pointsOf(points) : numberOf(points);
    const verb = index > 0 ? "" : ` belong${points === 1 ? "s" : ""}`;
    return `${number}${verb} to ${visible(check.label) ?? check.checkId}`;
  });
  const [only] = unearnable;
  const reason = unearnable.length === 1 ? visible(only?.summary ?? null) : null;
  const apply = unearnable.length === 1 ? "does" : "do";
  const most =
    reach === null
      ? ""
      : scan.score === reach
        ? " This score is the highest that a site of this kind can reach."
        : ` A site of this kind can reach ${reach} of 100.`;
  return (
    `${listed(parts)}, which ${apply} not apply to this ` +
    `site${reason === null ? "." : `: ${sentenceOf(reason)}`}${most}`
  );
}

/** What a fault costs, or what it is worth under a cap; null if it changes no score. */
export function costText(item: ToDo, scan: Report["scan"]): string | null {
  const gain = gainOf(item, scan);
  if (gain?.isAfterCap === true) return gainText(gain, false);
  return item.cost > 0 && scan.cappedAt === null ? `−${pointsOf(item.cost)}` : null;
}

function gainText({ points, scoreAfter, isAfterCap }: Gain, hasSeveralFixes: boolean): string {
  if (isAfterCap) return `${pointsOf(points)} once the cap is gone`;
  const gain = `+${pointsOf(points)}`;
  if (scoreAfter === null) return gain;
  return hasSeveralFixes
    ? `${gain} (alone: ${scoreAfter} of 100)`
    : `${gain}, to ${scoreAfter} of 100`;
}

/** What a fix brings; null if another text beside it says so, or the report has no score. */
export function fixGainText(
  item: ToDo,
  { hasSeveralFixes }: Outlook,
  scan: Report["scan"],
): string | null {
  if (scan.score === null) return null;
  const gain = gainOf(item, scan);
  const { check } = item;
  if (gain !== null)
    return gain.isAfterCap && check !== null ? null : gainText(gain, hasSeveralFixes);
  const isWorthless = check !== null && costOf(check) === 0;
  if (scan.cappedAt !== null && !isWorthless) return null;
  return isWorthless ? "This brings no points" : "This alone brings no points";
}
