import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  DAMAGES,
  type Loss,
  ModelDisk,
  type Recording,
  randomLoss,
  record,
  uniformLoss,
} from "./power.js";
import { ageSnapshots, expectRepair, type Product, readWhole, type Scenario } from "./product.js";
import { chance, SEED } from "./repetitions.js";

/** After so many losses of power the next build is tried as well, which takes longer than reading. */
const REPAIR_EVERY = 20;

interface Moment {
  /** How many of the build's calls were made. */
  readonly made: number;
  readonly loss: Loss;
}

/**
 * P5: power is lost at whatever call of a build, and of what was not synced all, none or any part is on
 * the disk. Readers find the old snapshot or the new one as a whole; once the build is done the new one.
 * @returns how many states were looked at
 */
export async function losePower(
  product: Product,
  scenario: Scenario,
  states: number,
  isNew = false,
): Promise<number> {
  const random = chance(`power ${isNew}`);
  const recording = await record(product, scenario, isNew);
  const moments = momentsOf(recording, states, random);
  const model = new ModelDisk(recording.store);
  let done = 0;
  for (let made = 0; made <= recording.calls.length; made += 1) {
    for (const { loss } of moments.get(made) ?? []) {
      const state = join(scenario.folder, `lost-${done}`);
      model.loseAt(state, loss);
      const store = isNew ? join(state, "new", "store") : state;
      const what = `SEED=${SEED}: state ${done}, after call ${made} of ${recording.calls.length}`;
      await expectReadable(product, scenario, store, recording, made, isNew, what);
      if (done % REPAIR_EVERY === 0 && !isNew) {
        ageSnapshots(store);
        await expectRepair(product, scenario, store);
      }
      rmSync(state, { recursive: true });
      done += 1;
    }
    const call = recording.calls[made];
    if (call !== undefined) model.follow(call, call.result);
  }
  return done;
}

async function expectReadable(
  product: Product,
  { before }: Scenario,
  store: string,
  { calls, commit, id: after }: Recording,
  made: number,
  isNew: boolean,
  what: string,
): Promise<void> {
  if (isNew && !existsSync(join(store, "current.json"))) {
    expect(made, what).toBeLessThan(calls.length);
    return;
  }
  const id = await readWhole(product, store).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  });
  if (made < commit) expect(id, what).toBe(before);
  else if (made === calls.length) expect(id, what).toBe(after);
  else expect([before, after], what).toContain(id);
}

/** Each call in turn: twice a uniform loss, another each time, then one by chance. */
function momentsOf(
  { calls }: Recording,
  states: number,
  random: () => number,
): ReadonlyMap<number, readonly Moment[]> {
  const uniform = [true, false].flatMap((keepsNames) =>
    DAMAGES.map((damage) => uniformLoss(keepsNames, damage)),
  );
  const moments = new Map<number, Moment[]>();
  for (let state = 0; state < states; state += 1) {
    const made = state % (calls.length + 1);
    const round = Math.floor(state / (calls.length + 1));
    const loss = round % 3 === 2 ? undefined : uniform[(made + round) % uniform.length];
    const moment = { made, loss: loss ?? randomLoss(random) };
    moments.set(made, [...(moments.get(made) ?? []), moment]);
  }
  return moments;
}
