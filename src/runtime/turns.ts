import type { Socket } from "node:net";

/** Pipelined requests, of all connections together, that are answered in one turn of the event loop. */
const ANSWERED_MAX = 16;
/** Pipelined requests that may arrive in one turn. Beyond: the connections that are open wait to be read. */
const ARRIVING_MAX = 256;
/** Pairs of connections that are read again in each turn after that. */
const READ_AGAIN = 2;

/**
 * Lets pipelined requests wait for each other, so that nobody else waits for them. Each turn of the event loop answers a few,
 * in the order in which they came. Node cannot stop in the midst of what it has read of a connection, and to read thousands
 * of requests takes seconds: where very many arrive at once, all connections are paused and read in turn, a few at a time:
 * the newest first, so that nobody who connects waits for all others, and the one that has waited longest.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #arrived = 0;
  readonly #paused: Socket[] = [];

  /** Takes note of a pipelined request. @param open all connections, the newest last */
  arrived(open: Iterable<Socket>): void {
    this.#arrived += 1;
    if (this.#arrived === 1 && this.#paused.length === 0) setImmediate(() => this.#readAgain());
    if (this.#arrived !== ARRIVING_MAX) return;
    for (const socket of open) {
      // Node itself pauses those that wait for their client.
      if (socket.isPaused()) continue;
      socket.pause();
      this.#paused.push(socket);
    }
  }

  /** Resolves in a turn of the event loop after this one. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#answer());
    });
  }

  #answer(): void {
    const taken = this.#waiting.splice(0, ANSWERED_MAX);
    if (this.#waiting.length > 0) setImmediate(() => this.#answer());
    for (const go of taken) go();
  }

  #readAgain(): void {
    this.#arrived = 0;
    for (let pair = 0; pair < READ_AGAIN; pair += 1) {
      this.#paused.pop()?.resume();
      this.#paused.shift()?.resume();
    }
    if (this.#paused.length > 0) setImmediate(() => this.#readAgain());
  }
}
