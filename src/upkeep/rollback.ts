import { setImmediate } from "node:timers/promises";
import { discardRun, prepareStore } from "../build/clean-up.js";
import { type BuilderNotes, readNotes, rollbackOf } from "../build/notes.js";
import { type OnProgress, PHASES } from "../build/progress.js";
import { type PublicDocument, publish } from "../build/publish.js";
import { requirePlaceOf } from "../build/purge.js";
import { oldestFirst, requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import { type Lock, lockStore } from "../files/lock.js";
import { addressesOf } from "../store/addresses.js";
import { BadSnapshotError, NoSnapshotError } from "../store/bad-snapshot.js";
import { type Manifest, STORE_FORMAT } from "../store/format.js";
import { readChecked, StoredSnapshot } from "../store/reader.js";
import { type RollbackListings, rollBackBucket } from "./rollback-bucket.js";
import { Today } from "./today.js";

export interface RollbackOptions {
  /** Whether listings that the input last read does not have come back: the remedy for an accidental loss. */
  readonly restoreMissing?: boolean;
  /** A file for the addresses that changed or went, as a build writes it (purge.ts). */
  readonly purgeList?: string | undefined;
  /** Ends the rollback before its snapshot is published: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called as buckets are done. */
  readonly onProgress?: OnProgress | undefined;
}

export interface RollbackResult {
  /** The snapshot that is current now; the former one itself where nothing of it had to change. */
  readonly id: string;
  /** The snapshot whose content it has, and the one that was current before. */
  readonly former: string;
  readonly replaced: string;
  readonly counts: Manifest["counts"];
  /** What becomes of listings, against what the last build has published; each list by host. */
  readonly listings: RollbackListings;
  /** Shards with their packs, and how many of them are the former's. */
  readonly buckets: number;
  readonly kept: number;
}

/**
 * Publishes the answers of the snapshot before the current one again, with its documents (design of the store,
 * rollback). A listing whose visibility was stated as anything but `listed` keeps what the last build made of
 * it; one that the input last read does not have stays away, unless `restoreMissing` brings it back. Answers
 * are copied whole: plans that have changed since apply again with the next build, which publishes its input.
 * A further rollback goes one further back, but one with `restoreMissing` first completes one that has left
 * missing listings away. No snapshot is deleted.
 * @throws NoSnapshotError where there is no former snapshot; BadSnapshotError where it is damaged, or what may
 * be shown today is not known; StoreLockedError while a build runs; StoreWriteError. The current snapshot then stays.
 */
export async function rollback(
  store: string,
  options: RollbackOptions = {},
): Promise<RollbackResult> {
  if (options.purgeList !== undefined) requirePlaceOf(options.purgeList);
  // A store that is not there is not made.
  await requireCurrent(store);
  const lock = await lockStore(store);
  return lock.during(() => rollbackLocked(store, lock, options));
}

async function rollbackLocked(
  store: string,
  lock: Lock,
  options: RollbackOptions,
): Promise<RollbackResult> {
  const replaced = await requireCurrent(store);
  const notes = await readNotes(store);
  const { built, publications } = notes;
  if (built === null || !publications.includes(replaced)) {
    throw new BadSnapshotError(
      `the builder's notes of ${store} are lost, so that what may be shown today is not known: run crawldex build`,
    );
  }
  const { former, earlier } = await formerSnapshot(store, replaced, notes, options);
  await prepareStore(store, lock, Infinity, notes);
  const snapshot = await StoredSnapshot.openManifest(store, former);
  const today = await Today.open(store, built.id, notes);
  try {
    const documents = await documentsOf(store, snapshot);
    const done = await rollBackBuckets(snapshot, today, options);
    const manifest: Manifest = {
      ...snapshot.manifest,
      format: STORE_FORMAT,
      directory: await addressesOf(snapshot),
      counts: done.counts,
      buckets: done.buckets,
    };
    const leftMissing = done.listings.away.some(({ why }) => why === "missing");
    const noted = (id: string) => ({ rolledBack: { snapshot: id, former, earlier, leftMissing } });
    const { purgeList } = options;
    const { id } = await publish(store, lock, { manifest, documents, notes, noted, purgeList });
    const { counts, listings, buckets, kept } = done;
    return { id, former, replaced, counts, listings, buckets: buckets.length, kept };
  } catch (error) {
    await discardRun(store, lock);
    throw error;
  } finally {
    today.close();
    snapshot.close();
  }
}

/**
 * The snapshot that a rollback goes back to, and those that further ones go back to, oldest first. Where the
 * last rollback has left missing listings away, one that restores them goes back to the same snapshot.
 */
async function formerSnapshot(
  store: string,
  current: string,
  notes: BuilderNotes,
  { restoreMissing = false }: RollbackOptions,
) {
  const { publications, rolledBack } = notes;
  const found = await oldestFirst(store, []);
  const again =
    restoreMissing && rolledBack?.leftMissing === true && found.includes(rolledBack.former)
      ? rolledBack.former
      : null;
  const last = rollbackOf(current, notes);
  if (last !== null && again !== null) return { former: again, earlier: last.earlier };
  const before = last?.earlier ?? publications.slice(0, publications.indexOf(current));
  const former = before.findLast((id) => found.includes(id));
  if (former === undefined) {
    throw new NoSnapshotError(
      `${store} has no earlier snapshot to roll back to; crawldex build --keep says how many stay`,
    );
  }
  // What an earlier rollback went back from is not gone back to.
  if (rolledBack?.snapshot === former) {
    return { former: again ?? former, earlier: rolledBack.earlier };
  }
  return { former, earlier: before.slice(0, before.lastIndexOf(former)) };
}

async function documentsOf(store: string, { id, manifest }: StoredSnapshot) {
  const documents: PublicDocument[] = [];
  for (const document of manifest.public) {
    const file = `${id}/public/${document.file}`;
    const bytes = await readChecked(store, { ...document, file });
    documents.push({ path: document.file, bytes });
  }
  return documents;
}

interface RolledBackBuckets {
  readonly buckets: Manifest["buckets"];
  readonly kept: number;
  readonly counts: Manifest["counts"];
  readonly listings: RollbackListings;
}

async function rollBackBuckets(
  former: StoredSnapshot,
  today: Today,
  { restoreMissing = false, signal, onProgress }: RollbackOptions,
): Promise<RolledBackBuckets> {
  const { manifest } = former;
  const buckets: Manifest["buckets"] = [];
  const counts = { reports: 0, searchable: 0, historical: 0 };
  const listings: RollbackListings = { back: [], withheld: [], away: [] };
  let kept = 0;
  for (const [bucket, files] of manifest.buckets.entries()) {
    await setImmediate();
    signal?.throwIfAborted();
    const done = await rollBackBucket(former, bucket, today, restoreMissing, listings);
    const { stored } = done;
    buckets.push(stored === null ? files : stored.files);
    kept += stored === null ? 1 : 0;
    for (const what of ["reports", "searchable", "historical"] as const) {
      counts[what] += done.counts[what];
    }
    onProgress?.(bucket + 1, manifest.buckets.length, PHASES.rollingBack);
  }
  signal?.throwIfAborted();
  listings.back.sort(byCodeUnit);
  for (const list of [listings.withheld, listings.away]) {
    list.sort((a, b) => byCodeUnit(a.host, b.host));
  }
  return { buckets, kept, counts, listings };
}
