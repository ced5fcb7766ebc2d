/** The figures of a tree's benchmarks in their short forms, and its random comparisons with the oracle. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BaselineWriter } from "./facts.js";
import { runTool } from "./run.js";

const FIGURES_FILE = "figures.json";
const LISTINGS = "5000";
const ORACLE_SEEDS = 20;
const BENCHMARKS: Readonly<Record<string, readonly string[]>> = {
  "bench:build": [LISTINGS, "1", "0", "print"],
  "bench:engine": ["--listings", LISTINGS, "--requests", "300", "--cpu", "--print"],
  "bench:serve": ["--listings", LISTINGS, "--seconds", "1", "--pairs", "1", "--print"],
};

/** Compares a tree's answers with its oracle's, with one seed after another. */
export function takeOracle(dist: string, writer: BaselineWriter): void {
  for (let seed = 1; seed <= ORACLE_SEEDS; seed += 1) {
    const args = ["vitest", "run", "test/oracle/agreement"];
    const { status } = runTool(dist, "npx", args, { SEED: String(seed * 1_000) });
    const facts = { status: status === 0 ? "agrees" : "disagrees" };
    writer.add({ kind: "oracle", key: `SEED=${seed * 1_000}`, facts });
  }
}

/** Runs a tree's benchmarks and stores their figures. One that fails, for instance because wrk is missing, has none. */
export function takeFigures(dist: string, folder: string): void {
  const figures: Record<string, string> = {};
  for (const [script, options] of Object.entries(BENCHMARKS)) {
    const { output } = runTool(dist, "npm", ["run", "--silent", script, "--", ...options]);
    for (const [name, value] of tableCells(output)) figures[`${script}: ${name}`] = value;
    for (const [part] of output.matchAll(/[^.:]+: [\d,.]+ (?:ms|MB|bytes)/g)) {
      const [name = "", value = ""] = part.split(": ");
      figures[`${script}: ${name.trim()}`] = value;
    }
  }
  writeFileSync(join(folder, FIGURES_FILE), `${JSON.stringify(figures, null, 2)}\n`);
}

/** The cells of all Markdown tables in a text, named by their row and column. */
function tableCells(text: string): [string, string][] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  let head: string[] = [];
  return rows.flatMap((row, i): [string, string][] => {
    const cells = row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (rows[i + 1]?.startsWith("| ---")) head = cells;
    if (row.startsWith("| ---") || head === cells) return [];
    const [name, ...values] = cells;
    return values.map((value, column) => [`${name}, ${head[column + 1]}`, value]);
  });
}

/** Prints the figures of two baselines beside each other, if both have some. */
export function printFigures(former: string, present: string, print: (line: string) => void): void {
  const files = [former, present].map((folder) => join(folder, FIGURES_FILE));
  if (!files.every((file) => existsSync(file))) return;
  const [before = {}, after = {}] = files.map(
    (file) => JSON.parse(readFileSync(file, "utf8")) as Record<string, string>,
  );
  print("\n| figure | before | now |\n| --- | ---: | ---: |");
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    print(`| ${name} | ${before[name] ?? ""} | ${after[name] ?? ""} |`);
  }
}
