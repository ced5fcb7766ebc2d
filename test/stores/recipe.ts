import { setTimeout } from "node:timers/promises";
import { onTestFinished, type TestContext } from "vitest";
import type { Origin } from "../fetch/generations.js";
import { fill, type Worker } from "./servers/miniflare.js";
import { needWorkerd } from "./shared.js";
import { startRecipe } from "./targets/worker.js";

const WAIT_MS = 30_000;

/** Starts the worker of the recipe; its bucket is empty. */
export async function startWorker(
  context: TestContext,
  vars: Record<string, string> = {},
): Promise<Worker> {
  needWorkerd(context);
  const worker = await startRecipe({}, { REFRESH_SECONDS: "0.2", ...vars });
  onTestFinished(worker.stop);
  return worker;
}

/** Puts an origin into the worker's bucket, as it is after so many generations. */
export async function publishTo(
  worker: Worker,
  origin: Origin,
  generations: number,
): Promise<void> {
  await origin.rewind(generations);
  await fill(await worker.bucket("BUCKET"), origin.folder);
}

/** Waits until a worker answers from a generation. @returns what its health is then, or in the end */
export async function untilGeneration(worker: Worker, wanted: number): Promise<unknown> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const health = (await (await fetch(`${worker.url}/readyz`)).json()) as { generation?: number };
    if (health.generation === wanted || performance.now() > end) return health;
    await setTimeout(50);
  }
}

/** The health of a worker that answers from a generation. */
export const healthAt = (origin: Origin, generation: number) => ({
  ready: true,
  generation,
  snapshot: origin.generations[generation - 1]?.id,
});
