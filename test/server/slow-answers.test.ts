import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Extensions, madeContent, unqueriedRead } from "../../src/answer/content.js";
import type { SeenAnswer } from "../../src/server/observer.js";
import { aListener, aStubbornClient, LARGE_GET, MANY, opened, serveOneListing } from "./limited.js";
import { Wire } from "./wire.js";

serveOneListing();

/** Several times as long as a connection may be idle. */
const SLOW_MS = 400;
const IDLE_MS = 50;
let targets = 0;

/** The target of a slow read. No two are equal, since the tests share a snapshot and its cache. */
function slowTarget(): string {
  targets += 1;
  return `/slow/${targets}.json`;
}

const slowGet = () => `GET ${slowTarget()} HTTP/1.1\r\nHost: a\r\n\r\n`;

const ROUTE = {
  id: "readSlowly",
  query: null,
  contentType: "application/json",
  cache: "directory",
  errors: [502, 503],
  example: "/slow/1.json",
} as const;

/** Serves a read that takes long, and notes how often it was asked for and what was counted. */
async function aSlowListener() {
  const seen: SeenAnswer[] = [];
  const counts = { made: 0 };
  const extensions: Extensions = {
    slow: {
      ...ROUTE,
      path: "/slow/{file}",
      read: unqueriedRead(async (snapshot) => {
        counts.made += 1;
        await sleep(SLOW_MS);
        return madeContent('{"data":[]}', snapshot);
      }),
    },
    posted: {
      ...ROUTE,
      path: "/posted",
      read: {
        ...unqueriedRead((snapshot) => madeContent("{}", snapshot)),
        post: {
          methods: "POST",
          bytesMax: 1_000,
          answer: (_, snapshot) => madeContent('{"data":[]}', snapshot),
        },
      },
    },
  };
  const observer = (answer: SeenAnswer) => seen.push(answer);
  const place = await aListener({ idleMs: IDLE_MS }, observer, extensions);
  return { place, seen, counts };
}

const statusesOf = (seen: readonly SeenAnswer[]) => seen.map(({ status }) => status);

it(
  "an answer that takes longer to make than a connection may be idle is sent, and the connection " +
    "stays open",
  async () => {
    const { place, seen } = await aSlowListener();
    const wire = await Wire.open(place);
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await wire.get(slowTarget());
      expect([status, body.toString("utf8")]).toEqual([200, '{"data":[]}']);
    }
    expect(statusesOf(seen)).toEqual([200, 200]);
    wire.end();
  },
);

it("an answer whose client has left while it was made is counted as cut, not as a 200", async () => {
  const { place, seen, counts } = await aSlowListener();
  const socket = await opened(place);
  socket.write(slowGet());
  await expect.poll(() => counts.made).toBe(1);
  socket.resetAndDestroy();
  await expect.poll(() => seen.length).toBe(1);
  expect(seen[0]).toMatchObject({ route: "slow", status: "cut", bytes: 0 });
});

it("a client that reads nothing is cut, and the answer that it has not read is not counted as a 200", async () => {
  const { place, seen } = await aSlowListener();
  const socket = await opened(place);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => {});
  socket.pause();
  socket.write(LARGE_GET.repeat(MANY));
  await expect.poll(() => statusesOf(seen).includes("cut"), { timeout: 10_000 }).toBe(true);
  const statuses = statusesOf(seen);
  expect(statuses.slice(0, -1)).toEqual(Array(statuses.length - 1).fill(200));
  expect(statuses.length).toBeLessThan(MANY);
  socket.resume();
  await closed;
});

it("requests behind the last answer of a connection are not executed", async () => {
  const { place, counts } = await aSlowListener();
  const last = [
    "POST /posted HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "POST /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
    "GET /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
    "GET /api/tags HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ];
  for (const request of last) {
    const client = await aStubbornClient(place, request + slowGet().repeat(3));
    await client.ended;
    expect(client.text().match(/HTTP\/1\.1 /g)).toHaveLength(1);
  }
  // A request before it is executed.
  const client = await aStubbornClient(place, slowGet() + last[0]);
  await client.ended;
  expect(client.text().match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["200", "200"]);
  await sleep(50);
  expect(counts.made).toBe(1);
});
