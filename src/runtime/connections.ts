import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Connection {
  /** The newest answer that was sent at once. */
  last: ServerResponse | null;
  /** What is to be done when each of its answers is out, or never will be. */
  readonly pending: Set<() => void>;
  /** What came after the requests under way was no HTTP: it ends when they are answered. */
  broken: boolean;
}

/**
 * The answers under way on each connection. Of a connection that is cut, node tells only the one
 * response that is being sent; the others, pipelined behind it, would never learn of it.
 */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Calls `done` once, when the response is out or its connection is gone. */
  track(socket: Socket, res: ServerResponse, done: () => void): void {
    const connection = this.#connectionOf(socket);
    const settle = () => {
      if (!connection.pending.delete(settle)) return;
      done();
      if (connection.broken && connection.pending.size === 0) socket.end();
    };
    connection.pending.add(settle);
    res.once("close", settle);
  }

  /** Takes note of an answer that holds nothing: it need not be told when it is out. */
  note(socket: Socket, res: ServerResponse): void {
    this.#connectionOf(socket).last = res;
  }

  /** Ends a broken connection after its answers. @returns false where none is under way. */
  endAfterAnswers(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return false;
    const { last, pending } = connection;
    // Answers go out in their order: when the newest is out, all are.
    if (last?.writableFinished === false) this.track(socket, last, () => {});
    if (pending.size === 0) return false;
    connection.broken = true;
    return true;
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { last: null, pending: new Set(), broken: false };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      for (const settle of [...connection.pending]) settle();
    });
    return connection;
  }
}
