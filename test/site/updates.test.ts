import { readdirSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportSite } from "../../src/site/export.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { aListing, aScan } from "../fixtures.js";
import { manyListings, treeOf } from "../store/trees.js";
import { aSite, builtSite, variedListings, withListing } from "./sites.js";

describe("an exported tree", () => {
  it.each([
    ["plain", undefined, 22, /\.pack$/],
    // Without the directory's own pages, nothing shows all listings.
    ["the API alone", "api", 2, /\.(?:pack|brief|parquet)$/],
  ] as const)(
    "is updated after one change without a look at the segments of other listings: %s",
    async (_, only, written, unread) => {
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
      expect(await site.export({ only })).toMatchObject({ written });
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
