import { readNotes } from "../build/notes.js";
import { requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { readShard, StoredSnapshot } from "../store/reader.js";
import { type Explanation, reportAt } from "./explain.js";
import { knownOf, notedAbout, whyLeftOut } from "./reasons.js";

/** A listing that search does not contain. */
export type LeftOutListing = Pick<Explanation, "host" | "published" | "why" | "reason">;

/** The listings that search does not contain. */
export interface LeftOutListings extends Pick<Explanation, "snapshot" | "rolledBackTo"> {
  /** Sorted by host. */
  readonly listings: readonly LeftOutListing[];
  /**
   * Whether these are all. False if the builder's notes are lost or not of the current snapshot: then listings without
   * a report are not known.
   */
  readonly complete: boolean;
}

/**
 * Explains, for each listing of the published directory that the current snapshot has no report of or does not contain
 * in search, why that is so. Reads the shards one after the other, and of the answers only those that the builder's
 * notes do not explain.
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged
 */
export async function explainLeftOut(store: string): Promise<LeftOutListings> {
  const snapshot = await requireCurrent(store);
  const noted = notedAbout(snapshot, await readNotes(store));
  const { built, rolledBackTo, tombstones } = noted;
  // Only after a rollback is the snapshot that was built last another one.
  const inBuilt = new Set(
    rolledBackTo === null || built === null ? [] : await hostsIn(store, built),
  );
  const listings: LeftOutListing[] = [];
  const add = async (host: string, report: (() => Promise<Report>) | null) => {
    const known = knownOf(noted, host, async () => inBuilt.has(host));
    listings.push({ host, published: report !== null, ...(await whyLeftOut(known, report)) });
  };
  const withoutReport = new Set([...tombstones.keys(), ...inBuilt]);
  const stored = await StoredSnapshot.openManifest(store, snapshot);
  try {
    for (const bucket of stored.manifest.buckets.keys()) {
      for (const { host, search, report } of await stored.readShard(bucket)) {
        withoutReport.delete(host);
        if (search === null) await add(host, () => reportAt(stored, bucket, report));
      }
    }
  } finally {
    stored.close();
  }
  for (const host of withoutReport) await add(host, null);
  listings.sort((a, b) => byCodeUnit(a.host, b.host));
  return { snapshot, rolledBackTo, listings, complete: built !== null };
}

/** The hosts of a snapshot. Leaves out those of damaged files, so that the listings can still be explained. */
async function hostsIn(store: string, id: string): Promise<string[]> {
  const hosts: string[] = [];
  try {
    const { manifest } = await StoredSnapshot.openManifest(store, id);
    for (const { shard } of manifest.buckets) {
      for (const { host } of await readShard(store, shard)) hosts.push(host);
    }
  } catch (error) {
    if (!(error instanceof BadSnapshotError)) throw error;
  }
  return hosts;
}
