import type { Report } from "../../contract/report.js";
import { counted, listed, numberOf, sentenceOf, visible } from "../kit/words.js";
import type { LeftOut } from "./excerpt.js";
import {
  type Cap,
  costOf,
  type Gain,
  gainOf,
  type Outlook,
  type ToDo,
  unearned,
} from "./faults.js";
import { pointsOf } from "./report-texts.js";

/* The way from a score to 100 in words, for the page and its Markdown form. */

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
  if (scan.score === null) return "No check that applies to this site has failed.";
  return isWhole || scan.score === 100
    ? "Nothing costs this site points."
    : "None of the checks shown here costs this site points.";
}

/**
 * How many fixes of failed checks are known, and how many of these the plan hides; null if it hides none. A report does
 * not say which fixes are hidden. The publisher's order is kept, so they are those of the failed checks that have none.
 */
export function fixesText(
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
  if (gain?.isAfterCap === true) return gainText(gain);
  return item.cost > 0 && scan.cappedAt === null ? `−${pointsOf(item.cost)}` : null;
}

function gainText({ points, scoreAfter, isAfterCap }: Gain): string {
  if (isAfterCap) return `${pointsOf(points)} once the cap is gone`;
  return scoreAfter === null
    ? `+${pointsOf(points)}`
    : `+${pointsOf(points)}, to ${scoreAfter} of 100`;
}

/** What a fix brings; null if another text beside it says so, or the report has no score. */
export function fixGainText(item: ToDo, scan: Report["scan"]): string | null {
  if (scan.score === null) return null;
  const gain = gainOf(item, scan);
  if (gain !== null) return gain.isAfterCap && item.check !== null ? null : gainText(gain);
  const { check, fix } = item;
  if ((check ?? fix)?.status === "na") return "The check does not apply: this brings no points";
  const isWorthless = check !== null && costOf(check) === 0;
  if (scan.cappedAt !== null && !isWorthless) return null;
  return isWorthless ? "This brings no points" : "This alone brings no points";
}
