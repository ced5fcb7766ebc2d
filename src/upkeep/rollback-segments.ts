import { setImmediate } from "node:timers/promises";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { itemAt } from "../contract/tables.js";
import { type OnProgress, PHASES } from "../lib/options.js";
import {
  addPlan,
  Fingerprints,
  opensMore,
  type Plan,
  planWith,
  type Tombstone,
  type TombstoneReason,
} from "../publish/erasure.js";
import type { BuilderNotes } from "../publish/notes.js";
import { type CopyOrder, copySegments } from "../publish/segment-work.js";
import { withoutWithdrawn } from "../publish/withdrawals.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { type Segment, segmentFiles, type Withdrawal } from "../store/format.js";
import { checkHash, StoredSnapshot } from "../store/reader.js";
import { type DirectoryEntry, directoryHosts } from "../store/segments/directory.js";
import { storedJson } from "../store/stored-json.js";
import {
  type ListingChange,
  listingChanges,
  type StoredSegments,
} from "../store/stored-segments.js";

/** A listing that does not get the former snapshot's answers, and why. */
export interface KeptBackListing {
  /** In canonical form. */
  readonly host: string;
  /** The reason. */
  readonly why: KeptBack;
}

/** How a rollback changes listings. A listing with the same answers in both snapshots is in none of the lists. */
export interface RollbackListings {
  /** Hosts that get the former snapshot's answers, in place of other answers or of none. */
  readonly back: string[];
  /** Listings that keep the answers of the last build: a withheld report, or what their plan opens now. */
  readonly withheld: KeptBackListing[];
  /** Listings that have no report. */
  readonly away: KeptBackListing[];
}

export interface RolledBackSegments {
  readonly segments: readonly Segment[];
  /** How many of them the former snapshot shares. */
  readonly kept: number;
  /** Each list is sorted by host. */
  readonly listings: RollbackListings;
}

export interface RollBackOptions {
  /** Whether listings that the last build's input does not have come back. */
  readonly restoreMissing: boolean;
  /** The hosts that never come back. */
  readonly withdrawals: readonly Withdrawal[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: OnProgress | undefined;
}

/**
 * The segments that a rollback publishes: those of the former snapshot, without the listings that may not come back,
 * and one with the answers of today that listings keep.
 * @throws BadSnapshotError, StoreWriteError; the signal's reason
 */
export async function rollBackSegments(
  former: StoredSnapshot,
  today: LatestBuild,
  { restoreMissing, withdrawals, signal, onProgress }: RollBackOptions,
): Promise<RolledBackSegments> {
  const fates = await chosenFates(former, today, restoreMissing);
  const segments: Segment[] = [];
  let kept = 0;
  const { store, manifest } = former;
  const count = manifest.segments.length;
  const copy = (order: number, sources: CopyOrder["sources"]) =>
    copySegments(store, order, sources, manifest.vocabulary);
  for (const [number, segment] of manifest.segments.entries()) {
    await setImmediate();
    signal?.throwIfAborted();
    const rows = await rowsToKeep(former.listings, number, fates);
    if (rows === null) {
      for (const file of segmentFiles([segment])) await checkHash(store, file);
      segments.push(segment);
      kept += 1;
    } else {
      segments.push(...(await copy(number, [{ segment, rows }])));
    }
    onProgress?.(number + 1, count, PHASES.rollingBack);
  }
  signal?.throwIfAborted();
  const own = await todaysRows(today.listings, fates.fromToday);
  segments.push(...(await copy(count, own).catch(orBuildAgain)));
  const { vocabulary } = manifest;
  const left = await withoutWithdrawn(store, vocabulary, segments, withdrawals);
  return {
    segments: left.segments,
    kept: Math.min(kept, left.untouched),
    listings: withoutBack(fates.listings, left.hosts),
  };
}

/** The listings of a rollback when some hosts stay away because they were withdrawn since the last build. */
function withoutBack(listings: RollbackListings, withdrawn: readonly string[]): RollbackListings {
  const isGone = new Set(withdrawn);
  const others = (list: readonly KeptBackListing[]) => list.filter(({ host }) => !isGone.has(host));
  const away = withdrawn.map((host) => ({ host, why: "withdrawn" as const }));
  return {
    back: listings.back.filter((host) => !isGone.has(host)),
    withheld: others(listings.withheld),
    away: [...others(listings.away), ...away].sort((a, b) => byCodeUnit(a.host, b.host)),
  };
}

/** What a rollback does with the listings that differ between the former snapshot and today's. */
interface Fates {
  readonly listings: RollbackListings;
  /** All hosts that differ. */
  readonly changed: ReadonlySet<string>;
  /** The hosts that do not get their former answers. */
  readonly keptBack: ReadonlySet<string>;
  /** The hosts that keep today's answers. */
  readonly fromToday: readonly string[];
}

async function chosenFates(
  former: StoredSnapshot,
  today: LatestBuild,
  restoreMissing: boolean,
): Promise<Fates> {
  const listings: RollbackListings = { back: [], withheld: [], away: [] };
  const changed = new Set<string>();
  const keptBack = new Set<string>();
  const fromToday: string[] = [];
  for await (const listing of await changesSince(former.listings, today)) {
    const { host, before, after } = listing;
    changed.add(host);
    const choice = choose(
      {
        former: before ?? undefined,
        today: after ?? undefined,
        tombstone: today.tombstones.get(host),
        lastStated: today.lastStated.get(host),
        showsMore: await showsMore(former, listing, today.plans),
        canKeepToday: after?.search == null || hasTerms(former, after.search),
      },
      restoreMissing,
    );
    const { from, keptBack: why } = choice;
    if (from !== "former") keptBack.add(host);
    if (from === "today") fromToday.push(host);
    if (why !== null) (from === null ? listings.away : listings.withheld).push({ host, why });
    else if (from === "former") listings.back.push(host);
  }
  listings.back.sort(byCodeUnit);
  for (const list of [listings.withheld, listings.away]) {
    list.sort((a, b) => byCodeUnit(a.host, b.host));
  }
  return { listings, changed, keptBack, fromToday };
}

/** Whether a listing's former answers show what its last stated plan does not open. */
async function showsMore(
  former: StoredSnapshot,
  { host, before, after }: ListingChange,
  plans: LatestBuild["plans"],
): Promise<boolean> {
  const hash = hostHash(host);
  const stated = plans.get(hash);
  // A report says what its plan opens. A withheld one shows nothing that a plan could open.
  const isSame = before?.report[2] === after?.report[2];
  if (before?.search == null || stated === undefined || isSame) return false;
  const report = (await former.answersOf(host))?.report;
  return report !== undefined && opensMore(planIn(await former.readAnswer(report)), stated);
}

function planIn(body: Uint8Array): Plan {
  const { access, fixes } = storedJson<{ readonly data: Report }>(body).data;
  return planWith(access, fixes.limit);
}

/** Whether a snapshot's taxonomy has the category and the tags of a listing. */
function hasTerms(
  { manifest }: StoredSnapshot,
  { summary }: NonNullable<DirectoryEntry["search"]>,
): boolean {
  const { categories, tags } = manifest.vocabulary;
  const has = (terms: typeof tags, slug: string) => terms.some((term) => term.slug === slug);
  const isKnown = summary.category === null || has(categories, summary.category.slug);
  return isKnown && summary.tags.every(({ slug }) => has(tags, slug));
}

/** The directories of today's snapshot are read first: a build repairs what is damaged in them. */
async function changesSince(
  former: StoredSegments,
  today: LatestBuild,
): Promise<AsyncIterable<ListingChange>> {
  await today.listings.directories().catch(orBuildAgain);
  return listingChanges(former, today.listings);
}

/**
 * The rows of a former segment that a rollback publishes; null if the segment stays as it is. It does not stay if it
 * has answers of a listing that is kept back, or older answers of one that has changed since.
 */
async function rowsToKeep(
  former: StoredSegments,
  number: number,
  { changed, keptBack }: Fates,
): Promise<Uint32Array | null> {
  const hosts = directoryHosts(await former.directory(number));
  const live = itemAt(await former.live(), number);
  const isLive = new Set(live);
  const stays = hosts.every((host, row) => !(isLive.has(row) ? keptBack : changed).has(host));
  return stays ? null : live.filter((row) => !keptBack.has(itemAt(hosts, row)));
}

async function todaysRows(
  today: StoredSegments,
  hosts: readonly string[],
): Promise<CopyOrder["sources"]> {
  const rows = today.segments.map((): number[] => []);
  for (const host of hosts) {
    const found = await today.find(host);
    if (found !== null) itemAt(rows, found.segment).push(found.row);
  }
  return today.segments.flatMap((segment, number) => {
    const own = itemAt(rows, number);
    return own.length === 0 ? [] : [{ segment, rows: Uint32Array.from(own) }];
  });
}

/** What we know about a listing that is in the former snapshot, in the one that was built last, or in both. */
export interface KnownListing {
  readonly former: DirectoryEntry | undefined;
  /** The listing's entry in the snapshot that was built last. */
  readonly today: DirectoryEntry | undefined;
  /** From the notes of the last build. */
  readonly tombstone: TombstoneReason | undefined;
  /** The last visibility that was stated for a listing that is now missing from the input, unless it was `listed`. */
  readonly lastStated: TombstoneReason | undefined;
  /** Whether the former answers show more than the listing's last stated plan opens. */
  readonly showsMore: boolean;
  /** Whether the former snapshot has the category and the tags of today's entry. */
  readonly canKeepToday: boolean;
}

/** Why a listing does not get the former snapshot's answers. */
export type KeptBack =
  /** The visibility that is stated for the listing. */
  | Exclude<TombstoneReason, "unscanned">
  /** The listing is not in the input of the last build. */
  | "missing"
  /** The former answers show what the last stated plan does not open. */
  | "plan"
  /** The listing is not in the former snapshot. */
  | "new";

/** How a rollback publishes a listing. */
export interface RollbackChoice {
  /** The snapshot whose answers are all copied; null if the listing gets none. */
  readonly from: "former" | "today" | null;
  /** Null if the listing gets its former answers, or if its stated visibility applies and it had none. */
  readonly keptBack: KeptBack | null;
}

/**
 * The rule of a rollback for one listing. The listing gets its former answers in all cases but three: its visibility is
 * stated as anything but `listed`, the input of the last build does not have the listing, or the former answers show
 * more than its last stated plan opens. It then gets today's answers, if it has some that the former documents allow.
 * A changed published scan, or the loss of all scans, does not matter.
 * @param restoreMissing whether a listing that is not in the input comes back
 */
function choose(listing: KnownListing, restoreMissing: boolean): RollbackChoice {
  const { former, today, tombstone, lastStated } = listing;
  if (tombstone !== undefined && tombstone !== "unscanned") {
    const from = today === undefined ? null : "today";
    return { from, keptBack: former === undefined ? null : tombstone };
  }
  if (former === undefined) return { from: null, keptBack: "new" };
  const isMissing = today === undefined && tombstone === undefined;
  const keptBack = isMissing ? whyMissing(former, lastStated, restoreMissing) : null;
  if (keptBack !== null) return { from: null, keptBack };
  if (!listing.showsMore) return { from: "former", keptBack };
  return { from: today !== undefined && listing.canKeepToday ? "today" : null, keptBack: "plan" };
}

/** Why a listing that is missing from the input stays away; null if it comes back. */
function whyMissing(
  former: DirectoryEntry,
  lastStated: KnownListing["lastStated"],
  restoreMissing: boolean,
): KeptBack | null {
  if (lastStated === undefined || lastStated === "unscanned") {
    return restoreMissing ? null : "missing";
  }
  const isAway = lastStated === "withdrawn" || lastStated === "removed" || lastStated === "deleted";
  // If a listing was blocked, opted out or redirected, a rollback may bring back only a withheld report.
  if (isAway || former.search !== null) return lastStated;
  return restoreMissing ? null : "missing";
}

type Visibilities = ReadonlyMap<string, TombstoneReason>;

/** The snapshot that was built last, even if another one is current. It decides what may be shown today. */
export interface LatestBuild {
  readonly listings: StoredSegments;
  /** By host: the tombstones of the last build, and the last visibilities of missing listings. */
  readonly tombstones: Visibilities;
  readonly lastStated: Visibilities;
  /** By the hash of the host, the plans that were stated last. */
  readonly plans: ReadonlyMap<number, Plan>;
}

/** @throws BadSnapshotError if the manifest of the snapshot is damaged */
export async function latestBuild(
  store: string,
  id: string,
  { tombstones, missing, built }: BuilderNotes,
): Promise<LatestBuild> {
  const snapshot = await StoredSnapshot.openManifest(store, id).catch(orBuildAgain);
  snapshot.close();
  const plans =
    built === null ? new Map<number, Plan>() : new Fingerprints(built.fingerprints).plans();
  for (const [hash, flags, fixPrompts] of missing.flatMap((group) => group.plans))
    addPlan(plans, hash, { flags, fixPrompts });
  return {
    listings: snapshot.listings,
    tombstones: byHost(tombstones),
    lastStated: byHost(missing.flatMap((group) => group.tombstones)),
    plans,
  };
}

function byHost(tombstones: readonly Tombstone[]): Visibilities {
  return new Map(tombstones.map(({ host, why }) => [host, why]));
}

/** Adds the remedy to the error of files that cannot be read. @throws the error */
function orBuildAgain(error: unknown): never {
  if (!(error instanceof BadSnapshotError)) throw error;
  const { message } = error;
  throw new BadSnapshotError(
    `${message}, so it is unknown which listings may still be shown: run crawldex build`,
    { cause: error },
  );
}
