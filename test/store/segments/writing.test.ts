import { expect, it } from "vitest";
import { verify } from "../../../src/upkeep/verify.js";
import { aCheck, aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { manifestOf } from "../forge.js";
import { builtStore } from "../trees.js";

/** A store with so many listings. */
async function storeOf(count: number, text: string, visibility: "listed" | "blocked") {
  const hosts = Array.from({ length: count }, (_, n) => `host-${n}.example`);
  const checks = [aCheck({ details: { text } })];
  const listings = hosts.map((host) => aListing({ host, visibility }));
  const scans = hosts.map((host) => aScan({ host, checks }));
  return builtStore(aPublishedDirectory({ listings, scans }), {
    segmentSize: Math.ceil(count / 3),
  });
}

it.each([
  ["answers of many megabytes", 8, "x".repeat(2 ** 20), "listed"],
  ["tables without a row, which are the same file", 192, "", "blocked"],
] as const)(
  "segments that are written at the same time may have %s",
  async (_, count, text, visibility) => {
    const { store } = await storeOf(count, text, visibility);
    expect((await manifestOf(store)).segments.length).toBeGreaterThan(2);
    expect((await verify(store)).bad).toEqual([]);
  },
);
