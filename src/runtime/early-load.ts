import { currentId, StoredSnapshot } from "../store/reader.js";
import { type LoadedIndex, LoadThreads } from "./load.js";

/** A snapshot whose index is being made. */
export interface BegunLoad {
  readonly stored: StoredSnapshot;
  readonly index: Promise<LoadedIndex>;
}

/**
 * A loading of a store's current snapshot, begun before all is imported that answers from it: that takes a
 * twentieth of a start. What reads the store is imported with this, before its threads import theirs: all at once
 * would take more open files than a process may be allowed.
 */
export class EarlyLoad {
  #begun: Promise<BegunLoad | null>;

  constructor(store: string) {
    this.#begun = begin(store);
  }

  /** Hands over the load for snapshot `id`, once; null where it is of another snapshot or was handed over already. */
  async take(id: string): Promise<BegunLoad | null> {
    const begin = this.#begun;
    this.#begun = Promise.resolve(null);
    const begun = await begin;
    if (begun === null || begun.stored.id === id) return begun;
    begun.stored.close();
    return null;
  }
}

/** Begins nothing where anything is wrong: the load that follows finds and reports the same. */
async function begin(store: string): Promise<BegunLoad | null> {
  let threads: LoadThreads | null = null;
  try {
    threads = new LoadThreads();
    const id = await currentId(store);
    if (id !== null) {
      const stored = await openStored(store, id);
      const index = threads.load(stored, { isAside: false });
      // The caller of `take` awaits it; this only avoids an unhandled rejection.
      index.catch(() => {});
      return { stored, index };
    }
  } catch {
    // The load that follows reports it.
  }
  threads?.end();
  return null;
}

/** Opens a snapshot whose answers are to be read as they are asked for. @throws BadSnapshotError */
export function openStored(store: string, id: string): Promise<StoredSnapshot> {
  return StoredSnapshot.openManifest(store, id, () => performance.now());
}
