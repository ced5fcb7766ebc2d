import { stat } from "node:fs/promises";
import { byCodeUnit } from "../contract/order.js";
import {
  checkedOptions,
  FOLDER,
  optional,
  requireArgument,
  SNAPSHOT_NAME,
  STORE,
  STORE_OPTION,
} from "../lib/options.js";
import { addChange, type BuildChanges, noChanges } from "../publish/removals.js";
import { findSnapshot, newestFirst, requireCurrent } from "../publish/snapshots.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { SnapshotCounts } from "../store/format.js";
import { layout } from "../store/layout.js";
import { publicationsUpTo } from "../store/publications.js";
import { StoredSnapshot } from "../store/reader.js";
import { listingChanges } from "../store/stored-segments.js";

/** A snapshot of a store. */
export interface StoredSnapshotFacts {
  /** Its id, which is the name of its folder in the store. */
  readonly id: string;
  /** The number of its publication; null if the manifest is lost or damaged. */
  readonly generation: number | null;
  /** When its manifest was written into this store, in UTC; null if the manifest is lost. */
  readonly writtenAt: string | null;
  /** Whether readers of the store get this one. */
  readonly isCurrent: boolean;
  /** Null if the manifest is lost or damaged. */
  readonly counts: SnapshotCounts | null;
  /** How it differs from the snapshot before it in the list; null for the oldest, or if either is damaged. */
  readonly changes: BuildChanges | null;
}

/**
 * Lists the snapshots of a store, as `crawldex snapshots` does, the latest publication first.
 * @param store the store's folder
 * @throws NoSnapshotError if nothing was published yet; BadSnapshotError if `current.json` is damaged; TypeError for a
 * wrong argument
 */
export async function snapshots(store: string = STORE): Promise<StoredSnapshotFacts[]> {
  requireArgument("snapshots", "store", store, FOLDER);
  const current = await requireCurrent(store);
  const found: StoredSnapshotFacts[] = [];
  let before: StoredSnapshot | null = null;
  for (const id of (await newestFirst(store)).reverse()) {
    const snapshot: StoredSnapshot | null = await StoredSnapshot.openManifest(store, id).catch(
      orNull,
    );
    const written = await stat(layout.manifest(store, id)).catch(() => null);
    found.push({
      id,
      generation: snapshot && publicationsUpTo(snapshot.manifest).generation,
      writtenAt: written === null ? null : written.mtime.toISOString(),
      isCurrent: id === current,
      counts: snapshot?.manifest.counts ?? null,
      changes: await changesBetween(before, snapshot),
    });
    before?.close();
    before = snapshot;
  }
  before?.close();
  return found.reverse();
}

async function changesBetween(
  before: StoredSnapshot | null,
  after: StoredSnapshot | null,
): Promise<BuildChanges | null> {
  if (before === null || after === null) return null;
  const changes = noChanges();
  try {
    for await (const change of listingChanges(before.listings, after.listings))
      addChange(changes, change);
    return changes;
  } catch (error) {
    return orNull(error);
  }
}

/** @throws any error but that of a damaged snapshot */
function orNull(error: unknown): null {
  if (error instanceof BadSnapshotError) return null;
  throw error;
}

/** Options of `diff`. */
export interface DiffOptions {
  /** The newer snapshot: its generation or id, or the beginning of its id. Default: the current snapshot. */
  readonly to?: string | undefined;
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
}

const OPTIONS = { to: optional(SNAPSHOT_NAME), store: STORE_OPTION };

/** Hosts that differ between two snapshots. Each list is sorted. */
export interface SnapshotDiff {
  /** Hosts with a report in the newer snapshot only. */
  readonly added: readonly string[];
  /** Hosts with a different answer, or with different data in search. */
  readonly changed: readonly string[];
  /** Hosts with a report in the older snapshot only. */
  readonly removed: readonly string[];
}

/**
 * Compares two snapshots of a store, as `crawldex diff` does. Does not read the tables that both share.
 * @param id the older snapshot: its generation, or at least the first 4 characters of its id
 * @throws NoSnapshotError if `id` or `to` names no snapshot; BadSnapshotError if a snapshot is damaged; TypeError for a
 * wrong argument
 */
export async function diff(id: string, options: DiffOptions = {}): Promise<SnapshotDiff> {
  requireArgument("diff", "id", id, SNAPSHOT_NAME);
  const { store, to } = checkedOptions("diff", options, OPTIONS);
  const beforeId = await findSnapshot(store, id);
  const afterId = to === undefined ? await requireCurrent(store) : await findSnapshot(store, to);
  const found: Record<keyof SnapshotDiff, string[]> = { added: [], changed: [], removed: [] };
  const before = await StoredSnapshot.openManifest(store, beforeId);
  let after: StoredSnapshot | null = null;
  try {
    after = await StoredSnapshot.openManifest(store, afterId);
    for await (const change of listingChanges(before.listings, after.listings)) {
      if (change.before === null) found.added.push(change.host);
      else if (change.after === null) found.removed.push(change.host);
      else found.changed.push(change.host);
    }
  } finally {
    before.close();
    after?.close();
  }
  for (const hosts of Object.values(found)) hosts.sort(byCodeUnit);
  return found;
}
