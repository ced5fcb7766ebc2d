import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/engine/engine.js";
import { RemoteEngine } from "../../src/fetch/remote-engine.js";
import { type IndexedListing, listingColumns } from "../../src/store/columns/listings.js";
import type { SearchBucket } from "../../src/store/columns/search-file.js";
import { textsOf } from "../../src/store/columns/texts.js";
import {
  aSearch,
  indexOf,
  jsonOf,
  RUBRIC,
  randomListings,
  randomQuery,
  randomText,
  VOCABULARY,
} from "../engine/directory.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";

const BUCKETS = 5;
const NO_BLOCK = { offset: 0, length: 1, digest: "" };

/** An engine whose summaries come later, from a list. */
function remoteOf(listings: readonly IndexedListing[]): RemoteEngine {
  const dealt = Array.from({ length: BUCKETS }, (_, bucket) =>
    listings
      .filter(({ summary }) => summary.host.length % BUCKETS === bucket)
      .toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1)),
  );
  const buckets = dealt.map((rows): SearchBucket => {
    const { size, scores, units, fields, recents, filters } = listingColumns(rows);
    const scannedAt = textsOf(rows.map(({ summary }) => summary.latestScannedAt ?? ""));
    return {
      size,
      scores,
      units,
      fields,
      recents,
      filters,
      scannedAt,
      answers: NO_BLOCK,
      summaries: [],
    };
  });
  return new RemoteEngine(buckets, VOCABULARY, async (rows) => {
    await Promise.resolve();
    return rows.map(({ bucket, row }) =>
      new TextEncoder().encode(JSON.stringify(dealt[bucket]?.[row]?.summary)),
    );
  });
}

describe("an engine without summaries and postings", () => {
  const listings = randomListings(7, 400);
  const memory = openEngine(indexOf(listings, BUCKETS));
  const remote = remoteOf(listings);

  it("answers random searches, facets, counts and suggestions with the bytes of one that has them", async () => {
    const random = seeded(3);
    let found = 0;
    let corrected = 0;
    for (let made = 0; made < repeated(400, 4_000); made += 1) {
      const query = randomQuery(random, listings);
      const { sort: _, page: __, limit: ___, ...filters } = query;
      const expected = jsonOf(memory.search(query));
      expect(jsonOf(await remote.search(query))).toBe(expected);
      expect(jsonOf(remote.facets(filters))).toBe(jsonOf(memory.facets(filters)));
      expect(jsonOf(remote.facets(filters, RUBRIC))).toBe(jsonOf(memory.facets(filters, RUBRIC)));
      expect(remote.count(filters)).toBe(memory.count(filters));
      const q = randomText(random, listings);
      expect(jsonOf(await remote.suggest({ q }))).toBe(jsonOf(memory.suggest({ q })));
      const scored = { q, include: "scores" } as const;
      expect(jsonOf(await remote.suggest(scored))).toBe(jsonOf(memory.suggest(scored)));
      if (expected.includes('"host"')) found += 1;
      if (expected.includes("didYouMean")) corrected += 1;
    }
    expect(Math.min(found, corrected)).toBeGreaterThan(20);
  });

  it("answers requests that overlap as if each were alone", async () => {
    const queries = ["a", "b", "c", "o"].map((q) => aSearch({ q, limit: 7 }));
    const alone = queries.map((query) => jsonOf(memory.search(query)));
    const together = await Promise.all(queries.map((query) => remote.search(query)));
    expect(together.map(jsonOf)).toEqual(alone);
  });

  it("knows each listing's number, host, scan and summary", async () => {
    expect([remote.size, remote.scored]).toEqual([memory.size, memory.scored]);
    for (let number = 0; number < memory.size; number += 1) {
      const host = memory.hostOf(number);
      expect(remote.hostOf(number)).toBe(host);
      expect(remote.numberOf(host)).toBe(number);
      expect(remote.scannedAt(number)).toBe(memory.scannedAt(number));
      expect(jsonOf((await remote.summaryOf(host))!)).toBe(jsonOf(memory.summaryOf(host)!));
    }
    expect(await remote.summaryOf("unknown.example")).toBeUndefined();
  });
});
