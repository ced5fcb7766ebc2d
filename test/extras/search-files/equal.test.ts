import { describe, expect, it } from "vitest";
import { openScanningEngine } from "../../../src/engine/engine.js";
import {
  bodiesOf,
  jsonOf,
  RUBRIC,
  randomListings,
  randomQuery,
  randomText,
  VOCABULARY,
} from "../../engine/directory.js";
import { chance, pick, seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import type { IndexedListing } from "../../store/columns-of.js";
import { openPublished, type Published, publish } from "./source.js";

const QUERIES = repeated(120, 2_000);

/** Expects the files to answer what the tables do. */
async function expectSame(published: Published, seed: number, count: number): Promise<void> {
  const { listings, segments } = published;
  const engine = await openPublished(published, VOCABULARY);
  const scanning = openScanningEngine(segments, VOCABULARY);
  const files = bodiesOf(engine);
  const tables = bodiesOf(scanning);
  expect(engine.size).toBe(scanning.size);
  const random = seeded(seed);
  for (let made = 0; made < count; made += 1) {
    const query = randomQuery(random, listings);
    const q = randomText(random, listings);
    const told = `${seed} ${made} ${JSON.stringify(query)}`;
    expect(jsonOf(await files.search(query)), told).toBe(jsonOf(await tables.search(query)));
    expect(jsonOf(await files.facets(query)), told).toBe(jsonOf(await tables.facets(query)));
    const scored = jsonOf(await tables.facets(query, RUBRIC));
    expect(jsonOf(await files.facets(query, RUBRIC)), told).toBe(scored);
    expect(jsonOf(await files.suggest({ q })), q).toBe(jsonOf(await tables.suggest({ q })));
  }
  const hosts = listings.map(({ summary }) => summary.host);
  const some = [...hosts.filter(() => chance(random, 0.3)), "none.example", "", "zzz"];
  expect(await engine.summariesOf(some)).toEqual(await scanning.summariesOf(some));
  expect(await engine.exemptOf(some)).toEqual(await scanning.exemptOf(some));
  expect(await listOf(engine.scoredHosts())).toEqual(await listOf(scanning.scoredHosts()));
  const query = randomQuery(random, listings);
  expect(await engine.hostsFound(query)).toEqual(await scanning.hostsFound(query));
}

async function listOf<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const list: T[] = [];
  for await (const part of parts) list.push(...part);
  return list;
}

describe("the engine over files gives the bytes of the one over tables", () => {
  it("for a directory of several shards", async () => {
    await expectSame(publish(randomListings(1, 600)), 1, QUERIES);
  });

  it("for texts about as long as the longest pieces, which many names begin with", async () => {
    const start = "a name that many listings share, and more of it";
    const listings = randomListings(5, 120).map(({ summary, ...rest }, at) => {
      const name = start.slice(0, 30 + (at % 8)) + (at % 3 === 0 ? "" : ` ${at}`);
      return { ...rest, summary: { ...summary, name } };
    });
    const published = publish(listings);
    const files = bodiesOf(await openPublished(published, VOCABULARY));
    const tables = bodiesOf(openScanningEngine(published.segments, VOCABULARY));
    for (let length = 1; length <= start.length; length += 1) {
      for (const q of [start.slice(0, length), start.slice(-length)]) {
        expect(jsonOf(await files.suggest({ q })), q).toBe(jsonOf(await tables.suggest({ q })));
        const query = { q, sort: "host", page: 1, limit: 50 } as const;
        expect(jsonOf(await files.search(query)), q).toBe(jsonOf(await tables.search(query)));
      }
    }
  });

  it("for characters whose first half is also the mark of a host or a name", async () => {
    const texts = ["𐐀𐐀 𐐀𐐨 ROCKET", "𐀀𐀀𐀀𐀀𐀀 of linear b", "a 𐐨𐐨𐐨𐐨𐐨 name"];
    const listings = randomListings(8, 60).map(({ summary, ...rest }, at) => {
      const name = texts[at];
      const tagline = texts[at - texts.length];
      return {
        ...rest,
        summary: { ...summary, ...(name && { name }), ...(tagline && { tagline }) },
      };
    });
    const published = publish(listings);
    const files = bodiesOf(await openPublished(published, VOCABULARY));
    const tables = bodiesOf(openScanningEngine(published.segments, VOCABULARY));
    for (const text of texts) {
      const all = [...text];
      for (const from of all.keys()) {
        for (let to = from + 1; to <= all.length; to += 1) {
          const q = all.slice(from, to).join("").trim();
          if (q === "") continue;
          expect(jsonOf(await files.suggest({ q })), q).toBe(jsonOf(await tables.suggest({ q })));
          const query = { q, sort: "host", page: 1, limit: 50 } as const;
          expect(jsonOf(await files.search(query)), q).toBe(jsonOf(await tables.search(query)));
        }
      }
    }
  });

  it("if the best listings have a file of their own, for pages within it and beyond", async () => {
    const published = publish(randomListings(7, 400), null, false, 0);
    await expectSame(published, 7, QUERIES);
    const reads = { bytes: {} as Record<string, number>, requests: 0 };
    const engine = await openPublished(published, VOCABULARY, reads);
    const page = { sort: "score", limit: 10 } as const;
    await engine.search({ ...page, page: 1 });
    await engine.search({ sort: "host", page: 30, limit: 10 });
    await engine.search({ sort: "recent", page: 1, limit: 10 });
    expect(Object.keys(reads.bytes)).toContain("best");
    expect(Object.keys(reads.bytes)).not.toContain("scores");
    await engine.search({ ...page, page: 30 });
    expect(Object.keys(reads.bytes)).toContain("scores");
  });

  it("for directories of every small size", async () => {
    for (let size = 1; size < 40; size += repeated(5, 1)) {
      await expectSame(publish(randomListings(size, size)), size, repeated(8, 60));
    }
  });

  it("after publications that scan, add, rename and remove listings", async () => {
    const random = seeded(3);
    let published = publish(randomListings(3, 300));
    const others = randomListings(4, 900).filter(
      ({ summary }) => !published.listings.some((one) => one.summary.host === summary.host),
    );
    for (let step = 0; step < repeated(5, 60); step += 1) {
      const listings = published.listings.flatMap((listing) => changed(random, step, listing));
      const added = others.splice(0, pick(random, [0, 1, 3, 20]));
      published = publish([...listings, ...added], published, chance(random, 0.1));
      await expectSame(published, step, repeated(25, 120));
    }
  });
});

/** A listing after a step: most are scanned again, few get another text or go. */
function changed(random: () => number, step: number, listing: IndexedListing): IndexedListing[] {
  if (step % 4 === 3 && chance(random, 0.01)) return [];
  if (!chance(random, 0.1)) return [listing];
  const [other] = randomListings(whole(random, 0, 2 ** 30), 1);
  const { latestScore, capabilities, platforms, name } = other!.summary;
  const text = step % 4 === 2 && chance(random, 0.1) ? { name } : {};
  const scanned = { latestScore, capabilities, platforms, ...text };
  return [{ recent: other!.recent, summary: { ...listing.summary, ...scanned } }];
}
