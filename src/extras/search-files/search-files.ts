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
  DIGEST_BYTES,
  digestsOf,
  type IndexedListing,
  listingsIn,
  rowOf,
  slotsUnlike,
} from "./listings.js";
import { type Maps, mapsOf } from "./maps.js";
import {
  compressedPiece,
  joined,
  jsonFile,
  type MadeFile,
  madeFile,
  newPiece,
  type Packs,
  type Piece,
  packed,
  piecesIn,
} from "./packs.js";
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
  /** The slots whose rows the publication before had anew. */
  readonly changed: readonly number[];
  /** By index, the compressed blocks. Empty: they were not read. */
  readonly blocks: readonly Uint8Array[];
}

export interface SearchBase {
  readonly maps: BaseMaps;
  readonly rows: BaseRows;
}

/** How the listings differ from those of the publication before. */
export interface SearchChanges {
  /** The hosts of all listings that have changed, come or gone; null if they are not known. */
  readonly hosts: ReadonlySet<string> | null;
  /** Whether files that stay may have something that may not. */
  readonly hasErased: boolean;
}

/** Changes that are not known. */
const UNKNOWN_CHANGES: SearchChanges = { hosts: null, hasErased: false };

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
 * @param changes what is like in the publication before is not looked at
 * @param bestFrom the fewest listings of which the best have a file of their own
 */
export function searchFilesOf(
  segments: readonly ListingColumns[],
  before: SearchBase | null,
  changes = UNKNOWN_CHANGES,
  bestFrom = BEST_FROM,
): SearchFiles {
  const listings = listingsIn(segments);
  const likeBefore = before && slotsLike(before.maps, listings, changes.hosts);
  const base = likeBefore && before;
  const slots = likeBefore ?? listings;
  const maps = base?.maps ?? newMaps(slots);
  const size = maps.hosts.length;
  const added = slots.slice(size);
  const unlike = base === null ? [] : rowsUnlike(base.rows, slots.slice(0, size), changes.hosts);
  const isStaying =
    base !== null &&
    !changes.hasErased &&
    unlike.length + added.length <= Math.max(NEWS_MAX, NEWS_SHARE * size);
  const rows = isStaying ? base.rows : newRows(slots.slice(0, size), base?.rows ?? null, unlike);
  const changed = isStaying ? unlike : [];
  const newest = [...changed.map((slot) => itemAt(slots, slot)), ...added];
  const news = packed("news", blocksOf(newest.map(rowOf), rows.texts));
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

/**
 * The listings by slot, those of the base first; null if its maps cannot stay.
 * @param changed see `SearchChanges`
 */
export function slotsLike(
  { hosts, digests }: BaseMaps,
  listings: readonly IndexedListing[],
  changed: SearchChanges["hosts"] = null,
): IndexedListing[] | null {
  const byHost = new Map(listings.map((listing) => [listing.host, listing]));
  const slots = hosts.flatMap((host) => byHost.get(host) ?? []);
  const added = listings.length - hosts.length;
  const isFitting =
    slots.length === hosts.length && added <= Math.max(ADDED_MAX, ADDED_SHARE * hosts.length);
  if (!isFitting) return null;
  const asked = [...slots.keys()].filter((slot) => changed?.has(itemAt(hosts, slot)) ?? true);
  const units = asked.map((slot) => allUnitsOf(itemAt(slots, slot)));
  if (slotsUnlike(asked, digestsOf(units), digests).length > 0) return null;
  for (const host of hosts) byHost.delete(host);
  return [...slots, ...byHost.values()];
}

function newMaps(slots: readonly IndexedListing[]): BaseMaps {
  const hosts = slots.map(({ host }) => host);
  return { ...mapsOf(slots), hosts, digests: digestsOf(slots.map(allUnitsOf)) };
}

/** The slots whose rows differ from those of a base. */
function rowsUnlike(
  { digests, changed }: BaseRows,
  slots: readonly IndexedListing[],
  hosts: SearchChanges["hosts"],
): number[] {
  const before = new Set(changed);
  const asked = [...slots.keys()].filter(
    (slot) => before.has(slot) || (hosts?.has(itemAt(slots, slot).host) ?? true),
  );
  return slotsUnlike(asked, digestsOfRows(asked.map((slot) => itemAt(slots, slot))), digests);
}

function digestsOfRows(listings: readonly IndexedListing[]): Uint8Array {
  return digestsOf(listings.map((listing) => JSON.stringify(rowOf(listing))));
}

/**
 * The rows of slots, all in the base.
 * @param before the base of the same slots, whose blocks are used again; null for none
 * @param unlike the slots whose rows it has otherwise
 */
function newRows(
  slots: readonly IndexedListing[],
  before: BaseRows | null,
  unlike: readonly number[],
): BaseRows {
  if (before === null || before.blocks.length === 0) {
    const rows = slots.map(rowOf);
    const texts = commonTexts(rows);
    const digests = digestsOf(rows.map((row) => JSON.stringify(row)));
    const packs = packed("rows", blocksOf(rows, texts));
    return { packs, texts, digests, changed: [], blocks: [] };
  }
  const { texts } = before;
  const digests = Uint8Array.from(before.digests);
  const blocks: Piece[] = before.blocks.map(compressedPiece);
  for (const slot of unlike) {
    digests.set(digestsOfRows([itemAt(slots, slot)]), DIGEST_BYTES * slot);
    const block = Math.floor(slot / BLOCK_ROWS);
    const rows = slots.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS).map(rowOf);
    for (const content of blocksOf(rows, texts)) blocks[block] = newPiece(content);
  }
  return { packs: joined("rows", blocks), texts, digests, changed: [], blocks: [] };
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
 * @param rows the packs of rows, joined. Default: they were not read
 * @throws BadColumnsError
 */
export function readBase(
  files: Readonly<Record<"head" | "delta" | "sums" | "base", Uint8Array>>,
  rows?: Uint8Array,
): SearchBase {
  const head: SearchHead = storedJson(files.head);
  if (head.format !== SEARCH_FORMAT) throw new BadColumnsError("its files have another format");
  const { titles, taglines, wide, packs } = head;
  const { changed }: SearchDelta = storedJson(files.delta);
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
      changed,
      blocks: rows === undefined ? [] : piecesIn(rows, head.rows.sizes),
    },
  };
}
