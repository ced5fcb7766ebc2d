/**
 * Pipelined requests, of all connections together, that are answered in one turn of the event loop. Node accepts one
 * connection in a turn: the shorter the turns, the sooner a new one is accepted.
 */
const A_TURN_MAX = 4;

/**
 * Makes pipelined requests wait for each other, so that nobody else waits for them: each turn of the event loop answers a
 * few of them, in the order in which they came.
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
