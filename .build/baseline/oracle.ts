import type { BaselineWriter } from "./facts.js";
import { runTool } from "./run.js";

const ORACLE_SEEDS = 20;

/** Compares a tree's answers with its oracle's, with one seed after another. */
export function takeOracle(dist: string, writer: BaselineWriter): void {
  for (let seed = 1; seed <= ORACLE_SEEDS; seed += 1) {
    const args = ["vitest", "run", "test/oracle/agreement"];
    const { status } = runTool(dist, "npx", args, { SEED: String(seed * 1_000) });
    const facts = { status: status === 0 ? "agrees" : "disagrees" };
    writer.add({ kind: "oracle", key: `SEED=${seed * 1_000}`, facts });
  }
}
