import CHECKS from "./data/checks.json" with { type: "json" };
import STANDARDS from "./data/standards.json" with { type: "json" };
import type { Random } from "./random.js";
import { type Context, holds, recordTemplate, textTemplate } from "./template.js";

/** A possible result of a check. The first outcome that fits becomes the result. */
interface PossibleOutcome {
  /** A condition on the site, see `holds`. */
  readonly if?: string | undefined;
  /** The outcome fits with this probability plus the site's quality. */
  readonly quality?: number | undefined;
  /** The outcome fits with this probability; default 1. */
  readonly chance?: number | undefined;
  readonly status: string;
  readonly summary: string | null;
  readonly details?: object | undefined;
}

interface CheckData {
  readonly outcomes: readonly PossibleOutcome[];
  /** Points in the older scoring version; absent if that version does not have the check. */
  readonly olderPoints?: number;
  readonly fix?: Readonly<Record<"title" | "kind" | "summary" | "prompt", string>>;
}

/** The sums over the checks of a scan (contract section 2, Report.scan). */
export interface SampleScore extends Record<"score" | "block1" | "block2" | "penalties", number> {
  /** The ceiling, if the points exceed it; otherwise null. */
  readonly cappedAt: number | null;
}

export type SampleCheck = ReturnType<typeof checksOf>[number];

/** The maximum score of a site whose homepage is empty without JavaScript. */
const SHELL_CEILING = 25;
const FIXES_MAX = 7;
/** The share of a check's points that each status earns. */
const SHARES: Readonly<Record<string, number>> = { pass: 1, na: 1, warn: 0.5, fail: 0 };

const CHECK_DATA: Readonly<Record<string, CheckData>> = CHECKS.checks;
const CURRENT_CHECKS = STANDARDS.checks
  .filter(({ lifecycle }) => lifecycle !== "deprecated")
  .map((check) => ratedCheck(check, check.weight));
/** The older scoring version has no lifecycles. */
const OLDER_CHECKS = STANDARDS.checks.flatMap((check) => {
  const points = CHECK_DATA[check.id]?.olderPoints;
  const version = Math.max(1, check.version - 1);
  return points === undefined ? [] : ratedCheck({ ...check, version, lifecycle: null }, points);
});

type Described = Omit<(typeof STANDARDS.checks)[number], "lifecycle"> & {
  readonly lifecycle: string | null;
};

/** A check with the templates of its outcomes. @param worth the points that it can add or, as a penalty, take away */
function ratedCheck(
  { id, version, title, name, kind, block, lifecycle }: Described,
  worth: number,
) {
  const isPenalty = kind === "penalty";
  const notFound: PossibleOutcome = { status: isPenalty ? "pass" : "fail", summary: "Not found." };
  const outcomes = [...CHECK_DATA[id]!.outcomes, notFound].map((outcome) => ({
    ...outcome,
    text: outcome.summary?.includes("{") ? textTemplate(outcome.summary) : null,
    seen: recordTemplate(outcome.details ?? {}),
    points: isPenalty
      ? 0 - (outcome.status === "fail" ? worth : 0)
      : worth * SHARES[outcome.status]!,
  }));
  const checkVersion = version;
  const shown = { checkId: id, checkVersion, title, label: name, kind, block, lifecycle };
  return { shown, maxPoints: isPenalty ? 0 : worth, outcomes };
}

/**
 * The results of one scan (contract section 2, Check).
 * @param quality the site's quality at the time of the scan, from 0 to 1
 * @param older whether the older scoring version applies
 */
export function checksOf(context: Context, quality: number, older: boolean) {
  const { random, traits } = context;
  return (older ? OLDER_CHECKS : CURRENT_CHECKS).map(({ shown, maxPoints, outcomes }) => {
    const luck = random.unit();
    const { status, summary, text, seen, points } = outcomes.find(
      ({ if: condition, quality: ease, chance = 1 }) =>
        (condition === undefined || holds(condition, traits)) &&
        luck < (ease === undefined ? chance : quality + ease),
    )!;
    const details = seen(context);
    const facts = text && { ...context.facts, ...details };
    const seenSummary = facts ? text({ random, traits, facts }) : summary;
    // The spread comes last, because V8 adds keys to a copied object forty times slower.
    return { status, points, maxPoints, summary: seenSummary, details, ...shown };
  });
}

/** The score of a scan, from its checks. */
export function scoreOfChecks(checks: readonly SampleCheck[]): SampleScore {
  const sum = (some: (check: SampleCheck) => boolean) =>
    checks.filter(some).reduce((total, { points }) => total + points, 0);
  const block1 = sum(({ block }) => block === 1);
  const block2 = sum(({ block }) => block === 2);
  const penalties = 0 - sum(({ kind }) => kind === "penalty");
  const total = rounded(block1 + block2 - penalties);
  const isShell = checks.some((one) => one.checkId === "empty-shell" && one.status === "fail");
  const cappedAt = isShell && total > SHELL_CEILING ? SHELL_CEILING : null;
  return { score: cappedAt ?? total, block1, block2, penalties, cappedAt };
}

/** The fixes that a scan proposes, at most `FIXES_MAX`, sorted by the points that they recover, highest first. */
export function fixesOf(
  host: string,
  checks: readonly SampleCheck[],
  score: SampleScore,
  random: Random,
) {
  // A scan has either most of its prompts archived or none.
  const archives = random.chance(0.9);
  return checks
    .flatMap(({ checkId, status, points, maxPoints }) => {
      const fix = CHECK_DATA[checkId]?.fix;
      const recovered = maxPoints - points;
      const isUseful = recovered > 0 || (checkId === "llms-txt" && status !== "pass");
      return fix !== undefined && isUseful ? [{ checkId, status, fix, recovered }] : [];
    })
    .sort((a, b) => b.recovered - a.recovered)
    .slice(0, FIXES_MAX)
    .map(({ checkId, status, fix: { title, kind, summary, prompt }, recovered }) => {
      const isArchived = archives && !random.chance(0.04);
      return {
        checkId,
        title,
        kind,
        status,
        summary: random.chance(0.1) ? null : summary,
        recoverablePoints: recovered,
        scoreAfter: scoreAfter(score, checkId, recovered),
        prompt: isArchived ? prompt.replaceAll("{host}", host) : null,
        promptStatus: isArchived ? "archived" : "unavailable",
      };
    });
}

/** The score after one check is fixed. Fixing `server-rendered` also removes the ceiling. */
function scoreAfter(current: SampleScore, checkId: string, recovered: number): number {
  const total = rounded(current.block1 + current.block2 - current.penalties + recovered);
  return checkId === "server-rendered" ? total : Math.min(total, current.cappedAt ?? total);
}

function rounded(points: number): number {
  return Math.min(100, Math.max(0, Math.round(points)));
}
