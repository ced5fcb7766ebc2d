import { mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installedExtras, installedPages } from "../../src/extra.js";
import { currentId } from "../../src/store/reader.js";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { builtStore, manyListings, treeOf } from "../store/trees.js";
import { crawldex, crawldexProcess } from "./spawned.js";

/* Options of crawldex build. */

async function aPublished() {
  const folder = await temporaryFolder();
  await writePublished(join(folder, "published"), aPublishedDirectory());
  return folder;
}
const savedIn = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "result.json"), "utf8")) as object;

describe("--then", () => {
  it("runs a command after a build with the object of --json on its input, and again if nothing changed", async () => {
    const folder = await aPublished();
    const build = ["build", "published", "--then", "cat > result.json; echo printed"];
    const first = await crawldexProcess([...build, "--json"], folder);
    expect(first.code).toBe(0);
    // What the command prints is not part of the result.
    expect(first.stderr).toContain("printed\n");
    expect(await savedIn(folder)).toEqual(JSON.parse(first.stdout));
    expect(await savedIn(folder)).toMatchObject({ ok: true, changed: true, changes: { added: 1 } });
    const second = await crawldex(build, folder);
    expect(second.stdout).toMatch(/^snapshot [0-9a-f]{32} was already current\n/);
    expect(await savedIn(folder)).toMatchObject({ ok: true, changed: false });
  });

  it("exits 1 if the command fails, and says that the snapshot is current all the same", async () => {
    const folder = await aPublished();
    const failing = await crawldex(["build", "published", "--then", "exit 3"], folder);
    const id = await currentId(join(folder, "snapshots"));
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(`snapshot ${id} is current\n`);
    const said = `snapshot ${id} is current, but --then failed: it exited with 3`;
    expect(failing.stderr).toBe(`error: ${said}\n`);
    const json = await crawldex(["build", "published", "--json", "--then", "kill $$"], folder);
    expect(json.code).toBe(1);
    const ended = said.replace("it exited with 3", "it was ended by SIGTERM");
    expect(JSON.parse(json.stdout)).toEqual({ ok: false, error: ended });
  });

  it("does not run after a build that fails, and cannot be combined with --dry-run", async () => {
    const folder = await aPublished();
    const bad = await crawldex(["build", "none", "--then", "echo > result.json"], folder);
    expect(bad.code).toBe(3);
    const dry = ["build", "published", "--dry-run", "--then", "echo > result.json"];
    expect((await crawldex(dry, folder)).code).toBe(2);
    await expect(savedIn(folder)).rejects.toThrow("ENOENT");
  });
});

/** A store with 30 published listings whose folder of listings is empty now. */
async function withoutListings() {
  const { folder, store } = await builtStore(manyListings(30));
  const published = join(folder, "published");
  await rename(join(published, "listings"), join(folder, "listings"));
  await mkdir(join(published, "listings"));
  return { store, args: ["build", published, "--out", store] };
}

describe("--max-removed", () => {
  it("refuses an empty folder of listings with exit 6, writes nothing, and names the flag that allows it", async () => {
    const { store, args } = await withoutListings();
    const before = await treeOf(store);
    const { code, stdout, stderr } = await crawldex([...args, "--quiet"]);
    expect([code, stdout]).toEqual([6, ""]);
    expect(stderr).toContain("would remove 30 of 30 published listings");
    expect(stderr).toContain("site-0.example, site-1.example");
    expect(stderr).toContain("and 20 more");
    expect(stderr).toContain("--max-removed 100%");
    expect(await treeOf(store)).toEqual(before);
  });

  it("warns if it cannot tell what is removed because the current snapshot is damaged", async () => {
    const { store, args } = await withoutListings();
    await writeFile(join(store, (await currentId(store)) ?? "", "manifest.json"), "{");
    const { code, stderr, stdout } = await crawldex([...args, "--json"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: could not check how many listings this build removed");
    expect(JSON.parse(stdout)).toMatchObject({
      uncheckedRemovals: expect.stringContaining("manifest.json"),
    });
  });
});

describe("--max-unscored", () => {
  it("refuses an outage of the scanner with exit 6, and names the flag that allows it", async () => {
    const files = manyListings(30);
    const { folder, store } = await builtStore(files);
    const scans = files.scans.map((scan) => ({ ...scan, status: "failed", score: null }));
    const published = await writePublished(join(folder, "published"), { ...files, scans });
    const args = ["build", published, "--out", store, "--json"];
    const { code, stdout, stderr } = await crawldex([...args, "--max-unscored", "29"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(
      /^error: this build would leave 30 of 30 scored listings .*--max-unscored 29 .*--max-unscored 100%; .*<host>\n$/,
    );
    const told = JSON.parse(stdout) as { hosts: string[] };
    expect(told).toMatchObject({
      ok: false,
      limit: "maxUnscored",
      total: 30,
      max: 29,
      warningCount: 0,
    });
    expect(told.hosts).toHaveLength(30);
  });
});

describe("--max-unbanded", () => {
  it("refuses scores of an unknown version with exit 6, with both versions and the flag that allows it", async () => {
    const files = manyListings(30);
    const { folder, store } = await builtStore(files);
    const rubric = { ...files.standards.rubric, version: "2026-10" };
    const scans = files.scans.map((scan) => ({ ...scan, scoreVersion: "draft" }));
    const next = { ...files, scans, standards: { ...files.standards, rubric } };
    const published = await writePublished(join(folder, "published"), next);
    const args = ["build", published, "--out", store, "--json"];
    const { code, stdout, stderr } = await crawldex(args);
    expect(code).toBe(6);
    expect(stderr).toContain(
      '30 of 30 published scores have scoreVersion "draft", the rubric is "2026-10"',
    );
    expect(stderr).toMatch(
      /this build would leave 30 of 30 listings with a band .*--max-unbanded 20% .*--max-unbanded 100%; .*<host>\n$/,
    );
    const told = JSON.parse(stdout) as { hosts: string[] };
    expect(told).toMatchObject({
      ok: false,
      limit: "maxUnbanded",
      total: 30,
      max: "20%",
      warningCount: 1,
    });
    expect(told.hosts).toHaveLength(30);
    expect((await crawldex([...args, "--max-unbanded", "100%"])).code).toBe(0);
  });
});

describe("--purge-list", () => {
  it("writes each build's whole list before the snapshot becomes current", async () => {
    const folder = await temporaryFolder();
    const first = await writePublished(join(folder, "1"), aPublishedDirectory());
    const gone = aPublishedDirectory({ listings: [aListing({ visibility: "removed" })] });
    const second = await writePublished(join(folder, "2"), gone);
    const list = join(folder, "purge.txt");
    const build = (published: string, file = "purge.txt") =>
      crawldex(["build", published, "--purge-list", file, "--jobs", "1"], folder);
    const current = () => readFile(join(folder, "snapshots/current.json"), "utf8");

    await writeFile(list, "of an earlier build");
    expect((await build(first)).code).toBe(0);
    expect(await readFile(list, "utf8")).toBe("");
    const before = await current();

    const failed = await build(second, "none/purge.txt");
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toContain("none/purge.txt cannot be written: ENOENT");
    expect(await current()).toBe(before);

    expect((await build(second)).code).toBe(0);
    const api = [
      ..."/api/sites /api/sites/example.com/enrichment /api/sites/example.com/report".split(" "),
      ..."/api/sites/example.com/report?scan=scan_1 /api/sites/facets*".split(" "),
      ..."/api/sites/suggestions* /api/sites?*".split(" "),
    ];
    const pages = [
      ..."/ /?* /api /categories /categories/* /categories?* /checks/*".split(" "),
      ..."/feed.json /feed.xml /feeds /feeds/* /figures.json /llms.txt /robots.txt".split(" "),
      ..."/sitemap.xml /sitemaps/* /sites/*".split(" "),
      ..."/sites/example.com /sites/example.com/badge.svg /sites/example.com/fix.md".split(" "),
      ..."/sites/example.com/report.md /sites/example.com/report.md?scan=scan_1".split(" "),
      ..."/sites/example.com?scan=scan_1 /standards".split(" "),
    ];
    // Those of extras.
    for (const { path, purged = [path.replace(/\{\w+\}$/, "*")] } of installedPages()) {
      pages.push(...purged.map((each) => each.replace("{host}", "example.com")));
    }
    for (const { purged } of installedExtras().flatMap(({ reads = {} }) => Object.values(reads))) {
      if (purged?.api !== undefined) api.push(purged.api);
      if (purged?.pages !== undefined) pages.push(purged.pages.replace("{host}", "example.com"));
    }
    const lines = [
      ...api.map((path) => `https://api.directory.example${path}`),
      ...pages.map((path) => `https://directory.example${path}`),
    ];
    expect(await readFile(list, "utf8")).toBe(`${[...new Set(lines)].sort().join("\n")}\n`);
    expect((await build(second)).code).toBe(0);
    expect(await readFile(list, "utf8")).toBe("");
  });

  it("replaces only a regular file: a device, a link or a folder stays, and nothing is published", async () => {
    const folder = await aPublished();
    await mkdir(join(folder, "folder"));
    await symlink("/dev/null", join(folder, "device"));
    for (const [place, args] of [
      ["folder", ["build", "published"]],
      ["device", ["build", "published"]],
      ["device", ["rollback"]],
    ] as const) {
      const { code, stderr } = await crawldex([...args, "--purge-list", place], folder);
      expect(code).toBe(1);
      expect(stderr).toContain(`${place} cannot be written: it exists and is not a regular file`);
    }
    expect((await readdir(folder)).sort()).toEqual(["device", "folder", "published"]);
    expect(await readlink(join(folder, "device"))).toBe("/dev/null");
  });
});
