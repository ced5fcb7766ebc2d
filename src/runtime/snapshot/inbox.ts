/** What messages come from: a port, or a worker thread. */
interface Source {
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** Messages, each for one who asks for the next, in their order. */
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

  /** The next message. It never comes where the other side is closed: wait for that, too. */
  next<T>(): Promise<T> {
    return new Promise((resolve) => {
      if (this.#unread.length > 0) resolve(this.#unread.shift() as T);
      else this.#readers.push(resolve as (message: unknown) => void);
    });
  }
}
