import { Random } from "./random.js";
import type { ListingRecord, ScanRecord } from "./records.js";
import { scanOf } from "./scans/scan.js";
import { lifeOf } from "./sites/life.js";
import { listingOf } from "./sites/listing.js";
import { siteOf } from "./sites/site.js";

/** Each concern draws from a stream of its own, so that one more draw in one changes no other. */
const STREAM = { site: 0, life: 1, listing: 2, scans: 3 } as const;

/** A listing with its scans, oldest first. */
export interface Generated {
  readonly listing: ListingRecord;
  readonly scans: readonly ScanRecord[];
}

/** Listing `index` (from 0) of a seed. It depends on these two alone, so a larger sample begins as a smaller one. */
export function generate(seed: number, index: number): Generated {
  const stream = (concern: number) => new Random(seed, index, concern);
  const site = siteOf(seed, index, stream(STREAM.site));
  const life = lifeOf(stream(STREAM.life));
  return {
    listing: listingOf(site, life, stream(STREAM.listing)),
    scans: life.scans.map((plan, place) => scanOf(site, plan, stream(STREAM.scans + place))),
  };
}
