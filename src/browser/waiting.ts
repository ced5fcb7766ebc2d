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

/** Times in milliseconds. */
export const WAIT_MS = {
  /** At least between two requests for a text that is being typed. */
  typed: 80,
  /** Without a key press before the page searches for a stepped score. */
  stepped: 250,
  /** Without a key press before screen readers hear what a typed text has found. */
  told: 500,
  /** After which the page announces that a search is still running. */
  slow: 500,
} as const;

/** Calls a function at once, but not twice within an interval: of those that come meanwhile, the latest one at its end. */
export class Pace {
  readonly #ms: number;
  #isOpen = true;
  #task: (() => void) | null = null;

  /** @param ms the length of the interval in milliseconds */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Runs `task`, or schedules it in place of any scheduled task. */
  run(task: () => void): void {
    this.#task = task;
    if (this.#isOpen) this.#pass();
  }

  /** Cancels the scheduled task. */
  end(): void {
    this.#task = null;
  }

  #pass(): void {
    const task = this.#task;
    this.#task = null;
    this.#isOpen = task === null;
    if (task === null) return;
    setTimeout(() => this.#pass(), this.#ms);
    task();
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
