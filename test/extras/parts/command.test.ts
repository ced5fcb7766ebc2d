import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectDescribed } from "../../cli/described.js";
import { crawldex } from "../../cli/spawned.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { manyListings } from "../../store/trees.js";

async function aFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writePublished(join(folder, "published"), manyListings(8));
  return folder;
}

describe("crawldex split, build --part and build --join", () => {
  it("lead from one directory to one snapshot, and say what comes next", async () => {
    const folder = await aFolder();
    const first = async (...args: readonly string[]) => {
      const { code, stdout } = await crawldex(args, folder);
      expect([args, code]).toEqual([args, 0]);
      return stdout.split("\n")[0];
    };
    expect(await first("split", "published", "--parts", "2")).toBe(
      "8 listings and 16 scans split into 2 parts in parts",
    );
    for (const number of [1, 2]) {
      const built = await first("build", `parts/${number}-of-2`, "--part", `${number}/2`);
      expect(built).toBe(`part ${number}/2 is built; publish all parts with crawldex build --join`);
    }
    expect(await first("build", "--join")).toMatch(/^snapshot [0-9a-f]{32} is current$/);
  });

  it.each([
    [["build"], "missing required argument 'published'"],
    [["build", "published", "--join"], "--join takes no published directory"],
    [["build", "published", "--part", "5/4"], "a part such as 3/16, of at most 1000 parts"],
    [["build", "published", "--part", "1/4", "--watch"], "cannot be used with option '--watch'"],
    [["build", "--join", "--part", "1/4"], "cannot be used with option '--join'"],
    [["build", "--join", "--accept", "file-unread"], "cannot be used with option '--accept"],
    [["build", "--join", "--jobs", "1"], "cannot be used with option '--jobs"],
  ])("%j is a wrong usage", async (args, message) => {
    const { code, stderr } = await crawldex(args, await temporaryFolder());
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("print with --json what docs/json describes", async () => {
    const folder = await aFolder();
    for (const [line, expected] of [
      ["split published --parts 2", 0],
      ["split published --out published", 2],
      ["split nowhere --out new", 3],
      ["build --join --store none", 6],
    ] as const) {
      const { code, stdout } = await crawldex([...line.split(" "), "--json"], folder);
      expect([line, code]).toEqual([line, expected]);
      expect(expectDescribed(line.split(" ")[0] ?? "", stdout).ok).toBe(expected === 0);
    }
  });
});
