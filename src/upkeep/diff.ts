import { findSnapshot, requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import { listingChanges } from "../store/changes.js";
import { StoredSnapshot } from "../store/reader.js";

/** Hosts that differ between two snapshots. Each list is sorted. */
export interface SnapshotDiff {
  readonly added: readonly string[];
  /** Hosts with a different answer, or with different data in search. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares two snapshots of a store, without reading the files that both share.
 * @param from the older snapshot's id, or the beginning of the id
 * @param to the newer snapshot's id, or its beginning; by default the current snapshot
 * @throws NoSnapshotError if an id names no snapshot; BadSnapshotError if a snapshot is damaged
 */
export async function diff(store: string, from: string, to?: string): Promise<SnapshotDiff> {
  const beforeId = await findSnapshot(store, from);
  const afterId = to === undefined ? await requireCurrent(store) : await findSnapshot(store, to);
  const before = await StoredSnapshot.openManifest(store, beforeId);
  const after = await StoredSnapshot.openManifest(store, afterId);
  const found: Record<keyof SnapshotDiff, string[]> = { added: [], changed: [], removed: [] };
  for await (const change of listingChanges(before, after)) {
    if (change.before === null) found.added.push(change.host);
    else if (change.after === null) found.removed.push(change.host);
    else found.changed.push(change.host);
  }
  for (const hosts of Object.values(found)) hosts.sort(byCodeUnit);
  return found;
}
