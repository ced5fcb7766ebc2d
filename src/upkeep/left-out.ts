import { readNotes } from "../build/notes.js";
import { requireCurrent } from "../build/snapshots.js";
import { byCodeUnit } from "../contract/order.js";
import type { Report } from "../contract/report.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { StoredSnapshot } from "../store/reader.js";
import { directoryHosts } from "../store/segments/directory.js";
import { type Explanation, storedReport } from "./explain.js";
import { knownOf, notedAbout, whyLeftOut } from "./reasons.js";

/** A listing that search does not contain. */
export type LeftOutListing = Pick<Explanation, "host" | "published" | "why" | "reason">;

/** The listings that search does not contain. */
export interface LeftOutListings extends Pick<Explanation, "snapshot" | "rolledBackTo"> {
  /** Sorted by host. */
  readonly listings: readonly LeftOutListing[];
  /**
   * Whether these are all. False if the builder's notes are lost or belong to another snapshot: then listings without a
   * report are unknown.
   */
  readonly complete: boolean;
}

/**
 * Explains why listings of the published directory have no report in the current snapshot, or are not in search. Reads
 * the tables one after another, and only the answers of listings that the builder's notes do not explain.
 * @throws NoSnapshotError if there is no snapshot; BadSnapshotError if a file that it reads is damaged
 */
export async function explainLeftOut(store: string): Promise<LeftOutListings> {
  const snapshot = await requireCurrent(store);
  const noted = notedAbout(snapshot, await readNotes(store));
  const { built, rolledBackTo, tombstones } = noted;
  // Only after a rollback does the current snapshot differ from the one that was built last.
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
    for await (const entry of stored.listings.allEntries()) {
      const { host, search } = entry;
      withoutReport.delete(host);
      if (search === null) await add(host, () => storedReport(stored, entry));
    }
  } finally {
    stored.close();
  }
  for (const host of withoutReport) await add(host, null);
  listings.sort((a, b) => byCodeUnit(a.host, b.host));
  return { snapshot, rolledBackTo, listings, complete: built !== null };
}

/** The hosts of a snapshot. None if it is damaged, so that the listings can still be explained. */
async function hostsIn(store: string, id: string): Promise<string[]> {
  try {
    const { listings } = await StoredSnapshot.openManifest(store, id);
    return (await listings.directories()).flatMap(directoryHosts);
  } catch (error) {
    if (error instanceof BadSnapshotError) return [];
    throw error;
  }
}
