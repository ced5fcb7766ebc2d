import LIVES from "./data/lives.json" with { type: "json" };
import type { Random } from "./random.js";

/** One scan that a listing has had, before anything is known of its findings. */
export interface ScanPlan {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly finishedAt: string;
  /** complete, partial, failed or moved. */
  readonly status: string;
  /** Starter files have been drafted from it. */
  readonly drafts: boolean;
  /** Scored under the scoring version before the current one. */
  readonly older: boolean;
  /** How many scans later the published one follows; -1 for a newer scan that the publisher holds back. */
  readonly age: number;
}

/** What has happened to a listing. */
interface Life {
  readonly visibility: string;
  /** A key of `plans` in lives.json. */
  readonly plan: string;
  /** claimed or unclaimed. */
  readonly status: string;
  readonly scanned: boolean;
  /** Status of the published scan. */
  readonly result: string;
  readonly earlierScans: number;
  /** Starter files have been drafted from its current scans. */
  readonly drafts: boolean;
  /** The publisher shows the scan before the newest. */
  readonly heldBack: boolean;
  /** The publisher names the published scan, although it is the newest. */
  readonly pinned: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_PUBLISHED = Date.UTC(2026, 5, 1);
const PUBLISHED_DAYS = 92;
/** Since when scans are scored under the current version. */
const VERSION_CHANGE = Date.UTC(2026, 1, 2);
/** Some scans finished in one batch, at one instant. */
const BATCH = Date.UTC(2026, 7, 15, 2);

const VISIBILITIES = Object.entries(LIVES.visibilities);
const PLANS = Object.entries(LIVES.plans);
const ENTITLEMENTS: Readonly<Record<string, object>> = LIVES.entitlements;
const RESULTS = Object.entries(LIVES.results);
const EARLIER_SCANS = Object.entries(LIVES.earlierScans);
const SHOWCASE: readonly Partial<Life>[] = Object.values(LIVES.showcase);

/**
 * What has happened to listing `index`: its scans, oldest first, and the keys of its record that follow. The first
 * listings are the showcase of lives.json, so that a small sample shows every feature.
 * @param random the listing's own stream
 */
export function lifeOf(index: number, random: Random) {
  const life = { ...drawnLife(random), ...SHOWCASE[index] };
  const { visibility, status, plan, scanned, heldBack, pinned } = life;
  const scans = scanned ? scansOf(life, random) : [];
  const published = scans.find(({ age }) => age === 0)?.id;
  const publishedScan = heldBack || pinned ? published : undefined;
  return { visibility, status, entitlements: ENTITLEMENTS[plan], publishedScan, scans };
}

function drawnLife(random: Random): Life {
  const visibility = random.weighted(VISIBILITIES);
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

function scansOf(
  { result, earlierScans, drafts, heldBack }: Life,
  random: Random,
): readonly ScanPlan[] {
  let instant = FIRST_PUBLISHED + Math.floor(random.unit() * PUBLISHED_DAYS * DAY);
  if (random.chance(0.06)) instant = BATCH;
  if (random.chance(0.04)) instant = VERSION_CHANGE - random.between(1, 60) * DAY;
  const instants = heldBack ? [instant, instant + random.between(1, 20) * DAY] : [instant];
  for (let age = 1; age <= earlierScans; age += 1) {
    // Now and then two scans finish at one instant.
    if (!random.chance(0.03)) instant -= random.between(10 * 24, 55 * 24) * HOUR;
    instants.unshift(instant);
  }
  const code = random.code(5);
  const style = random.unit();
  return instants.map((finished, place) => {
    const age = earlierScans - place;
    return {
      // Ids grow with time: of two scans at one instant, the later one has the greater id.
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

/** The instant as one of three tools writes it. @param style from 0 to 1 */
function written(instant: number, style: number): string {
  if (style < 0.8) return new Date(instant).toISOString();
  if (style < 0.9) return `${new Date(instant).toISOString().slice(0, 19)}Z`;
  return `${new Date(instant + 2 * HOUR).toISOString().slice(0, -1)}+02:00`;
}
