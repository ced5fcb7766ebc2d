/**
 * Pipelined requests, of all connections together, that one turn of the event loop answers. Node accepts one connection
 * in each turn, so shorter turns accept new connections sooner.
 */
const A_TURN_MAX = 4;

/**
 * Makes pipelined requests wait for each other and not delay other clients. Each turn of the event loop answers a few
 * of them, in order of arrival.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a later turn of the event loop. */
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
