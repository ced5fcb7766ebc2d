import {
  cp,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { dataFiles } from "../../src/export/data-files.js";
import { disk, StoreWriteError } from "../../src/files/disk.js";
import { build } from "../../src/publish/build.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { type PublishedFiles, writePublished } from "../fixtures.js";
import { sha256, treeOf } from "../store/trees.js";
import { aSite, builtSite, exportedSite, type Site, variedListings } from "./sites.js";

const OPEN = "api/sites/open.example";
/** The varied listings, one of them as given. */
function varied(host: string, change: object): PublishedFiles {
  const files = variedListings();
  const listings = files.listings.map((one) => (one.host === host ? { ...one, ...change } : one));
  return { ...files, listings };
}

describe("an export that was cut off", () => {
  it("leaves unfinished files, and the next export removes them", async () => {
    const site = await exportedSite(variedListings());
    const name = "0".repeat(32);
    await writeFile(join(site.site, `.crawldex-${name}.new`), "half");
    await writeFile(`${site.site}.crawldex.json.${name}.new`, "half");
    await site.export({ full: true });
    await site.expectTree(variedListings());
    await expect(stat(`${site.site}.crawldex.json.${name}.new`)).rejects.toThrow("ENOENT");
  });
});

describe("a tree that was changed by hand", () => {
  it("is repaired by --full, which writes only the wrong files", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const { id } = await site.export();
    const report = join(site.site, OPEN, "report.json");
    await writeFile(report, Buffer.alloc((await stat(report)).size));
    await rm(join(site.site, OPEN, "enrichment.json"));
    await rm(join(site.site, "api/sites/con.com"), { recursive: true });
    expect(await site.export()).toMatchObject({ id, written: 0 });
    expect(await site.export({ full: true })).toMatchObject({ id, written: 4, deleted: 0 });
    await site.expectTree(files);
    expect(await site.export({ full: true })).toMatchObject({ written: 0 });
  });

  it.each<[string, (site: Site) => Promise<void>]>([
    ["emptied", (site) => rm(join(site.site, "api"), { recursive: true })],
    ["deleted", (site) => rm(site.site, { recursive: true })],
    [
      "put in place of another folder",
      async (site) => {
        await rename(site.site, join(site.folder, "away"));
        await cp(join(site.folder, "away"), site.site, { recursive: true });
        await rm(join(site.site, OPEN), { recursive: true });
      },
    ],
  ])("is rewritten where it was %s", async (_, damage) => {
    const files = variedListings();
    const site = await exportedSite(files);
    await damage(site);
    await site.export();
    await site.expectTree(files);
  });

  it("is read again where files were not synced when the machine has restarted", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const path = `${site.site}.crawldex.json`;
    const text = await readFile(path, "utf8");
    const body = text.slice(0, text.lastIndexOf("]")).replace('"boot":null', '"boot":"before"');
    const hash = sha256(Buffer.from(body));
    await writeFile(join(site.site, OPEN, "report.json"), "");
    await writeFile(path, `${body}],"sha256":"${hash}"}\n`);
    expect(await site.export()).toMatchObject({ written: 1 });
    await site.expectTree(files);
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

describe("links in the tree", () => {
  it("lead no export outside: nothing there is written or deleted, and the error names the link", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const outside = join(site.folder, "outside");
    await rename(join(site.site, OPEN), outside);
    await symlink(outside, join(site.site, OPEN));
    const before = await treeOf(outside);
    const next = varied("open.example", { visibility: "removed" });
    next.listings = next.listings.filter(({ host }) => host !== "con.com");
    await site.publish(next);
    await expect(site.export()).rejects.toThrow(
      /sites\/open\.example cannot be written: it is not a folder/,
    );
    expect(await treeOf(outside)).toEqual(before);
    // What is gone besides was deleted all the same.
    await expect(stat(join(site.site, "api/sites/con.com"))).rejects.toThrow("ENOENT");
    await rm(join(site.site, OPEN));
    await site.export();
    await site.expectTree(next);
  });

  it("in the place of a file are replaced, but not their targets", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const outside = join(site.folder, "outside.json");
    const report = join(site.site, OPEN, "report.json");
    await rename(report, outside);
    await symlink(outside, report);
    await site.export({ full: true });
    await site.expectTree(files);
    await writeFile(outside, "mine");
    await rm(report);
    await symlink(outside, report);
    const next = varied("open.example", { visibility: "removed" });
    await site.publish(next);
    await site.export();
    await site.expectTree(next);
    expect(await readFile(outside, "utf8")).toBe("mine");
  });

  it("to the tree itself are followed: the record lies beside the real folder", async () => {
    const site = await builtSite(variedListings());
    await mkdir(join(site.folder, "real"));
    await symlink("real", site.site);
    await site.export();
    expect(Object.keys(await treeOf(join(site.folder, "real"))).length).toBeGreaterThan(20);
    await expect(stat(join(site.folder, "real.crawldex.json"))).resolves.toBeDefined();
    expect(await site.export()).toMatchObject({ written: 0 });
  });
});

describe("an export that meets", () => {
  it("a build that publishes and deletes the snapshot being read starts again with the new one", async () => {
    const site = await aSite(variedListings(), { keep: 1 });
    const published = await writePublished(
      join(site.folder, "next"),
      varied("con.com", { name: "Next" }),
    );
    const real = StoredSnapshot.prototype.readAnswer;
    let done = false;
    const spy = vi.spyOn(StoredSnapshot.prototype, "readAnswer").mockImplementation(async function (
      this: StoredSnapshot,
      ...args
    ) {
      if (!done) {
        done = true;
        await build(published, { store: site.store, jobs: 1, keep: 1 });
        throw new BadSnapshotError("gone");
      }
      return real.apply(this, args);
    });
    await site.export();
    spy.mockRestore();
    await site.expectTree(varied("con.com", { name: "Next" }));
  });

  it("a snapshot that a build has deleted names it as bad, so that the next one is taken", async () => {
    const site = await builtSite(variedListings());
    const id = await requireCurrent(site.store);
    const snapshot = await StoredSnapshot.openManifest(site.store, id);
    const manifest = dataFiles(snapshot, true).get(`data/${id}/manifest.json`);
    await rm(join(site.store, id), { recursive: true });
    await expect(manifest?.make()).rejects.toThrow(BadSnapshotError);
    snapshot.close();
  });

  it("a damaged pack writes nothing wrong, and finishes once the pack is repaired", async () => {
    const files = variedListings();
    const site = await builtSite(files);
    const [pack = ""] = Object.keys(await treeOf(site.store)).filter((name) =>
      name.endsWith(".pack"),
    );
    const good = await readFile(join(site.store, pack));
    const bad = Buffer.from(good);
    bad[20] = 0;
    await writeFile(join(site.store, pack), bad);
    await expect(site.export()).rejects.toThrow(`${pack} is damaged at byte`);
    await writeFile(join(site.store, pack), good);
    await site.export();
    await site.expectTree(files);
  });

  it("a disk that does not accept the record still deletes removed listings", async () => {
    const site = await exportedSite(variedListings());
    const next = varied("open.example", { visibility: "removed" });
    await site.publish(next);
    const full = vi
      .spyOn(disk, "writeFile")
      .mockImplementation((path) =>
        Promise.reject(new StoreWriteError(`${path} cannot be written: ENOSPC, the disk is full`)),
      );
    await expect(site.export()).rejects.toThrow(/site\.crawldex\.json cannot be written: ENOSPC/);
    full.mockRestore();
    await expect(stat(join(site.site, OPEN))).rejects.toThrow("ENOENT");
    await site.export();
    await site.expectTree(next);
  });

  it("a disk that does not accept the record restores removed listings with the snapshot that has them", async () => {
    const site = await exportedSite(variedListings());
    const { id } = await site.export();
    await site.publish(varied("open.example", { visibility: "removed" }));
    const full = vi.spyOn(disk, "writeFile").mockRejectedValue(new StoreWriteError("ENOSPC"));
    await expect(site.export()).rejects.toThrow("ENOSPC");
    full.mockRestore();
    expect(await site.publish(variedListings())).not.toBe(id);
    const before = await treeOf(site.site);
    const { written, deleted } = await site.export();
    const after = await treeOf(site.site);
    // An extra may put other files in the place of tables.
    const isData = (path: string) => path.startsWith("data/segments/");
    const lost = (tree: object, than: object) =>
      Object.keys(tree).filter((path) => isData(path) && !Object.hasOwn(than, path)).length;
    expect([written - lost(after, before), deleted - lost(before, after)]).toEqual([40, 1]);
    await site.expectTree(variedListings());
  });

  it("a folder in the place of a file names it, with the system's error", async () => {
    const files = variedListings();
    const site = await exportedSite(files);
    const path = join(site.site, OPEN, "report.json");
    await rm(path);
    await mkdir(path);
    await expect(site.export({ full: true })).rejects.toThrow(`${path} cannot be written: EISDIR`);
    await rm(path, { recursive: true });
    await site.export();
    await site.expectTree(files);
  });

  it("a correct file with another time does not touch it", async () => {
    const site = await exportedSite(variedListings());
    const path = join(site.site, "api/tags.json");
    await utimes(path, 1, 1);
    await site.export({ full: true });
    expect((await stat(path)).mtimeMs).toBe(1_000);
  });
});
