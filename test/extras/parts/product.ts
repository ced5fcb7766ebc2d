import { join } from "node:path";
import {
  aDirectory,
  KEEP,
  loadedFrom,
  type Product,
  type Scenario,
  scenarioOf,
} from "../../crash/product.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";

/** How a compiled product joins parts. */
export async function joinOf({ dist }: Product) {
  const loaded = await loadedFrom(dist, "extras/parts/join.js");
  return (loaded as typeof import("../../../src/extras/parts/join.js")).joinParts;
}

/** A store of two parts: the third snapshot is a join of parts that are built already. */
export async function aJoinScenario(product: Product): Promise<Scenario> {
  const joinParts = await joinOf(product);
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const publish = (to: string) => joinParts({ store: to, keep: KEEP });
  const ids: string[] = [];
  for (const name of ["One", "Two", "Three"]) {
    const published = await writePublished(join(folder, name), aDirectory(20, name));
    for (const part of ["1/2", "2/2"]) await product.build(published, { store, part, jobs: 1 });
    if (name !== "Three") ids.push((await publish(store)).id);
  }
  return scenarioOf(folder, ids, publish);
}
