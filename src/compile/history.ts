import { byCodeUnit } from "../contract/order.js";
import type { Listing } from "../published/checking/schemas.js";
import type { PublishedScan } from "../published/published.js";
import { instantKey } from "./instant.js";

/** A listing's scans as the public sees them (decisions, Scans and history). */
export interface ScanHistory {
  /** The latest published scan. */
  readonly published: PublishedScan;
  /** Those that finished before it, newest first. Later ones are held back: nothing shows them. */
  readonly historical: readonly PublishedScan[];
}

/**
 * Parts a listing's scans at its published one: the pinned one, or the newest (ties: greatest id).
 * Null where the listing was never scanned.
 * @throws RangeError where the pinned scan does not exist, which the input's checks rule out.
 */
export function historyOf(listing: Listing, scans: readonly PublishedScan[]): ScanHistory | null {
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
