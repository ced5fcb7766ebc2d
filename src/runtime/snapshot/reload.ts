import { setTimeout as sleep } from "node:timers/promises";
import { currentId } from "../../store/reader.js";
import type { ReadySnapshot } from "./holder.js";

/** Takes a line for the operator: what goes on, or what should be looked at. */
export type Log = (message: string, kind: "info" | "trouble") => void;

/** How often `current.json` is looked at, milliseconds: a new snapshot is to answer within two seconds. */
const POLL_MS = 500;
/** Longest wait, milliseconds, before a snapshot that was refused is tried once more. */
const RETRY_MAX_MS = 10_000;

export interface WatchOptions {
  readonly store: string;
  readonly log: Log;
  /** Loads a snapshot and answers from it from now on. @throws where it is not good: the one before goes on. */
  readonly adopt: (id: string) => Promise<ReadySnapshot>;
  /** Told how each reload has ended. */
  readonly onReload: (outcome: "loaded" | "refused") => void;
}

/** Follows a store's `current.json`: has each new snapshot adopted that can be. */
export class StoreWatcher {
  readonly #options: WatchOptions;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #adopted: ReadySnapshot | null = null;
  #isStale = false;
  #refusal = "";
  #retryAt = 0;
  #retryMs = POLL_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The snapshot that was adopted last; null where none was. */
  get adopted(): ReadySnapshot | null {
    return this.#adopted;
  }

  /** Has adopted what is there now, then goes on looking for what comes. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = this.#follow();
  }

  /** Adopts the current snapshot once more, though it was adopted. */
  lookAgain(): void {
    this.#isStale = true;
  }

  /** Looks at once, also at a snapshot that was refused. */
  lookNow(): void {
    this.#retryAt = 0;
    this.#wake.abort();
  }

  /** Ends the looking. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: this.#wake.signal }).catch(() => {});
      this.#wake = new AbortController();
      if (!this.#stop.signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { store, log, adopt, onReload } = this.#options;
    let id: string | null = null;
    try {
      id = await currentId(store);
      if (id === null || (id === this.#adopted?.id && !this.#isStale)) return;
      if (this.#refusal.startsWith(id) && Date.now() < this.#retryAt) return;
      this.#adopted = await adopt(id);
      this.#isStale = false;
      this.#refusal = "";
      this.#retryMs = POLL_MS;
      onReload("loaded");
      log(`snapshot ${id} loaded: ${this.#adopted.listings} listings in search`, "info");
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
    this.#options.onReload("refused");
    const kept = this.#adopted ? `snapshot ${this.#adopted.id} goes on` : "no snapshot is loaded";
    this.#options.log(`snapshot refused: ${refusal}; ${kept}`, "trouble");
  }
}
