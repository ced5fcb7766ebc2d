/** Pipelined requests, of all connections together, that are answered in one turn of the event loop. */
const A_TURN_MAX = 16;

/**
 * Lets pipelined requests wait for each other, and not others for them: in one turn of the event loop a few are answered,
 * in the order in which they came, and a new connection is taken in before the next few.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a turn of the event loop after this one. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#take());
    });
  }

  #take(): void {
    const taken = this.#waiting.splice(0, A_TURN_MAX);
    if (this.#waiting.length > 0) setImmediate(() => this.#take());
    for (const go of taken) go();
  }
}
