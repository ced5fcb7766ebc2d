import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editRecords, linkedCopy, recordFiles } from "../edit.js";
import { ROOT } from "./paths.js";

/** Where samples and stores of the benchmarks are kept from one run to the next. */
export const FOLDER = join(tmpdir(), "crawldex-bench");
export const COMMAND = join(ROOT, "dist/cli/index.js");

/** A sample of so many listings, made where there is none yet. */
export function sampleOf(listings: number): string {
  const to = join(FOLDER, `sample-${listings}`);
  const complete = join(to, "complete");
  if (existsSync(complete)) return to;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const script = join(ROOT, "test/sample/generator/run.ts");
  runNode("--import", "tsx", script, to, "--listings", `${listings}`);
  writeFileSync(complete, "");
  return to;
}

/** A store with the sample of so many listings; where nothing has changed it is there already. */
export function storeOf(listings: number): string {
  const store = join(FOLDER, `store-${listings}`);
  crawldex("build", sampleOf(listings), "--out", store, "--quiet");
  return store;
}

/** A store with two snapshots, the second with other names and taglines of 1 % of the listings. */
export interface TwoSnapshots {
  readonly store: string;
  /** `current.json` as it names either. */
  readonly before: string;
  readonly after: string;
}

export function twoSnapshotsOf(listings: number): TwoSnapshots {
  const store = join(FOLDER, `reload-${listings}`);
  const edited = join(FOLDER, "reload-edited");
  rmSync(store, { recursive: true, force: true });
  rmSync(edited, { recursive: true, force: true });
  linkedCopy(sampleOf(listings), edited);
  const current = (): string => readFileSync(join(store, "current.json"), "utf8");
  crawldex("build", edited, "--out", store, "--quiet");
  const before = current();
  const other = { name: "Another Name", tagline: "Edited for a reload" };
  for (const file of recordFiles(edited, "listings")) editRecords(file, 100, other);
  crawldex("build", edited, "--out", store, "--quiet");
  rmSync(edited, { recursive: true });
  return { store, before, after: current() };
}

/** Runs a command. @returns what it has printed */
export function crawldex(...args: readonly string[]): string {
  return runNode(COMMAND, ...args);
}

function runNode(...args: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
  return stdout;
}
