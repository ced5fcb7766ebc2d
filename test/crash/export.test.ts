import { describe, expect, it } from "vitest";
import { killExports } from "../site/killing.js";

/** Exports that are killed; more, and other ones, with KILLS and SEED. */
const KILLS = Number(process.env.KILLS ?? 4);
const SEED = Number(process.env.SEED ?? 20_261_121);

describe("an export that is killed at any time", () => {
  it(`is finished by the next one, ${KILLS} times, seed ${SEED}`, {
    timeout: 60_000 + KILLS * 3_000,
  }, async () => {
    const { before, midway, after } = await killExports(KILLS, SEED);
    process.stderr.write(`killed before ${before}, midway ${midway}, after ${after}\n`);
    expect(before + midway + after).toBe(KILLS);
    // A few kills may all have come too early or too late.
    if (KILLS >= 20) expect(midway).toBeGreaterThan(KILLS / 20);
  });
});
