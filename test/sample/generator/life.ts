import LIVES from "./data/lives.json" with { type: "json" };
import type { Random } from "./random.js";

/** The outline of one scan of a listing, without its findings. */
export interface ScanPlan {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly finishedAt: string;
  /** complete, partial, failed or moved. */
  readonly status: string;
  /** Whether starter files have been drafted from this scan. */
  readonly drafts: boolean;
  /** Whether the previous scoring version applies. */
  readonly older: boolean;
  /** How many scans before the published one this scan is; -1 for a newer scan that the publisher holds back. */
  readonly age: number;
}

/** The state of a listing and the outline of its scans. */
interface Life {
  readonly visibility: string;
  /** A key of `plans` in lives.json. */
  readonly plan: string;
  /** claimed or unclaimed. */
  readonly status: string;
  readonly scanned: boolean;
  /** The status of the published scan. */
  readonly result: string;
  readonly earlierScans: number;
  /** Whether starter files have been drafted from the listing's scans. */
  readonly drafts: boolean;
  /** Whether the publisher holds back the newest scan and shows the one before it. */
  readonly heldBack: boolean;
  /** Whether the listing names its published scan even though that scan is the newest. */
  readonly pinned: boolean;
}

export const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_PUBLISHED = Date.UTC(2026, 5, 1);
const PUBLISHED_DAYS = 92;
/** Scans from this instant on use the current scoring version. */
const VERSION_CHANGE = Date.UTC(2026, 1, 2);
/** Some scans finish at this same instant, as one batch. */
const BATCH = Date.UTC(2026, 7, 15, 2);

const VISIBILITY_CHANCES = Object.entries(LIVES.visibilities);
const PLANS = Object.entries(LIVES.plans);
const ENTITLEMENTS: Readonly<Record<string, object>> = LIVES.entitlements;
const RESULTS = Object.entries(LIVES.results);
const EARLIER_SCANS = Object.entries(LIVES.earlierScans);
const SHOWCASE: readonly Partial<Life>[] = Object.values(LIVES.showcase);

/**
 * The life of listing `index`: its scans, oldest first, and the record keys that follow from its state. The first
 * listings are the showcase in lives.json, so that a small sample shows every feature.
 * @param random the listing's own stream
 */
export function lifeOf(index: number, random: Random) {
  const life = { ...drawnLife(random), ...SHOWCASE[index] };
  const { visibility, status, plan, scanned, heldBack, pinned } = life;
  const scans = scanned ? sampleScans(life, random) : [];
  const published = scans.find(({ age }) => age === 0)?.id;
  const publishedScan = heldBack || pinned ? published : undefined;
  return { visibility, status, entitlements: ENTITLEMENTS[plan], publishedScan, scans };
}

function drawnLife(random: Random): Life {
  const visibility = random.weighted(VISIBILITY_CHANCES);
  const isRedirected = visibility === "redirected";
  const plan = random.weighted(PLANS);
  return {
    visibility,
    plan,
    status: random.chance(plan === "none" ? 0.12 : 0.9) ? "claimed" : "unclaimed",
    scanned: isRedirected || random.chance(0.96),
    result: isRedirected ? "moved" : random.weighted(RESULTS),
    earlierScans: Number(random.weighted(EARLIER_SCANS)),
    drafts: random.chance(0.55),
    heldBack: random.chance(0.03),
    pinned: random.chance(0.03),
  };
}

function sampleScans(
  { result, earlierScans, drafts, heldBack }: Life,
  random: Random,
): readonly ScanPlan[] {
  let instant = FIRST_PUBLISHED + Math.floor(random.unit() * PUBLISHED_DAYS * DAY);
  if (random.chance(0.06)) instant = BATCH;
  if (random.chance(0.04)) instant = VERSION_CHANGE - random.between(1, 60) * DAY;
  const instants = heldBack ? [instant, instant + random.between(1, 20) * DAY] : [instant];
  for (let age = 1; age <= earlierScans; age += 1) {
    // Occasionally two scans finish at the same instant.
    if (!random.chance(0.03)) instant -= random.between(10 * 24, 55 * 24) * HOUR;
    instants.unshift(instant);
  }
  const code = random.code(5);
  const style = random.unit();
  return instants.map((finished, place) => {
    const age = earlierScans - place;
    return {
      // Ids grow with time, so of two scans at the same instant, the later one has the greater id.
      id: `scn_${String(place + 1).padStart(3, "0")}_${code}`,
      instant: finished,
      finishedAt: written(finished, style),
      status: age === 0 ? result : age < 0 ? "complete" : random.weighted(RESULTS),
      drafts,
      older: finished < VERSION_CHANGE,
      age,
    };
  });
}

/** The instant in the date-time notation of one of three tools. @param style selects the tool, from 0 to 1 */
function written(instant: number, style: number): string {
  if (style < 0.8) return new Date(instant).toISOString();
  if (style < 0.9) return `${new Date(instant).toISOString().slice(0, 19)}Z`;
  return `${new Date(instant + 2 * HOUR).toISOString().slice(0, -1)}+02:00`;
}
