import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/error.js";
import { aPublishedDirectory } from "../fixtures.js";
import { aService, expectError, type Service, send, sendRaw } from "./http.js";

let service: Service;
const cleanUps: (() => Promise<void>)[] = [];
beforeAll(async () => {
  service = await aService(aPublishedDirectory(), (cleanUp) => cleanUps.unshift(cleanUp));
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const MARKER = "GET /healthz HTTP/1.1\r\nHost: marker\r\nConnection: close\r\n\r\n";

async function expectRefused(bytes: string, status: number): Promise<void> {
  const received = await sendRaw(service.server, bytes);
  expect(received.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(received).toMatch(/^Connection: close\r$/im);
  expect(received).toMatch(/^Access-Control-Allow-Origin: \*\r$/im);
  const body = received.slice(received.indexOf("\r\n\r\n") + 4);
  expect(ErrorBody.parse(JSON.parse(body)).error).not.toBe("");
}

describe("requests that are not HTTP (decisions, HTTP: every error has the error body)", () => {
  it.each([
    ["two hosts", "GET /api/tags HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["no host", "GET /api/tags HTTP/1.1\r\n\r\n"],
    [
      "a GET with a body",
      `GET /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: ${MARKER.length}\r\n\r\n${MARKER}`,
    ],
    [
      "a GET with a chunked body",
      `GET /api/tags HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${MARKER}`,
    ],
    [
      "an unknown transfer coding",
      `GET /api/tags HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n${MARKER}`,
    ],
    [
      "both lengths",
      `GET /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${MARKER}`,
    ],
    [
      "two lengths",
      `GET /api/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n${MARKER}`,
    ],
    ["a space before the colon", `GET /api/tags HTTP/1.1\r\nHost : a\r\n\r\n${MARKER}`],
    ["raw UTF-8 in the path", "GET /api/sites?q=\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
  ])("%s: 400, the connection closed, nothing behind it answered", async (_, bytes) => {
    await expectRefused(bytes, 400);
  });

  it("an expectation that is not met is a 417, CONNECT a 405, with the error body too", async () => {
    expectError(await send(service.server, "/api/tags", { headers: { expect: "foo" } }), 417);
    await expectRefused("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 405);
  });

  it("a head that does not come is a 408, within eight seconds", async () => {
    await expectRefused("GET /api/tags HTTP/1.1\r\nHost: a\r\nX-Slow: ", 408);
  }, 8_000);

  it("a GET that says its body is empty is answered", async () => {
    const headers = { "content-length": "0" };
    expect((await send(service.server, "/api/tags", { headers })).status).toBe(200);
  });

  it("a head of over 16 kB is a 431", async () => {
    await expectRefused(`GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431);
  });

  it("a target of over 8192 characters is a 414, one of 8192 is read", async () => {
    const path = (length: number) => `/api/tags?${"x".repeat(length - "/api/tags?".length)}`;
    expectError(await send(service.server, path(8_193)), 414);
    expect((await send(service.server, path(8_192))).status).toBe(200);
  });

  it("whole addresses and * are no paths: 400", async () => {
    expectError(await send(service.server, "http://evil.example/api/tags"), 400);
    expectError(await send(service.server, "*", { method: "OPTIONS" }), 400);
  });

  it("an address of another site with two slashes is unknown: 404", async () => {
    expectError(await send(service.server, "//evil.example/api/tags"), 404);
  });
});
