import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { temporaryFolder } from "../fixtures.js";
import { answersIn } from "../store/answers.js";
import { databaseFiles } from "./pages.js";

const run = promisify(execFile);

describe("the page about databases", () => {
  it("leads from its dump to a directory without a warning, whose listings are as it says", async () => {
    const folder = await temporaryFolder();
    for (const [name, text] of databaseFiles()) await writeFile(join(folder, name), text);
    await run("python3", ["export.py"], { cwd: folder });
    const store = join(folder, "snapshots");
    await build(join(folder, "published"), { store, strict: true, jobs: 1 });
    const answers = await answersIn(store);
    expect(Object.keys(answers).sort()).toEqual(["peas.example", "stars.example"]);
    const { search, historical } = answers["peas.example"] ?? {};
    expect(search?.summary).toMatchObject({
      latestScore: 100,
      latestBand: "open",
      capabilities: ["robots", "sitemap"],
      tags: [{ slug: "guides" }],
    });
    expect(historical?.map(([scan]) => scan)).toEqual(["101"]);
    expect(answers["stars.example"]?.search?.summary).toMatchObject({ latestScore: null });
  });
});
