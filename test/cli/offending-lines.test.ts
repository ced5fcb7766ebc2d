import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { offendingPositions } from "../../cli/offending-lines.js";
import type { Problem } from "../../src/published/checking/problem.js";
import { temporaryFolder } from "../fixtures.js";

function at(file: string, line: number, column: number): Problem {
  return { file, line, column, path: "$", message: "is wrong" };
}

/** What stands before and after a place of a file with this content. */
async function problemAt(content: string | Buffer, line: number, column: number) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "a.json"), content);
  const problem = at("a.json", line, column);
  const place = offendingPositions(folder, [problem]).get(problem);
  return place && [place.before, place.after];
}

describe("the lines that errors are in", () => {
  it("are found by line and column, without their ends", async () => {
    expect(await problemAt("one\ntwo\nthree", 2, 2)).toEqual(["t", "wo"]);
    expect(await problemAt("one\r\ntwo\r\n", 2, 4)).toEqual(["two", ""]);
    expect(await problemAt("one", 1, 1)).toEqual(["", "one"]);
  });

  it("leave a byte-order mark out of the count, but only at the beginning of the file", async () => {
    expect(await problemAt("\ufeff{x\n", 1, 2)).toEqual(["{", "x"]);
    expect(await problemAt("\ufeff{x\r\n", 1, 2)).toEqual(["{", "x"]);
    expect(await problemAt("\n\ufeff{x", 2, 2)).toEqual(["\ufeff", "{x"]);
  });

  it("may be invalid UTF-8, and are found in one pass over a file", async () => {
    expect(await problemAt(Buffer.from([0x61, 0xff, 0x62]), 1, 2)).toEqual(["a", "\ufffdb"]);
    const folder = await temporaryFolder();
    await mkdir(join(folder, "in"));
    await writeFile(join(folder, "in/a.ndjson"), "1\n2\n3\n4\n");
    await writeFile(join(folder, "in/b.ndjson"), "5\n");
    const problems = [at("in/a.ndjson", 4, 1), at("in/a.ndjson", 2, 1), at("in/b.ndjson", 1, 1)];
    const found = offendingPositions(folder, problems);
    expect(problems.map((problem) => found.get(problem)?.after)).toEqual(["4", "2", "5"]);
  });

  it("are left out if they do not exist, are too long, or lie outside the published directory", async () => {
    expect(await problemAt("one\n", 5, 1)).toBeUndefined();
    expect(await problemAt(Buffer.alloc(16 * 1024 * 1024 + 1, 0x61), 1, 5)).toBeUndefined();
    const folder = await temporaryFolder();
    const published = join(folder, "published");
    await mkdir(published);
    await writeFile(join(folder, "secret"), "secret");
    await symlink(join(folder, "secret"), join(published, "link.json"));
    await symlink(join(published, "loop.json"), join(published, "loop.json"));
    await mkdir(join(published, "folder.json"));
    const files = ["link.json", "loop.json", "folder.json", "none.json", "../secret"];
    const problems = files.map((file) => at(file, 1, 1));
    expect(offendingPositions(published, problems).size).toBe(0);
    await rm(published, { recursive: true });
    expect(offendingPositions(published, problems).size).toBe(0);
  });
});
