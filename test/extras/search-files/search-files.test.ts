import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { foldText } from "../../../src/contract/order.js";
import { namesOf } from "../../../src/contract/tables.js";
import {
  COMMON_MAX,
  KEY_UNITS,
  KEY_UNITS_MAX,
  STARTS,
} from "../../../src/extras/search-files/format.js";
import type { MapEntry } from "../../../src/extras/search-files/sorted-map.js";
import { VALUE_NAMES, VALUES, type ValueName } from "../../../src/store/columns/listings.js";
import { COLUMNS, storedValue } from "../../../src/store/segments/table.js";
import { aListing, indexOf, randomListings } from "../../engine/directory.js";
import type { IndexedListing } from "../../store/columns-of.js";
import { entriesOf, Publications } from "./made-files.js";

const byHost = (listings: readonly IndexedListing[]) =>
  listings.toSorted((a, b) => (a.summary.host < b.summary.host ? -1 : 1));

/** All suffixes of a text that begin at a character, the first one also with its mark. */
function suffixesOf(text: string, mark: string): string[] {
  const suffixes = [...text.matchAll(/./gsu)].map(({ index }) => text.slice(index));
  return mark === "" || text === "" ? suffixes : [mark + text, ...suffixes];
}

const isMarked = (suffix: string) => /^[\ud800-\udbff](?![\udc00-\udfff])/.test(suffix);

function naiveMap(
  slots: readonly IndexedListing[],
  textsOf: (summary: SiteSummary) => readonly (readonly [string | null, string])[],
): MapEntry[] {
  const found = new Map<string, Set<number>>();
  const add = (map: typeof found, text: string, slot: number) =>
    map.set(text, (map.get(text) ?? new Set()).add(slot));
  const suffixes = slots.flatMap(({ summary }, slot) =>
    textsOf(summary)
      .flatMap(([text, mark]) => suffixesOf(foldText(text ?? ""), mark))
      .map((suffix) => ({ slot, suffix, marks: Number(isMarked(suffix)) })),
  );
  for (const { slot, suffix, marks } of suffixes) {
    for (let length = KEY_UNITS; length <= KEY_UNITS_MAX; length += 1)
      if (length + marks <= suffix.length) add(found, suffix.slice(0, length + marks), slot);
  }
  const map = new Map<string, Set<number>>();
  for (const { slot, suffix, marks } of suffixes) {
    let length = KEY_UNITS + marks;
    while (
      length < Math.min(suffix.length, KEY_UNITS_MAX + marks) &&
      found.get(suffix.slice(0, length))!.size > COMMON_MAX
    )
      length += 1;
    add(map, suffix.slice(0, length), slot);
  }
  const entries = Array.from(map, ([key, some]) => ({ key, slots: [...some] }));
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

/** The values of a listing for a filter. */
function valuesOf({ summary }: IndexedListing, name: ValueName): readonly string[] {
  if (name === "scoreVersion" && summary.latestScore === null) return [];
  const value = storedValue(summary, VALUES[name].column);
  return value === null ? [] : [value].flat().map(String);
}

/** Compares all files with the listings. @param base those for which the base was made */
function expectFiles(
  publications: Publications,
  listings: readonly IndexedListing[],
  base: readonly IndexedListing[] = listings,
): void {
  const { head, delta, shards } = publications;
  const hosts = new Set(base.map(({ summary }) => summary.host));
  const sorted = byHost(listings);
  const [old, added] = [true, false].map((isOld) =>
    sorted.filter(({ summary }) => hosts.has(summary.host) === isOld),
  ) as [IndexedListing[], IndexedListing[]];
  const slots = [...old, ...added];
  const { length: size } = old;
  expect(head.slots).toBe(size);
  expect(entriesOf(shards.titles, size)).toEqual(naiveMap(old, titlesOf));
  expect(entriesOf(shards.taglines, size)).toEqual(naiveMap(old, taglinesOf));
  const wide = [...naiveWide(shards.titles, size, "t"), ...naiveWide(shards.taglines, size, "g")];
  expect(entriesOf(shards.wide, size)).toEqual(wide.sort((a, b) => (a.key < b.key ? -1 : 1)));
  const rows = publications.rows("rows");
  const news = publications.rows("news");
  for (const [at, slot] of delta.changed.entries()) rows[slot] = news[at]!;
  expect([...rows, ...news.slice(delta.changed.length)]).toEqual(
    slots.map(({ summary }) => rowOf(summary)),
  );
  expect(delta.added).toEqual(
    added.map(({ summary: { host, name, tagline } }) => ({
      before: old.filter(({ summary }) => summary.host < host).length,
      host,
      name,
      tagline,
    })),
  );
  expectValues(publications, slots);
  const { texts, counts } = indexOf(listings).words;
  expect(publications.words).toEqual({ texts, counts: [...counts] });
}

function expectValues(publications: Publications, slots: readonly IndexedListing[]): void {
  expect([...publications.bytes("scores")]).toEqual(
    slots.map(({ summary }) => summary.latestScore ?? 255),
  );
  const recents = slots.map(({ recent }) => recent);
  const recent = publications.bytes("recent");
  expect(recents.map((_, slot) => recent.readUIntBE(3 * slot, 3))).toEqual(
    recents.map((one) => recents.filter((other) => other < one).length),
  );
  for (const name of VALUE_NAMES) {
    const column = publications.column(name);
    const values = slots.map((listing) => valuesOf(listing, name));
    expect([...column.keys()]).toEqual([...new Set(values.flat())].sort());
    for (const [value, found] of column)
      expect(found).toEqual([...slots.keys()].filter((slot) => values[slot]!.includes(value)));
  }
}

describe("the files of random listings", () => {
  it.each([0, 1, 9, 400])("have the pieces, rows and values of %i", (count) => {
    const listings = randomListings(count, count);
    expectFiles(new Publications().publish(listings), listings);
  });

  it("do not depend on the segments", () => {
    const listings = randomListings(5, 60);
    const [one, other] = [1, 7].map((count) => new Publications().publish(listings, false, count));
    expect(one!.files).toEqual(other!.files);
  });
});

describe("the next publication", () => {
  const first = randomListings(7, 500);
  const published = () => new Publications().publish(first);
  const rescanned = (listing: IndexedListing) => ({
    ...listing,
    summary: { ...listing.summary, latestScore: 1, platforms: ["shop"] },
  });
  const hosts = new Set(first.map(({ summary }) => summary.host));
  const others = randomListings(8, 400).filter(({ summary }) => !hosts.has(summary.host));

  it("with the same listings has the same files", () => {
    const publications = published();
    const { files } = publications;
    const again = publications.publish(first).files;
    expect(new Set(again)).toEqual(new Set(files));
    expect(publications.made).toMatchObject({ maps: null, rows: null });
  });

  it("has only the rows of rescanned and added listings, up to 200", () => {
    const listings = [
      ...first.map((listing, at) => (at < 150 ? rescanned(listing) : listing)),
      ...others.slice(0, 50),
    ];
    const publications = published().publish(listings);
    expect(publications.made).toMatchObject({ maps: null, rows: null });
    expect(publications.delta.changed).toHaveLength(150);
    expectFiles(publications, listings, first);
    // Of the next one, too, they are told from those of the base.
    const next = listings
      .slice(0, -3)
      .map((listing, at) => (at === 150 ? rescanned(listing) : listing));
    publications.publish(next);
    expect(publications.made).toMatchObject({ maps: null, rows: null });
    expect(publications.delta.changed).toHaveLength(151);
    expectFiles(publications, next, first);
  });

  it.each([
    ["more rows are new", 151, false],
    ["an answer had to be erased", 1, true],
  ])("has all rows anew, and the same maps, if %s", (_, count, hasErased) => {
    const listings = [
      ...first.map((listing, at) => (at < count ? rescanned(listing) : listing)),
      ...others.slice(0, 50),
    ];
    const publications = published().publish(listings, hasErased);
    expect(publications.made.maps).toBeNull();
    expect(publications.made.rows).not.toBeNull();
    expect(publications.delta.changed).toEqual([]);
    expectFiles(publications, listings, first);
    publications.publish(listings);
    expect(publications.made).toMatchObject({ maps: null, rows: null });
    expect(publications.delta.changed).toEqual([]);
  });

  it.each<[string, (listings: readonly IndexedListing[]) => readonly IndexedListing[]]>([
    ["a listing goes", (listings) => listings.slice(1)],
    ["more are added", (listings) => [...listings, ...others.slice(0, 51)]],
    [
      "a text changes",
      (listings) =>
        listings.map(({ summary, recent }, at) => ({
          recent,
          summary: { ...summary, ...(at === 7 && { tagline: `${summary.tagline} and more` }) },
        })),
    ],
    ["one goes and another one comes", (listings) => [...listings.slice(1), others[0]!]],
  ])("has all files anew if %s", (_, changed) => {
    const listings = changed(first);
    const publications = published().publish(listings);
    expect(publications.made.maps).not.toBeNull();
    expectFiles(publications, listings);
    expect(publications.files).toEqual(new Publications().publish(listings).files);
  });

  it("of a large directory may add three in a hundred, and change a fifth", () => {
    const names = Array.from({ length: 2_061 }, (_, at) => `${at}.example`);
    const listings = (count: number, changed = 0) =>
      names.slice(0, count).map((host, at) => aListing(host, { highlighted: at < changed }));
    const stays = (...now: Parameters<typeof listings>) => {
      const { made } = new Publications().publish(listings(2_000)).publish(listings(...now));
      return { maps: made.maps === null, rows: made.rows === null };
    };
    expect(stays(2_060, 340)).toEqual({ maps: true, rows: true });
    expect(stays(2_060, 341)).toEqual({ maps: true, rows: false });
    expect(stays(2_061)).toEqual({ maps: false, rows: false });
  });

  it("keeps the maps if only the case of a text changes", () => {
    const named = (name: string) => [...first, aListing("upper.example", { name })];
    const publications = new Publications().publish(named("Rocket lab"));
    publications.publish(named("ROCKET lab"));
    expect(publications.made).toMatchObject({ maps: null, rows: null });
    expect(publications.delta.changed).toHaveLength(1);
    expectFiles(publications, named("ROCKET lab"));
  });
});
