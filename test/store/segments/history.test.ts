import { it } from "vitest";
import { runRandomHistory } from "../random-run.js";

/** A random history; another one with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_124);

it(`a random history of builds and rollbacks serves what a full build serves, or what the rule of rollbacks says, SEED=${SEED}`, async () => {
  await runRandomHistory(SEED);
}, 300_000);
