import { describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/bodies.js";
import { aPublishedDirectory } from "../fixtures.js";
import { expectError, send, sendRaw, sharedService } from "./http.js";
import { expectRefusal } from "./limited.js";
import { SHAPES } from "./malformed-shapes.js";

const service = sharedService(aPublishedDirectory());

async function expectRefused(bytes: string, status: number): Promise<void> {
  expectRefusal(await sendRaw(service.server, bytes), status);
}

describe("requests that are designed to cost a server as much as possible", () => {
  it.each(SHAPES)("$name: the error body has at most 8 kB", async ({ target, headers = "" }) => {
    const lines = `Host: a\r\nConnection: close\r\n${headers}`;
    const received = await sendRaw(
      service.server,
      `GET ${target.replace("{n}", "1")} HTTP/1.1\r\n${lines}\r\n`,
    );
    const [head = "", body = ""] = received.split("\r\n\r\n", 2);
    const status = Number(head.slice(9, 12));
    expect([200, 400, 404, 414]).toContain(status);
    if (status !== 200) ErrorBody.parse(JSON.parse(body));
    if (status !== 200) expect(body.length).toBeLessThanOrEqual(8_192);
  });
});

describe("requests that are not HTTP (every error has the error body)", () => {
  it.each([
    ["raw UTF-8 in the path", "GET /api/sites?q=\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
  ])("%s: 400, and the connection is closed", async (_, bytes) => {
    await expectRefused(bytes, 400);
  });

  it("* is not a path and gives 400, and so does an absolute address with another scheme", async () => {
    expectError(await send(service.server, "*", { method: "OPTIONS" }), 400);
    expectError(await send(service.server, "ftp://example.com/api/tags"), 400);
  });

  it("an absolute address is answered like its path, whatever its host is (RFC 9112, section 3.2.2)", async () => {
    const answered = async (target: string) => {
      const { status, headers, text } = await send(service.server, target);
      return { status, etag: headers.etag, text };
    };
    for (const path of [
      "/api/tags?u=1",
      "/api/sites?limit=1",
      "/api/sites?limit=0",
      "/none",
      "/",
    ]) {
      const plain = await answered(path);
      for (const start of ["http://localhost:8080", "https://other.example", "HTTP://1.2.3.4"]) {
        expect(await answered(start + path), start + path).toEqual(plain);
      }
    }
    expect(await answered("http://other.example")).toEqual(await answered("/"));
    expect(await answered("http://other.example?q=a")).toEqual(await answered("/?q=a"));
  });

  it("an address that begins with two slashes and another host is unknown: 404", async () => {
    expectError(await send(service.server, "//evil.example/api/tags"), 404);
  });
});
