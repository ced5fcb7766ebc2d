import { findSnapshot, requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import { listingChanges } from "../store/changes.js";
import { StoredSnapshot } from "../store/reader.js";

/** Hosts that differ between two snapshots, each list in order. */
export interface SnapshotDiff {
  readonly added: readonly string[];
  /** Hosts of which an answer, or what search shows of them, is another. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares two snapshots of a store, without looking at what they share.
 * @param from the older one's id, or the beginning of it.
 * @param to the newer one's; the current snapshot where it is absent.
 * @throws NoSnapshotError where an id names no snapshot; BadSnapshotError where one is damaged.
 */
export async function diff(store: string, from: string, to?: string): Promise<SnapshotDiff> {
  const beforeId = await findSnapshot(store, from);
  const afterId = to === undefined ? await requireCurrent(store) : await findSnapshot(store, to);
  const before = await StoredSnapshot.openManifest(store, beforeId);
  const after = await StoredSnapshot.openManifest(store, afterId);
  const found = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  for await (const change of listingChanges(before, after)) {
    if (change.before === null) found.added.push(change.host);
    else if (change.after === null) found.removed.push(change.host);
    else found.changed.push(change.host);
  }
  for (const hosts of Object.values(found)) hosts.sort(byCodeUnit);
  return found;
}
