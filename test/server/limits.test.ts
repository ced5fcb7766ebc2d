import { describe, expect, it, onTestFinished } from "vitest";
import { ErrorBody } from "../../src/contract/bodies.js";
import { aListener, aStubbornClient, expectRefusal, serveOneListing } from "./limited.js";
import { headerOf, Wire, type WireReply } from "./wire.js";

serveOneListing();

const bodyOf = ({ body }: WireReply) => ErrorBody.parse(JSON.parse(body.toString("utf8")));
const headers = (count: number) =>
  Array.from({ length: count }, (_, i) => `X-${i}: y\r\n`).join("");
const HEAD_PART = "GET /api/tags HTTP/1.1\r\nHost: a\r\nX-Slow: ";

describe("sizes, each answered with the error body beyond its limit", () => {
  it(
    "a target of 8,191 or 8,192 characters is read; a longer one is a 414, and the connection stays " +
      "open",
    async () => {
      const place = await aListener({});
      const target = (length: number) => `/api/tags?${"x".repeat(length - "/api/tags?".length)}`;
      const wire = await Wire.open(place);
      for (const length of [8_191, 8_192])
        expect((await wire.get(target(length))).status).toBe(200);
      for (const length of [8_193, 16_000]) {
        const reply = await wire.get(target(length));
        expect([reply.status, bodyOf(reply).error]).toEqual([
          414,
          "The request target is longer than 8192 characters.",
        ]);
      }
      expect((await wire.get("/api/tags")).status).toBe(200);
      wire.end();
    },
  );

  it("a head of more than 16 kB is a 431, whatever its bytes are", async () => {
    const place = await aListener({});
    const heads = [
      `GET /${"x".repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\n${"x".repeat(17_000)}: y\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\n${headers(3_000)}\r\n`,
    ];
    for (const head of heads) {
      const client = await aStubbornClient(place, head);
      await client.ended;
      expectRefusal(client.text(), 431);
    }
  });

  it("100 headers are read and 101 are a 431, and a request smuggled behind the last is not seen", async () => {
    const place = await aListener({});
    const ask = async (count: number, more = "") => {
      const wire = await Wire.open(place);
      const reply = await wire.get("/api/tags", headers(count - 1) + more);
      wire.end();
      return reply;
    };
    expect((await ask(100)).status).toBe(200);
    for (const reply of [await ask(101), await ask(300), await ask(300, "Content-Length: 9\r\n")]) {
      expect([reply.status, headerOf(reply, "connection")]).toEqual([431, "close"]);
      expect(bodyOf(reply).error).toBe("The request has over 100 headers.");
    }
  });

  it(
    "a body of a megabyte is not waited for: a read gets 400, another method 405, and the connection " +
      "ends",
    async () => {
      const place = await aListener({});
      for (const [method, status] of [
        ["GET", 400],
        ["HEAD", 400],
        ["POST", 405],
      ] as const) {
        const head = `${method} /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`;
        const client = await aStubbornClient(place, head);
        await client.ended;
        expect(client.text().slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
        expect(client.text()).toMatch(/^Connection: close\r$/im);
      }
    },
  );
});

describe("time limits", () => {
  it.each([
    ["a head that never ends", HEAD_PART, ""],
    ["a head that arrives byte by byte, from a client that never ends its side,", HEAD_PART, "x"],
    ["a silent connection", "", ""],
  ])("%s is a 408", async (_, bytes, dripped) => {
    const place = await aListener({ headMs: 80 });
    const client = await aStubbornClient(place, bytes);
    const drip = setInterval(() => client.socket.write(dripped), 10);
    onTestFinished(() => clearInterval(drip));
    client.socket.on("error", () => {});
    expect(await client.ended).toBeGreaterThan(70);
    expectRefusal(client.text(), 408);
  });

  it("a request that is late ends the connection after the answers in progress", async () => {
    const place = await aListener({ headMs: 80 });
    const good = "GET /api/sites HTTP/1.1\r\nHost: a\r\n\r\n";
    const client = await aStubbornClient(place, good.repeat(3) + HEAD_PART);
    await client.ended;
    const statuses = client.text().match(/(?<=HTTP\/1\.1 )\d+/g);
    // The answers in progress would contain a 408 that is sent before they end.
    expect([
      ["200", "200", "200", "408"],
      ["200", "200", "200"],
    ]).toContainEqual(statuses);
  });

  it("an idle connection ends after a while", async () => {
    const place = await aListener({ keepAliveMs: 100 });
    const client = await aStubbornClient(place, "GET /api/tags HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await client.ended).toBeGreaterThan(90);
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
