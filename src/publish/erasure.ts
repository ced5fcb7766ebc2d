import { z } from "zod";
import type { ScoreMove } from "../compile/report.js";
import { Count } from "../contract/field.js";
import { LIMITS } from "../contract/limits.js";
import { byCodeUnit, firstWhere } from "../contract/order.js";
import type { Listing } from "../input/checking/schemas.js";
import { SnapshotId } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { snapshotIds } from "../store/reader.js";
import type { StoredSegments } from "../store/stored-segments.js";
import type { BuilderNotes } from "./notes.js";
import type { DoneSegments } from "./segments.js";

/**
 * Whether an old answer may stay in the store's files after a field of a listing has changed. `erases`: it may not, as
 * the site's owner may have asked for the change. `loss`: only if the plan lost nothing. `leaves`: it may stay until it
 * is tidied away, as it was public. (A scan record that changes or leaves the input always erases.)
 */
const CHANGES: Readonly<Record<keyof Listing, "erases" | "loss" | "leaves">> = {
  host: "erases",
  url: "erases",
  name: "erases",
  tagline: "erases",
  description: "erases",
  status: "leaves",
  visibility: "erases",
  category: "leaves",
  tags: "leaves",
  platforms: "leaves",
  hosting: "erases",
  linkRel: "leaves",
  logoUrl: "erases",
  ogImageUrl: "erases",
  entitlements: "loss",
  // Going back to an older scan erases too; `segments.ts` compares the times of the published scans.
  publishedScan: "leaves",
};

const ERASING = (Object.keys(CHANGES) as (keyof Listing)[]).filter(
  (name) => CHANGES[name] === "erases",
);

/**
 * Words of a fingerprint: the hash of the host, a digest of the erasing fields (2), the plan's flags with the move of
 * the score above them, and the plan's number of fixes.
 */
const FINGERPRINT_WORDS = 5;

/** The plan's flags are below this. */
const FLAGS = 8;
/** How many scores there are. */
const SCORES = LIMITS.scoreMax + 1;

/** What a listing's plan opens, as numbers. */
export interface Plan {
  /** 1 if the reports of older scans can be read, plus 2 for starter files, plus 4 for a highlight. */
  readonly flags: number;
  readonly fixPrompts: number;
}

/** The number of fixes of a plan that shows all. */
const ALL_FIXES = 2 ** 32 - 1;

/** @param fixPrompts null for all */
export function planWith(
  { history, starterFiles, highlight }: Omit<Listing["entitlements"], "fixPrompts">,
  fixPrompts: number | null,
): Plan {
  const flags = Number(history) + 2 * Number(starterFiles) + 4 * Number(highlight);
  return { flags, fixPrompts: Math.min(fixPrompts ?? ALL_FIXES, ALL_FIXES) };
}

/** Whether a plan opens something that another one does not. */
export function opensMore(plan: Plan, than: Plan): boolean {
  return (plan.flags & ~than.flags) !== 0 || plan.fixPrompts > than.fixPrompts;
}

/** What both of two plans open. */
function commonPlan(one: Plan, other: Plan): Plan {
  return {
    flags: one.flags & other.flags,
    fixPrompts: Math.min(one.fixPrompts, other.fixPrompts),
  };
}

/**
 * The fields of a listing that decide whether a change erases, in numbers of 32 bits for the builder's notes.
 * @param move between the scores of the former rubric and the current one; null without one in search
 */
export function fingerprintOf(listing: Listing, hash: number, move: ScoreMove | null): number[] {
  const digest = sha256(JSON.stringify(ERASING.map((name) => listing[name])));
  const { entitlements } = listing;
  const { flags, fixPrompts } = planWith(entitlements, entitlements.fixPrompts);
  const moved = move === null ? 0 : 1 + SCORES * move.from + move.to;
  return [hash, word(digest, 0), word(digest, 8), flags + FLAGS * moved, fixPrompts];
}

function word(digest: string, at: number): number {
  return Number.parseInt(digest.slice(at, at + 8), 16);
}

/** How many listings have one move of the score. */
export interface CountedMove extends ScoreMove {
  readonly sites: number;
}

/** The fingerprints of all listings of the input, sorted by hash. */
export class Fingerprints {
  readonly #words: Uint32Array;

  /** @param words `FINGERPRINT_WORDS` for each listing, in any order */
  constructor(words: Uint32Array) {
    const rows = Array.from(
      { length: words.length / FINGERPRINT_WORDS },
      (_, row) => FINGERPRINT_WORDS * row,
    );
    rows.sort((a, b) => words[a]! - words[b]!);
    this.#words = new Uint32Array(words.length);
    for (const [place, row] of rows.entries()) {
      this.#words.set(words.subarray(row, row + FINGERPRINT_WORDS), FINGERPRINT_WORDS * place);
    }
  }

  get words(): Uint32Array {
    return this.#words;
  }

  /** The fingerprint of the one listing with this hash; null if there is none, or more than one. */
  of(hash: number): Uint32Array | null {
    const words = this.#words;
    const count = words.length / FINGERPRINT_WORDS;
    const at =
      FINGERPRINT_WORDS *
      firstWhere(0, count, (fingerprint) => words[FINGERPRINT_WORDS * fingerprint]! >= hash);
    const isOne = words[at] === hash && words[at + FINGERPRINT_WORDS] !== hash;
    return isOne ? words.subarray(at, at + FINGERPRINT_WORDS) : null;
  }

  /** The plans by hash; of listings with the same hash, what all of them open. */
  plans(): Map<number, Plan> {
    const plans = new Map<number, Plan>();
    for (let at = 0; at < this.#words.length; at += FINGERPRINT_WORDS) {
      addPlan(plans, this.#words[at]!, planAt(this.#words.subarray(at, at + FINGERPRINT_WORDS)));
    }
    return plans;
  }

  /** The moves of scores, with the number of listings that have each, sorted. */
  moves(): CountedMove[] {
    const counts = new Map<number, number>();
    for (let at = 0; at < this.#words.length; at += FINGERPRINT_WORDS) {
      const moved = Math.floor(this.#words[at + 3]! / FLAGS) - 1;
      if (moved >= 0) counts.set(moved, (counts.get(moved) ?? 0) + 1);
    }
    return [...counts]
      .sort(([a], [b]) => a - b)
      .map(([moved, sites]) => ({
        from: Math.floor(moved / SCORES),
        to: moved % SCORES,
        sites,
      }));
  }

  /** These fingerprints without those whose hash is in `gone`, and with `more`. */
  with(gone: ReadonlySet<number>, more: Uint32Array): Fingerprints {
    const kept: number[] = [];
    for (let at = 0; at < this.#words.length; at += FINGERPRINT_WORDS) {
      if (gone.has(this.#words[at]!)) continue;
      for (let word = at; word < at + FINGERPRINT_WORDS; word += 1) kept.push(this.#words[word]!);
    }
    const words = new Uint32Array(kept.length + more.length);
    words.set(kept);
    words.set(more, kept.length);
    return new Fingerprints(words);
  }
}

/** Adds a plan to those by hash: listings with the same hash get what all of them have. */
export function addPlan(plans: Map<number, Plan>, hash: number, plan: Plan): void {
  const known = plans.get(hash);
  plans.set(hash, known === undefined ? plan : commonPlan(known, plan));
}

/** Whether the change from one fingerprint to another erases the former answers. */
export function erases(before: Uint32Array | null, after: Uint32Array | null): boolean {
  if (before === null || after === null) return true;
  const isOtherText = before[1] !== after[1] || before[2] !== after[2];
  return isOtherText || opensMore(planAt(before), planAt(after));
}

function planAt(fingerprint: Uint32Array): Plan {
  return { flags: fingerprint[3]! % FLAGS, fixPrompts: fingerprint[4]! };
}

/** A listing's visibility, or `unscanned` if it is listed but has no scan. */
export type TombstoneReason =
  | "blocked"
  | "opted-out"
  | "redirected"
  | "removed"
  | "deleted"
  | "unscanned";

/** A listing of the input that has no report, or whose report is withheld. */
export const Tombstone = z.strictObject({
  host: z.string(),
  why: z.enum([
    "blocked",
    "opted-out",
    "redirected",
    "removed",
    "deleted",
    "unscanned",
  ]) satisfies z.ZodType<TombstoneReason>,
});
export type Tombstone = z.infer<typeof Tombstone>;

/**
 * Stated visibilities and plans that a rollback must respect, although the listings are gone: an earlier build had them
 * in its input, and the last one did not.
 */
export const MissingListings = z.strictObject({
  /** The snapshots that were in the store when the listings went missing and are still there. */
  snapshots: z.array(SnapshotId),
  tombstones: z.array(Tombstone),
  /** By the hash of the host: the plan's flags and number of fixes (`Plan`). */
  plans: z.array(z.tuple([Count, Count, Count])).default([]),
});
export type MissingListings = z.infer<typeof MissingListings>;

/** Tombstones in the form of the notes: one for each host, sorted by host. */
export function inOrder(tombstones: Iterable<Tombstone>): Tombstone[] {
  const byHost = new Map(Array.from(tombstones, (tombstone) => [tombstone.host, tombstone]));
  return [...byHost.values()].sort((a, b) => byCodeUnit(a.host, b.host));
}

/**
 * The stated visibilities and plans to remember after a build. They belong to listings that are no longer in the
 * input, while the store still has a snapshot from which a rollback could bring them back.
 * @param before the notes of the previous build
 * @param after the segments of this build
 * @throws BadSnapshotError if a file that this build wrote cannot be read
 */
export async function missingAfter(
  store: string,
  before: BuilderNotes,
  done: DoneSegments,
  after: StoredSegments,
): Promise<MissingListings[]> {
  const found = await snapshotIds(store);
  const inInput = new Set(done.tombstones.map(({ host }) => host));
  const stated = done.fingerprints.plans();
  const groups = [
    ...before.missing,
    {
      snapshots: before.publications,
      tombstones: before.tombstones,
      plans: before.built === null ? [] : plansIn(new Fingerprints(before.built.fingerprints)),
    },
  ]
    .map(({ snapshots, tombstones, plans }) => ({
      snapshots: snapshots.filter((id) => found.includes(id)),
      tombstones: tombstones.filter(({ host, why }) => why !== "unscanned" && !inInput.has(host)),
      plans: plans.filter(([hash]) => !stated.has(hash)),
    }))
    .filter(({ snapshots }) => snapshots.length > 0);
  const hosts = groups.flatMap(({ tombstones }) => tombstones.map(({ host }) => host));
  const reported = await reportedHosts(after, hosts);
  return groups
    .map((group) => ({
      ...group,
      tombstones: group.tombstones.filter(({ host }) => !reported.has(host)),
    }))
    .filter(({ tombstones, plans }) => tombstones.length > 0 || plans.length > 0);
}

function plansIn(fingerprints: Fingerprints): MissingListings["plans"] {
  return Array.from(fingerprints.plans(), ([hash, { flags, fixPrompts }]) => [
    hash,
    flags,
    fixPrompts,
  ]);
}

/** The given hosts that have a report after the build. */
async function reportedHosts(set: StoredSegments, hosts: readonly string[]): Promise<Set<string>> {
  const reported = new Set<string>();
  for (const host of hosts) if ((await set.find(host)) !== null) reported.add(host);
  return reported;
}
