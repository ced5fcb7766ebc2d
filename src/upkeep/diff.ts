import { findSnapshot, requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import { STORE } from "../options/defaults.js";
import { checkedOptions, FOLDER, requireArgument, SNAPSHOT_NAME } from "../options/options.js";
import { snapshotChanges } from "../store/changes.js";
import { StoredSnapshot } from "../store/reader.js";

/** Options of `diff`. */
export interface DiffOptions {
  /** The newer snapshot: its generation or id, or the beginning of its id. Default: the current snapshot. */
  readonly to?: string | undefined;
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
}

const OPTIONS = { to: SNAPSHOT_NAME.optional(), store: FOLDER.default(STORE) };

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
  const before = await StoredSnapshot.openManifest(store, beforeId);
  const after = await StoredSnapshot.openManifest(store, afterId);
  const found: Record<keyof SnapshotDiff, string[]> = { added: [], changed: [], removed: [] };
  for await (const change of snapshotChanges(before, after)) {
    if (change.before === null) found.added.push(change.host);
    else if (change.after === null) found.removed.push(change.host);
    else found.changed.push(change.host);
  }
  for (const hosts of Object.values(found)) hosts.sort(byCodeUnit);
  return found;
}
