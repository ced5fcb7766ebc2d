import { aScan, type PublishedFiles } from "../fixtures.js";
import { hosts } from "../store/stores.js";
import { manyListings } from "../store/trees.js";

/*
 * Published directories that lose listings, scores or bands.
 */

/** The directory less its first so many listings. */
export function without(files: PublishedFiles, gone: number): PublishedFiles {
  return { ...files, listings: files.listings.slice(gone) };
}

/** The directory after a failed scan of its first so many listings. */
export function afterOutage(files: PublishedFiles, count = 60): PublishedFiles {
  const failed = files.listings.slice(0, count);
  const scan = { id: "failed", status: "failed", finishedAt: "2026-09-01T00:00:00Z", score: null };
  return {
    ...files,
    scans: [...files.scans, ...failed.map(({ host }) => aScan({ ...scan, host }))],
  };
}

/** The version of the rubric in `manyListings`. */
export const FORMER = manyListings(1).standards.rubric.version;

/**
 * The directory with another version of its rubric, in which the scans of the first so many sites are not scored
 * anew.
 */
export function withNewRubric(files: PublishedFiles, former: number): PublishedFiles {
  const { rubric } = files.standards;
  const old = new Set(hosts(former));
  const scans = files.scans.map((scan) => ({
    ...scan,
    ...(!old.has(scan.host) && { scoreVersion: "2026-10" }),
  }));
  const standards = { ...files.standards, rubric: { ...rubric, version: "2026-10" } };
  return { ...files, scans, standards };
}

/** The warning of scores without a band after `withNewRubric`. */
export const warned = (count: number, total: number, version = FORMER) => ({
  file: "standards.json",
  path: "$.rubric.version",
  message:
    `${count} of ${total} published scores have scoreVersion "${version}", the rubric is "2026-10": ` +
    "they have no band; rescan these sites, or give their scans the band that they had",
});
