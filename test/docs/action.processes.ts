import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMAND } from "../cli/spawned.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  writePublished,
} from "../fixtures.js";
import { runAction } from "../install/action.js";
import { Machine } from "../install/machine.js";

/** A clone of a repository with a published directory, on a machine with the command of the compiled sources. */
async function cloned(files: PublishedFiles) {
  const machine = new Machine();
  machine.stub("npm", 'echo "npm $*"');
  machine.stub("crawldex", `exec '${process.execPath}' '${COMMAND}' "$@"`);
  const folder = machine.folder("clone");
  await writePublished(join(folder, "published"), files);
  return { folder, run: (inputs: Record<string, string>) => runAction(machine, folder, inputs) };
}

it("the action validates, builds, exports and uploads, and its summary has the counts", async () => {
  const { folder, run } = await cloned(aPublishedDirectory());
  const { failure, printed, summary, outputs, uploads } = await run({
    "base-url": "https://directory.example/sub/",
  });
  expect(failure).toBeNull();
  expect(printed).toContain("npm install --global --no-audit --no-fund crawldex@");
  const [, id = ""] = /^## Published: snapshot ([0-9a-f]{32})$/m.exec(summary) ?? [];
  expect(outputs).toBe(`snapshot=${id}\nlistings=1\n`);
  for (const row of ["listings read | 1", "errors | 0", "reports | 1", "added | 1"]) {
    expect(summary).toContain(`| ${row} |\n`);
  }
  expect(uploads).toEqual(["actions/upload-artifact@v4 site"]);
  const robots = await readFile(join(folder, "site/robots.txt"), "utf8");
  expect(robots).toContain("Sitemap: https://directory.example/sub/sitemap.xml");
});

it("the action publishes nothing with errors: they are annotations by code, and the summary counts them", async () => {
  const listings = [aListing(), aListing({ host: "other.example" })].map((each) => ({
    ...each,
    categori: "x",
  }));
  const { folder, run } = await cloned(aPublishedDirectory({ listings }));
  const { failure, printed, summary, outputs, uploads } = await run({});
  expect(failure).not.toBeNull();
  expect(printed).toMatch(/^::error file=published\/listings\/\S+,title=field-unknown::/m);
  expect(summary).toMatch(/^## Nothing was published$/m);
  expect(summary).toMatch(/^\| error \| field-unknown \| 2 \| listings\/.*:1 .*categori/m);
  expect(summary).toContain("| errors | 2 |");
  expect([outputs, uploads]).toEqual(["", []]);
  expect(existsSync(join(folder, "snapshots"))).toBe(false);
});

it("the action shows each warning once; with strict, it is an error", async () => {
  const scans = [aScan(), aScan({ host: "gone.example" })];
  const { run } = await cloned(aPublishedDirectory({ scans }));
  const lenient = await run({ upload: "none" });
  expect([lenient.failure, lenient.uploads]).toEqual([null, []]);
  expect(lenient.printed.match(/^::warning /gm)).toHaveLength(1);
  expect(lenient.summary).toMatch(/^\| warning \| [\w-]+ \| 1 \| scans\//m);
  const strict = await run({ strict: "true" });
  expect(strict.failure).not.toBeNull();
  expect(strict.printed).toMatch(/^::error /m);
});
