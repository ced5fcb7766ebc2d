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
    ["raw UTF-8 in the path", "GET /api/sites?q=\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
  ])("%s: 400, and the connection closed", async (_, bytes) => {
    await expectRefused(bytes, 400);
  });

  it("an expectation that is not met is a 417, CONNECT a 405, with the error body too", async () => {
    expectError(await send(service.server, "/api/tags", { headers: { expect: "foo" } }), 417);
    await expectRefused("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 405);
  });

  it("a GET that says its body is empty is answered", async () => {
    const headers = { "content-length": "0" };
    expect((await send(service.server, "/api/tags", { headers })).status).toBe(200);
  });

  it("whole addresses and * are no paths: 400", async () => {
    expectError(await send(service.server, "http://evil.example/api/tags"), 400);
    expectError(await send(service.server, "*", { method: "OPTIONS" }), 400);
  });

  it("an address of another site with two slashes is unknown: 404", async () => {
    expectError(await send(service.server, "//evil.example/api/tags"), 404);
  });
});
