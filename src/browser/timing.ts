/** Calls the latest function once no new one has arrived for a while (debounce). */
export class Debounce {
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

  /** Runs the scheduled task now, if there is one. */
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
  /** The least time between two searches while a text is typed. */
  typed: 80,
  /** The time without a key press before the page searches for a score that was changed step by step. */
  stepped: 250,
  /** The time without a key press before screen readers announce what a typed text has found. */
  told: 500,
  /** How long a search runs before the page says so. */
  slow: 500,
} as const;

/**
 * Runs a task once the page has shown what the reader typed, but only one per interval (throttle). When the interval
 * ends, it runs the latest task that came meanwhile.
 */
export class Throttle {
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
    if (!this.#isOpen) return;
    this.#isOpen = false;
    void painted().then(() => this.#pass());
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

/** Waits until the page shows what it has, unless nobody sees it. Keys that come meanwhile are dealt with first. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve);
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Runs of which only the most recent matters: each new run aborts the previous one. */
export class LatestRun {
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
