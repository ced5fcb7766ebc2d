import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { crawldex } from "./spawned.js";

describe("crawldex build --purge-list", () => {
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
    const lines = (await readFile(list, "utf8")).split("\n");
    expect(lines).toContain("https://api.directory.example/api/sites/example.com/report");
    expect(lines).toContain("https://directory.example/categories/*");
    expect((await build(second)).code).toBe(0);
    expect(await readFile(list, "utf8")).toBe("");
  });

  it("replaces only a regular file: a device, a link or a folder stays, and nothing is published", async () => {
    const folder = await temporaryFolder();
    await writePublished(join(folder, "published"), aPublishedDirectory());
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
