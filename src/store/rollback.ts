import { setImmediate } from "node:timers/promises";
import { addressesOf } from "./addresses.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import { type Manifest, STORE_FORMAT } from "./format.js";
import { lockStore } from "./lock.js";
import { type BuilderNotes, readNotes, rollbackOf } from "./notes.js";
import { type OnProgress, PHASES } from "./progress.js";
import { type PublicDocument, prepareStore, publish, takeAway } from "./publish.js";
import { requirePlaceOf } from "./purge.js";
import { readChecked, StoredSnapshot } from "./reader.js";
import { type FateCounts, rollBackBucket, TodaysListings } from "./rollback-bucket.js";
import { oldestFirst, requireCurrent } from "./snapshots.js";

export interface RollbackOptions {
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
  /**
   * Former listings that are not shown as they were: without a report today, of a scan that was withdrawn
   * or is held back since, withheld today, shown on today's terms.
   */
  readonly listings: Readonly<FateCounts>;
  /** Shards with their packs, and how many of them are the former's. */
  readonly buckets: number;
  readonly kept: number;
}

/**
 * Publishes the content of the snapshot before the current one again, under today's visibilities and plans
 * (design of the store, rollback): today is what the last build has read. A further rollback goes one
 * further back. No snapshot is deleted. The next build publishes its input again.
 * @throws BadSnapshotError where there is no former snapshot, it is damaged, or what may be shown today is
 * not known; StoreLockedError while a build runs; StoreWriteError. The current snapshot then stays.
 */
export async function rollback(
  store: string,
  options: RollbackOptions = {},
): Promise<RollbackResult> {
  if (options.purgeList !== undefined) requirePlaceOf(options.purgeList);
  const unlock = await lockStore(store);
  try {
    return await rollbackLocked(store, options);
  } finally {
    await unlock();
  }
}

async function rollbackLocked(store: string, options: RollbackOptions): Promise<RollbackResult> {
  const replaced = await requireCurrent(store);
  const notes = await readNotes(store);
  const { built, publications } = notes;
  if (built === null || !publications.includes(replaced)) {
    throw new BadSnapshotError(
      `the builder's notes of ${store} are lost, so that what may be shown today is not known: run crawldex build`,
    );
  }
  const { former, earlier } = await formerSnapshot(store, replaced, notes);
  await prepareStore(store);
  const snapshot = await StoredSnapshot.openManifest(store, former);
  const today = await TodaysListings.open(store, built.id);
  try {
    const documents = await documentsOf(store, snapshot);
    const done = await rollBackBuckets(store, snapshot, today, options);
    const manifest: Manifest = {
      ...snapshot.manifest,
      format: STORE_FORMAT,
      directory: await addressesOf(snapshot),
      counts: done.counts,
      buckets: done.buckets,
    };
    const noted = (id: string) => ({ rolledBack: { snapshot: id, former, earlier } });
    const { purgeList } = options;
    const { id } = await publish(store, { manifest, documents, notes, noted, purgeList });
    const { counts, listings, buckets, kept } = done;
    return { id, former, replaced, counts, listings, buckets: buckets.length, kept };
  } finally {
    today.close();
    snapshot.close();
  }
}

/** The snapshot that a rollback goes back to, and those that further ones go back to, oldest first. */
async function formerSnapshot(store: string, current: string, notes: BuilderNotes) {
  const { publications, rolledBack } = notes;
  const before =
    rollbackOf(current, notes)?.earlier ?? publications.slice(0, publications.indexOf(current));
  const found = await oldestFirst(store, []);
  const former = before.findLast((id) => found.includes(id));
  if (former === undefined) {
    throw new BadSnapshotError(
      `${store} has no snapshot any more from before the current one; how many stay, crawldex build --keep says`,
    );
  }
  // What an earlier rollback went back from is not gone back to.
  const isRollback = rolledBack?.snapshot === former;
  const earlier = isRollback ? rolledBack.earlier : before.slice(0, before.lastIndexOf(former));
  return { former, earlier: [...earlier] };
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
  readonly listings: FateCounts;
}

/** Where it fails, what it has written is taken away again. */
async function rollBackBuckets(
  store: string,
  { manifest }: StoredSnapshot,
  today: TodaysListings,
  { signal, onProgress }: RollbackOptions,
): Promise<RolledBackBuckets> {
  const buckets: Manifest["buckets"] = [];
  const counts = { reports: 0, searchable: 0, historical: 0 };
  const listings = { removed: 0, withdrawn: 0, withheld: 0, restricted: 0 };
  const written: string[] = [];
  let kept = 0;
  try {
    for (const [bucket, former] of manifest.buckets.entries()) {
      await setImmediate();
      signal?.throwIfAborted();
      const done = await rollBackBucket(store, bucket, former, today);
      const { stored } = done;
      buckets.push(stored === null ? former : stored.files);
      kept += stored === null ? 1 : 0;
      written.push(...(stored?.written ?? []));
      add(counts, done.counts);
      add(listings, done.fates);
      onProgress?.(bucket + 1, manifest.buckets.length, PHASES.rollingBack);
    }
    signal?.throwIfAborted();
  } catch (error) {
    await takeAway(store, written);
    throw error;
  }
  return { buckets, kept, counts, listings };
}

function add<K extends string>(sum: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key of Object.keys(sum) as K[]) sum[key] += more[key];
}
