import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportSite } from "../../../src/export/export.js";
import { comparisonOf } from "../../../src/extras/methodology/comparison.js";
import { methodology as atEdge } from "../../../src/extras/methodology/edge.js";
import { createFetchHandler } from "../../../src/fetch/index.js";
import { pages } from "../../../src/fetch/pages.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { folderStore } from "../../../src/store/folder-source.js";
import { currentId, StoredSnapshot } from "../../../src/store/reader.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { withdraw } from "../../../src/upkeep/withdraw.js";
import { aCheckDescription, aScan, type PublishedFiles } from "../../fixtures.js";
import { all, parsedPage, textOf } from "../../pages/parsed.js";
import { asked } from "../../server/asked.js";
import { hosts, storeWith } from "../../store/stores.js";
import { FOUR } from "../../store/trees.js";

const NEXT = [
  { band: "low", label: "Low", min: 0, max: 29 },
  { band: "middle", label: "Middle", min: 30, max: 69 },
  { band: "open", label: "Open", min: 70, max: 100 },
];

/** The directory with another methodology. */
function withNext(files: PublishedFiles): PublishedFiles {
  const { rubric } = files.standards;
  const standards = {
    ...files.standards,
    rubric: { ...rubric, version: "v2", block1Points: 70, bands: NEXT },
  };
  return { ...files, standards };
}

/** The directory after its first so many sites were scanned again. */
function rescanned(files: PublishedFiles, count: number): PublishedFiles {
  const scans = hosts(count).map((host, site) => {
    const score = (site * 37) % 101;
    return aScan({
      host,
      id: "next",
      finishedAt: "2026-09-09T00:00:00Z",
      score,
      scoreVersion: "v2",
    });
  });
  return { ...files, scans: [...files.scans, ...scans] };
}

/** The scores before and after of all listed sites that have both, worked out from the records alone. */
function movesIn({ listings, scans, standards }: PublishedFiles, former: string) {
  return listings.flatMap(({ host, visibility = "listed" }) => {
    const own = scans
      .filter((scan) => scan.host === host && scan.score !== null)
      .sort((a, b) => Date.parse(b.finishedAt) - Date.parse(a.finishedAt));
    const before = own.find(({ scoreVersion }) => scoreVersion === former);
    const [now] = own;
    if (visibility !== "listed" || before === undefined) return [];
    if (now?.scoreVersion !== standards.rubric.version) return [];
    return [{ from: before.score ?? 0, to: now.score ?? 0 }];
  });
}

async function pageOf(store: string) {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  try {
    const { status, bytes } = await asked(snapshot, "/standards/changes", true);
    expect(status).toBe(200);
    return parsedPage(bytes.toString());
  } finally {
    close();
  }
}

/** The rows of the table with this caption. */
async function rowsOf(store: string, caption: string): Promise<string[]> {
  const page = await pageOf(store);
  const table = all(page, "table").find((one) => all(one, "caption").map(textOf)[0] === caption);
  return table === undefined ? [] : all(table, "tr").map(textOf);
}

async function addedFile(store: string) {
  const snapshot = await StoredSnapshot.openManifest(store, (await currentId(store)) ?? "");
  snapshot.close();
  return snapshot.addition("methodology")?.files[0]?.file;
}

describe("/standards/changes", () => {
  it("says that nothing is known before a second methodology, and the methodology leads to it", async () => {
    const { store } = await storeWith(3, FOUR);
    expect(textOf(await pageOf(store))).toContain("No version of the methodology before");
    const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
    const { bytes } = await asked(snapshot, "/standards", true);
    close();
    expect(bytes.toString()).toContain('href="standards/changes"');
  });

  it("shows the moves of scores as the records give them, and bands only of 10 sites or more", async () => {
    const { store, files, rebuild } = await storeWith(60, FOUR);
    const former = files.standards.rubric;
    await rebuild(withNext(files));
    const next = rescanned(withNext(files), 40);
    await rebuild(next);
    const moves = movesIn(next, former.version);
    expect(moves).toHaveLength(40);
    const differences = moves.map(({ from, to }) => to - from).sort((a, b) => a - b);
    const median = differences[Math.ceil(differences.length / 2) - 1] ?? 0;
    const risen = differences.filter((one) => one > 0).length;
    const fallen = differences.filter((one) => one < 0).length;
    expect(median).not.toBe(0);
    expect(textOf(await pageOf(store))).toContain(
      `40 sites in the directory have been scanned under both versions. The median score ` +
        `${median > 0 ? "rose" : "fell"} by ${Math.abs(median)} points: ${risen} rose, ${fallen} fell, and ` +
        `${40 - risen - fallen} stayed the same.`,
    );
    const expected = NEXT.flatMap(({ label, min, max }) => {
      const here = moves.filter(({ to }) => min <= to && to <= max);
      const counts = former.bands.map(
        (band) => here.filter(({ from }) => band.min <= from && from <= band.max).length,
      );
      return here.length < 10 ? [] : `${label} ${here.length} ${counts.join(" ")}`;
    });
    expect(expected.length).toBeGreaterThan(0);
    expect((await rowsOf(store, "Bands before and now")).slice(1)).toEqual(expected);
  });

  it("shows no moves of fewer than 10 sites", async () => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    await rebuild(withNext(files));
    await rebuild(rescanned(withNext(files), 9));
    expect(textOf(await pageOf(store))).toContain(
      "Fewer than 10 sites have been scanned under both",
    );
    await rebuild(rescanned(withNext(files), 10));
    expect(textOf(await pageOf(store))).toContain("10 sites in the directory have been scanned");
  });

  it("leaves out a site that is removed, with the next build", async () => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    const next = rescanned(withNext(files), 12);
    await rebuild(next);
    const listings = next.listings.map((one, site) =>
      site < 2
        ? { ...one, visibility: site === 0 ? ("removed" as const) : ("blocked" as const) }
        : one,
    );
    await rebuild({ ...next, listings });
    expect(textOf(await pageOf(store))).toContain("10 sites in the directory");
    await rebuild({ ...next, listings: listings.slice(3) });
    expect(textOf(await pageOf(store))).toContain("Fewer than 10 sites");
  });

  it("is the same after an incremental build and a full one, and says nothing after a rollback", async () => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    await rebuild(withNext(files));
    await rebuild(rescanned(withNext(files), 12));
    const changed = rescanned(withNext(files), 17);
    expect((await rebuild(changed)).kept).toBeGreaterThan(0);
    const file = await addedFile(store);
    await rebuild(changed, { full: true });
    expect(await addedFile(store)).toBe(file);
    await rollback(store);
    expect(textOf(await pageOf(store))).toContain("No version of the methodology before");
    await rebuild(changed);
    expect(await addedFile(store)).toBe(file);
  });

  it("leaves out a site at once that is withdrawn, and has it again with the build after that is lifted", async () => {
    const { store, files, rebuild } = await storeWith(30, FOUR);
    const next = rescanned(withNext(files), 12);
    await rebuild(next);
    const withAll = await addedFile(store);
    const [host = "", ...more] = hosts(3);
    await withdraw([host], { store });
    expect(textOf(await pageOf(store))).toContain("11 sites in the directory have been scanned");
    const without = await addedFile(store);
    for (const full of [false, true]) {
      await rebuild(next, { full });
      expect(await addedFile(store)).toBe(without);
    }
    await withdraw([host], { store, restore: true });
    expect(await addedFile(store)).toBe(without);
    await rebuild(next);
    expect(await addedFile(store)).toBe(withAll);
    await withdraw([host, ...more], { store });
    expect(textOf(await pageOf(store))).toContain("Fewer than 10 sites");
  });

  it("takes a check whose id has changed for the same check", async () => {
    const { store, files, rebuild } = await storeWith(3, FOUR);
    const check = (id: string, changes = {}) => aCheckDescription({ id, name: id, ...changes });
    const withChecks = (from: PublishedFiles, checks: PublishedFiles["standards"]["checks"]) => ({
      ...from,
      scans: files.scans.map((scan) => ({ ...scan, checks: [] })),
      standards: { ...from.standards, checks },
    });
    const before = ["as-it-was", "with-another-name", "with-other-points"].map((id) => check(id));
    await rebuild(withChecks(files, before));
    const after = [
      { ...check("same", { name: "as-it-was" }), formerly: ["as-it-was"] },
      { ...check("named", { name: "New name" }), formerly: ["with-another-name"] },
      {
        ...check("points", { name: "with-other-points", maxPoints: 5, weight: 5 }),
        formerly: ["with-other-points"],
      },
    ];
    await rebuild(withChecks(withNext(files), after));
    expect((await rowsOf(store, "Checks that changed")).slice(1)).toEqual([
      "New name Core checks, 60 points, version 1, called with-another-name Core checks, 60 points, version 1",
      "with-other-points Core checks, 60 points, version 1 Core checks, 5 points, version 1",
    ]);
  });

  it("counts the points of a check as the page of the methodology does", async () => {
    const { store, files, rebuild } = await storeWith(3, FOUR);
    const penalty = { id: "penalty", name: "penalty", kind: "penalty", block: null } as const;
    const trial = { id: "trial", name: "trial", lifecycle: "experimental" } as const;
    const withPoints = (from: PublishedFiles, maxPoints: number) => ({
      ...from,
      scans: files.scans.map((scan) => ({ ...scan, checks: [] })),
      standards: {
        ...from.standards,
        checks: [
          aCheckDescription({ ...penalty, weight: 3, maxPoints }),
          aCheckDescription({ ...trial, maxPoints, version: maxPoints + 1 }),
        ],
      },
    });
    await rebuild(withPoints(files, 0));
    await rebuild(withPoints(withNext(files), 8));
    const [row = "", other = ""] = (await rowsOf(store, "Checks that changed")).slice(1);
    expect(row).toMatch(/3 points, version 1 Penalties, .8 points, version 1$/);
    expect(other.match(/\d+ points/g)).toEqual(["0 points", "0 points"]);
    const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
    const { bytes } = await asked(snapshot, "/standards", true);
    close();
    expect(textOf(parsedPage(bytes.toString()))).toContain("Up to 8 points less");
  });

  it("names the bands and the checks that were added, removed, renamed or count otherwise", async () => {
    const { store, files, rebuild } = await storeWith(3, FOUR);
    const check = (id: string, changes = {}) => aCheckDescription({ id, name: id, ...changes });
    const before = [check("stays"), check("goes"), check("moves"), check("named", { name: "Old" })];
    const after = [
      check("stays"),
      check("comes", { kind: "capability", block: null, maxPoints: 0, weight: 0 }),
      check("moves", { block: 2, maxPoints: 5, weight: 5, version: 2 }),
      check("named", { name: "New" }),
    ];
    const scans = files.scans.map((scan) => ({ ...scan, checks: [] }));
    const withChecks = (from: PublishedFiles, checks: typeof before) => ({
      ...from,
      scans,
      standards: { ...from.standards, checks },
    });
    await rebuild(withChecks(files, before));
    await rebuild(withChecks(withNext(files), after));
    expect((await rowsOf(store, "Checks that changed")).slice(1)).toEqual([
      "comes — Extras, 0 points, version 1",
      "moves Core checks, 60 points, version 1 Further checks, 5 points, version 2",
      "New Core checks, 60 points, version 1, called Old Core checks, 60 points, version 1",
      "goes Core checks, 60 points, version 1 —",
    ]);
    expect((await rowsOf(store, "Bands")).slice(1)).toEqual([
      "Open Open, 50 to 100 Open, 70 to 100",
      "Middle — Middle, 30 to 69",
      "Low — Low, 0 to 29",
      "Closed Closed, 0 to 49 —",
    ]);
    expect(textOf(await pageOf(store))).toContain("Core checks bring up to 70 points now");
  });

  it("is in an exported tree, and at an edge that has the extra", async () => {
    const { folder, store, files, rebuild } = await storeWith(3, FOUR);
    await rebuild(withNext(files));
    const out = join(folder, "tree");
    await exportSite(out, { store });
    expect(await readFile(join(out, "standards/changes.html"), "utf8")).toContain("From version");
    const handler = await createFetchHandler({
      store: folderStore(store),
      pages: pages(),
      extras: [atEdge()],
    });
    const answer = await handler(new Request("https://a.example/standards/changes"));
    expect(await answer.text()).toContain("From version");
  });
});

it("the last methodologies are kept, each version once, the current one last", async () => {
  const { files } = await storeWith(1, FOUR);
  const versions = ["a", "b", "c", "d", "b", "e", "f"];
  let known: Parameters<typeof comparisonOf>[0] = [];
  for (const version of versions) {
    const { standards } = files;
    const current = { ...standards, rubric: { ...standards.rubric, version } };
    known = comparisonOf(known, current, null).methodologies;
  }
  expect(known.map(({ rubric }) => rubric.version)).toEqual(["c", "d", "b", "e", "f"]);
});
