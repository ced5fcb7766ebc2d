import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  aListener,
  aStubbornClient,
  expectRefusal,
  LARGE_GET,
  MANY,
  opened,
  serveOneListing,
} from "./limited.js";
import { askAll, Wire } from "./wire.js";

serveOneListing();

describe("a client that sends requests and does not read", () => {
  const many = (count: number) =>
    Array.from(
      { length: count },
      (_, i) =>
        `GET /api/sites?minScore=${i % 60}&limit=${1 + (i % 9)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ).join("");

  it(
    "gets as many answers in order as may wait if it sends many requests at once, and is told to " +
      "retry the others",
    async () => {
      const place = await aListener({ waitingMax: 20, keepAliveMs: 50 });
      const client = await aStubbornClient(place, many(20));
      await client.ended;
      expect(client.text().match(/HTTP\/1\.1 200/g)).toHaveLength(20);
      const limits = client
        .text()
        .match(/(?<="limit":)\d+/g)
        ?.map(Number);
      expect(limits).toEqual(Array.from({ length: 20 }, (_, i) => 1 + (i % 9)));
      const other = await aStubbornClient(place, many(60));
      other.socket.on("error", () => {});
      await other.ended;
      expect(other.text().match(/HTTP\/1\.1 200/g)).toHaveLength(20);
      expect(other.text().match(/^Connection: close\r$/gm)).toHaveLength(1);
      expect(other.text().lastIndexOf("HTTP/1.1")).toBeLessThan(
        other.text().indexOf("Connection: c"),
      );
    },
  );
});

describe("closing the server", () => {
  it("takes no longer than the drain time, even if a client never reads its answers", async () => {
    const place = await aListener({ drainMs: 150 });
    const socket = await opened(place);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.pause();
    socket.write(LARGE_GET.repeat(MANY));
    await sleep(200);
    await place.close();
    socket.resume();
    await closed;
  });
});

describe("connections", () => {
  const GET = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

  it("beyond the limit get a 503 that says when to retry, until another connection ends", async () => {
    const place = await aListener({ connectionsMax: 2 });
    const first = await Wire.open(place);
    const second = await Wire.open(place);
    expect((await second.ask(GET)).status).toBe(200);
    const third = await aStubbornClient(place, GET);
    await third.ended;
    expectRefusal(third.text(), 503);
    expect(third.text()).toMatch(/^Retry-After: \d+\r$/im);
    expect((await first.ask(GET)).status).toBe(200);
    third.socket.destroy();
    first.end();
    await expect
      .poll(async () => (await askAll(place, [GET], 1).catch(() => []))[0]?.status)
      .toBe(200);
    second.end();
  });

  it("that get this 503 are limited too: more of them are closed without an answer", async () => {
    const place = await aListener({ connectionsMax: 1, refusedMax: 2, lingerMs: 300 });
    const inside = await Wire.open(place);
    expect((await inside.ask(GET)).status).toBe(200);
    const others = await Promise.all([1, 2, 3, 4].map(() => aStubbornClient(place, GET)));
    await Promise.all(others.map(({ ended }) => ended));
    expect(others.map((client) => client.text().slice(9, 12)).sort()).toEqual([
      "",
      "",
      "503",
      "503",
    ]);
    expect((await inside.ask(GET)).status).toBe(200);
    inside.end();
  });
});
