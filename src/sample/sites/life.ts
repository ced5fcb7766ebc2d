import type { Random } from "../random.js";
import type { Plan, ScanStatus, Visibility } from "../records.js";

/** One scan that a listing has had, before anything is known of its findings. */
export interface ScanPlan {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly finishedAt: string;
  readonly status: ScanStatus;
  /** Scored under the scoring version before the current one. */
  readonly older: boolean;
  /** Replaced by a newer one: archived with less in it. */
  readonly archived: boolean;
  /** Scans between it and the newest: sites get better with time. */
  readonly age: number;
}

/** What has happened to a listing. */
export interface Life {
  readonly visibility: Visibility;
  readonly plan: Plan | undefined;
  readonly status: string;
  /** Oldest first; none for a listing that was never scanned. */
  readonly scans: readonly ScanPlan[];
  /** The scan that the publisher names; absent: the newest. */
  readonly publishedScan: string | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_PUBLISHED = Date.UTC(2026, 5, 1);
const PUBLISHED_DAYS = 92;
/** Since when scans are scored under the current version. */
const VERSION_CHANGE = Date.UTC(2026, 1, 2);
/** Listings of the last batch were all finished at once. */
const BATCH = Date.UTC(2026, 7, 15, 2);

const PLANS = [
  [undefined, 74],
  [{}, 3],
  [{ history: true }, 8],
  [{ fixPrompts: 2 }, 4],
  [{ history: true, fixPrompts: 3, starterFiles: false }, 3],
  [{ history: true, fixPrompts: null, starterFiles: true, highlight: true }, 8],
] as const satisfies readonly (readonly [Plan | undefined, number])[];

const VISIBILITIES = [
  ["listed", 900],
  ["blocked", 17],
  ["opted-out", 20],
  ["redirected", 20],
  ["removed", 22],
  ["deleted", 21],
] as const satisfies readonly (readonly [Visibility, number])[];

const STATUSES = [
  ["complete", 895],
  ["partial", 55],
  ["failed", 32],
  ["moved", 18],
] as const satisfies readonly (readonly [ScanStatus, number])[];

/** A listing's life. @param random the listing's own stream */
export function lifeOf(random: Random): Life {
  const visibility = random.weighted(VISIBILITIES);
  const plan = random.weighted<Plan | undefined>(PLANS);
  const status = statusOf(random, plan);
  if (visibility !== "redirected" && random.chance(0.04)) {
    return { visibility, plan, status, scans: [], publishedScan: undefined };
  }
  const found = visibility === "redirected" ? "moved" : random.weighted(STATUSES);
  const past = random.chance(0.34)
    ? random.weighted([
        [1, 36],
        [2, 25],
        [3, 15],
        [4, 10],
        [5, 8],
        [6, 6],
      ] as const)
    : 0;
  const heldBack = random.chance(0.03);
  const scans = scansOf(random, { found, past, heldBack });
  const published = scans.at(heldBack ? -2 : -1)!;
  const pinned = heldBack || random.chance(0.03);
  return { visibility, plan, status, scans, publishedScan: pinned ? published.id : undefined };
}

function statusOf(random: Random, plan: Plan | undefined): string {
  // A claim that was given back, whatever the plan.
  if (random.chance(0.015)) return "unclaimed";
  return random.chance(plan === undefined ? 0.12 : 0.9) ? "claimed" : "unclaimed";
}

function scansOf(
  random: Random,
  life: { found: ScanStatus; past: number; heldBack: boolean },
): ScanPlan[] {
  const moments = momentsOf(random, life.past);
  const code = random.code(5);
  const scans = moments.map((instant, place): ScanPlan => {
    const published = place === life.past;
    const status = published ? life.found : random.weighted(STATUSES);
    return {
      id: idOf(place, code),
      instant,
      finishedAt: written(random, instant),
      status,
      older: instant < VERSION_CHANGE,
      archived: !published,
      age: life.past - place,
    };
  });
  if (!life.heldBack) return scans;
  const later = moments.at(-1)! + random.between(1, 20) * DAY;
  const held: ScanPlan = {
    id: idOf(moments.length, code),
    instant: later,
    finishedAt: written(random, later),
    status: "complete",
    older: later < VERSION_CHANGE,
    archived: false,
    age: 0,
  };
  return [...scans, held];
}

/** Instants of the past scans and of the published one, oldest first; now and then two are equal. */
function momentsOf(random: Random, past: number): number[] {
  let instant = FIRST_PUBLISHED + Math.floor(random.unit() * PUBLISHED_DAYS * DAY);
  if (random.chance(0.06)) instant = BATCH;
  if (random.chance(0.04)) instant = VERSION_CHANGE - random.between(1, 60) * DAY;
  const moments = [instant];
  while (moments.length <= past) {
    if (!random.chance(0.03)) instant -= random.between(10 * 24, 55 * 24) * HOUR;
    moments.unshift(instant);
  }
  return moments;
}

/** Ids grow with time, so that of two scans at one instant the later has the greater id. */
function idOf(place: number, code: string): string {
  return `scn_${String(place + 1).padStart(3, "0")}_${code}`;
}

/** The same instants, as several tools would write them. */
function written(random: Random, instant: number): string {
  const style = random.unit();
  if (style < 0.8) return new Date(instant).toISOString();
  if (style < 0.9) return `${new Date(instant).toISOString().slice(0, 19)}Z`;
  return `${new Date(instant + 2 * HOUR).toISOString().slice(0, -1)}+02:00`;
}
