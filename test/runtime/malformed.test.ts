import { describe, expect, it } from "vitest";
import { aPublishedDirectory } from "../fixtures.js";
import { expectError, send, sendRaw, sharedService } from "./http.js";
import { expectRefusal } from "./limited.js";

const service = sharedService(aPublishedDirectory());

async function expectRefused(bytes: string, status: number): Promise<void> {
  expectRefusal(await sendRaw(service.server, bytes), status);
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
