import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { builtStore } from "../store/trees.js";
import { crawldex } from "./spawned.js";

/** A removed listing, a blocked one, two that were not scanned, and one in search. */
function severalReasons() {
  const listings = [
    aListing(),
    aListing({ host: "gone.example", visibility: "removed" }),
    aListing({ host: "blocked.example", visibility: "blocked" }),
    aListing({ host: "b.example" }),
    aListing({ host: "a.example" }),
  ];
  const scans = [aScan(), aScan({ host: "blocked.example" })];
  // It goes with the folder of all temporary files.
  return builtStore(aPublishedDirectory({ listings, scans }), {}, () => {});
}

/** A store that tests only read. */
const built = severalReasons();

const NONE = {
  ...{ blocked: 0, "opted-out": 0, redirected: 0, removed: 0, deleted: 0 },
  ...{ unscanned: 0, moved: 0 },
};
const COUNTS = { ...NONE, blocked: 1, removed: 1, unscanned: 2 };

describe("crawldex build", () => {
  it("says how many listings are not in search for each reason, and how many have no report", async () => {
    const { folder, result } = await built;
    expect(result.notInSearch).toEqual(COUNTS);
    const plain = await crawldex(["build", "published", "--out", "store"], folder);
    expect(plain.stdout.split("\n")).toContain(
      "4 listings not in search: 1 blocked, 1 removed, 2 unscanned; 3 of them without a report",
    );
    const json = await crawldex(["build", "published", "--out", "store", "--json"], folder);
    expect(JSON.parse(json.stdout)).toMatchObject({ notInSearch: COUNTS });
  });
});

describe("crawldex explain without a host", () => {
  it("lists the listings that are not in search, sorted by host, and counts them: exit 0", async () => {
    const { store, result } = await built;
    const { code, stdout, stderr } = await crawldex(["explain", "--store", store]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      "a.example        unscanned, no report",
      "b.example        unscanned, no report",
      "blocked.example  blocked, report withheld",
      "gone.example     removed, no report",
      "4 listings not in search: 1 blocked, 1 removed, 2 unscanned",
      `snapshot ${result.id}`,
      "",
    ]);
  });

  it("with --reason lists those of these reasons alone; --json has the reasons in full", async () => {
    const { store, result } = await built;
    const removed = {
      host: "gone.example",
      published: false,
      why: "removed",
      reason: 'It has no report: its visibility is "removed".',
    };
    const one = await crawldex(["explain", "--store", store, "--json", "--reason", "removed"]);
    expect(JSON.parse(one.stdout)).toEqual({
      ok: true,
      snapshot: result.id,
      rolledBackTo: null,
      complete: true,
      notInSearch: { ...NONE, removed: 1, former: 0, restored: 0, unknown: 0 },
      listings: [removed],
    });
    const args = ["--reason", "removed", "--reason", "unscanned"];
    const two = await crawldex(["explain", "--store", store, "--json", ...args]);
    const { listings } = JSON.parse(two.stdout) as { listings: { host: string }[] };
    expect(listings.map(({ host }) => host)).toEqual(["a.example", "b.example", "gone.example"]);
    const none = await crawldex(["explain", "--store", store, "--reason", "moved"]);
    expect(none.stdout).toBe(`0 listings not in search\nsnapshot ${result.id}\n`);
  });

  it("warns that listings are missing from the list when the builder's notes are lost", async () => {
    const { store } = await severalReasons();
    await rm(join(store, ".notes"));
    const { code, stdout, stderr } = await crawldex(["explain", "--store", store]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: the builder's notes are lost .*without a report/);
    expect(stdout).toContain("1 listing not in search: 1 unknown\n");
  });
});
