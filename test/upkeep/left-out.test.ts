import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LEFT_OUT_WORDS } from "../../cli/explain.js";
import { explain, explainLeftOut } from "../../src/upkeep/explain.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { aListing, aPublishedDirectory, aScan, type PublishedFiles } from "../fixtures.js";
import { aStore } from "../store/stores.js";
import { builtStore } from "../store/trees.js";

const MOVED = { status: "moved", score: null, redirect: { host: "new.example", status: 301 } };

/** A listing for each reason, with the reason as its name, and two that are in search. */
function forEachReason(): PublishedFiles {
  const listed = ["unscanned", "moved", "first", "second"];
  const stated = ["blocked", "opted-out", "redirected", "removed", "deleted"] as const;
  const hostOf = (name: string) => `${name}.example`;
  return aPublishedDirectory({
    listings: [
      ...listed.map((name) => aListing({ host: hostOf(name) })),
      ...stated.map((visibility) => aListing({ host: hostOf(visibility), visibility })),
      aListing({ host: "blocked-unscanned.example", visibility: "blocked" }),
    ],
    scans: [...stated, "first", "second", "moved"].map((name) =>
      aScan({ host: hostOf(name), ...(name === "moved" ? MOVED : {}) }),
    ),
  });
}

/** Compares the list with `explain` for each of the hosts. */
async function agreesWithExplain(store: string, hosts: readonly string[]): Promise<void> {
  const { listings } = await explainLeftOut(store);
  const left = new Map(listings.map((listing) => [listing.host, listing]));
  for (const host of hosts) {
    const { inSearch, why, published, reason } = await explain(host, { store });
    const isListing = why !== "absent";
    expect([host, left.has(host)]).toEqual([host, isListing && !inSearch]);
    const listed = left.get(host);
    if (listed === undefined) continue;
    expect(listed).toEqual({ host, why, published, reason: expect.any(String) });
    expect(LEFT_OUT_WORDS).toContain(why);
    expect(reason.startsWith(listed.reason.split(". ")[0]!)).toBe(true);
  }
}

describe("explain without a host", () => {
  it("lists each listing that is not in search, sorted by host, with its reason", async () => {
    const { store, result } = await builtStore(forEachReason());
    const { listings, ...rest } = await explainLeftOut(store);
    expect(rest).toEqual({ snapshot: result.id, rolledBackTo: null, complete: true });
    expect(listings.map(({ host, why, published }) => [host, why, published])).toEqual([
      ["blocked-unscanned.example", "blocked", false],
      ["blocked.example", "blocked", true],
      ["deleted.example", "deleted", false],
      ["moved.example", "moved", true],
      ["opted-out.example", "opted-out", true],
      ["redirected.example", "redirected", true],
      ["removed.example", "removed", false],
      ["unscanned.example", "unscanned", false],
    ]);
    const REASONS = {
      absent: /it is not in the published directory/,
      unscanned: /it is listed, but the published directory has no scan of it/,
      moved: /another domain, new.example/,
      removed: /its visibility is "removed"/,
      deleted: /its visibility is "deleted"/,
      "blocked-unscanned": /"blocked", and the published directory has no scan of it/,
    };
    for (const [name, said] of Object.entries(REASONS)) {
      const { why, lastIn, reason } = await explain(`${name}.example`, { store });
      expect([why, lastIn, reason]).toEqual([
        name.replace("-unscanned", ""),
        null,
        expect.stringMatching(said),
      ]);
    }
    await agreesWithExplain(store, [...listings.map(({ host }) => host), "first.example"]);
  });

  it("lists only withheld reports when the builder's notes are lost, and says so", async () => {
    const { store } = await builtStore(forEachReason());
    await rm(join(store, ".notes"));
    const unknown = { why: "unknown", reason: expect.stringContaining("they are lost") };
    expect(await explain("removed.example", { store })).toMatchObject(unknown);
    const { listings, complete } = await explainLeftOut(store);
    expect(complete).toBe(false);
    expect(listings.map(({ host, why }) => [host, why])).toEqual([
      ["blocked.example", "unknown"],
      ["moved.example", "moved"],
      ["opted-out.example", "unknown"],
      ["redirected.example", "unknown"],
    ]);
  });

  it("agrees with explain after a rollback, too", async () => {
    const hosts = ["kept", "blocked", "removed", "dropped", "was-blocked", "left", "moved"];
    const listing = (name: string, changes = {}) =>
      aListing({ host: `${name}.example`, ...changes });
    const before = aPublishedDirectory({
      listings: hosts.map((name) =>
        listing(name, ["was-blocked", "left"].includes(name) ? { visibility: "blocked" } : {}),
      ),
      scans: hosts.map((name) =>
        aScan({ host: `${name}.example`, ...(name === "moved" ? MOVED : {}) }),
      ),
    });
    const after = aPublishedDirectory({
      listings: [
        ...["kept", "was-blocked", "new", "moved"].map((name) => listing(name)),
        ...(["blocked", "removed"] as const).map((name) => listing(name, { visibility: name })),
        listing("new-blocked", { visibility: "blocked" }),
      ],
      scans: ["kept", "was-blocked", "new", "moved", "blocked", "removed", "new-blocked"].map(
        (name) => aScan({ host: `${name}.example` }),
      ),
    });
    const all = [...hosts, "new", "new-blocked"].map((name) => `${name}.example`);
    for (const restoreMissing of [false, true]) {
      const { store } = await aStore(before, after);
      await rollback(store, { restoreMissing });
      await agreesWithExplain(store, all);
      const { listings, rolledBackTo } = await explainLeftOut(store);
      expect(rolledBackTo).not.toBeNull();
      const whys = Object.fromEntries(listings.map(({ host, why }) => [host, why]));
      expect(whys).toEqual({
        "blocked.example": "blocked",
        "moved.example": "moved",
        "new-blocked.example": "blocked",
        "new.example": "former",
        "removed.example": "removed",
        "was-blocked.example": "former",
        ...(restoreMissing && { "left.example": "restored" }),
      });
      const { why, reason } = await explain("new.example", { store });
      expect([why, reason]).toEqual(["former", expect.stringContaining("it has the answers of")]);
      const left = await explain("left.example", { store });
      const said = restoreMissing ? "A rollback brought it back" : "it is not in the published";
      expect(left.reason).toContain(said);
    }
  });
});
