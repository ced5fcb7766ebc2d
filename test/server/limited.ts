import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import type { Extensions } from "../../src/answer/content.js";
import type { SnapshotFollower } from "../../src/answer/follower.js";
import { SERVER_LIMITS, type ServerLimits } from "../../src/answer/limits.js";
import { ErrorBody } from "../../src/contract/bodies.js";
import { build } from "../../src/publish/build.js";
import { followStore, type ServedSnapshot } from "../../src/server/current-snapshot.js";
import { openListener } from "../../src/server/listener.js";
import type { Observer } from "../../src/server/observer.js";
import { serverPages } from "../../src/server/server-pages.js";
import { aPublishedDirectory, aScan, temporaryFolder, writePublished } from "../fixtures.js";
import type { Place } from "./wire.js";

const ALL_PAGES = serverPages();

/** So short that a test does not wait, and apart from each other, so that it is known which has ended what. */
const SHORT = { ...SERVER_LIMITS, checkingMs: 20, lingerMs: 60 };

/** Bytes of an answer of which a few are more than the system takes in for a client that does not read. */
export const LARGE = 700_000;
export const LARGE_GET = "GET /api/sites/example.com/report HTTP/1.1\r\nHost: a\r\n\r\n";
export const MANY = 20;

let follower: SnapshotFollower<ServedSnapshot>;

/** Has each test of a file serve the same snapshot: one listing, whose report is large. */
export function serveOneListing(): void {
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const folder = await temporaryFolder((cleanUp) => cleanUps.unshift(cleanUp));
    const files = aPublishedDirectory({ scans: [aScan({ profile: { text: "p".repeat(LARGE) } })] });
    const published = await writePublished(join(folder, "published"), files);
    const store = join(folder, "store");
    await build(published, { store, jobs: 1, keep: 1 });
    const silent = { log: () => {}, onReload: () => {} };
    follower = followStore({ store, cacheBytes: 1_000_000, verify: undefined, ...silent });
    await follower.look();
  });
  afterAll(async () => {
    follower.current?.release();
    for (const cleanUp of cleanUps) await cleanUp();
  });
}

/** Serves under limits of its own. @param extensions reads beyond the contract. Default: none */
export async function aListener(
  limits: Partial<ServerLimits>,
  observer: Observer | null = null,
  extensions: Extensions = {},
) {
  const address = { host: "127.0.0.1", port: 0, limits: { ...SHORT, ...limits } };
  const answering = {
    follower,
    log: () => {},
    observer,
    extensions,
    metrics: null,
    readiness: async () => ({}),
    pages: ALL_PAGES,
  };
  const listener = await openListener(address, answering);
  onTestFinished(() => listener.close());
  return listener;
}

/** A client that never ends its side of the connection: it says when the server has cut it. */
export async function aStubbornClient(place: Place, bytes: string) {
  const socket = await opened(place, { allowHalfOpen: true });
  const start = performance.now();
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  const ended = new Promise<number>((resolve) => {
    socket.on("end", () => resolve(performance.now() - start));
    socket.on("close", () => resolve(performance.now() - start));
  });
  socket.write(bytes);
  return { socket, ended, text: () => received };
}

export function opened(
  { host, port }: Place,
  options: { allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...options }, () => resolve(socket));
    socket.on("error", reject);
    onTestFinished(() => {
      socket.destroy();
    });
  });
}

/** Asserts that bytes are one refusal with the error body, and the end of their connection. */
export function expectRefusal(text: string, status: number): void {
  expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(text).toMatch(/^Connection: close\r$/im);
  expect(text).toMatch(/^Cache-Control: no-store\r$/im);
  expect(text).toMatch(/^Access-Control-Allow-Origin: \*\r$/im);
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  expect(text).toContain(`Content-Length: ${body.length}\r\n`);
  expect(ErrorBody.parse(JSON.parse(body)).error).not.toBe("");
}
