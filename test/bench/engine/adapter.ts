import type { Engine } from "../../../src/engine/answering.js";
import { type LoadedSnapshot, loadSnapshot } from "../../../src/runtime/snapshot/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";

/** A snapshot is held as long as the process: a collected one would close its files. */
const held: LoadedSnapshot[] = [];

/** All that the benchmark knows of how a store becomes an engine. @throws BadSnapshotError */
export async function loadEngine(store: string): Promise<Engine> {
  const id = await currentId(store);
  if (id === null) throw new Error(`${store} has no snapshot`);
  const loaded = await loadSnapshot(store, id);
  held.push(loaded);
  return loaded.snapshot.engine;
}
