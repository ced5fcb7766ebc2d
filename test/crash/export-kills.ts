import { describe, expect, it } from "vitest";
import { killExports } from "../site/killing.js";
import { repetitions, SEED } from "./repetitions.js";

/** Kills as many exports as the run has time for. */
export function describeExportKills(): void {
  const times = repetitions("exportKills");
  describe("an export that is killed at any time", () => {
    it(`is finished by the next one, ${times} times, SEED=${SEED}`, {
      timeout: 60_000 + times * 3_000,
    }, async () => {
      const { before, midway, after } = await killExports(times, SEED);
      process.stderr.write(`exports killed: ${before} before, ${midway} midway, ${after} after\n`);
      expect(before + midway + after).toBe(times);
      // A few kills may all have come too early or too late.
      if (times >= 20) expect(midway).toBeGreaterThan(times / 20);
    });
  });
}
