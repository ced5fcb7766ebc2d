import type { ListingEntry } from "./format.js";
import type { StoredSegments } from "./segments/set.js";
import { Tally } from "./tally.js";

/** Totals over the live listings of a snapshot. */
export class CountedListings {
  readonly counts = { reports: 0, searchable: 0, historical: 0 };
  readonly tally = new Tally();
  /** The number of live listings, by segment. */
  readonly live: number[] = [];
  isWhole = true;

  /** Counts all listings of a set. @throws BadSnapshotError */
  static of(set: StoredSegments, scoreVersion: string): CountedListings {
    const counted = new CountedListings();
    for (const segment of set.segments.keys()) counted.add(set.entries(segment), scoreVersion);
    return counted;
  }

  /** @param entries of the next segment; undefined if they cannot be read */
  add(entries: readonly ListingEntry[] | undefined, scoreVersion: string): void {
    this.isWhole &&= entries !== undefined;
    this.live.push(entries?.length ?? 0);
    for (const entry of entries ?? []) {
      this.counts.reports += 1;
      this.counts.historical += entry.historical.length;
      if (entry.search !== null) this.counts.searchable += 1;
      this.tally.addListing(entry, scoreVersion);
    }
  }
}
