import { describe, expect, it } from "vitest";
import { aPublishedDirectory } from "../fixtures.js";
import { sendRaw, sharedService } from "./http.js";

const service = sharedService(aPublishedDirectory());

const get = (target: string, lines = "") => `GET ${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const UPGRADE = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n";
const LAST = get("/readyz", "Connection: close\r\n");

const statusesIn = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}/g)?.map(Number) ?? [];

describe("an Upgrade is ignored (RFC 9110, section 7.8)", () => {
  it("and its request is answered, behind those before it, and ends the connection", async () => {
    const before = get("/api/sites") + get("/api/openapi.json");
    const received = await sendRaw(service.server, before + get("/none", UPGRADE) + LAST);
    expect(statusesIn(received)).toEqual([200, 200, 404]);
    expect(received.match(/^Connection: close\r$/gim)).toHaveLength(1);
    expect(received.lastIndexOf("HTTP/1.1")).toBeLessThan(received.indexOf("Connection: close"));
  });

  it.each([
    ["a body", get("/healthz", `${UPGRADE}Content-Length: ${LAST.length}\r\n`), 400],
    ["chunks", get("/healthz", `${UPGRADE}Transfer-Encoding: chunked\r\n`), 400],
    ["two hosts", get("/healthz", `${UPGRADE}Host: b\r\n`), 400],
    [
      "a length behind more headers than are read",
      get("/healthz", `${UPGRADE}${"a: b\r\n".repeat(200)}Content-Length: ${LAST.length}\r\n`),
      431,
    ],
    [
      "another method and a body",
      get("/healthz", `${UPGRADE}Content-Length: ${LAST.length}\r\n`).replace("GET", "POST"),
      405,
    ],
  ])(
    "but with %s it is refused, and nothing behind it counts as a request",
    async (_, bytes, status) => {
      const received = await sendRaw(service.server, bytes + LAST);
      expect(statusesIn(received)).toEqual([status]);
      expect(received).toMatch(/^Connection: close\r$/im);
    },
  );
});
