import { setTimeout as sleep } from "node:timers/promises";

/** Runs a task again and again, never twice at the same time, until it is closed. */
export class Repeating {
  readonly #task: (stop: AbortSignal) => Promise<void>;
  readonly #waitMs: () => number;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #wake = new AbortController();

  /**
   * Begins with the first run.
   * @param task never rejects. Its signal is aborted when it should end, since nobody needs its outcome
   * @param waitMs milliseconds between the end of a run and the next one
   */
  constructor(task: (stop: AbortSignal) => Promise<void>, waitMs: () => number) {
    this.#task = task;
    this.#waitMs = waitMs;
    this.#running = this.#run();
  }

  /** Runs the task immediately; if it is running, once more after that run. */
  runNow(): void {
    this.#wake.abort();
  }

  /** Waits for the current run to end. No run follows. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      await this.#task(signal);
      if (signal.aborted) return;
      await sleep(this.#waitMs(), undefined, { signal: this.#wake.signal }).catch(() => {});
    }
  }
}
