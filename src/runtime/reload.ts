import { setTimeout as sleep } from "node:timers/promises";
import { currentId } from "../store/reader.js";
import { LoadedSnapshot } from "./snapshot.js";

/** Takes a line for the operator: what goes on, or what should be looked at. */
export type Log = (message: string, kind: "info" | "trouble") => void;

/** How often `current.json` is looked at, milliseconds: a new snapshot is to answer within two seconds. */
const POLL_MS = 500;
/** Longest wait, milliseconds, before a snapshot that was refused is tried once more. */
const RETRY_MAX_MS = 10_000;

/** Follows a store's `current.json`: always holds the newest snapshot that could be loaded. */
export class SnapshotFollower {
  readonly #store: string;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #current: LoadedSnapshot | null = null;
  #refusal = "";
  #retryAt = 0;
  #retryMs = POLL_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(store: string, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** The loaded snapshot; null until there is one. A request takes it once and keeps it. */
  get current(): LoadedSnapshot | null {
    return this.#current;
  }

  /** Loads what is there now, then goes on looking for what comes. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = this.#follow();
  }

  /** Ends the looking; the snapshot stays until its requests are done. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#current?.release();
    this.#current = null;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    let id: string | null = null;
    try {
      id = await currentId(this.#store);
      if (id === null || id === this.#current?.id) return;
      if (this.#refusal.startsWith(id) && Date.now() < this.#retryAt) return;
      const loaded = await LoadedSnapshot.load(this.#store, id, this.#current !== null);
      this.#current?.release();
      this.#current = loaded;
      this.#refusal = "";
      this.#retryMs = POLL_MS;
      this.#log(`snapshot ${id} loaded: ${loaded.engine.size} listings in search`, "info");
    } catch (error) {
      const { message } = error as Error;
      this.#refuse(id === null ? message : `${id}: ${message}`);
    }
  }

  /** The old snapshot goes on. Said once for each reason, and tried again at growing intervals. */
  #refuse(refusal: string): void {
    this.#retryMs = refusal === this.#refusal ? Math.min(this.#retryMs * 2, RETRY_MAX_MS) : POLL_MS;
    this.#retryAt = Date.now() + this.#retryMs;
    if (refusal === this.#refusal) return;
    this.#refusal = refusal;
    const kept = this.#current ? `snapshot ${this.#current.id} goes on` : "no snapshot is loaded";
    this.#log(`snapshot refused: ${refusal}; ${kept}`, "trouble");
  }
}
