/*
 * The files from which browsers and edge workers search without loading all tables.
 *
 * A slot stands for a listing, or for one that is new since the base was made. The base has slots 0 to `slots` - 1, in
 * the order of hosts; slots of added listings follow. Maps lead from pieces of folded text to slots. They change only
 * if a text changes or a listing goes. What scans change is apart: scores, values of filters, and rows.
 *
 * A pack is a file of pieces, each compressed on its own (gzip), so that a reader asks for a range of bytes and a whole
 * pack is a gzip file, too.
 */

/** The name of this extra. */
export const SEARCH_FILES = "search-files";

/** The format of these files. Readers of another one search without them. */
export const SEARCH_FORMAT = 2;

/**
 * UTF-16 code units of a piece of text in a map: the fewest at which at most `COMMON_MAX` listings have texts with this
 * beginning, but from `KEY_UNITS` to `KEY_UNITS_MAX`. A longer text is found by its pieces.
 */
export const KEY_UNITS = 8;
export const KEY_UNITS_MAX = 32;
export const COMMON_MAX = 16;

/** Bytes of a shard before it is compressed. */
export const SHARD_BYTES = 16 * 1024;

/** Bytes of the sha256 of a piece. */
export const SUM_BYTES = 32;

/** The fewest listings of which the best have a file of their own. */
export const BEST_FROM = 40_000;
/** One in how many are in that file, at least. */
export const BEST_SHARE = 8;

/** Rows in a block. */
export const BLOCK_ROWS = 8;

/** Blocks of rows for which the head has the host of the first one. */
export const GUIDED_BLOCKS = 64;

/** Stands before the first piece of a host, and of a name. No text has a surrogate alone. */
export const STARTS = { host: "\ud800", name: "\ud801" } as const;

/** Pieces of packs. */
export interface Pieces {
  /** Compressed bytes of each piece. */
  readonly sizes: readonly number[];
}

/** The shards of a sorted map (`sorted-map.ts`). */
export interface MapShards extends Pieces {
  /** By shard, the shortest text that comes after all keys of the shards before it. The first one is "". */
  readonly firsts: readonly string[];
}

/** The kinds of files. The facts of a file name its kind; those of a column also name its filter. */
export type SearchFileKind =
  /** `SearchHead`. Small, and loaded first. */
  | "head"
  /** Shards of maps: first those of `titles`, then `taglines`, then `wide`. Several files, in this order. */
  | "maps"
  /** Blocks of rows of the base. Several files, in this order. */
  | "rows"
  /** `SearchDelta`. */
  | "delta"
  /** Blocks of rows that have changed since the base was made, then those of added listings. */
  | "news"
  /** The score of each slot, a byte; 255 for none. */
  | "scores"
  /**
   * If there are many listings, those with the best scores: a map in one shard from 100 minus the score, as 3 decimal
   * digits, to slots. It is much smaller than `scores`, and has the first pages of most searches.
   */
  | "best"
  /** By slot, three bytes: how many scans are older, the highest byte first. All 0 if the listing has none. */
  | "recent"
  /** `SearchColumn` of a filter. */
  | "column"
  /** The words of corrections: `CommonWords`, with `counts` as a list. */
  | "words"
  /** The sha256 of each piece, 32 bytes each: of all maps, then rows, then news. */
  | "sums"
  /** What the next build compares with. Trees do not have it. */
  | "base";

/** What a reader has to know of the maps and rows. */
export interface SearchHead {
  readonly format: number;
  /** The slots of the base. */
  readonly slots: number;
  /** All pieces of hosts and names, and the first ones with their mark. */
  readonly titles: MapShards;
  /** All pieces of taglines. */
  readonly taglines: MapShards;
  /**
   * The pieces of text whose keys are in more than one shard of another map, with all of their slots. Keys begin with
   * `t` for titles, `g` for taglines.
   */
  readonly wide: MapShards;
  readonly rows: Pieces & {
    /** The host of the first row of every `GUIDED_BLOCKS`th block. */
    readonly guides: readonly string[];
    /** The texts that rows have most often, for which they have the index. */
    readonly texts: readonly string[];
  };
  /** The number of pieces in each file of maps, and in each file of rows. */
  readonly packs: { readonly maps: readonly number[]; readonly rows: readonly number[] };
}

/** What has changed since the base was made. */
export interface SearchDelta {
  /** In the order of hosts. The first one has slot `slots`, and so on. */
  readonly added: readonly AddedText[];
  /** The slots whose rows are in `news`, ascending. */
  readonly changed: readonly number[];
  /** Blocks of `news`: the rows of `changed`, then those of `added`. One pack. */
  readonly news: Pieces;
}

/** A listing that the base does not have. Its texts are not folded. */
export interface AddedText {
  /** The slots of the base whose hosts come before. */
  readonly before: number;
  readonly host: string;
  readonly name: string | null;
  readonly tagline: string | null;
}

/**
 * The values that slots have for a filter: a map in one shard from the number of the value, as 6 decimal digits, to
 * slots.
 */
export interface SearchColumn {
  /** So that no two columns are the same file. */
  readonly filter: string;
  readonly values: readonly string[];
}

/**
 * A row: the members of a summary in the contract's order, terms by their slugs, then the checks that do not apply. In
 * a block, common texts are replaced by their indexes (`SearchHead`).
 */
export type StoredRow = readonly unknown[];

/** The shards of a map that may have keys that begin with a text. More than one: the text is in `wide`. */
export function shardsWith(
  { firsts }: MapShards,
  text: string,
): { readonly from: number; readonly to: number } {
  let from = 0;
  while (from + 1 < firsts.length && firsts[from + 1]! <= text) from += 1;
  let to = from;
  while (to + 1 < firsts.length && firsts[to + 1]!.startsWith(text)) to += 1;
  return { from, to: to + 1 };
}
