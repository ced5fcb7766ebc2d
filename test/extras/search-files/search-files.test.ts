import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { foldText } from "../../../src/contract/order.js";
import { namesOf } from "../../../src/contract/tables.js";
import { KEY_UNITS, STARTS } from "../../../src/extras/search-files/format.js";
import { type MapEntry, readShard } from "../../../src/extras/search-files/sorted-map.js";
import { VALUE_NAMES, VALUES } from "../../../src/store/columns/listings.js";
import { COLUMNS, storedValue } from "../../../src/store/segments/table.js";
import { aListing, indexOf, randomListings } from "../../engine/directory.js";
import type { IndexedListing } from "../../store/columns-of.js";
import { entriesOf, Publications } from "./made-files.js";

const byHost = (listings: readonly IndexedListing[]) =>
  listings.toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1));

/** All pieces of a text that begin at a character. */
function piecesOf(text: string, mark: string): string[] {
  const pieces = [...text.matchAll(/./gsu)].map(({ index }) =>
    text.slice(index, index + KEY_UNITS),
  );
  return mark === "" || text === "" ? pieces : [mark + text.slice(0, KEY_UNITS), ...pieces];
}

function naiveMap(
  slots: readonly IndexedListing[],
  textsOf: (summary: SiteSummary) => readonly (readonly [string | null, string])[],
): MapEntry[] {
  const map = new Map<string, Set<number>>();
  for (const [slot, { summary }] of slots.entries()) {
    for (const [text, mark] of textsOf(summary)) {
      for (const piece of piecesOf(foldText(text ?? ""), mark))
        map.set(piece, (map.get(piece) ?? new Set()).add(slot));
    }
  }
  const entries = Array.from(map, ([key, found]) => ({ key, slots: [...found] }));
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const titlesOf = ({ host, name }: SiteSummary) =>
  [
    [host, STARTS.host],
    [name, STARTS.name],
  ] as const;
const taglinesOf = ({ tagline }: SiteSummary) => [[tagline, ""]] as const;

/** The texts whose keys are in several shards, with their slots, by reading all of them. */
function naiveWide(shards: readonly Uint8Array[], size: number, kind: string): MapEntry[] {
  const byText = new Map<string, { shards: Set<number>; slots: Set<number> }>();
  for (const [shard, bytes] of shards.entries()) {
    for (const { key, slots } of entriesOf([bytes], size)) {
      for (let length = 1; length <= key.length; length += 1) {
        const text = key.slice(0, length);
        const found = byText.get(text) ?? { shards: new Set(), slots: new Set() };
        found.shards.add(shard);
        for (const slot of slots) found.slots.add(slot);
        byText.set(text, found);
      }
    }
  }
  return [...byText]
    .filter(([, found]) => found.shards.size > 1)
    .map(([text, { slots }]) => ({ key: kind + text, slots: [...slots].sort((a, b) => a - b) }));
}

const rowOf = (summary: SiteSummary) =>
  namesOf(COLUMNS).map((name) => storedValue({ ...summary, exempt: [] }, name));

/** Compares all files with the listings. @param baseHosts the hosts of the base */
function expectFiles(
  publications: Publications,
  listings: readonly IndexedListing[],
  baseHosts = listings.map(({ summary }) => summary.host),
): void {
  const { head, delta, shards } = publications;
  const isBase = new Set(baseHosts);
  const sorted = byHost(listings);
  const base = sorted.filter(({ summary }) => isBase.has(summary.host));
  const added = sorted.filter(({ summary }) => !isBase.has(summary.host));
  const slots = [...base, ...added];
  expect(head.slots).toBe(base.length);
  expect(entriesOf(shards.titles, base.length)).toEqual(naiveMap(base, titlesOf));
  expect(entriesOf(shards.taglines, base.length)).toEqual(naiveMap(base, taglinesOf));
  const wide = [
    ...naiveWide(shards.titles, base.length, "t"),
    ...naiveWide(shards.taglines, base.length, "g"),
  ];
  expect(entriesOf(shards.wide, base.length)).toEqual(
    wide.sort((a, b) => (a.key < b.key ? -1 : 1)),
  );
  const rows = publications.rows("rows");
  const news = publications.rows("news");
  for (const [at, slot] of delta.changed.entries()) rows[slot] = news[at]!;
  expect([...rows, ...news.slice(delta.changed.length)]).toEqual(
    slots.map(({ summary }) => rowOf(summary)),
  );
  expect(delta.added).toEqual(
    added.map(({ summary: { host, name, tagline } }) => ({
      before: base.filter(({ summary }) => summary.host < host).length,
      host,
      name,
      tagline,
    })),
  );
  expect([...publications.bytes("scores")]).toEqual(
    slots.map(({ summary }) => summary.latestScore ?? 255),
  );
  const recents = slots.map(({ recent }) => recent);
  const recent = publications.bytes("recent");
  expect(recents.map((_, slot) => recent.readUIntBE(3 * slot, 3))).toEqual(
    recents.map((one) => recents.filter((other) => other < one).length),
  );
  const { texts, counts } = indexOf(listings).words;
  expect(publications.words).toEqual({ texts, counts: [...counts] });
}

describe("the files of random listings", () => {
  it.each([0, 1, 9, 300])("have the pieces and rows of %i", (count) => {
    const listings = randomListings(count, count);
    const publications = new Publications().publish(listings);
    expectFiles(publications, listings);
  });
});
