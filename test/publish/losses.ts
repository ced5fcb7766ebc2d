import { aScan, type PublishedFiles } from "../fixtures.js";
import { hosts } from "../store/stores.js";

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

/** A version of a rubric that nobody knows. */
export const UNKNOWN = "draft";

/**
 * The directory with another version of its rubric. The scans of the first so many sites have a version that nobody
 * knows, the others the new one.
 */
export function withUnknownVersion(files: PublishedFiles, unknown: number): PublishedFiles {
  const { rubric } = files.standards;
  const old = new Set(hosts(unknown));
  const scans = files.scans.map((scan) => ({
    ...scan,
    scoreVersion: old.has(scan.host) ? UNKNOWN : "2026-10",
  }));
  const standards = { ...files.standards, rubric: { ...rubric, version: "2026-10" } };
  return { ...files, scans, standards };
}

/**
 * The warning of scores without a band after `withUnknownVersion`.
 * @param unless what `validate` says besides, as it looks into no store
 */
export const warned = (count: number, total: number, unless = "") => ({
  file: "standards.json",
  path: "$.rubric.version",
  message:
    `${count} of ${total} published scores have scoreVersion "${UNKNOWN}", the rubric is "2026-10": ` +
    `they have no band${unless}; rescan these sites, add the rubric of that version to formerRubrics, or give ` +
    "their scans the band that they had",
});
