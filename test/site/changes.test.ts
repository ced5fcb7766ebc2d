import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { SiteTree } from "../../src/site/tree.js";
import { crawldexProcess } from "../cli/spawned.js";
import { fill, mountMemory } from "../crash/tools.js";
import { aListing, type PublishedFiles } from "../fixtures.js";
import { slowIt } from "../slow.js";
import { treeOf } from "../store/trees.js";
import { aSite, builtSite, exportedSite, type Site, variedListings } from "./sites.js";

const GONE = "open.example";

/** The varied listings without one, and with others that nobody has scanned. */
function without(host: string, added = 0): PublishedFiles {
  const { listings, scans, ...rest } = variedListings();
  const others = Array.from({ length: added }, (_, n) => aListing({ host: `added-${n}.example` }));
  return {
    ...rest,
    listings: [...listings.filter((one) => one.host !== host), ...others],
    scans: [
      ...scans.filter((one) => one.host !== host),
      ...scans
        .filter((one) => one.host === "locked.example")
        .flatMap((scan) => others.map(({ host }) => ({ ...scan, host }))),
    ],
  };
}

interface Change {
  readonly action: string;
  readonly path: string;
}

const changesIn = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Change => JSON.parse(line));

/** The names of a listing's files, as a list has them. */
const deletedIn = (file: string) =>
  changesIn(file).flatMap(({ action, path }) => (action === "delete" ? [path] : []));

async function pathsOf(site: Site, host: string): Promise<string[]> {
  return Object.keys(await treeOf(site.site)).filter((path) => path.includes(host));
}

describe("the list of changes", () => {
  it("has all deletions, on the disk, before the first file is deleted", async () => {
    const site = await exportedSite(variedListings());
    const paths = await pathsOf(site, GONE);
    await site.publish(without(GONE));
    const changes = join(site.folder, "changes");
    const listed: string[][] = [];
    const remove = vi.spyOn(SiteTree.prototype, "remove").mockImplementationOnce(() => {
      listed.push(deletedIn(changes));
      throw new Error("killed");
    });
    await expect(site.export({ changes })).rejects.toThrow("killed");
    remove.mockRestore();
    expect(listed[0]).toEqual(expect.arrayContaining(paths));
  });

  it("goes on after a line that was cut off, on a line of its own", async () => {
    const site = await aSite(variedListings());
    const changes = join(site.folder, "changes");
    await site.export({ changes });
    const whole = readFileSync(changes);
    truncateSync(changes, whole.length - 10);
    await site.publish(without(GONE));
    await site.export({ changes });
    expect(deletedIn(changes)).toContain(`sites/${GONE}.html`);
    // What a loss of power may leave of the last block.
    writeFileSync(changes, Buffer.concat([whole, Buffer.alloc(100)]));
    await site.publish(variedListings());
    await site.export({ changes });
    expect(changesIn(changes).length).toBeGreaterThan(
      whole.toString().trimEnd().split("\n").length,
    );
  });

  it.each(["my notes", "my notes\n", "my notes\n\n"])(
    "is no link and no other file, whose end would be lost: %j",
    async (notes) => {
      const site = await builtSite(variedListings());
      const changes = join(site.folder, "changes");
      writeFileSync(join(site.folder, "mine"), notes);
      symlinkSync("mine", changes);
      await expect(site.export({ changes })).rejects.toThrow(
        "changes cannot be written: it exists and is not a regular file; choose another one",
      );
      await expect(site.export({ changes: join(site.folder, "mine") })).rejects.toThrow(
        "mine is no list of changes; choose another file",
      );
      expect(readFileSync(join(site.folder, "mine"), "utf8")).toBe(notes);
    },
  );

  it("has again what a killed export wrote, as a loss of power may have taken its lines", async () => {
    const site = await builtSite(variedListings());
    const changes = join(site.folder, "changes");
    let calls = 0;
    const put = SiteTree.prototype.put;
    const spy = vi.spyOn(SiteTree.prototype, "put").mockImplementation(function (
      this: SiteTree,
      ...args
    ) {
      calls += 1;
      if (calls === 40) throw new Error("killed");
      put.apply(this, args);
    });
    await expect(site.export({ changes })).rejects.toThrow("killed");
    spy.mockRestore();
    truncateSync(changes, 0);
    await site.export({ changes });
    expect(
      changesIn(changes)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Object.keys(await treeOf(site.site)).sort());
  });
});

slowIt(
  "an export on a full disk removes what was removed, says that the rest could not be written, and lists all of it later",
  async (context) => {
    const site = await aSite(variedListings());
    const disk = join(site.folder, "disk");
    execFileSync("mkdir", [disk]);
    mountMemory(context, disk, "size=8m");
    const tree = join(disk, "site");
    const changes = join(disk, "changes");
    const run = () =>
      crawldexProcess(["export", tree, "--store", site.store, "--changes", changes, "--quiet"]);
    expect(await run()).toMatchObject({ code: 0 });
    const paths = Object.keys(await treeOf(tree)).filter((path) => path.includes(GONE));
    expect(paths.length).toBeGreaterThan(5);
    await site.publish(without(GONE, 100));
    fill(join(disk, "filler"));
    const ended = await run();
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^error: \S+ cannot be written: ENOSPC, the disk is full; .*\n$/);
    expect(Object.keys(await treeOf(tree)).filter((path) => path.includes(GONE))).toEqual([]);
    // The list is whole at each moment: the upload takes it as it is.
    changesIn(changes);
    execFileSync("rm", [join(disk, "filler")]);
    expect(await run()).toMatchObject({ code: 0 });
    expect(deletedIn(changes)).toEqual(expect.arrayContaining(paths));
  },
);
