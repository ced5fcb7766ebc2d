import type { ServerResponse } from "node:http";
import type { Answer } from "../answer/answer.js";

interface Ready {
  readonly res: ServerResponse;
  readonly status: number;
  /** As an object, or as an array of alternating names and values. */
  readonly headers: Answer["headers"] | readonly string[];
  readonly body: Uint8Array | null;
}

/** Answers in one batch, at most. Limits the wait of the first answer and the memory of the bodies. */
const BATCH_MAX = 64;

/**
 * Sends answers in batches: the answers made in one turn of the event loop leave at its end. The first bytes for a
 * sleeping client wake it up, which costs as much as making an answer. While the client handles them, it is awake for
 * the other answers.
 */
export class Outbox {
  #ready: Ready[] = [];

  /** Sends an answer at the end of this turn of the event loop. */
  send(
    res: ServerResponse,
    status: number,
    headers: Ready["headers"],
    body: Uint8Array | null,
  ): void {
    const count = this.#ready.push({ res, status, headers, body });
    if (count === 1) setImmediate(() => this.#flush());
    else if (count === BATCH_MAX) this.#flush();
  }

  #flush(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const { res, status, headers, body } of ready) {
      res.writeHead(status, headers as string[]);
      res.end(body);
    }
  }
}

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
