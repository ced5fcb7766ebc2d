import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPublished, PublishedFolderError } from "../../src/published/published.js";
import { PLACES, readPublished, temporaryFolder, tinyDirectory, writeFiles } from "./tiny.js";

describe("a folder that does not exist or is not a published directory", () => {
  it("throws PublishedFolderError, which names it", async () => {
    const folder = temporaryFolder();
    const missing = join(folder, "missing");
    await expect(openPublished(missing)).rejects.toThrow(PublishedFolderError);
    await expect(openPublished(missing)).rejects.toThrow(
      `the published folder ${missing} does not exist (ENOENT); crawldex init ${missing} writes a minimal one to start from`,
    );
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(openPublished(file)).rejects.toThrow(
      `the published folder ${file} is not a folder`,
    );
    await expect(openPublished(join(file, "x"))).rejects.toThrow(PublishedFolderError);
  });

  it("throws it too for an empty folder, and for one with other things", async () => {
    const folder = temporaryFolder();
    const lacks = (names: string) =>
      new PublishedFolderError(
        `the published folder ${folder} is not a published directory: it lacks ${names}; crawldex init <new folder> writes a minimal one to start from`,
      );
    const all = "directory.json, standards.json, taxonomy.json, listings, scans";
    await expect(openPublished(folder)).rejects.toThrow(lacks(all));
    writeFiles({ "src/index.js": "", "taxonomy.json": "" }, folder);
    const rest = "directory.json, standards.json, listings, scans";
    await expect(openPublished(folder)).rejects.toThrow(lacks(rest));
    writeFiles({ "listings/x.json": "{}" }, folder);
    const { problems } = await readPublished(folder);
    expect(problems.map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["directory.json", "scans", "standards.json"]),
    );
  });
});

describe("permissions", () => {
  it.skipIf(process.getuid?.() === 0)("a file that cannot be read is an error", async () => {
    const folder = writeFiles(tinyDirectory());
    execFileSync("chmod", ["000", join(folder, PLACES.listing)]);
    const { problems } = await readPublished(folder);
    expect(problems).toEqual([
      "listings/single/gamma.json:1:1  $  cannot be read, permission denied (EACCES)",
    ]);
  });
});
