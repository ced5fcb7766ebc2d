import type { ServerResponse } from "node:http";
import type { Answer } from "../answer/answer.js";

interface Ready {
  readonly res: ServerResponse;
  readonly status: number;
  /** Names and values as an object, or in turn. */
  readonly headers: Answer["headers"] | readonly string[];
  readonly body: Uint8Array | null;
}

/** Answers that wait at most: the first of them must not wait long, nor their bodies take much memory. */
const BATCH_MAX = 64;

/**
 * Sends answers in batches: what is answered within one turn of the event loop goes out at its end. A client
 * that sleeps is woken by the first bytes for it, which costs as much as making an answer; while it is at
 * those, the others reach it awake.
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
