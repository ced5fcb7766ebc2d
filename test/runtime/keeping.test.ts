import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { compress } from "../../src/runtime/http/server-pages.js";
import { Snapshot } from "../../src/runtime/snapshot/snapshot.js";
import { BadSnapshotError } from "../../src/store/bad-snapshot.js";
import { currentId } from "../../src/store/reader.js";
import { CheckedFiles } from "../../src/store/source.js";
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

  it("of a public document is read once for all requests at the same time, and again after a failure", async () => {
    const service = await aService(named("Kept"), onTestFinished, { metrics: true });
    const asked = async () => (await send(service.server, "/api/standards")).status;
    let fail = () => {};
    const reading = vi.spyOn(CheckedFiles.prototype, "file");
    onTestFinished(() => reading.mockRestore());
    reading.mockImplementationOnce(
      () =>
        new Promise((_, reject) => {
          fail = () => reject(new BadSnapshotError("no more files"));
        }),
    );
    const waiting = vi.spyOn(Snapshot.prototype, "readDocument");
    onTestFinished(() => waiting.mockRestore());
    const statuses = Promise.all([asked(), asked(), asked()]);
    await expect.poll(() => waiting.mock.calls.length).toBe(3);
    fail();
    expect(await statuses).toEqual([502, 502, 502]);
    expect(reading).toHaveBeenCalledTimes(1);
    for (let time = 0; time < 3; time += 1) expect(await asked()).toBe(200);
    expect(reading).toHaveBeenCalledTimes(3);
    expect(await hitsOf(service)).toBe(1);
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

describe("compression", () => {
  it("is done once for all requests for the same bytes at the same time", async () => {
    const bytes = new TextEncoder().encode("x".repeat(100_000));
    const [a, b, other] = await Promise.all([
      compress(bytes, "br", '"a-br"'),
      compress(bytes, "br", '"a-br"'),
      compress(bytes, "gzip", '"a-gzip"'),
    ]);
    expect(a).toBe(b);
    expect(brotliDecompressSync(a)).toEqual(Buffer.from(bytes));
    expect(gunzipSync(other)).toEqual(Buffer.from(bytes));
    // What was made is not held: that is the cache's.
    expect(await compress(bytes, "br", '"a-br"')).not.toBe(a);
  });
});
