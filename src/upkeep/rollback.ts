import { type Lock, lockStore } from "../files/lock.js";
import { checkedOptions, FOLDER, requireArgument, STORE } from "../lib/options.js";
import { Additions } from "../publish/additions.js";
import { discardRun, prepareStore } from "../publish/clean-up.js";
import { contentLike, snapshotOf } from "../publish/manifest.js";
import { type BuilderNotes, readNotes, rollbackOf } from "../publish/notes.js";
import { timeNow } from "../publish/options.js";
import { cleanUpAfter, publish, readManifest } from "../publish/publish.js";
import { requirePlaceOf } from "../publish/purge.js";
import { NO_LIMITS } from "../publish/removal-limit.js";
import { lossesIn } from "../publish/removals.js";
import { findSnapshot, requireCurrent } from "../publish/snapshots.js";
import { withdrawalsIn } from "../publish/withdrawals.js";
import { BadSnapshotError, NoSnapshotError } from "../store/bad-snapshot.js";
import type { SnapshotCounts } from "../store/format.js";
import { StoredSnapshot, segmentsIn, snapshotIds } from "../store/reader.js";
import type { SignManifest } from "../store/signature.js";
import { signerFor } from "../store/signers.js";
import { CountedListings } from "../store/tally.js";
import { ROLLBACK, type RollbackOptions } from "./options.js";
import { latestBuild, type RollbackListings, rollBackSegments } from "./rollback-segments.js";

/** The result of `rollback`. For a dry run, it says what the rollback would do. */
export interface RollbackResult {
  /** Whether nothing was published, because of the option `dryRun`. */
  readonly dryRun: boolean;
  /** The snapshot that is current now: a new publication, however much it shares with the former snapshot. */
  readonly id: string;
  /** The snapshot whose content it has. */
  readonly former: string;
  /** The snapshot that was current before. */
  readonly replaced: string;
  /** The publication's number. A rollback is a publication of its own. */
  readonly generation: number;
  /** The counts of the snapshot that is current now. */
  readonly counts: SnapshotCounts;
  /** How listings change against the last build's snapshot. Each list is sorted by host. */
  readonly listings: RollbackListings;
  /** Number of segments (a table and a pack each). */
  readonly segments: number;
  /** How many of these segments the former snapshot has, too. */
  readonly kept: number;
}

/**
 * Publishes the answers and documents of the snapshot before the current one again. A listing whose stated visibility
 * is not `listed` keeps its state from the last build. A listing that the last build's input does not have stays away,
 * unless `restoreMissing` brings it back. A listing whose former answers show more than its last stated plan opens
 * keeps those of the last build. Answers are copied unchanged: a larger plan applies again after the next build,
 * which publishes its own input. A further rollback goes back one more snapshot. However, if the last rollback left
 * missing listings out, one with `restoreMissing` first restores them. With `to`, it goes to any snapshot of the
 * store, by the same rules. No snapshot is deleted. If it throws, the current snapshot stays current, unless the
 * StoreWriteError says that the new one is.
 * @param store the store's folder
 * @throws NoSnapshotError if there is no such snapshot, or if it is current; BadSnapshotError if the former snapshot is
 * damaged, or if it is unknown which listings may still be shown; StoreLockedError while a build runs;
 * StoreWriteError; TypeError for a wrong argument
 */
export async function rollback(
  store: string = STORE,
  options: RollbackOptions = {},
): Promise<RollbackResult> {
  requireArgument("rollback", "store", store, FOLDER);
  checkedOptions("rollback", options, ROLLBACK);
  const sign = await signerFor(options);
  if (options.purgeList !== undefined) requirePlaceOf(options.purgeList);
  // Throws before `lockStore`, which would create a store that does not exist.
  await requireCurrent(store);
  const lock = await lockStore(store);
  return lock.during(() => rollbackLocked(store, lock, options, sign));
}

async function rollbackLocked(
  store: string,
  lock: Lock,
  options: RollbackOptions,
  sign: SignManifest | undefined,
): Promise<RollbackResult> {
  const replaced = await requireCurrent(store);
  const notes = await readNotes(store);
  const { built, publications } = notes;
  if (built === null || !publications.includes(replaced)) {
    throw new BadSnapshotError(
      `the builder's notes of ${store} are lost, so it is unknown which listings may still be shown: ` +
        "run crawldex build",
    );
  }
  const { former, earlier } = await formerSnapshot(store, replaced, notes, options);
  await prepareStore(store, lock, Infinity, notes);
  const snapshot = await StoredSnapshot.openManifest(store, former);
  const { restoreMissing = false, dryRun = false, signal, onProgress } = options;
  try {
    const today = await latestBuild(store, built.id, notes);
    const withdrawn = await withdrawalsIn(store, notes);
    const rules = { restoreMissing, withdrawals: withdrawn, signal, onProgress };
    const { segments, kept, listings } = await rollBackSegments(snapshot, today, rules);
    const set = segmentsIn(store, segments, snapshot.manifest.vocabulary);
    const standards = await snapshot.readStandards();
    const { counts, tally } = await CountedListings.of(set, standards.rubric.version);
    const figures = tally.figures();
    const basis = { snapshot: snapshot.manifest };
    const { former: renamed } = snapshot.manifest.vocabulary;
    const start = { store, now: timeNow(), basis, former: renamed };
    const additions = await Additions.begin(start);
    await lossesIn(store, set, null, publications, NO_LIMITS, additions);
    const content = { ...(await contentLike(snapshot, figures)), listings: set, counts };
    const publishing = { publications, additions, withdrawn, shift: null, hasErased: true };
    const { manifest, documents } = await snapshotOf(content, publishing);
    const leftMissing = listings.away.some(({ why }) => why === "missing");
    const noted = (id: string) => ({
      withdrawn: [...withdrawn],
      rolledBack: { snapshot: id, former, earlier, leftMissing, isOver: false },
    });
    const { purgeList } = options;
    const publication = { manifest, documents, notes, noted, purgeList, sign, dryRun };
    const { id, generation, notes: after } = await publish(store, lock, publication);
    if (dryRun) await discardRun(store, lock);
    else await cleanUpAfter(id, store, lock, Infinity, after);
    return {
      id,
      dryRun,
      former,
      replaced,
      generation,
      counts,
      listings,
      segments: segments.length,
      kept,
    };
  } catch (error) {
    await discardRun(store, lock);
    throw error;
  } finally {
    snapshot.close();
  }
}

/**
 * The snapshot to roll back to, and the snapshots for further rollbacks, oldest first. If the last
 * rollback left missing listings out, a rollback that restores them goes back to the same snapshot
 * again.
 */
async function formerSnapshot(
  store: string,
  current: string,
  notes: BuilderNotes,
  { to, restoreMissing = false }: RollbackOptions,
) {
  const { publications, rolledBack } = notes;
  if (to !== undefined) {
    const former = await findSnapshot(store, to);
    const before = publications.indexOf(former);
    if (!(await isOther(store, former, current)))
      throw new NoSnapshotError(`snapshot ${former} is current already`);
    if (before < 0) throw new NoSnapshotError(`snapshot ${former} was never published in ${store}`);
    const isRollback = rolledBack?.snapshot === former;
    return { former, earlier: isRollback ? rolledBack.earlier : publications.slice(0, before) };
  }
  const found = await snapshotIds(store);
  const again =
    restoreMissing && rolledBack?.leftMissing === true && found.includes(rolledBack.former)
      ? rolledBack.former
      : null;
  const last = rollbackOf(current, notes);
  if (last !== null && again !== null) return { former: again, earlier: last.earlier };
  const before = last?.earlier ?? publications.slice(0, publications.indexOf(current));
  const former = await newestOther(
    store,
    current,
    before.filter((id) => found.includes(id)),
  );
  if (former === undefined) {
    const what =
      last === null
        ? `${store} has no earlier snapshot to roll back to`
        : `${store} was rolled back to ${last.former}, and has no earlier snapshot to roll back to; --to ` +
          "names any other";
    throw new NoSnapshotError(`${what}; crawldex build --keep sets how many snapshots stay`);
  }
  // Never rolls back to a snapshot that an earlier rollback replaced.
  if (rolledBack?.snapshot === former) {
    return { former: again ?? former, earlier: rolledBack.earlier };
  }
  return { former, earlier: before.slice(0, before.lastIndexOf(former)) };
}

/** The newest snapshot whose content differs from that of `current`: a full build may have published it again. */
async function newestOther(
  store: string,
  current: string,
  ids: readonly string[],
): Promise<string | undefined> {
  for (const id of ids.toReversed()) if (await isOther(store, id, current)) return id;
  return undefined;
}

/** Whether a snapshot's content differs from that of the current one, which may be lost. */
async function isOther(store: string, id: string, current: string): Promise<boolean> {
  const [content, currentContent] = await Promise.all(
    [id, current].map(async (one) => (await readManifest(store, one))?.content),
  );
  return id !== current && (currentContent === undefined || content !== currentContent);
}
