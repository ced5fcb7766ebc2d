import type { SearchSource } from "../../answer/search-source.js";
import { LIMITS } from "../../contract/limits.js";
import { foldText } from "../../contract/order.js";
import type { Engine } from "../../engine/answering.js";
import { type CommonWords, type WordTree, wordTreeOf } from "../../engine/corrections.js";
import { MalformedSnapshotError, reading } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { NO_SCORE, type ValueName } from "../../store/columns/listings.js";
import type { AddedFile } from "../../store/format.js";
import { ColumnValues } from "./column-values.js";
import { FilesEngine } from "./files-engine.js";
import {
  type AddedText,
  BLOCK_ROWS,
  GUIDED_BLOCKS,
  type MapShards,
  SEARCH_FILES,
  SEARCH_FORMAT,
  type SearchDelta,
  type SearchFileKind,
  type SearchHead,
  SHARD_BYTES,
  SUM_BYTES,
} from "./format.js";
import { Numbering } from "./numbering.js";
import { PieceReader } from "./piece-reader.js";
import { jsonBySlug, parsed, type RowTexts, readBlock } from "./rows.js";
import { type EachText, SearchTexts } from "./search-texts.js";
import { SlotOrders } from "./slot-orders.js";
import { SlotRows } from "./slot-rows.js";
import { readShard } from "./sorted-map.js";

/** The most inflated bytes of any file that is read whole: a hundred times those of an ordinary one. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024;
/** The most bytes of a block: hundreds of times those of an ordinary one. */
const BLOCK_BYTES_MAX = 1024 * 1024;
/** Compressed bytes of shards, and of blocks, that stay in memory. */
const SHARDS_KEPT = 1024 * 1024;
const BLOCKS_KEPT = 1024 * 1024;

/**
 * Opens the files of a snapshot. Loads three small ones.
 * @param checksSums whether each piece is checked by its sha256. Otherwise, only accidents are found
 * @returns null if the snapshot has no such files, or those of another format
 */
export async function openSearchFiles(
  source: SearchSource,
  checksSums: boolean,
): Promise<Engine | null> {
  const files = new KindFiles(source);
  if (!files.has("head")) return null;
  const best = files.has("best");
  const [head, delta, scores] = await Promise.all([
    files.read("head", parsed<SearchHead>),
    files.read("delta", parsed<SearchDelta>),
    files.read(best ? "best" : "scores", (bytes) => bytes),
  ]);
  if (head.format !== SEARCH_FORMAT) return null;
  return reading(SEARCH_FILES, () => {
    requireHead(head);
    requireDelta(delta, head);
    if (head.slots + delta.added.length !== source.size) throw unlike("its listings");
    const { shards, rows } = files.pieces(head, delta, checksSums);
    const numbered = (all: Uint8Array) => {
      const orders = new SlotOrders(head, delta, all);
      const values = new ColumnValues(orders, (filter, read) => files.read("column", read, filter));
      const needRecent = kept(async () => {
        const recent = await files.read("recent", (bytes) => bytes);
        reading(SEARCH_FILES, () => orders.addRecent(recent));
      });
      return new Numbering(orders, values, needRecent);
    };
    const first = numbered(best ? scoresOfBest(scores, source.size) : scores);
    const { orders } = first;
    const eachText: EachText = (set, visit) =>
      rows.each([...orders.sorted(set, null)], (slot, { texts }) => visit(slot, texts));
    const readAll = async () => {
      const all = await files.read("scores", (bytes) => bytes);
      return reading(SEARCH_FILES, () => numbered(all));
    };
    const opened = {
      first,
      known: best ? (orders.ranking.orders.atLeast[0] ?? 0) : null,
      all: best ? kept(readAll) : async () => first,
      texts: new SearchTexts(head, shards, delta.added.map(foldedTexts), eachText),
      rows,
      words: kept(() => files.read("words", wordsIn)),
    };
    return new FilesEngine(opened, source);
  });
}

/** The files of a snapshot, by their kinds. */
class KindFiles {
  readonly #source: SearchSource;
  readonly #files: readonly AddedFile[];

  constructor(source: SearchSource) {
    this.#source = source;
    this.#files = source.addition(SEARCH_FILES)?.files ?? [];
  }

  has(kind: SearchFileKind): boolean {
    return this.#all(kind).length > 0;
  }

  /** @param read @throws BadColumnsError @param filter of a column */
  async read<T extends object>(
    kind: SearchFileKind,
    read: (bytes: Uint8Array) => T,
    filter?: ValueName,
  ): Promise<T> {
    const file = this.#all(kind).find(({ facts }) => filter === facts.filter);
    if (file === undefined || file.length > WHOLE_BYTES_MAX) {
      throw new MalformedSnapshotError(`${SEARCH_FILES}: there is no ${filter ?? kind}`);
    }
    return this.#source.readAdded(file, read);
  }

  /** @throws BadColumnsError */
  pieces(head: SearchHead, delta: SearchDelta, checksSums: boolean) {
    const { titles, taglines, wide, rows, packs, slots } = head;
    const { categories, tags } = this.#source.vocabulary;
    const terms = { category: jsonBySlug(categories), tags: jsonBySlug(tags) };
    const sizes = [...titles.sizes, ...taglines.sizes, ...wide.sizes];
    const newsSizes = delta.news.sizes;
    let before = 0;
    const packed = (kind: SearchFileKind, counts: readonly number[], pieces: readonly number[]) => {
      const from = before;
      before += pieces.length;
      const sums = checksSums ? () => this.#sums(from, from + pieces.length) : undefined;
      return [{ files: this.#all(kind), counts, sizes: pieces }, sums] as const;
    };
    const [maps, mapSums] = packed("maps", packs.maps, sizes);
    const shards = new PieceReader(this.#source, maps, {
      most: 4 * SHARD_BYTES + slots / 4,
      read: (bytes) => bytes,
      cacheBytes: SHARDS_KEPT,
      sums: mapSums,
    });
    const blocks = (kind: SearchFileKind, counts: readonly number[], own: readonly number[]) => {
      const [pieces, sums] = packed(kind, counts, own);
      return new PieceReader(this.#source, pieces, {
        most: BLOCK_BYTES_MAX,
        read: (bytes) => readBlock(bytes, rows.texts, terms),
        cacheBytes: BLOCKS_KEPT,
        sums,
      });
    };
    const base = blocks("rows", packs.rows, rows.sizes);
    const news = blocks("news", newsSizes.length === 0 ? [] : [newsSizes.length], newsSizes);
    return { shards, rows: new SlotRows(head, delta, { base, news }) };
  }

  async #sums(from: number, to: number): Promise<Uint8Array> {
    const sums = await this.read("sums", (bytes) => bytes);
    return sums.subarray(SUM_BYTES * from, SUM_BYTES * to);
  }

  #all(kind: SearchFileKind): AddedFile[] {
    return this.#files.filter(({ facts }) => facts.kind === kind);
  }
}

/** Makes a value once, and again after a failure. */
function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

function foldedTexts({ host, name, tagline }: AddedText): RowTexts {
  const folded = (text: string | null) => (text === null ? null : foldText(text));
  return { host: foldText(host), name: folded(name), tagline: folded(tagline) };
}

/** @throws BadColumnsError */
function wordsIn(bytes: Uint8Array): WordTree {
  const { texts, counts } = parsed<Pick<CommonWords, "texts"> & { counts: number[] }>(bytes);
  if (!areTexts(texts) || !areCounts(counts) || texts.length !== counts.length) {
    throw unlike("its words");
  }
  return wordTreeOf({ texts, counts: Uint32Array.from(counts) });
}

/** The scores of the best listings, by slot; for the others, none. @throws BadColumnsError */
function scoresOfBest(bytes: Uint8Array, size: number): Uint8Array {
  const scores = new Uint8Array(size).fill(NO_SCORE);
  readShard(bytes, size, "", (key, slots) => {
    for (const slot of slots) scores[slot] = LIMITS.scoreMax - Number(key);
  });
  return scores;
}

/** @throws BadColumnsError */
function requireHead({ slots, titles, taglines, wide, rows, packs }: SearchHead): void {
  const isRight =
    areCounts([slots]) &&
    [titles, taglines, wide].every(isMap) &&
    areCounts(rows?.sizes) &&
    rows.sizes.length === Math.ceil(slots / BLOCK_ROWS) &&
    areTexts(rows.guides) &&
    areTexts(rows.texts) &&
    rows.guides.length === Math.ceil(rows.sizes.length / GUIDED_BLOCKS) &&
    areCounts(packs?.maps) &&
    areCounts(packs.rows);
  if (!isRight) throw unlike("its head");
}

function isMap(map: MapShards): boolean {
  return areTexts(map?.firsts) && areCounts(map.sizes) && map.firsts.length === map.sizes.length;
}

/** @throws BadColumnsError */
function requireDelta({ added, changed, news }: SearchDelta, { slots }: SearchHead): void {
  const isRight =
    Array.isArray(added) &&
    added.every(isAdded) &&
    areCounts(changed) &&
    changed.every((slot, at) => slot < slots && slot > (changed[at - 1] ?? -1)) &&
    areCounts(news?.sizes) &&
    news.sizes.length === Math.ceil((changed.length + added.length) / BLOCK_ROWS);
  if (!isRight) throw unlike("its delta");
}

function isAdded({ before, host, name, tagline }: AddedText): boolean {
  const isText = (text: unknown) => text === null || typeof text === "string";
  return areCounts([before]) && typeof host === "string" && isText(name) && isText(tagline);
}

function areTexts(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((one) => typeof one === "string");
}

function areCounts(list: unknown): list is number[] {
  return Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && one >= 0);
}

function unlike(what: string): BadColumnsError {
  return new BadColumnsError(`${what} do not fit`);
}
