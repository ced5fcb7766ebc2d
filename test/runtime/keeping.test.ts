import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { currentId } from "../../src/store/reader.js";
import { aListing, aPublishedDirectory } from "../fixtures.js";
import { aService, expectError, type Reply, type Service, send, sharedService } from "./http.js";
import { readMetrics, valueNamed } from "./prometheus.js";

const REPORT = "/api/sites/example.com/report";

async function hitsOf({ server }: Service): Promise<number> {
  const { text } = await send(server, "/metrics");
  return valueNamed(readMetrics(text), "crawldex_cache_hits_total") ?? 0;
}

function named(name: string) {
  return aPublishedDirectory({ listings: [aListing({ name })] });
}

/** What of an answer must be the same whether it is kept or not. */
function shown({ status, headers, bytes }: Reply) {
  const { date: _, ...others } = headers;
  return { status, headers: others, text: bytes.toString("latin1") };
}

describe("a cached answer", () => {
  const shared = sharedService(named("Kept"), { metrics: true });

  it.each([
    ["plain", {}],
    ["br", { "accept-encoding": "br" }],
    ["gzip", { "accept-encoding": "br;q=0, gzip" }],
  ])(
    "is identical to the first answer, for GET, HEAD and If-None-Match: %s",
    async (_, headers) => {
      const asked = async (sent = {}) => shown(await send(shared.server, REPORT, sent));
      const before = await hitsOf(shared);
      const first = await asked({ headers });
      const inm = { ...headers, "if-none-match": String(first.headers.etag) };
      for (let time = 0; time < 3; time += 1) expect(await asked({ headers })).toEqual(first);
      expect(await asked({ method: "HEAD", headers })).toEqual({ ...first, text: "" });
      const { status, headers: given, text } = await asked({ headers: inm });
      expect([status, text, given.etag]).toEqual([304, "", first.headers.etag]);
      expect(given).toMatchObject({ vary: "Accept-Encoding", "access-control-allow-origin": "*" });
      expect(given["content-type"] ?? given["content-encoding"]).toBeUndefined();
      // Compressed answers are kept at once, others when they are asked for again.
      expect((await hitsOf(shared)) - before).toBe("accept-encoding" in headers ? 5 : 4);
    },
  );

  it("never outlives its snapshot", async () => {
    const service = await aService(named("Old"));
    const body = async () => (await send(service.server, REPORT)).text;
    for (let time = 0; time < 3; time += 1) expect(await body()).toContain('"Old"');
    const id = await service.publish(named("New"));
    const ready = async () => (await send(service.server, "/readyz")).text;
    await expect.poll(ready, { timeout: 10_000 }).toContain(id);
    expect(await body()).toContain('"New"');
    await service.publish({ ...named("New"), listings: [], scans: [] });
    await expect.poll(ready, { timeout: 10_000 }).not.toContain(id);
    expectError(await send(service.server, REPORT), 404);
  });

  it("may be a public document, which is sent from its file until it was requested twice with the same coding", async () => {
    const service = await aService(named("Kept"), onTestFinished, { metrics: true });
    const asked = async (sent = {}) => shown(await send(service.server, "/api/standards", sent));
    const first = await asked();
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining("rubric") });
    expect([await asked(), await hitsOf(service)]).toEqual([first, 0]);
    await expect.poll(() => asked().then(() => hitsOf(service))).toBeGreaterThan(0);
    await rm(
      join(service.store, (await currentId(service.store)) ?? "", "public/api/standards.json"),
    );
    expect(await asked()).toEqual(first);
    expect(await asked({ method: "HEAD" })).toEqual({ ...first, text: "" });
    const unchanged = await asked({ headers: { "if-none-match": String(first.headers.etag) } });
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
  });

  it("is never a public document that is damaged", async () => {
    const service = await aService(named("Kept"), onTestFinished, { metrics: true });
    await writeFile(
      join(service.store, (await currentId(service.store)) ?? "", "public/api/standards.json"),
      "{}",
    );
    for (let time = 0; time < 4; time += 1) {
      expectError(await send(service.server, "/api/standards"), 502);
    }
    expect(await hitsOf(service)).toBe(0);
  });
});
