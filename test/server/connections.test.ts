import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { Repeating } from "../../src/server/repeating.js";
import { serve } from "../../src/server/serve.js";
import { aListing, aPublishedDirectory } from "../fixtures.js";
import { aService, type Service, send, sharedService } from "./http.js";

const openFiles = () => readdirSync("/proc/self/fd").length;
const REPORT = "/api/sites/example.com/report";

/** Opens connections that send the same requests at once and are cut before the answers are read. */
async function cutOff({ server }: Service, connections: number, requests: string): Promise<void> {
  for (let i = 0; i < connections; i += 1) {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, server.host, () => {
        socket.write(requests, () => socket.resetAndDestroy());
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  }
}

describe("clients that hang up leave nothing open", () => {
  const shared = sharedService(aPublishedDirectory());

  it.each(["/api/standards", REPORT])("after 100 aborted requests of %s", async (target) => {
    await send(shared.server, target);
    const before = openFiles();
    await cutOff(shared, 100, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await expect.poll(openFiles, { timeout: 5_000 }).toBeLessThanOrEqual(before + 2);
  });

  it("after 50 connections with eight pipelined requests each, and the old snapshot closes its files", async () => {
    const service = await aService(aPublishedDirectory());
    await send(service.server, REPORT);
    const before = openFiles();
    const one = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    await cutOff(service, 50, `${one("/api/openapi.json")}${one("/api/sites")}`.repeat(4));
    for (const name of ["Next", "Next but one", "Last"]) {
      const id = await service.publish(aPublishedDirectory({ listings: [aListing({ name })] }));
      await expect
        .poll(async () => (await send(service.server, "/readyz")).text, { timeout: 20_000 })
        .toContain(id);
      expect((await send(service.server, REPORT)).text).toContain(name);
    }
    await expect.poll(openFiles, { timeout: 5_000 }).toBeLessThanOrEqual(before + 2);
  });
});

describe("closing the server", () => {
  it("answers a request in progress with Connection: close, and accepts no new connection", async () => {
    const { server } = await aService(aPublishedDirectory());
    let received = "";
    const socket = connect(server.port, server.host);
    const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.on("data", (bytes) => {
      received += bytes.toString("utf8");
    });
    socket.write(`GET ${REPORT} HTTP/1.1\r\nHost: a\r\n`);
    await setTimeout(100);
    const closing = server.close();
    socket.write("\r\n");
    await ended;
    await closing;
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/^Connection: close\r$/m);
    expect(received).toContain('"host":"example.com"');
    await expect(send(server, REPORT)).rejects.toThrow("ECONNREFUSED");
  });
});

it("a server that cannot listen stops following the store, so that its process ends", async () => {
  const { server, store } = await aService(null);
  const close = vi.spyOn(Repeating.prototype, "close");
  const { host, port } = server;
  await expect(serve(store, { host, port, log: () => {} })).rejects.toThrow("EADDRINUSE");
  expect(close).toHaveBeenCalledTimes(1);
  close.mockRestore();
});
