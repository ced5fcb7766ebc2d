import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "../answer/answer.js";
import type { ServerLimits } from "../limits.js";
import { bareAnswer } from "./refusals.js";

interface Connection {
  /** The newest answer that was sent at once. */
  last: ServerResponse | null;
  /** By answer, in their order: called when the answer is sent or its connection has closed. */
  readonly pending: Map<ServerResponse, () => void>;
  /** Resolve the promises of answers that wait for earlier ones, in their order. */
  readonly waiting: (() => void)[];
  /** Whether bytes that are not HTTP followed the requests under way: it ends when these are answered. */
  broken: boolean;
  /** Called when all its answers are sent. */
  whenEmpty: () => void;
}

/**
 * The answers under way on each connection. Of a connection that is cut, node tells only the one
 * response that is being sent; the others, pipelined behind it, would never learn of it.
 */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  readonly #refused = new Set<Socket>();
  /** Clients with unread answers: the bytes that they must have read after so many more looks. */
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

  /** Adds a connection. @returns whether it was there already: an ignored upgrade makes node announce it again */
  add(socket: Socket): boolean {
    if (this.#open.has(socket)) return true;
    this.#open.add(socket);
    // One for each of its answers that is sent from a file, and a client may ask for many at once.
    socket.setMaxListeners(0);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#refused.delete(socket);
    });
    return false;
  }

  /**
   * Calls `done` once, when the response is sent or its connection has closed. The response that fills the connection's
   * queue ends the connection: requests behind it are ignored, and its client is told to send them again.
   * @returns resolves once the earlier responses of the connection are sent; null where there are none. Whoever waits
   * for that before making an answer holds one answer at most for a client that does not read.
   */
  track(socket: Socket, res: ServerResponse, done: () => void): Promise<void> | null {
    const connection = this.#connectionOf(socket);
    this.#trackLast(socket, connection);
    const turn = this.#pend(socket, connection, res, done);
    if (connection.pending.size >= this.#limits.waitingMax) {
      res.setHeader("Connection", "close");
      this.#refused.add(socket);
    }
    return turn;
  }

  /** Notes an answer that holds no resources, so that nothing has to be called when it is sent. */
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

  /**
   * Resolves once all answers under way on a connection that node has given up are sent, or it has closed. Node no longer
   * tells an answer that waits for its client that it may go on.
   */
  async whenAnswered(socket: Socket): Promise<void> {
    const connection = this.#connectionOf(socket);
    this.#trackLast(socket, connection);
    if (connection.pending.size === 0) return;
    const goOn = () => {
      const [first] = connection.pending.keys();
      first?.emit("drain");
    };
    socket.on("drain", goOn);
    await new Promise<void>((resolve) => {
      connection.whenEmpty = resolve;
    });
    socket.off("drain", goOn);
  }

  /** Whether nothing that comes over it is a request any more. */
  isRefused(socket: Socket): boolean {
    return this.#refused.size > 0 && this.#refused.has(socket);
  }

  /** Cuts connections whose clients read too slowly; call it every `checkingMs`. */
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

  /** Tracks the newest noted answer. Answers are sent in their order: when this one is sent, all are. */
  #trackLast(socket: Socket, connection: Connection): void {
    const { last } = connection;
    connection.last = null;
    if (last?.writableFinished === false) void this.#pend(socket, connection, last, () => {});
  }

  #pend(
    socket: Socket,
    connection: Connection,
    res: ServerResponse,
    done: () => void,
  ): Promise<void> | null {
    const turn =
      connection.pending.size === 0
        ? null
        : new Promise<void>((resolve) => connection.waiting.push(resolve));
    const settle = () => {
      if (!connection.pending.delete(res)) return;
      done();
      connection.waiting.shift()?.();
      if (connection.pending.size > 0) return;
      connection.whenEmpty();
      if (connection.broken) this.#hangUp(socket, "");
    };
    connection.pending.set(res, settle);
    res.once("close", settle);
    return turn;
  }

  /** Ends a connection; destroys it where the client does not end its side within `lingerMs`. */
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
    const connection: Connection = {
      ...{ last: null, pending: new Map(), waiting: [], broken: false },
      whenEmpty: () => {},
    };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      for (const settle of [...connection.pending.values()]) settle();
    });
    return connection;
  }
}
