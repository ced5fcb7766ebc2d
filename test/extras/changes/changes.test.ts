import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { ChangesFileBody } from "../../../src/extras/changes/bodies.js";
import { theStandards } from "../../fixtures.js";
import { manifestOf } from "../../store/forge.js";
import { directoryOf, PASSES, served } from "../../store/rows.js";
import { storedBytes } from "../../store/stored-bytes.js";
import { aStore } from "../../store/stores.js";
import { changesAdded } from "./added.js";
import { changesFrom } from "./mirror.js";

const ONE = directoryOf({
  better: [40, "+-"],
  corrected: [70, "++"],
  hidden: [50, "++"],
  moved: [50, "++", { category: "news", tags: ["alpha"], status: "claimed" }],
  same: [50, "++"],
  unscored: [50, "++"],
});
const TWO = directoryOf({
  better: [60, "-+", {}, 2],
  corrected: [20, "+-"],
  hidden: [50, "++", { visibility: "opted-out" }],
  moved: [50, "++"],
  new: [10, "--"],
  same: [50, "++"],
  unscored: [null, "++", {}, 2],
});

describe("/api/changes", () => {
  it("tells what changed of each site, and what each is now; a site with the same answers is in none", async () => {
    const { store } = await aStore(ONE, TWO);
    const { data, cursor } = await changesFrom(store, "1", 3);
    const { origin } = (await manifestOf(store)).history!;
    expect(cursor).toBe(`2-${origin}`);
    const untold = { score: null, band: null, scoreVersion: null, checks: null, was: null };
    const version = theStandards().rubric.version;
    const told = (change: string, score: object, checks: object, was: object | null = null) =>
      expect.objectContaining({ generation: 2, change, score, checks, was });
    expect(data.map(({ host, site, ...change }) => [host, change])).toEqual([
      [
        "better.example",
        told("changed", { from: 40, to: 60 }, { gained: [PASSES.second], lost: [PASSES.first] }),
      ],
      ["corrected.example", expect.objectContaining({ change: "changed", ...untold })],
      ["hidden.example", expect.objectContaining({ change: "removed", ...untold })],
      [
        "moved.example",
        told(
          "changed",
          { from: 50, to: 50 },
          { gained: [], lost: [] },
          {
            category: "news",
            tags: ["alpha"],
            status: "claimed",
          },
        ),
      ],
      ["new.example", told("added", { from: null, to: 10 }, { gained: [], lost: [] })],
      ["unscored.example", told("changed", { from: 50, to: null }, { gained: [], lost: [] })],
    ]);
    expect(data[0]).toMatchObject({ scoreVersion: { from: version, to: version } });
    const read = await served(store);
    const all: SiteSummary[] = JSON.parse((await read("/api/sites?sort=host")).text).data;
    for (const { host, site } of data)
      expect(site).toEqual(all.find((one) => one.host === host) ?? null);
    const { headers } = await read("/api/sites");
    expect(headers["X-Crawldex-Generation"]).toBe("2");
  });

  it("forgets older changes of a site that is removed or corrected, also in files; a return is new", async () => {
    const scored = (score: number, scan: number) =>
      directoryOf({ same: [50, "++"], site: [score, "++", {}, scan] });
    const gone = directoryOf({ same: [50, "++"] });
    const { store, publish } = await aStore(
      scored(10, 1),
      scored(20, 2),
      scored(30, 3),
      scored(33, 3),
    );
    const scores = async () =>
      (await changesFrom(store, "1", 9)).data.map(({ generation, change, score }) => [
        generation,
        change,
        score?.from,
        score?.to,
      ]);
    expect(await scores()).toEqual([[4, "changed", undefined, undefined]]);
    await publish(gone);
    await publish(scored(40, 4));
    await publish(scored(50, 5));
    expect(await scores()).toEqual([
      [5, "removed", undefined, undefined],
      [6, "added", null, 40],
      [7, "changed", 40, 50],
    ]);
    await publish(gone);
    expect(await scores()).toEqual([[8, "removed", undefined, undefined]]);
  });

  it(
    "tells of a site that was corrected after it had entered search that it was added, and nothing " +
      "that was said",
    async () => {
      const scored = (score: number) =>
        directoryOf({ same: [50, "++"], site: [score, "++", {}, 3] });
      const without = directoryOf({ same: [50, "++"] });
      const { store } = await aStore(
        without,
        scored(31),
        scored(32),
        without,
        scored(33),
        scored(34),
      );
      const told = async (since: string) =>
        (await changesFrom(store, since, 1)).data.map(({ generation, change, score }) => [
          generation,
          change,
          score,
        ]);
      const removed = [4, "removed", null];
      const added = [5, "added", null];
      const corrected = [6, "changed", null];
      expect(await told("1")).toEqual([removed, added, corrected]);
      expect(await told("4")).toEqual([added, corrected]);
      expect(await told("5")).toEqual([corrected]);
      const { changes } = changesAdded(await manifestOf(store));
      const stored = await storedBytes(
        store,
        changes.map(({ file }) => file),
      );
      expect(stored).not.toMatch(/"(?:from|to)":3\d\b/);
    },
  );

  it("refuses what it cannot tell: 410 with the oldest position, 400 for no position at all", async () => {
    const { store, publish } = await aStore(ONE, TWO, ONE);
    await publish(directoryOf({ a: [1, "++"] }, { changes: { days: 1, entries: 0 } }));
    const manifest = await manifestOf(store);
    const { origin } = manifest.history!;
    const { since } = changesAdded(manifest);
    expect(since).toBe(4);
    const read = await served(store);
    for (const [query, status] of [
      ["", 200],
      ["?since=4", 200],
      [`?since=4-${origin}`, 200],
      ["?since=3", 410],
      ["?since=0", 410],
      [`?since=4-${origin}~a.example`, 410],
      ["?since=4-00000000", 410],
      ["?since=5", 400],
      ["?since=999999999999999", 400],
      ["?since=-1", 400],
      ["?since=1.5", 400],
      ["?since=", 400],
      ["?since=4&since=4", 400],
      ["?limit=0", 400],
      ["?limit=1001", 400],
      ["?page=1", 400],
    ] as const) {
      const { status: answered, text } = await read(`/api/changes${query}`);
      expect([query, answered]).toEqual([query, status]);
      const issues = JSON.stringify(JSON.parse(text).issues ?? "");
      if (status === 410) expect(issues).toContain(`4-${origin}`);
    }
  });

  it("a file has the changes of `index.json`, and keeps its name while they stay", async () => {
    const { store } = await aStore(ONE, TWO);
    const read = await served(store);
    const index = JSON.parse((await read("/changes/index.json")).text);
    expect(index).toMatchObject({
      generation: 2,
      since: 1,
      files: [{ first: 2, last: 2, entries: 6 }],
    });
    const { status, text } = await read(`/changes/${index.files[0].file}`);
    const { data } = await changesFrom(store, index.cursor.replace(/^2/, "1"), 9);
    expect([status, ChangesFileBody.parse(JSON.parse(text))]).toEqual([
      200,
      { data: data.map(({ site: _, ...change }) => change) },
    ]);
    for (const name of ["none.json", "..%2Fapi", index.files[0].file.slice(1)])
      expect((await read(`/changes/${name}`)).status).toBe(404);
  });
});
