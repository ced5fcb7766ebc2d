import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportSite } from "../../src/export/export.js";
import type { ExportOptions } from "../../src/export/options.js";
import { SiteRefusedError } from "../../src/export/record.js";
import { lockTree, StoreLockedError } from "../../src/files/lock.js";
import { PHASES } from "../../src/lib/options.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { sha256, treeOf } from "../store/trees.js";
import { aSite, builtSite, exportedSite, variedListings, withListing } from "./sites.js";

function contentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []))
    .map((path) => `${path} ${readFileSync(path, "base64")}`);
}

describe("the exported tree", () => {
  it(
    "has a file for each address that the runtime answers with 200, with the same bytes, and no " +
      "other file",
    async () => {
      const files = variedListings();
      const site = await builtSite(files);
      const { id, written, deleted, unchanged } = await site.export();
      await site.expectTree(files);
      const names = Object.keys(await treeOf(site.site));
      expect({ written, deleted, unchanged }).toEqual({
        written: names.length,
        deleted: 0,
        unchanged: 0,
      });
      const record = JSON.parse(await readFile(`${site.site}.crawldex.json`, "utf8")) as object;
      expect(record).toMatchObject({ format: 6, snapshot: id });
      expect((await readdir(site.folder)).filter((name) => name.startsWith("site"))).toEqual([
        "site",
        "site.crawldex.json",
        "site.nginx.conf",
      ]);
    },
  );

  it.each<[string, object, number]>([
    ["removed", { visibility: "removed" }, 16],
    ["blocked", { visibility: "blocked" }, 10],
    ["without history", { entitlements: {} }, 10],
  ])("has nothing else left of a listing that is %s now", async (_, change, deleted) => {
    const canary = "CANARY-b7f3";
    const files = variedListings();
    const shown = withListing(files, "open.example", { tagline: canary, description: canary });
    const scans = files.scans.map((scan) =>
      scan.host === "open.example" ? { ...scan, summary: `${canary} ${scan.id}` } : scan,
    );
    const site = await exportedSite({ ...shown, scans });
    expect(await filesWith(site.site, canary)).not.toEqual([]);
    const next = withListing({ ...files, scans }, "open.example", change);
    await site.publish(next);
    // Files of removed answers go before anything is written.
    const phases = new Set<string>();
    const onProgress: ExportOptions["onProgress"] = (_done, _total, { name }) => phases.add(name);
    const before = Object.keys(await treeOf(site.site));
    const done = await site.export({ onProgress });
    const after = await treeOf(site.site);
    const gone = before.filter((path) => after[path] === undefined);
    expect(done.deleted).toBe(gone.length);
    // An extra may put other files in the place of tables.
    expect(gone.filter((path) => !path.startsWith("data/segments/"))).toHaveLength(deleted);
    expect([...phases]).toEqual([PHASES.removing.name, PHASES.exporting.name]);
    await site.expectTree(next);
    const left = await filesWith(site.site, canary);
    const isGone = !("entitlements" in change);
    // Without history: the latest report, its page and its twin.
    expect(left.length).toBe(isGone ? 0 : 3);
    const map = await readFile(join(site.site, "sitemaps/0.xml"), "utf8");
    expect(map.includes("/sites/open.example<")).toBe(!isGone);
    expect(await filesWith(site.site, `${canary} old`)).toEqual([]);
    for (const parent of ["api/sites", "sites"]) {
      const folder = await stat(join(site.site, parent, "open.example")).catch(() => null);
      expect(folder === null).toBe(deleted === 16);
    }
  });

  it("has the documents of a directory without listings, wherever the tree lies", async () => {
    const files = { ...variedListings(), listings: [], scans: [] };
    const site = await aSite(files);
    for (const siteUrl of ["https://one.example", "https://two.example"]) {
      const next = { ...files, directory: { ...files.directory, siteUrl } };
      await site.publish(next);
      await site.export();
      await site.expectTree(next);
      const map = await readFile(join(site.site, "sitemaps/0.xml"), "utf8");
      expect(map).toContain(`<loc>${siteUrl}/standards</loc>`);
    }
  });

  it("keeps files that are not its own, and folders that have one", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const mine = ["humans.txt", "api/sites/open.example/mine.txt", "sites/open.example/mine.txt"];
    for (const name of mine) await writeFile(join(site.site, name), "mine");
    const next = withListing(files, "open.example", { visibility: "removed" });
    await site.publish(next);
    await site.export({ full: true });
    for (const name of mine) {
      expect(await readFile(join(site.site, name), "utf8")).toBe("mine");
      await rm(join(site.site, name));
    }
    await site.expectTree(next);
  });
});

/** Paths of files that have a text in them. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of Object.keys(await treeOf(folder))) {
    if ((await readFile(join(folder, path), "utf8")).includes(text)) found.push(path);
  }
  return found;
}

describe("an export refuses", () => {
  const files = aPublishedDirectory();

  it("a folder that is not empty and has no record: nothing is touched", async () => {
    const site = await builtSite(files);
    await mkdir(site.site);
    await writeFile(join(site.site, "index.html"), "mine");
    await expect(site.export()).rejects.toThrow(SiteRefusedError);
    await expect(site.export({ full: true })).rejects.toThrow(
      /site is not empty, and there is no record/,
    );
    expect(Object.keys(await treeOf(site.site))).toEqual(["index.html"]);
    expect(await readdir(site.folder)).not.toContain("site.crawldex.json");
  });

  it("a file where the folder should be", async () => {
    const site = await builtSite(files);
    await writeFile(site.site, "mine");
    await expect(site.export()).rejects.toThrow(/site cannot hold an export: ENOTDIR/);
    expect(await readFile(site.site, "utf8")).toBe("mine");
  });

  it("a tree whose record is damaged, cut off, of another format, or impossible", async () => {
    const site = await exportedSite(files);
    const path = `${site.site}.crawldex.json`;
    const good = await readFile(path, "utf8");
    const before = await treeOf(site.site);
    const damages = [
      "",
      "{}\n",
      good.slice(0, -1),
      good.slice(0, 200),
      good.replace("example.com", "example.org"),
      good.replace('"format":6', '"format":4'),
      `${good} `,
      forgedRecord(good, '"example.com":', '"../../etc":'),
      forgedRecord(good, '{"format"', '"format"'),
      forgedRecord(good, '"format":6', '"format":4'),
    ];
    for (const damage of damages) {
      await writeFile(path, damage);
      await expect(site.export({ full: true })).rejects.toThrow(
        /^\S+site\.crawldex\.json is damaged .*; move both away and export again$/,
      );
      expect(await treeOf(site.site)).toEqual(before);
    }
    await writeFile(path, good);
    expect(await site.export()).toMatchObject({ written: 0 });
  });

  it("a tree that another export is writing, at once, but no other tree", async () => {
    const site = await builtSite(files);
    const lock = await lockTree(site.site, "held");
    await expect(site.export()).rejects.toThrow(StoreLockedError);
    await expect(site.export()).rejects.toThrow(/another export is writing to .*site/);
    await exportSite(join(site.folder, "other"), { store: site.store });
    await lock.free();
    await site.export();
    await site.expectTree(files);
  });

  it("to continue once another export has taken over its lock: it writes and deletes nothing more", async () => {
    const site = await exportedSite(files);
    const host = "next.example";
    const listings = [aListing({ host })];
    await site.publish(aPublishedDirectory({ listings, scans: [aScan({ host })] }));
    for (const when of [PHASES.removing, PHASES.exporting]) {
      let before: readonly string[] | null = null;
      const lost = site.export({
        full: true,
        onProgress: (_done, _total, { name }) => {
          if (name !== when.name || before !== null) return;
          rmSync(join(site.site, ".crawldex.lock"), { recursive: true });
          before = contentsIn(site.site);
        },
      });
      await expect(lost).rejects.toThrow(/^another export took over .*site, because this one/);
      expect([when.name, contentsIn(site.site)]).toEqual([when.name, before]);
    }
    await site.export();
    expect(readdirSync(site.folder).filter((name) => /lock|new$/.test(name))).toEqual([]);
  });

  it("a store without a snapshot, or with a bad one, and the tree stays as it was", async () => {
    const site = await exportedSite(files);
    const before = await treeOf(site.site);
    await site.publish(aPublishedDirectory({ listings: [aListing({ name: "Next" })] }));
    await rename(join(site.store, "segments"), join(site.store, "away"));
    await expect(site.export()).rejects.toThrow(/segments\/.*\.pack cannot be read: ENOENT/);
    expect(await treeOf(site.site)).toEqual(before);
    await rm(join(site.store, "current.json"));
    await expect(site.export()).rejects.toThrow("nothing has been published");
    expect(await treeOf(site.site)).toEqual(before);
  });

  it("a scan id or host that would lead elsewhere: it never becomes a path", async () => {
    const site = await builtSite(aPublishedDirectory({ scans: [aScan({ id: "__proto__" })] }));
    await site.export();
    await site.expectTree(aPublishedDirectory({ scans: [aScan({ id: "__proto__" })] }));
  });
});

/** A tree's record with something changed, and the digest of the changed text. */
function forgedRecord(record: string, from: string, to: string): string {
  const body = record.replace(/\],"sha256":.*\n$/, "").replace(from, to);
  expect(record).toContain(from);
  return `${body}],"sha256":"${sha256(Buffer.from(body))}"}\n`;
}
