import { lifeOf } from "./life.js";
import { listingOf } from "./listing.js";
import { Random } from "./random.js";
import { sampleScan } from "./scan.js";
import { sampleSite } from "./site.js";

/** Each concern draws from its own random stream, so that an extra draw in one does not change the others. */
const STREAM = { site: 0, life: 1, listing: 2, scans: 3 } as const;

/** Listing `index` (from 0) of a seed, with its scans, oldest first. The result depends only on seed and index. */
export function generate(seed: number, index: number) {
  const stream = (concern: number) => new Random(seed, index, concern);
  const site = sampleSite(seed, index, stream(STREAM.site));
  const life = lifeOf(index, stream(STREAM.life));
  return {
    listing: listingOf(site, life, stream(STREAM.listing)),
    scans: life.scans.map((plan, place) => sampleScan(site, plan, stream(STREAM.scans + place))),
  };
}
