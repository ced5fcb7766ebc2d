import { byCodeUnit, instantKey } from "../contract/order.js";
import type { Listing } from "../published/checking/schemas.js";
import type { ScanOfListing } from "../published/published.js";

/** A listing's publicly visible scans (decisions, Scans and history). */
export interface ScanHistory {
  /** The latest published scan. */
  readonly published: ScanOfListing;
  /** The scans that finished before the published one, newest first. Later scans are held back and shown nowhere. */
  readonly historical: readonly ScanOfListing[];
}

/**
 * Splits a listing's scans at the published one: the pinned scan, or the newest (ties: greatest id).
 * Null if the listing was never scanned.
 * @throws RangeError if the pinned scan does not exist, which the checks of the input rule out.
 */
export function historyOf(listing: Listing, scans: readonly ScanOfListing[]): ScanHistory | null {
  if (scans.length === 0) return null;
  const newestFirst = scans
    .map((scan) => ({ scan, finished: instantKey(scan.finishedAt) }))
    .sort((a, b) => byCodeUnit(b.finished, a.finished) || byCodeUnit(b.scan.id, a.scan.id))
    .map(({ scan }) => scan);
  const pinned = listing.publishedScan;
  const place = pinned === null ? 0 : newestFirst.findIndex(({ id }) => id === pinned);
  const published = newestFirst[place];
  if (published === undefined) throw new RangeError(`${listing.host} has no scan ${pinned}`);
  return { published, historical: newestFirst.slice(place + 1) };
}
