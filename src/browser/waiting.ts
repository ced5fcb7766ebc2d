/** Calls a function once nothing was asked of it for a while. */
export class Pause {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #task: (() => void) | null = null;

  /** @param ms how long that is */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Calls `task` after the pause, instead of what was to be called. */
  run(task: () => void): void {
    this.end();
    this.#task = task;
    this.#timer = setTimeout(() => this.now(), this.#ms);
  }

  /** Calls at once what is to be called, if anything is. */
  now(): void {
    const task = this.#task;
    this.end();
    task?.();
  }

  /** Nothing will be called. */
  end(): void {
    clearTimeout(this.#timer);
    this.#task = null;
  }
}

/** Work of which only the last one asked for counts: whoever begins another ends it. */
export class Latest {
  #controller = new AbortController();

  /** Ends what is under way, and gives the signal of what begins. */
  begin(): AbortSignal {
    this.end();
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  end(): void {
    this.#controller.abort();
  }
}
