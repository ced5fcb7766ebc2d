import { stat } from "node:fs/promises";
import { layout } from "../../store/layout.js";
import { currentPointer } from "../../store/reader.js";

/** Finds out when the snapshot that answers was published in its store. */
export class PublicationTime {
  readonly #store: string;
  #seen: { readonly id: string; readonly at: Date } | null = null;

  constructor(store: string) {
    this.#store = store;
  }

  /**
   * The time of `current.json`, which each build and rollback writes again, and each pull of a new generation. While it
   * names another snapshot than `id` or cannot be read, the last time that it named `id`.
   * @returns undefined if it was never seen to name `id`
   */
  async timeOf(id: string): Promise<Date | undefined> {
    try {
      const { mtime } = await stat(layout.current(this.#store));
      if ((await currentPointer(this.#store))?.id === id) this.#seen = { id, at: mtime };
    } catch {
      // The watcher reads the same file, and reports why it cannot.
    }
    return this.#seen?.id === id ? this.#seen.at : undefined;
  }
}
