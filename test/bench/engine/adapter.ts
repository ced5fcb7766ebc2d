import type { MemoryEngine } from "../../../src/engine/engine.js";
import { LoadedSnapshot } from "../../../src/runtime/snapshot/snapshot.js";
import { currentId } from "../../../src/store/reader.js";

/** A snapshot is held as long as the process: a collected one would close its files. */
const held: LoadedSnapshot[] = [];

/** All that the benchmark knows of how a store becomes an engine. @throws BadSnapshotError */
export async function loadEngine(store: string): Promise<MemoryEngine> {
  const id = await currentId(store);
  if (id === null) throw new Error(`${store} has no snapshot`);
  const snapshot = await LoadedSnapshot.load(store, id);
  held.push(snapshot);
  return snapshot.engine;
}
