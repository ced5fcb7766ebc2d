import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportSite } from "../../src/export/export.js";
import type { ExportOptions } from "../../src/export/options.js";
import { SiteRefusedError } from "../../src/export/record.js";
import { temporaryFolder, writeFiles } from "../fixtures.js";
import { treeOf } from "../store/trees.js";
import { aSite, builtSite, variedListings, withListing } from "./sites.js";

/** The folder in which a publisher wants the tree, with files of their own. */
async function aWorktree(files: Record<string, unknown>): Promise<string> {
  return writeFiles(join(await temporaryFolder(), "worktree"), files);
}

const GIT = { ".git": "gitdir: ../.git/worktrees/pages", CNAME: "directory.example" };

/** What an exported tree has, without the files that were there before. */
async function exportedWithout(site: string, others: object): Promise<Record<string, string>> {
  const tree = await treeOf(site);
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !(name in others)));
}

describe("the record of a tree", () => {
  it.each<[string, ExportOptions]>([
    ["plain", { for: "plain" }],
    ["packed", { for: "plain", packed: true }],
    ["packed, with previews", { for: "nginx", packed: true, previews: true }],
    ["without pages", { for: "cloudflare", only: "api" }],
  ])(
    "has no byte of the name of a removed host, nor has another file beside a %s tree",
    async (_, options) => {
      const files = variedListings();
      const site = await aSite(files);
      const { for: host, ...rest } = options;
      await site.export({ for: host, ...rest });
      await site.publish(withListing(files, "open.example", { visibility: "removed" }));
      await site.export({ for: host, ...rest });
      const beside = readdirSync(site.folder).filter((name) => name.startsWith("site."));
      expect(beside).toContain("site.crawldex.json");
      for (const name of beside) {
        expect(await readFile(join(site.folder, name), "utf8"), name).not.toContain("open.example");
      }
    },
  );

  it("lies where the publisher says, with the configuration of the host beside it", async () => {
    const { store } = await builtSite(variedListings());
    const site = await aWorktree({});
    await mkdir(site);
    const records = await temporaryFolder();
    const record = join(records, "pages.json");
    const options = { store, for: "nginx", record } as const;
    expect((await exportSite(site, options)).written).toBeGreaterThan(20);
    expect(readdirSync(records).sort()).toEqual(["pages.json", "worktree.nginx.conf"]);
    expect(readdirSync(join(site, "..")).sort()).toEqual(["worktree"]);
    expect(await exportSite(site, options)).toMatchObject({ written: 0, deleted: 0 });
  });

  it("is refused in the tree, and if it is the record of another tree", async () => {
    const { store } = await builtSite(variedListings());
    const one = await aWorktree(GIT);
    const two = await aWorktree(GIT);
    const inside = join(one, ".git-record");
    await expect(exportSite(one, { store, record: inside })).rejects.toThrow(
      /^the record \S+git-record would be in the tree .* name a file outside it with --record$/,
    );
    const record = join(await temporaryFolder(), "record");
    await exportSite(one, { store, record });
    const before = await treeOf(two);
    await expect(exportSite(two, { store, record })).rejects.toThrow(
      new SiteRefusedError(
        `${record} is the record of the tree ${one}; name another file with --record for ${two}`,
      ),
    );
    expect(await treeOf(two)).toEqual(before);
    // A tree that was moved keeps its record.
    await cp(one, `${one}-moved`, { recursive: true });
    await rm(one, { recursive: true });
    expect(await exportSite(`${one}-moved`, { store, record })).toMatchObject({ deleted: 0 });
  });

  it("is not written over a file that is no record", async () => {
    const { store } = await builtSite(variedListings());
    const site = await aWorktree(GIT);
    const record = join(await temporaryFolder(), "package.json");
    await writeFile(record, "{}");
    await expect(exportSite(site, { store, record })).rejects.toThrow(/package\.json is damaged/);
    expect(await readFile(record, "utf8")).toBe("{}");
    expect(await treeOf(site)).toEqual(await treeOf(await aWorktree(GIT)));
  });
});

describe("files in the folder of a tree that are not the export's", () => {
  const mine = { ...GIT, "lost+found/x": "found", ".github/workflows/pages.yml": "mine" };

  it.each<[string, boolean, Record<string, unknown>]>([
    ["a worktree of Git and the root of a volume", false, mine],
    [
      "any folder whose record the publisher names",
      true,
      { ...mine, "texts/a.md": "mine", "sites/mine": "x" },
    ],
  ])("stay as they are in %s", async (_, isNamed, others) => {
    const files = variedListings();
    const source = await aSite(files);
    const { store } = source;
    const site = await aWorktree(others);
    const before = await treeOf(site);
    const record = isNamed ? join(await temporaryFolder(), "record.json") : undefined;
    const plain = await aWorktree({});
    const exported = async () => {
      await exportSite(site, { store, record });
      await exportSite(plain, { store });
      expect(await exportedWithout(site, others)).toEqual(await treeOf(plain));
      expect(await treeOf(site)).toMatchObject(before);
    };
    await exported();
    await source.publish(withListing(files, "open.example", { visibility: "removed" }));
    await exported();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["file", { "api/standards.json": "mine" }, "api/standards.json"],
    ["folder", { "robots.txt/mine": "mine" }, "robots.txt"],
    ["file in the place of a folder", { assets: "mine" }, "assets"],
  ])(
    "are never overwritten: a %s that is in the way is named, and nothing is written",
    async (_, others, name) => {
      const { store } = await builtSite(variedListings());
      const site = await aWorktree({ ...GIT, ...others });
      const record = join(await temporaryFolder(), "record.json");
      const before = await treeOf(site);
      const exporting = exportSite(site, { store, record });
      await expect(exporting).rejects.toThrow(SiteRefusedError);
      await expect(exporting).rejects.toThrow(
        `${join(site, name)}; move it away, or name the record`,
      );
      expect(await treeOf(site)).toEqual(before);
      expect(existsSync(record)).toBe(false);
      await rm(join(site, name), { recursive: true });
      await exportSite(site, { store, record });
      await writeFile(join(site, "humans.txt"), "mine");
      expect(await exportSite(site, { store, record, full: true })).toMatchObject({ written: 0 });
    },
  );

  it("are never overwritten, nor is anything written through a link, if they come between two exports", async () => {
    const source = await aSite(variedListings());
    const { site } = source;
    await source.export({ only: "pages" });
    const elsewhere = await temporaryFolder();
    await symlink(elsewhere, join(site, "api/sites"));
    const before = await treeOf(site);
    await expect(source.export()).rejects.toThrow(`${join(site, "api/sites")}; move it away`);
    expect(await treeOf(site)).toEqual(before);
    expect(readdirSync(elsewhere)).toEqual([]);
    await rm(join(site, "api/sites"));
    await source.export();
  });
});
