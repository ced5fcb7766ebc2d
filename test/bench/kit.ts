import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root, from sources and from compiled files alike. */
export const ROOT = fileURLToPath(new URL(".", import.meta.resolve("crawldex/package.json")));
export const COMMAND = join(ROOT, "dist/cli/index.js");
/** Samples and stores of the benchmarks stay here from one run to the next. */
export const FOLDER = join(tmpdir(), "crawldex-bench");

/** A sample of so many listings, which is written unless it is there. */
export function sampleOf(listings: number): string {
  const to = join(FOLDER, `sample-${listings}`);
  const complete = join(to, "complete");
  if (existsSync(complete)) return to;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const script = join(ROOT, "test/sample/run.ts");
  runNode("--import", "tsx", script, to, "--listings", `${listings}`);
  writeFileSync(complete, "");
  return to;
}

/** A store with the sample of so many listings. */
export function storeOf(listings: number): string {
  const store = join(FOLDER, `store-${listings}`);
  crawldex("build", sampleOf(listings), "--out", store, "--quiet");
  return store;
}

/** Runs a command. @throws Error if it fails */
export function crawldex(...args: readonly string[]): void {
  runNode(COMMAND, ...args);
}

function runNode(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
}

/** The value that a share of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A table of Markdown. All columns but the first are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Formats a number with at least three digits, and commas between thousands. */
export function figure(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString("en", format);
}

/** Prints a section, and adds it to RESULTS.md unless it is only to be printed. */
export function report(title: string, parts: readonly string[], isPrintedOnly = false): void {
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model})`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const machine = `${cores}, ${memory}, node ${process.version}, load ${Math.round(loadavg()[1] ?? 0)}`;
  const heading = `## ${new Date().toISOString().slice(0, 10)}: ${title}`;
  const section = `\n${[heading, machine, ...parts].join("\n\n")}\n`;
  process.stdout.write(section);
  if (!isPrintedOnly) appendFileSync(join(ROOT, "test/bench/RESULTS.md"), section);
}

/** Says on standard error how far a benchmark is. */
export function note(message: string): void {
  process.stderr.write(`${Math.round(process.uptime())} s: ${message}\n`);
}
