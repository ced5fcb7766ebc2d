import { connect, type Socket } from "node:net";
import type { Place } from "../server/wire.js";
import { LARGE_HOST } from "./turns.js";

/** An attack with slowness: what a connection sends at first, and then every so many milliseconds. */
export interface Attack {
  readonly first: string;
  readonly drip?: { readonly every: number; readonly bytes: string };
  /** Whether it reads what comes: not at all, a little every second, or all. */
  readonly reads: "nothing" | "a little" | "all";
}

const READ = `GET /api/sites/${LARGE_HOST}/report HTTP/1.1\r\nHost: a\r\n\r\n`;

export const ATTACKS: Readonly<Record<string, Attack>> = {
  silent: { first: "", reads: "all" },
  "a head that drips": {
    first: "GET /api/tags HTTP/1.1\r\nHost: a\r\n",
    drip: { every: 1_000, bytes: "X: y\r\n" },
    reads: "all",
  },
  "a body that drips": {
    first: "POST /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    drip: { every: 1_000, bytes: "x" },
    reads: "all",
  },
  "a body behind a tunnel's head that drips": {
    first: "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    drip: { every: 1_000, bytes: "x" },
    reads: "all",
  },
  "a reader that reads nothing": { first: READ.repeat(99), reads: "nothing" },
  "a reader that reads a little": { first: READ.repeat(99), reads: "a little" },
};

/** Bytes that a slow reader reads every second. */
const LITTLE = 512;

/** Connections of an attack, which never end their own side. */
export function attackers(place: Place, attack: Attack, count: number): { end(): void } {
  const sockets: Socket[] = [];
  const timers: NodeJS.Timeout[] = [];
  for (let i = 0; i < count; i += 1) {
    const socket = connect({ ...place, allowHalfOpen: true, noDelay: true }, () => {
      socket.write(attack.first);
    });
    sockets.push(socket);
    socket.on("error", () => {});
    const { drip } = attack;
    if (attack.reads === "all") socket.resume();
    if (attack.reads === "a little") {
      socket.pause();
      timers.push(setInterval(() => socket.read(LITTLE), 1_000));
    }
    if (drip !== undefined) timers.push(setInterval(() => socket.write(drip.bytes), drip.every));
  }
  return {
    end: () => {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
