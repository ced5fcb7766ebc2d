import { setTimeout as sleep } from "node:timers/promises";
import { currentPointer } from "../../store/reader.js";
import type { ReadySnapshot } from "./current-snapshot.js";

/** Takes a line for the operator: an event ("info"), or something to look into ("trouble"). */
export type Log = (message: string, kind: "info" | "trouble") => void;

/** Milliseconds between two reads of `current.json`. A new snapshot should answer within two seconds. */
const POLL_MS = 500;
/** The longest wait, in milliseconds, before a refused snapshot is tried again. */
const RETRY_MAX_MS = 10_000;

export interface WatchOptions {
  readonly store: string;
  readonly log: Log;
  /**
   * Loads a snapshot and answers from it from now on.
   * @param stated its number in the remote store that it was pulled from, if it was, as `current.json` states it
   * @returns with the number that counts: with public keys, the signed one
   * @throws if the snapshot is bad; the previous one then keeps answering
   */
  readonly adopt: (
    id: string,
    stated?: number,
  ) => Promise<ReadySnapshot & { readonly generation?: number | undefined }>;
  /** Called if `current.json` states another number for the adopted snapshot now. */
  readonly renumber?: (id: string, stated?: number) => Promise<void>;
  /** Called after each attempt to load, except when the same refusal repeats. */
  readonly onReload: (outcome: "loaded" | "refused") => void;
}

/** Follows a store's `current.json` and adopts each new snapshot that is valid. */
export class StoreWatcher {
  readonly #options: WatchOptions;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #adopted: ReadySnapshot | null = null;
  /** The number that `current.json` states for it. */
  #stated: number | undefined;
  #refusal = "";
  /** In milliseconds of `performance`, which goes on evenly when the system's clock is set. */
  #retryAt = 0;
  #retryMs = POLL_MS;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The last snapshot that was adopted; null before the first one. */
  get adopted(): ReadySnapshot | null {
    return this.#adopted;
  }

  /** Why the current snapshot of the store is refused; undefined if it is not. */
  get trouble(): string | undefined {
    return this.#refusal === "" ? undefined : `snapshot refused: ${this.#refusal}`;
  }

  /** Adopts the current snapshot if it is valid, then watches for new ones. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = this.#follow();
  }

  /** Looks at once, even at a snapshot that was refused. */
  lookNow(): void {
    this.#retryAt = 0;
    this.#wake.abort();
  }

  /** Stops watching. */
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
    const { store, log, adopt, renumber, onReload } = this.#options;
    let id: string | null = null;
    try {
      const pointer = await currentPointer(store);
      if (pointer === null) return;
      id = pointer.id;
      if (this.#refusal.startsWith(id) && performance.now() < this.#retryAt) return;
      if (id === this.#adopted?.id) {
        if (this.#stated !== pointer.generation) await renumber?.(id, pointer.generation);
        this.#stated = pointer.generation;
        this.#refusal = "";
        return;
      }
      const { generation, ...adopted } = await adopt(id, pointer.generation);
      this.#adopted = adopted;
      this.#stated = pointer.generation;
      this.#refusal = "";
      this.#retryMs = POLL_MS;
      onReload("loaded");
      const numbered = generation === undefined ? "" : `, generation ${generation},`;
      log(`snapshot ${id}${numbered} loaded: ${adopted.listings} listings in search`, "info");
    } catch (error) {
      const { message } = error as Error;
      this.#refuse(id === null ? message : `${id}: ${message}`);
    }
  }

  /** Keeps the previous snapshot. Logs each reason once, and retries at growing intervals. */
  #refuse(refusal: string): void {
    this.#retryMs = refusal === this.#refusal ? Math.min(this.#retryMs * 2, RETRY_MAX_MS) : POLL_MS;
    this.#retryAt = performance.now() + this.#retryMs;
    if (refusal === this.#refusal) return;
    this.#refusal = refusal;
    this.#options.onReload("refused");
    const kept = this.#adopted
      ? `still serving snapshot ${this.#adopted.id}`
      : "no snapshot is loaded";
    this.#options.log(`${this.trouble}; ${kept}`, "trouble");
  }
}
