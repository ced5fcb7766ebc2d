import { appendFile, cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CORE_COMMANDS } from "../../cli/program.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { manyListings } from "../store/trees.js";
import { expectDescribed } from "./described.js";
import { serveProcess } from "./served.js";
import { crawldex } from "./spawned.js";

/** The commands of the core. Tests of the extras try theirs. */
const COMMANDS = CORE_COMMANDS.map((command) => command.name());

/** Command lines that succeed one after the other in the prepared folder. */
const SUCCEEDING = [
  "init made",
  "sample sampled --listings 3",
  "schema scan",
  "completion zsh",
  "validate published",
  "validate odd",
  "build published",
  "build odd",
  "build odd --dry-run",
  "explain",
  "explain www.example.com",
  "export site",
  "verify",
  "snapshots",
  "rollback --restore-missing --dry-run",
  "rollback --restore-missing",
  "explain blocked.example",
  "withdraw example.com nobody.example --dry-run",
  "withdraw example.com nobody.example --keep 1",
  "build odd",
  "withdraw --restore example.com",
];

/** Command lines that fail in the prepared folder, with their exit codes. */
const FAILING: Record<string, number> = {
  "init published": 2,
  "sample published": 2,
  "schema report": 2,
  "completion tcsh": 2,
  "validate broken": 3,
  "validate odd --strict": 3,
  "build broken": 3,
  "build nowhere": 3,
  "build published --store many": 6,
  "explain localhost": 2,
  "explain example.com --store none": 1,
  "snapshots none": 1,
  "diff 0123456789": 1,
  "export published --store many": 2,
  "verify none": 1,
  "verify damaged": 4,
  "rollback none": 1,
  "withdraw example.com --store none": 1,
  "withdraw localhost": 2,
  "try --port x": 2,
  "preview nowhere": 2,
  "preview broken": 3,
  "serve none": 1,
  "serve --port x": 2,
};

let folder: string;
let cleanUp: () => Promise<void>;
beforeAll(async () => {
  folder = await temporaryFolder((remove) => {
    cleanUp = remove;
  });
  const blocked = aListing({ host: "blocked.example", visibility: "blocked" });
  const orphan = aScan({ host: "gone.example" });
  const directories = {
    published: aPublishedDirectory(),
    broken: aPublishedDirectory(),
    odd: aPublishedDirectory({
      listings: [aListing({ name: "Renamed" }), blocked],
      scans: [aScan(), orphan],
    }),
    input: manyListings(40),
  };
  for (const [name, files] of Object.entries(directories)) {
    await writePublished(join(folder, name), files);
  }
  await writeFile(join(folder, "broken/listings/bad.ndjson"), '{"host":"Example.com"}\n');
  await crawldex(["build", "input", "--store", "many"], folder);
  await cp(join(folder, "many"), join(folder, "damaged"), { recursive: true });
  const names = await readdir(join(folder, "damaged/segments"));
  const pack = names.find((name) => name.endsWith(".pack")) ?? "";
  await appendFile(join(folder, "damaged/segments", pack), "x");
  await rm(join(folder, "input"), { recursive: true });
});
afterAll(() => cleanUp());

describe("what commands print with --json has the form that docs/json describes", () => {
  it("if they succeed", async () => {
    const results: Record<string, Record<string, unknown>> = {};
    for (const line of SUCCEEDING) {
      const { code, stdout } = await crawldex([...line.split(" "), "--json"], folder);
      expect([line, code]).toEqual([line, 0]);
      results[line] = expectDescribed(line.split(" ")[0] ?? "", stdout);
      expect(results[line].ok).toBe(true);
    }
    const { id } = results["build published"] ?? {};
    const diff = await crawldex(["diff", String(id), "--json"], folder);
    expect(expectDescribed("diff", diff.stdout).ok).toBe(true);
    for (const [command, served] of [
      ["serve", "snapshots"],
      ["preview", "site"],
      ["preview", "published"],
      ["try", null],
    ] as const) {
      const path = served === null ? null : join(folder, served);
      const { place, kill, printed } = serveProcess(path, { command });
      await place;
      kill("SIGTERM");
      expect(expectDescribed(command, printed()).ok).toBe(true);
    }
    const tried = [...SUCCEEDING, "diff", "preview", "serve", "try"].map(
      (line) => line.split(" ")[0],
    );
    expect([...new Set(tried)].sort()).toEqual([...COMMANDS].sort());
  });

  it.each(Object.entries(FAILING))("if they fail: %s", async (line, expected) => {
    const { code, stdout } = await crawldex([...line.split(" "), "--json"], folder);
    expect(code).toBe(expected);
    const { ok, error } = expectDescribed(line.split(" ")[0] ?? "", stdout);
    expect(ok).toBe(false);
    expect(error).not.toBe("");
  });

  it("for every command, with a failure of each", () => {
    const failing = Object.keys(FAILING).map((line) => line.split(" ")[0]);
    expect([...new Set(failing)].sort()).toEqual([...COMMANDS].sort());
  });
});
