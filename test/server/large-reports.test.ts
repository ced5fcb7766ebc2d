import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
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

it("a report of a megabyte has pages of a bounded size, which link to the JSON, and is whole there", async () => {
  for (const target of ["", "?scan=old", "/report.md", "/report.md?scan=old"]) {
    const { status, text } = await send(shared.server, `/sites/large.example${target}`);
    expect([target, status]).toEqual([target, 200]);
    expect(text.length).toBeLessThan(PAGE_MAX);
    expect(text).toMatch(/more entries; the rest is in the /);
  }
  const { text } = await send(shared.server, "/api/sites/large.example/report");
  expect(JSON.parse(text).data.profile).toEqual(profile);
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
  const missing = await send(server, "/sites/nowhere.example/badge.svg");
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining("not listed")]);
});
