import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "../answer/answer.js";
import type { ServerLimits } from "../limits.js";
import { bareAnswer } from "./request.js";

interface Connection {
  /** Answers under way, in order. */
  readonly pending: Set<ServerResponse>;
  /** Resolve the turns of answers that wait for earlier ones, in order. */
  readonly waiting: (() => void)[];
  /** Whether bytes that are not HTTP followed the pending requests. The connection ends once those are answered. */
  broken: boolean;
}

/** The answers under way on each connection. */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  readonly #refused = new Set<Socket>();
  readonly #limits: ServerLimits;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
  }

  /** The number of open connections. */
  get count(): number {
    return this.#open.size;
  }

  /** Whether any client still has bytes of answers to read. */
  get hasUnsent(): boolean {
    for (const { writableLength } of this.#open) if (writableLength > 0) return true;
    return false;
  }

  add(socket: Socket): void {
    this.#open.add(socket);
    // A client may send many requests on one connection: node must not warn about their listeners.
    socket.setMaxListeners(0);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#refused.delete(socket);
    });
  }

  /**
   * Tracks a response, which waits for earlier ones of its connection. The response that fills the
   * connection's queue ends the connection: the server ignores the requests behind it, and the client has to repeat
   * them.
   * @returns a promise that resolves once the earlier responses of the connection are sent; null if there are none. A
   * caller that waits for it before making an answer holds at most one answer for a client that does not read.
   */
  track(socket: Socket, res: ServerResponse): Promise<void> | null {
    const connection = this.#connectionOf(socket);
    const turn =
      connection.pending.size === 0
        ? null
        : new Promise<void>((resolve) => connection.waiting.push(resolve));
    connection.pending.add(res);
    // `close` fires once. With `once`, removing the listener would take 2% of the time of a cached answer.
    res.on("close", () => {
      connection.pending.delete(res);
      connection.waiting.shift()?.();
      if (connection.broken && connection.pending.size === 0) this.#hangUp(socket, "");
    });
    if (connection.pending.size >= this.#limits.waitingMax) {
      res.setHeader("Connection", "close");
      this.#refused.add(socket);
    }
    return turn;
  }

  /**
   * Ends a connection that cannot carry another request: after the answers under way, or if there are none, with the
   * given answer.
   * @returns whether the given answer is sent
   */
  refuse(socket: Socket, answer: Answer): boolean {
    if (this.isRefused(socket)) return false;
    // Node no longer listens for errors on a socket that it has handed over, as after CONNECT.
    socket.on("error", () => {});
    const connection = this.#connectionOf(socket);
    // Our bytes in the middle of a running answer would become a part of it.
    if (connection.pending.size > 0) {
      connection.broken = true;
      return false;
    }
    this.#hangUp(socket, bareAnswer(answer));
    return true;
  }

  /** Whether the connection has answers under way. */
  isAnswering(socket: Socket): boolean {
    return this.#connectionOf(socket).pending.size > 0;
  }

  /** Whether the client waits for the server: its next answer is still being made. */
  isWaiting(socket: Socket): boolean {
    const [next] = this.#connectionOf(socket).pending;
    return next?.writableEnded === false;
  }

  /** Whether the server ignores everything that still arrives on a connection. */
  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Ends a connection. Destroys the socket if the client does not close it within `lingerMs`. */
  #hangUp(socket: Socket, bytes: string): void {
    if (socket.destroyed) return;
    this.#refused.add(socket);
    socket.end(bytes);
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), this.#limits.lingerMs);
    socket.once("close", () => clearTimeout(cut));
  }

  #connectionOf(socket: Socket): Connection {
    const tracked = this.#connections.get(socket);
    if (tracked !== undefined) return tracked;
    const connection: Connection = { pending: new Set(), waiting: [], broken: false };
    this.#connections.set(socket, connection);
    return connection;
  }
}
