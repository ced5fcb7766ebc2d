import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type {
  MapShards,
  SearchColumn,
  SearchDelta,
  SearchHead,
  StoredRow,
} from "../../../src/extras/search-files/format.js";
import type { MadeFile } from "../../../src/extras/search-files/packs.js";
import {
  BASE_KINDS,
  readBase,
  type SearchBase,
  type SearchFiles,
  searchFilesOf,
} from "../../../src/extras/search-files/search-files.js";
import { type MapEntry, readShard } from "../../../src/extras/search-files/sorted-map.js";
import { columnsOf, type IndexedListing } from "../../store/columns-of.js";

/** The index of the score in a row, its only number. */
const SCORE = 5;

/** The files of one publication after another, as a store has them. */
export class Publications {
  files: readonly MadeFile[] = [];
  /** What the last publication has made. */
  made: SearchFiles = { maps: [], rows: [], base: [], others: [] };
  #listings: readonly IndexedListing[] = [];

  /** @param segments how many the listings are dealt to */
  publish(listings: readonly IndexedListing[], hasErased = false, segments = 3): this {
    const dealt = Array.from({ length: segments }, (_, segment) =>
      columnsOf(listings.filter(({ summary }) => summary.host.length % segments === segment)),
    );
    const { base } = this;
    const hosts = changedHosts(this.#listings, listings);
    this.made = searchFilesOf(dealt, base, { hosts, hasErased });
    this.#listings = listings;
    const { made } = this;
    // That only some listings are looked at makes no difference.
    if (made.maps === null && base !== null)
      expect(made).toEqual(searchFilesOf(dealt, base, { hosts: null, hasErased }));
    const ofBase = BASE_KINDS.flatMap((kind) => made[kind] ?? this.#all(kind));
    this.files = [...ofBase, ...made.others];
    return this;
  }

  get base(): SearchBase | null {
    if (this.files.length === 0) return null;
    const kinds = ["head", "delta", "sums", "base"] as const;
    const [head, delta, sums, base] = kinds.map((kind) => this.bytes(kind));
    const parts = { head: head!, delta: delta!, sums: sums!, base: base! };
    return readBase(parts, Buffer.concat(this.#all("rows").map(({ bytes }) => bytes)));
  }

  get head(): SearchHead {
    return JSON.parse(`${this.bytes("head")}`);
  }

  get delta(): SearchDelta {
    return JSON.parse(`${this.bytes("delta")}`);
  }

  get words(): { texts: string[]; counts: number[] } {
    return JSON.parse(`${this.bytes("words")}`);
  }

  /** Inflated. */
  bytes(kind: MadeFile["kind"]): Buffer {
    return gunzipSync(this.#all(kind)[0]!.bytes);
  }

  /** The pieces of packs, compressed. @param sizes of all pieces */
  pieces(kind: "maps" | "rows" | "news", sizes: readonly number[]): Buffer[] {
    const all = Buffer.concat(this.#all(kind).map(({ bytes }) => bytes));
    let end = 0;
    return sizes.map((size) => {
      end += size;
      return all.subarray(end - size, end);
    });
  }

  /** The shards of each map. */
  get shards(): Record<"titles" | "taglines" | "wide", Buffer[]> {
    const { titles, taglines, wide } = this.head;
    const sizes = [titles, taglines, wide].map((map) => map.sizes);
    const all = this.pieces("maps", sizes.flat()).map((piece) => gunzipSync(piece));
    const [ofTitles, ofTaglines, ofWide] = sizes.map(({ length }) => all.splice(0, length));
    return { titles: ofTitles!, taglines: ofTaglines!, wide: ofWide! };
  }

  /** The rows of the base, or of the news. */
  rows(kind: "rows" | "news"): StoredRow[] {
    const { sizes } = kind === "rows" ? this.head.rows : this.delta.news;
    const { texts } = this.head.rows;
    const textOf = (value: unknown) => (typeof value === "number" ? texts[value] : value);
    const rows = this.pieces(kind, sizes).flatMap((piece) => JSON.parse(`${gunzipSync(piece)}`));
    return rows.map((row: unknown[]) =>
      row.map((value, at) => {
        if (at === SCORE) return value;
        return Array.isArray(value) ? value.map(textOf) : textOf(value);
      }),
    );
  }

  /** By value, the slots. */
  column(filter: string): Map<string, readonly number[]> {
    const file = this.#all("column").find((one) => one.filter === filter)!;
    const bytes = gunzipSync(file.bytes);
    const end = bytes.indexOf("\n");
    const { values }: SearchColumn = JSON.parse(`${bytes.subarray(0, end)}`);
    const size = this.head.slots + this.delta.added.length;
    return new Map(
      entriesOf([bytes.subarray(end + 1)], size).map(({ key, slots }) => [
        values[Number(key)]!,
        slots,
      ]),
    );
  }

  #all(kind: MadeFile["kind"]): MadeFile[] {
    return this.files.filter((file) => file.kind === kind);
  }
}

/** The hosts of listings that have changed, come or gone. */
export function changedHosts(
  before: readonly IndexedListing[],
  after: readonly IndexedListing[],
): Set<string> {
  const texts = (listings: readonly IndexedListing[]) =>
    new Map(listings.map((one) => [one.summary.host, JSON.stringify(one)]));
  const old = texts(before);
  const now = texts(after);
  return new Set([...old.keys(), ...now.keys()].filter((host) => old.get(host) !== now.get(host)));
}

/** The entries of shards, in their order. */
export function entriesOf(shards: readonly Uint8Array[], size: number): MapEntry[] {
  const entries: MapEntry[] = [];
  for (const shard of shards)
    readShard(shard, size, "", (key, slots) => entries.push({ key, slots }));
  return entries;
}

/** The shards of a map that have a key beginning with a text. */
export function shardsHaving(shards: readonly Uint8Array[], size: number, text: string): number[] {
  return [...shards.keys()].filter((shard) =>
    entriesOf([shards[shard]!], size).some(({ key }) => key.startsWith(text)),
  );
}

export type { MapShards };
