import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { expectError, send, sharedService } from "./http.js";

const MEGABYTE = 1_000_000;
/** Characters that a page may have: ten times those of an ordinary report of 15 kB. */
const PAGE_MAX = 420_000;

function features(bytes: number): Record<string, unknown> {
  const feature = { observed: true, evidence: ["https://example.com/a"], note: "A form." };
  const count = Math.ceil(bytes / JSON.stringify(feature).length);
  return Object.fromEntries(Array.from({ length: count }, (_, place) => [`f${place}`, feature]));
}

const profile = features(MEGABYTE);
const files = aPublishedDirectory({
  listings: [
    aListing({ host: "large.example", entitlements: { history: true } }),
    aListing({ host: "blocked.example", visibility: "blocked" }),
    aListing({ host: "failed.example" }),
  ],
  scans: [
    aScan({ host: "large.example", id: "new", profile, score: 60 }),
    aScan({ host: "large.example", id: "old", finishedAt: "2025-01-01T00:00:00Z", profile }),
    aScan({ host: "blocked.example", id: "new" }),
    aScan({ host: "failed.example", id: "new", status: "failed", score: null }),
  ],
});
const shared = sharedService(files);

it.each([
  "/sites/large.example",
  "/sites/large.example?scan=old",
  "/sites/large.example/report.md",
  "/sites/large.example/report.md?scan=old",
])(
  "%s has a bounded size although its report has a megabyte, and links to the JSON",
  async (target) => {
    const { status, text } = await send(shared.server, target);
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(PAGE_MAX);
    expect(text).toMatch(/more entries; the rest is in the /);
  },
);

it("the API answers a large report whole, compressed or not", async () => {
  const target = "/api/sites/large.example/report";
  const plain = await send(shared.server, target);
  expect(JSON.parse(plain.text).data.profile).toEqual(profile);
  const packed = await send(shared.server, target, { headers: { "accept-encoding": "gzip" } });
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
});

it("a badge is drawn from the index: it reads no report", async () => {
  // The last test of this file: it damages the store of all.
  const { server, store } = shared;
  const packs = readdirSync(join(store, "segments")).filter((name) => name.endsWith(".pack"));
  for (const name of packs) truncateSync(join(store, "segments", name), 0);
  expectError(await send(server, "/sites/large.example/report.md"), 502);
  for (const [host, words] of [
    ["large.example", "60 of 100 · Open"],
    ["blocked.example", "no score"],
    ["failed.example", "no score"],
  ]) {
    const { status, text } = await send(server, `/sites/${host}/badge.svg`);
    expect([host, status]).toEqual([host, 200]);
    expect(text).toContain(`crawler readiness: ${words}`);
  }
  expectError(await send(server, "/sites/nowhere.example/badge.svg"), 404);
});
