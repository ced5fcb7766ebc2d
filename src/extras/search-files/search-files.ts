import { firstWhere } from "../../contract/order.js";
import { itemAt } from "../../contract/tables.js";
import {
  BadColumnsError,
  ColumnReader,
  joinColumns,
  listOf,
  readTexts,
  textsOf,
} from "../../store/columns/columns.js";
import type { ListingColumns } from "../../store/columns/listings.js";
import { storedJson } from "../../store/stored-json.js";
import { commonTexts, withIndexes } from "./common-texts.js";
import {
  BEST_FROM,
  BLOCK_ROWS,
  GUIDED_BLOCKS,
  SEARCH_FORMAT,
  type SearchDelta,
  type SearchHead,
  type StoredRow,
  SUM_BYTES,
} from "./format.js";
import {
  addedText,
  allUnitsOf,
  digestsOf,
  type IndexedListing,
  listingsIn,
  rowOf,
  slotsUnlike,
} from "./listings.js";
import { type Maps, mapsOf } from "./maps.js";
import { jsonFile, type MadeFile, madeFile, type Packs, packed } from "./packs.js";
import { valueFiles } from "./slot-values.js";

/*
 * Makes the files of a publication from the listings in search, and from the base of the publication before. So that a
 * publication writes little, the base stays while it can.
 */

/** The maps of a base, and what tells whether they may stay. */
interface BaseMaps extends Maps {
  /** By slot. */
  readonly hosts: readonly string[];
  /** By slot, a digest of the folded texts. */
  readonly digests: Uint8Array;
}

/** The rows of a base, and what tells which of them have changed. */
interface BaseRows {
  readonly packs: Packs;
  /** The common ones. */
  readonly texts: readonly string[];
  /** By slot. */
  readonly digests: Uint8Array;
}

export interface SearchBase {
  readonly maps: BaseMaps;
  readonly rows: BaseRows;
}

/** Added listings with which the maps stay, or this share of the base if that is more. */
const ADDED_MAX = 50;
const ADDED_SHARE = 0.03;
/** Changed and added rows with which the rows of the base stay, or this share of it if that is more. */
const NEWS_MAX = 200;
const NEWS_SHARE = 0.2;

/** The kinds of files that stay while the base does. */
export const BASE_KINDS = ["maps", "rows", "base"] as const;

/** The files of a publication, each kind in its order. Null: those of the publication before stay. */
export interface SearchFiles
  extends Readonly<Record<(typeof BASE_KINDS)[number], readonly MadeFile[] | null>> {
  readonly others: readonly MadeFile[];
}

/**
 * Makes the files of a publication.
 * @param segments the listings in search
 * @param before the base of the publication before; null: all files are made
 * @param hasErased whether the rows before may have some that may not stay
 * @param bestFrom the fewest listings of which the best have a file of their own
 */
export function searchFilesOf(
  segments: readonly ListingColumns[],
  before: SearchBase | null,
  hasErased: boolean,
  bestFrom = BEST_FROM,
): SearchFiles {
  const listings = listingsIn(segments);
  const likeBefore = before && slotsLike(before.maps, listings);
  const base = likeBefore && before;
  const slots = likeBefore ?? listings;
  const maps = base?.maps ?? newMaps(slots);
  const size = maps.hosts.length;
  const all = slots.map(rowOf);
  const added = slots.slice(size);
  const digests = digestsOf(all.slice(0, size).map((row) => JSON.stringify(row)));
  const unlike = base === null ? [] : slotsUnlike(digests, base.rows.digests);
  const isStaying =
    base !== null &&
    !hasErased &&
    unlike.length + added.length <= Math.max(NEWS_MAX, NEWS_SHARE * size);
  const rows = isStaying ? base.rows : newRows(all.slice(0, size), digests);
  const changed = isStaying ? unlike : [];
  const newest = [...changed.map((slot) => itemAt(all, slot)), ...all.slice(size)];
  const news = packed("news", blocksOf(newest, rows.texts));
  const delta: SearchDelta = {
    added: added.map((listing) => addedText(listing, slotsBefore(maps.hosts, listing.host))),
    changed,
    news: { sizes: news.sizes },
  };
  const others = [
    jsonFile("head", headOf(maps, rows)),
    jsonFile("delta", delta),
    ...(news.files ?? []),
    ...valueFiles(slots, bestFrom),
    madeFile("sums", Buffer.concat([maps.packs.sums, rows.packs.sums, news.sums])),
  ];
  return {
    maps: maps.packs.files,
    rows: rows.packs.files,
    base: isStaying ? null : [madeFile("base", writeBase(maps, rows))],
    others,
  };
}

/** The listings by slot, those of the base first; null if its maps cannot stay. */
export function slotsLike(
  { hosts, digests }: BaseMaps,
  listings: readonly IndexedListing[],
): IndexedListing[] | null {
  const byHost = new Map(listings.map((listing) => [listing.host, listing]));
  const slots = hosts.flatMap((host) => byHost.get(host) ?? []);
  const added = listings.length - hosts.length;
  const isFitting =
    slots.length === hosts.length && added <= Math.max(ADDED_MAX, ADDED_SHARE * hosts.length);
  if (!isFitting || slotsUnlike(digestsOf(slots.map(allUnitsOf)), digests).length > 0) return null;
  for (const host of hosts) byHost.delete(host);
  return [...slots, ...byHost.values()];
}

function newMaps(slots: readonly IndexedListing[]): BaseMaps {
  const hosts = slots.map(({ host }) => host);
  return { ...mapsOf(slots), hosts, digests: digestsOf(slots.map(allUnitsOf)) };
}

function newRows(rows: readonly StoredRow[], digests: Uint8Array): BaseRows {
  const texts = commonTexts(rows);
  return { packs: packed("rows", blocksOf(rows, texts)), texts, digests };
}

/** Blocks of rows, not compressed yet. @param texts the common ones */
function* blocksOf(rows: readonly StoredRow[], texts: readonly string[]): Generator<Uint8Array> {
  const indexes = new Map(texts.map((text, index) => [text, index]));
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const block = rows.slice(from, from + BLOCK_ROWS);
    yield Buffer.from(JSON.stringify(block.map((row) => withIndexes(row, indexes))));
  }
}

function slotsBefore(hosts: readonly string[], host: string): number {
  return firstWhere(0, hosts.length, (slot) => itemAt(hosts, slot) >= host);
}

function headOf({ hosts, titles, taglines, wide, packs }: BaseMaps, rows: BaseRows): SearchHead {
  const step = BLOCK_ROWS * GUIDED_BLOCKS;
  return {
    format: SEARCH_FORMAT,
    slots: hosts.length,
    titles,
    taglines,
    wide,
    rows: {
      sizes: rows.packs.sizes,
      guides: hosts.filter((_, slot) => slot % step === 0),
      texts: rows.texts,
    },
    packs: { maps: packs.counts, rows: rows.packs.counts },
  };
}

function writeBase(maps: BaseMaps, rows: BaseRows): Uint8Array {
  const { bytes, starts } = textsOf(maps.hosts);
  return joinColumns([bytes, starts, maps.digests, rows.digests]);
}

/**
 * The base of a publication.
 * @param files inflated
 * @throws BadColumnsError
 */
export function readBase(
  files: Readonly<Record<"head" | "sums" | "base", Uint8Array>>,
): SearchBase {
  const head: SearchHead = storedJson(files.head);
  if (head.format !== SEARCH_FORMAT) throw new BadColumnsError("its files have another format");
  const { titles, taglines, wide, packs } = head;
  const reader = new ColumnReader(files.base);
  const hosts = listOf(readTexts(reader));
  const digests = { maps: reader.u8(), rows: reader.u8() };
  const ofMaps = SUM_BYTES * [titles, taglines, wide].flatMap(({ sizes }) => sizes).length;
  const ofRows = ofMaps + SUM_BYTES * head.rows.sizes.length;
  const former = (
    counts: readonly number[],
    sizes: readonly number[],
    from: number,
    to: number,
  ) => ({
    files: null,
    counts,
    sizes,
    sums: files.sums.subarray(from, to),
  });
  return {
    maps: {
      titles,
      taglines,
      wide,
      hosts,
      digests: digests.maps,
      packs: former(packs.maps, [], 0, ofMaps),
    },
    rows: {
      texts: head.rows.texts,
      digests: digests.rows,
      packs: former(packs.rows, head.rows.sizes, ofMaps, ofRows),
    },
  };
}
