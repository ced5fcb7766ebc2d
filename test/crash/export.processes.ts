import { describe, expect, it } from "vitest";
import { killExports } from "../export/killing.js";
import { repetitions, SEED } from "./repetitions.js";

const times = repetitions("exportKills");

describe("an export that is killed at any time", () => {
  it.each([
    ["plain", false],
    ["packed", true],
  ])(
    `is finished by the next one, ${times} times, SEED=${SEED}: a %s tree`,
    { timeout: 60_000 + times * 3_000 },
    async (_, isPacked) => {
      const { before, midway, after } = await killExports(times, SEED, isPacked);
      process.stderr.write(`exports killed: ${before} before, ${midway} midway, ${after} after\n`);
      expect(before + midway + after).toBe(times);
      // A few kills may all have come too early or too late.
      if (times >= 20) expect(midway).toBeGreaterThan(times / 20);
    },
  );
});
