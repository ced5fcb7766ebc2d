/** Calls the latest function once no new one has arrived for a while (debounce). */
export class Pause {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #task: (() => void) | null = null;

  /** @param ms the length of the pause in milliseconds */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Schedules `task` after the pause, in place of any scheduled task. */
  run(task: () => void): void {
    this.end();
    this.#task = task;
    this.#timer = setTimeout(() => this.now(), this.#ms);
  }

  /** Runs the scheduled task at once, if there is one. */
  now(): void {
    const task = this.#task;
    this.end();
    task?.();
  }

  /** Cancels the scheduled task. */
  end(): void {
    clearTimeout(this.#timer);
    this.#task = null;
  }
}

/** Runs of which only the most recent matters: each new run aborts the previous one. */
export class Latest {
  #controller = new AbortController();

  /** Aborts the current run and returns the signal for a new one. */
  begin(): AbortSignal {
    this.end();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  end(): void {
    this.#controller.abort();
  }
}
