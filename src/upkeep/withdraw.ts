import { hostHash, meantHost } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { type Lock, lockStore } from "../files/lock.js";
import { checkedOptions, type Settings } from "../lib/options.js";
import { Additions, type Shift } from "../publish/additions.js";
import { discardRun, type LingeringSnapshot, prepareStore } from "../publish/clean-up.js";
import { Fingerprints } from "../publish/erasure.js";
import { contentLike, snapshotOf } from "../publish/manifest.js";
import { type BuilderNotes, readNotes, rollbackOf, statesOf } from "../publish/notes.js";
import { timeNow } from "../publish/options.js";
import { cleanUpAfter, publish } from "../publish/publish.js";
import { requirePlaceOf } from "../publish/purge.js";
import { NO_LIMITS } from "../publish/removal-limit.js";
import { lossesIn } from "../publish/removals.js";
import { newestFirst, requireCurrent } from "../publish/snapshots.js";
import {
  shiftWithout,
  withdrawalFinder,
  withdrawalOf,
  withdrawnTombstones,
  withoutWithdrawn,
} from "../publish/withdrawals.js";
import type { Segment, SnapshotCounts, Withdrawal } from "../store/format.js";
import { publicationsUpTo } from "../store/publications.js";
import { StoredSnapshot, segmentsIn } from "../store/reader.js";
import type { SignManifest } from "../store/signature.js";
import { signerFor } from "../store/signers.js";
import { CountedListings } from "../store/tally.js";
import { WITHDRAW, type WithdrawOptions } from "./options.js";

/**
 * What `withdraw` has done with a host: `withdrawn`, its answers are gone; `recorded`, it had none, and no build will
 * publish it; `already`, it was withdrawn before; `restored`, the next build publishes it again if the input lists it;
 * `not-withdrawn`, there was nothing to restore.
 */
export type WithdrawOutcome = "withdrawn" | "recorded" | "already" | "restored" | "not-withdrawn";

/** A former snapshot that still has a withdrawn host, though nobody serves it. */
export interface HoldingSnapshot {
  /** The snapshot's id. */
  readonly id: string;
  /** The number of its publication. */
  readonly generation: number;
  /** Which of the hosts it has; sorted. */
  readonly hosts: readonly string[];
}

/** The result of `withdraw`. For a dry run, it says what the withdrawal would do. */
export interface WithdrawResult {
  /** Whether nothing was published, because of the option `dryRun`. */
  readonly dryRun: boolean;
  /** The snapshot that is current now. */
  readonly id: string;
  /** The snapshot that was current before. */
  readonly replaced: string;
  /** The publication's number. It rises if a host had answers. */
  readonly generation: number;
  /** The counts of the snapshot that is current now. */
  readonly counts: SnapshotCounts;
  /** The hosts in canonical form, sorted, and what became of each. */
  readonly hosts: readonly { readonly host: string; readonly outcome: WithdrawOutcome }[];
  /** The former snapshots in the store that still have one of the hosts, newest first. */
  readonly held: readonly HoldingSnapshot[];
  /** Former snapshots beyond `keep` that stay for a minute after they were current, for servers that read them. */
  readonly lingering: readonly LingeringSnapshot[];
  /** Number of segments (a table and a pack each). */
  readonly segments: number;
  /** How many of these segments the replaced snapshot has, too. */
  readonly kept: number;
}

/**
 * Takes hosts down at once, from the store alone: publishes the current snapshot without their answers. No later build,
 * join or rollback publishes them again until the host's record states that it is removed or deleted, which settles the
 * withdrawal, or until `restore` lifts it. If it throws, the current snapshot stays current, unless the StoreWriteError
 * says that the new one is.
 * @param hosts hosts, or addresses that contain one
 * @param options the store, and what else to do
 * @throws NoSnapshotError if nothing was published yet; BadSnapshotError if the current snapshot is damaged;
 * StoreLockedError while a build runs; StoreWriteError; TypeError for a wrong argument
 */
export async function withdraw(
  hosts: readonly string[],
  options: WithdrawOptions = {},
): Promise<WithdrawResult> {
  const canonical = canonicalHosts(hosts);
  const checked = checkedOptions("withdraw", options, WITHDRAW);
  const { store } = checked;
  const sign = await signerFor(options);
  if (checked.purgeList !== undefined) requirePlaceOf(checked.purgeList);
  // Throws before `lockStore`, which would create a store that does not exist.
  await requireCurrent(store);
  const lock = await lockStore(store);
  return lock.during(async () => {
    try {
      return await withdrawLocked(store, canonical, lock, checked, sign);
    } catch (error) {
      await discardRun(store, lock);
      throw error;
    }
  });
}

function canonicalHosts(hosts: readonly string[]): string[] {
  if (!Array.isArray(hosts) || hosts.length === 0) {
    throw new TypeError("withdraw: hosts must be an array with at least one host");
  }
  const canonical = hosts.map((text: unknown) => {
    const host = typeof text === "string" ? meantHost(text) : null;
    if (host === null) {
      throw new TypeError(`withdraw: ${JSON.stringify(text)} is no host`);
    }
    return host;
  });
  return [...new Set(canonical)].sort(byCodeUnit);
}

async function withdrawLocked(
  store: string,
  hosts: readonly string[],
  lock: Lock,
  { restore, dryRun, keep = Infinity, purgeList, signal }: Settings<typeof WITHDRAW>,
  sign: SignManifest | undefined,
): Promise<WithdrawResult> {
  const replaced = await requireCurrent(store);
  const notes = await readNotes(store);
  await prepareStore(store, lock, Infinity, notes);
  const snapshot = await StoredSnapshot.openManifest(store, replaced);
  try {
    const now = timeNow();
    const before = snapshot.manifest.withdrawn ?? [];
    const withdrawn = withdrawalsAfter(before, hosts, restore ? null : now);
    const { vocabulary } = snapshot.manifest;
    const added = withdrawn.filter((one) => !before.includes(one));
    const made = await withoutWithdrawn(store, vocabulary, snapshot.manifest.segments, added);
    signal?.throwIfAborted();
    const { segments } = made;
    const set = segmentsIn(store, segments, vocabulary);
    const standards = await snapshot.readStandards();
    const { counts, tally } = await CountedListings.of(set, standards.rubric.version);
    const basis = { snapshot: snapshot.manifest };
    const additions = await Additions.begin({ store, now, basis, former: vocabulary.former });
    const { publications } = notes;
    await lossesIn(store, set, null, publications, NO_LIMITS, additions);
    signal?.throwIfAborted();
    const content = { ...(await contentLike(snapshot, tally.figures())), listings: set, counts };
    const published = await snapshotOf(content, {
      publications,
      additions,
      withdrawn,
      shift: shiftAfter(notes, replaced, withdrawn),
      hasErased: true,
    });
    const gone = made.hosts;
    const noted = (id: string) =>
      notesAfter(store, notes, replaced, { id, segments, withdrawn, gone });
    const publication = { ...published, notes, noted, purgeList, sign, dryRun };
    const { id, generation, notes: after } = await publish(store, lock, publication);
    const lingering = dryRun ? [] : await cleanUpAfter(id, store, lock, keep, after);
    if (dryRun) await discardRun(store, lock);
    return {
      dryRun,
      id,
      replaced,
      generation,
      counts,
      hosts: outcomes(hosts, before, made.hosts, restore),
      held: restore ? [] : await holders(store, dryRun ? null : id, hosts),
      lingering,
      segments: segments.length,
      kept: made.untouched,
    };
  } finally {
    snapshot.close();
  }
}

/** The withdrawals once some hosts were added or, if `now` is null, lifted. */
function withdrawalsAfter(
  before: readonly Withdrawal[],
  hosts: readonly string[],
  now: number | null,
): Withdrawal[] {
  const find = withdrawalFinder(before);
  const known = new Set(hosts.map((host) => find(host)));
  const added = now === null ? [] : hosts.filter((host) => find(host) === undefined);
  const rest = now === null ? before.filter((one) => !known.has(one)) : before;
  const all = [...rest, ...added.map((host) => withdrawalOf(host, now ?? 0))];
  return all.sort((a, b) => byCodeUnit(a.digest, b.digest));
}

function outcomes(
  hosts: readonly string[],
  before: readonly Withdrawal[],
  gone: readonly string[],
  restore: boolean,
): WithdrawResult["hosts"] {
  const find = withdrawalFinder(before);
  const outcomeOf = (host: string): WithdrawOutcome => {
    const wasWithdrawn = find(host) !== undefined;
    if (restore) return wasWithdrawn ? "restored" : "not-withdrawn";
    if (wasWithdrawn) return "already";
    return gone.includes(host) ? "withdrawn" : "recorded";
  };
  return hosts.map((host) => ({ host, outcome: outcomeOf(host) }));
}

/** How scores have moved among the sites that remain; null if the notes do not tell that of the replaced snapshot. */
function shiftAfter(
  { built, tombstones }: BuilderNotes,
  replaced: string,
  withdrawn: readonly Withdrawal[],
): Shift | null {
  if (built?.id !== replaced) return null;
  // A host whose withdrawal is lifted has no report until the next build.
  const lifted = tombstones.filter(({ why }) => why === "withdrawn");
  const away = [...withdrawn.map(({ hash }) => hash), ...lifted.map(({ host }) => hostHash(host))];
  return shiftWithout(away, built.former, new Fingerprints(built.fingerprints));
}

interface Withdrawn {
  readonly id: string;
  readonly segments: readonly Segment[];
  readonly withdrawn: readonly Withdrawal[];
  /** The hosts that lose their report. */
  readonly gone: readonly string[];
}

/**
 * What the notes say after a withdrawal. If the replaced snapshot was built last, the new one stands in for it: the
 * next build keeps its segments, and the replaced one can be deleted.
 */
function notesAfter(
  store: string,
  notes: BuilderNotes,
  replaced: string,
  { id, segments, withdrawn, gone }: Withdrawn,
): Partial<BuilderNotes> {
  const { built, rolledBack, tombstones } = notes;
  const wentBack = rollbackOf(replaced, notes) !== null;
  const common = {
    withdrawn: [...withdrawn],
    ...(wentBack && rolledBack && { rolledBack: { ...rolledBack, snapshot: id } }),
  };
  if (built?.id !== replaced) return common;
  const files = statesOf(store, segments, new Map(built.files.map((one) => [one.file, one.state])));
  return {
    ...common,
    tombstones: withdrawnTombstones(tombstones, withdrawn, gone),
    built: { ...built, id, files },
  };
}

/** The snapshots other than `current` that have one of the hosts, newest first. Damaged ones are left out. */
async function holders(
  store: string,
  current: string | null,
  hosts: readonly string[],
): Promise<HoldingSnapshot[]> {
  const found: HoldingSnapshot[] = [];
  for (const id of await newestFirst(store)) {
    if (id === current) continue;
    const snapshot = await StoredSnapshot.openManifest(store, id).catch(() => null);
    if (snapshot === null) continue;
    const { listings, manifest } = snapshot;
    const had: string[] = [];
    for (const host of hosts) {
      if ((await listings.find(host).catch(() => null)) !== null) had.push(host);
    }
    snapshot.close();
    const { generation } = publicationsUpTo(manifest);
    if (had.length > 0) found.push({ id, generation, hosts: had });
  }
  return found;
}
