import { describe, expect, it } from "vitest";
import { shardBits } from "../../../src/contract/host.js";
import { evenParts, type SegmentState, segmentsToRewrite } from "../../../src/publish/segments.js";
import { usualSegmentSize } from "../../../src/store/layout.js";
import { seeded, shuffled } from "../../oracle/random.js";
import { repeated, someOf } from "../../slow.js";

/** A year; in `npm test` a quarter of it. */
const HOURS = repeated(91, 365) * 24;

/** A segment, by its listings' numbers in the order of their hashes. */
interface SimulatedSegment extends SegmentState {
  readonly rows: readonly number[];
  liveListings: number;
}

/** Publishes 0.6% of the listings each hour of a year. @param next the listing that changes next */
function simulate(listings: number, next: () => number) {
  const size = usualSegmentSize(listings);
  const segmentOf: (SimulatedSegment | null)[] = [];
  const segmentWith = (rows: readonly number[]): SimulatedSegment => {
    const made = { rows, listings: rows.length, liveListings: rows.length, isErased: false };
    for (const row of rows) segmentOf[row] = made;
    return made;
  };
  /** As the builder's orders divide the rows to compile. */
  const compiled = (rows: readonly number[]) => {
    const parts = 2 ** shardBits(rows.length, size);
    const byPart = Array.from({ length: parts }, (): number[] => []);
    for (const row of rows) byPart[Math.floor((row / listings) * parts)]!.push(row);
    return byPart.filter(({ length }) => length > 0).map(segmentWith);
  };
  let segments = compiled(Array.from({ length: listings }, (_, row) => row));
  let changes = 0;
  let written = 0;
  let segmentsMost = 0;
  let deadMost = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const changed = new Set<number>();
    while (changed.size < 0.006 * listings) changed.add(next());
    for (const row of changed) {
      segmentOf[row]!.liveListings -= 1;
      segmentOf[row] = null;
    }
    const due = segmentsToRewrite(segments, size);
    const copies = [...due].flatMap((one) => one.rows.filter((row) => segmentOf[row] === one));
    copies.sort((a, b) => a - b);
    segments = [
      ...segments.filter((one) => !due.has(one)),
      ...evenParts(copies, size).map(segmentWith),
      ...compiled([...changed]),
    ];
    const rows = segments.reduce((sum, one) => sum + one.listings, 0);
    changes += changed.size;
    written += changed.size + copies.length;
    segmentsMost = Math.max(segmentsMost, segments.length);
    deadMost = Math.max(deadMost, 1 - listings / rows);
  }
  return {
    written: written / changes,
    segments: (1_000 * segmentsMost) / listings,
    dead: deadMost,
  };
}

/** Listings are scanned again one after the other, or change at random. */
const ORDERS = {
  "one after the other": (listings: number, random: () => number) => {
    const order = shuffled(
      random,
      Array.from({ length: listings }, (_, row) => row),
    );
    let at = 0;
    return () => order[at++ % listings]!;
  },
  "at random": (listings: number, random: () => number) => () => Math.floor(random() * listings),
};
const CASES = [10_000, 20_000, 35_000, 50_000, 70_000, 100_000].flatMap((listings) =>
  (["one after the other", "at random"] as const).map((order) => [listings, order] as const),
);

describe("a year of hourly publications that change 0.6%", () => {
  it.each(someOf(CASES, 1))(
    "of %i listings, %s: writes little, and leaves few segments and few dead rows",
    (listings, order) => {
      const next = ORDERS[order](listings, seeded(listings));
      const { written, segments, dead } = simulate(listings, next);
      // Rows written for each that changed; segments for 1,000 listings; the share of rows that are dead.
      expect(written).toBeLessThanOrEqual(4);
      expect(segments).toBeLessThanOrEqual(3);
      expect(dead).toBeLessThanOrEqual(0.5);
    },
  );

  it("joins small segments, and does not touch whole ones", () => {
    const state = (listings: number, liveListings = listings, isErased = false) => ({
      listings,
      liveListings,
      isErased,
    });
    const whole = state(100, 50);
    const dying = state(100, 49);
    const erased = state(100, 100, true);
    expect(segmentsToRewrite([whole, dying, erased], 100)).toEqual(new Set([dying, erased]));
    const small = Array.from({ length: 40 }, () => state(1));
    expect(segmentsToRewrite([whole, ...small], 100)).toEqual(new Set(small));
    expect(segmentsToRewrite(small.slice(0, 8), 100).size).toBe(0);
    expect(evenParts([1, 2, 3, 4, 5, 6], 5)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(evenParts([], 3)).toEqual([]);
  });
});
