import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "./answer.js";
import type { ServerLimits } from "./limits.js";
import { bareAnswer } from "./refusals.js";

interface Connection {
  /** The newest answer that was sent at once. */
  last: ServerResponse | null;
  /** What is to be done when each of its answers is out, or never will be. */
  readonly pending: Set<() => void>;
  /** Who waits for those before to be out, in their order. */
  readonly waiting: (() => void)[];
  /** What came after the requests under way was no HTTP: it ends when they are answered. */
  broken: boolean;
}

/**
 * The answers under way on each connection. Of a connection that is cut, node tells only the one
 * response that is being sent; the others, pipelined behind it, would never learn of it.
 */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  readonly #refused = new Set<Socket>();
  /** Who has not read all that waits for it: the bytes to be read by then, and how many looks more it has. */
  readonly #backlogs = new WeakMap<Socket, { readonly end: number; looks: number }>();
  readonly #limits: ServerLimits;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size;
  }

  /** Whether bytes of answers wait for a client to read. */
  get hasUnsent(): boolean {
    for (const { writableLength } of this.#open) if (writableLength > 0) return true;
    return false;
  }

  /** Takes note of a new connection. */
  add(socket: Socket): void {
    this.#open.add(socket);
    // One for each of its answers that is sent from a file, and a client may ask for many at once.
    socket.setMaxListeners(0);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#refused.delete(socket);
    });
  }

  /**
   * Calls `done` once, when the response is out or its connection is gone.
   * @returns when those before it are out; null where it is the first. Who waits for that before it makes its
   * answer holds no more than one for a client that asks and does not read.
   */
  track(socket: Socket, res: ServerResponse, done: () => void): Promise<void> | null {
    const connection = this.#connectionOf(socket);
    this.#trackLast(socket, connection);
    const turn =
      connection.pending.size === 0
        ? null
        : new Promise<void>((resolve) => connection.waiting.push(resolve));
    const settle = () => {
      if (!connection.pending.delete(settle)) return;
      done();
      connection.waiting.shift()?.();
      if (connection.broken && connection.pending.size === 0) this.#hangUp(socket, "");
    };
    connection.pending.add(settle);
    res.once("close", settle);
    if (connection.pending.size > this.#limits.waitingMax) socket.destroy();
    return turn;
  }

  /** Takes note of an answer that holds nothing: it need not be told when it is out. */
  note(socket: Socket, res: ServerResponse): void {
    this.#connectionOf(socket).last = res;
  }

  /**
   * Ends a connection on which no request can follow: after the answers under way, else with this one.
   * @returns whether this one is sent
   */
  refuse(socket: Socket, answer: Answer): boolean {
    if (this.isRefused(socket)) return false;
    // Node listens no more to what it has handed over, as after CONNECT.
    socket.on("error", () => {});
    const connection = this.#connectionOf(socket);
    this.#trackLast(socket, connection);
    // Bytes of ours in the midst of an answer under way would forge a part of it.
    if (connection.pending.size > 0) {
      connection.broken = true;
      return false;
    }
    this.#hangUp(socket, bareAnswer(answer));
    return true;
  }

  /** Whether answers are under way on it. */
  isAnswering(socket: Socket): boolean {
    const { last, pending } = this.#connectionOf(socket);
    return pending.size > 0 || last?.writableFinished === false;
  }

  /** Whether nothing that comes over it is a request any more. */
  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  /** Cuts who reads too slowly; to be called every `checkingMs`. */
  cutSlow(): void {
    const { readMs, readBytes, checkingMs } = this.#limits;
    for (const socket of this.#open) {
      const { writableLength, bytesWritten } = socket;
      const backlog = this.#backlogs.get(socket);
      if (writableLength === 0) {
        this.#backlogs.delete(socket);
      } else if (backlog === undefined || bytesWritten - writableLength >= backlog.end) {
        const end = bytesWritten - Math.max(0, writableLength - readBytes);
        this.#backlogs.set(socket, { end, looks: readMs / checkingMs });
      } else {
        backlog.looks -= 1;
        if (backlog.looks < 0) socket.destroy();
      }
    }
  }

  /** Cuts all. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Tracks the newest answer that was only taken note of. Answers go out in their order: when it is out, all are. */
  #trackLast(socket: Socket, connection: Connection): void {
    const { last } = connection;
    connection.last = null;
    if (last?.writableFinished === false) void this.track(socket, last, () => {});
  }

  /** Who does not end its side too is cut: a connection that is half closed has no other end. */
  #hangUp(socket: Socket, bytes: string): void {
    if (socket.destroyed) return;
    this.#refused.add(socket);
    socket.end(bytes);
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), this.#limits.lingerMs);
    socket.once("close", () => clearTimeout(cut));
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { last: null, pending: new Set(), waiting: [], broken: false };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      for (const settle of [...connection.pending]) settle();
    });
    return connection;
  }
}
