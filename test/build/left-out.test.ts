import { describe, expect, it } from "vitest";
import type { BuildResult } from "../../src/build/build.js";
import type { PublishedFiles } from "../fixtures.js";
import { builtStore, FOUR, manyListings } from "../store/trees.js";

const VISIBILITIES = ["blocked", "opted-out", "redirected", "removed", "deleted"] as const;

/** Many listings, of which some are not in search, for each of the reasons. */
function withAllReasons(): PublishedFiles {
  const files = manyListings();
  const moved = { status: "moved", score: null, redirect: { host: "new.example", status: 301 } };
  const listings = files.listings.map((listing, i) => {
    const visibility = VISIBILITIES[i % 20];
    return visibility === undefined ? listing : { ...listing, visibility };
  });
  const scans = files.scans.flatMap((scan) => {
    const number = Number(/\d+/.exec(scan.host)?.[0]) % 20;
    // Half of the blocked listings are not scanned either.
    if (number === 6 || scan.host === "site-0.example") return [];
    return [number === 7 && scan.id === "new" ? { ...scan, ...moved, scoreVersion: null } : scan];
  });
  return { ...files, listings, scans };
}

/** Counts by the rules of the published format, from the input alone. */
function expected({ listings, scans }: PublishedFiles): BuildResult["notInSearch"] {
  const counts = {
    ...{ blocked: 0, "opted-out": 0, redirected: 0, removed: 0, deleted: 0 },
    ...{ unscanned: 0, moved: 0 },
  };
  for (const { host, visibility = "listed" } of listings) {
    const own = scans.filter((scan) => scan.host === host);
    const newest = own.sort((a, b) => (a.finishedAt < b.finishedAt ? 1 : -1))[0];
    if (visibility !== "listed") counts[visibility] += 1;
    else if (newest === undefined) counts.unscanned += 1;
    else if (newest.status === "moved") counts.moved += 1;
  }
  return counts;
}

describe("the listings that are not in search", () => {
  it("a build counts each of them once, by its reason", async () => {
    const files = withAllReasons();
    const { result } = await builtStore(files, FOUR);
    expect(result.notInSearch).toEqual(expected(files));
    expect(Object.values(result.notInSearch).every((count) => count >= 2)).toBe(true);
    const sum = Object.values(result.notInSearch).reduce((a, b) => a + b);
    expect(result.counts.listings).toBe(result.counts.searchable + sum);
  });
});
