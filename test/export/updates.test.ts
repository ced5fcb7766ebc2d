import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { STYLES } from "#scripts/names";
import { exportSite } from "../../src/export/export.js";
import { readRecord, recordPath, writeRecord } from "../../src/export/record.js";
import { lockTree } from "../../src/files/lock.js";
import { PHASES } from "../../src/lib/options.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { isExtraFile } from "../extras/examples.js";
import { aListing, aScan, theStandards } from "../fixtures.js";
import { manyListings, treeOf } from "../store/trees.js";
import { aSite, builtSite, exportedSite, variedListings, withListing } from "./sites.js";

describe("an exported tree", () => {
  it.each([
    ["plain", undefined, 22, /\.pack$/],
    // Without the directory's own pages, nothing shows all listings.
    ["the API alone", "api", 2, /\.(?:pack|brief)$/],
  ] as const)(
    "is updated after one change without a look at the segments of other listings: %s",
    async (_, only, most, unread) => {
      const files = manyListings(24);
      const site = await aSite(files, { keep: 1, segmentSize: 8 });
      const { id } = await site.export({ only });
      const folder = join(site.store, "segments");
      // The methodology shows the report of the host with the lowest hash.
      const { manifest } = await StoredSnapshot.openManifest(site.store, id);
      const example = basename(manifest.segments[0]!.pack.file);
      const before = readdirSync(folder).filter((name) => unread.test(name) && name !== example);
      expect(before.length).toBeGreaterThan(1);
      const next = withListing(files, "site-0.example", { name: "Another" });
      await site.publish(next);
      const hidden = join(site.folder, "hidden");
      await mkdir(hidden);
      for (const name of before) await rename(join(folder, name), join(hidden, name));
      const old = await treeOf(site.site);
      const { written } = await site.export({ only });
      const tree = await treeOf(site.site);
      const changed = Object.keys(tree).filter((path) => tree[path] !== old[path]);
      expect(written).toBe(changed.length);
      const ofCore = changed.filter((path) => !isExtraFile(path));
      expect(ofCore.length).toBeLessThanOrEqual(most);
      for (const name of before) await rename(join(hidden, name), join(folder, name));
      await exportSite(join(site.folder, "fresh"), { store: site.store, for: "nginx", only });
      expect(await treeOf(site.site)).toEqual(await treeOf(join(site.folder, "fresh")));
    },
  );

  it("changes no file of other listings when one is added, and is the same if threads write it", async () => {
    const files = variedListings();
    const site = await builtSite(files);
    await site.export({ jobs: 2 });
    await site.expectTree(files);
    const before = await treeOf(site.site);
    const host = "new.example";
    const next = { ...files, listings: [...files.listings, aListing({ host })] };
    next.scans = [...files.scans, aScan({ host })];
    await site.publish(next);
    await site.export({ jobs: 3 });
    await site.expectTree(next);
    const after = await treeOf(site.site);
    const changed = Object.keys(after).filter((path) => before[path] !== after[path]);
    expect(changed.filter((path) => /sites\//.test(path) && !path.includes(host))).toEqual([]);
  });
});

describe("pages that are made differently from the same reports", () => {
  it(
    "by a version with another style: the new style is there before the first page, and the old one " +
      "until the last",
    async () => {
      const files = variedListings();
      const site = await exportedSite(files);
      const old = "assets/report-00000000.css";
      const next = `assets/${STYLES.pages.name}`;
      await rename(join(site.site, next), join(site.site, old));
      const record = (await readRecord(await recordPath(site.site)))!;
      const { [next]: digest = null, ...documents } = record.documents;
      const before = { ...documents, [old]: digest };
      const lock = await lockTree(site.site, site.site);
      await writeRecord(await recordPath(site.site), lock, {
        ...record,
        edition: "0".repeat(32),
        documents: before,
      });
      await lock.free();
      const page = "sites/open.example.html";
      await rm(join(site.site, page));
      const seen: boolean[][] = [];
      await site.export({
        full: true,
        onProgress: (_done, _total, { name }) => {
          if (name !== PHASES.exporting.name) return;
          const [hasOld, hasNext, hasPage] = [old, next, page].map((path) =>
            existsSync(join(site.site, path)),
          );
          seen.push([hasOld === true, hasNext === true || hasPage !== true]);
        },
      });
      expect(seen.length).toBeGreaterThan(5);
      expect(seen.filter(([hasOld, hasNext]) => !hasOld || !hasNext)).toEqual([]);
      await site.expectTree(files);
      // The old one is no longer ours, and all that is there is known.
      expect((await readRecord(await recordPath(site.site)))?.documents).toEqual(record.documents);
      expect(Object.values(record.documents)).not.toContain(null);
    },
  );

  it("by another rubric: the pages that show it are rewritten, though no shard changed", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const { rubric } = theStandards();
    const standards = { ...theStandards(), rubric: { ...rubric, block1Points: 61 } };
    const next = { ...files, standards };
    await site.publish(next);
    await site.export();
    await site.expectTree(next);
    const page = await readFile(join(site.site, "sites/open.example.html"), "utf8");
    expect(page).toContain('<td class="number">61</td>');
  });
});
