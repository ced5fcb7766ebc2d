/** A source of messages: a port or a worker thread. */
interface Source {
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** Queues messages for callers that ask for the next one, in order. */
export class Inbox {
  readonly #unread: unknown[] = [];
  readonly #readers: ((message: unknown) => void)[] = [];

  constructor(source: Source) {
    source.on("message", (message) => {
      const reader = this.#readers.shift();
      if (reader === undefined) this.#unread.push(message);
      else reader(message);
    });
  }

  /**
   * Returns the next message. It never resolves if the other side closes, so callers must also wait for the closing.
   */
  next<T>(): Promise<T> {
    return new Promise((resolve) => {
      if (this.#unread.length > 0) resolve(this.#unread.shift() as T);
      else this.#readers.push(resolve as (message: unknown) => void);
    });
  }
}
