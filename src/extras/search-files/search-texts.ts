import { countInRange, intersectBits, setBit, uniteBits, wordsFor } from "../../engine/sets.js";
import type { Fields } from "../../engine/text.js";
import { reading } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { ByteCache } from "../../store/source.js";
import {
  COMMON_MAX,
  KEY_UNITS,
  KEY_UNITS_MAX,
  SEARCH_FILES,
  type SearchHead,
  STARTS,
  shardsWith,
} from "./format.js";
import type { PieceReader } from "./piece-reader.js";
import type { RowTexts } from "./rows.js";
import { readShard } from "./sorted-map.js";

/*
 * Finds the slots whose texts contain or begin with a text, from the maps. Sets of slots are bitmaps. Base slots come
 * first; the texts of added listings are all in memory.
 */

/** A set of slots: a bitmap, which must not be changed. */
export type SlotSet = Uint32Array;

/** Bytes of the sets that stay in memory. */
const SETS_BYTES = 512 * 1024;

/** A map without keys. */
const NO_SHARD = new Uint8Array(3);

const MAPS = { titles: "t", taglines: "g" } as const;
type MapName = keyof typeof MAPS;

/** Visits the slots of a set with their texts, in ascending order. */
export type EachText = (
  slots: SlotSet,
  visit: (slot: number, texts: RowTexts) => void,
) => Promise<void>;

/** Listings of the base whose host, or name, begins with a text. */
interface Beginnings {
  /** Those whose text is no longer. */
  readonly same: SlotSet;
  readonly begins: SlotSet;
  /** Those whose rows tell. */
  readonly unsure: SlotSet;
}

/** The slots of a piece of text. */
interface FoundSlots {
  readonly slots: SlotSet;
  /** Whether all of them have the piece. */
  readonly isSure: boolean;
}

export class SearchTexts {
  readonly #head: SearchHead;
  readonly #shards: PieceReader<Uint8Array>;
  /** Those of added listings, folded, in the order of their slots. */
  readonly #added: readonly RowTexts[];
  readonly #eachText: EachText;
  readonly #size: number;
  readonly #sets = new ByteCache<string, SlotSet>(SETS_BYTES);

  constructor(
    head: SearchHead,
    shards: PieceReader<Uint8Array>,
    added: readonly RowTexts[],
    eachText: EachText,
  ) {
    this.#head = head;
    this.#shards = shards;
    this.#added = added;
    this.#eachText = eachText;
    this.#size = head.slots + added.length;
  }

  /** The slots whose texts contain a text. @param text folded, not empty */
  async holding(text: string, fields: Fields): Promise<SlotSet> {
    const key = `${fields} ${text}`;
    const cached = this.#sets.get(key);
    if (cached !== undefined) return cached;
    const set = await this.#inBase(text, fields);
    for (const [at, texts] of this.#added.entries()) {
      if (holds(texts, text, fields)) setBit(set, this.#head.slots + at);
    }
    this.#sets.set(key, set, set.byteLength);
    return set;
  }

  /**
   * The slots of suggestions: those whose host is a text, whose name is, whose host or name begins with it, and whose
   * host or name contains it. @param text folded, not empty
   */
  async suggested(text: string): Promise<readonly SlotSet[]> {
    const [holding, hosts, names] = await Promise.all([
      this.holding(text, "titles"),
      this.#beginning("host", text),
      this.#beginning("name", text),
    ]);
    const hostIs = hosts.same;
    const nameIs = names.same;
    const begins = hosts.begins;
    uniteBits(begins, names.begins);
    const visit = (slot: number, { host, name }: RowTexts) => {
      if (host === text) setBit(hostIs, slot);
      if (name === text) setBit(nameIs, slot);
      if (host.startsWith(text) || name?.startsWith(text)) setBit(begins, slot);
    };
    for (const [at, texts] of this.#added.entries()) visit(this.#head.slots + at, texts);
    uniteBits(hosts.unsure, names.unsure);
    await this.#eachText(hosts.unsure, visit);
    return [hostIs, nameIs, begins, holding];
  }

  /** The slots of the base whose host or name begins with a text. */
  async #beginning(field: keyof typeof STARTS, text: string): Promise<Beginnings> {
    const start = STARTS[field] + pieceAt(text, 0);
    const isWhole = text.length <= KEY_UNITS_MAX;
    const [found, own] = await Promise.all([
      this.#slotsWith("titles", start),
      isWhole ? this.#slotsOf("titles", start) : this.#empty(),
    ]);
    const same = this.#empty();
    const begins = this.#empty();
    const unsure = this.#empty();
    // A key may have been cut there: because few listings have it, or because no key is longer.
    const isShortest = this.#count(own) <= COMMON_MAX || text.length === KEY_UNITS_MAX;
    const isCut = text.length >= KEY_UNITS && isShortest;
    uniteBits(isCut ? unsure : same, own);
    uniteBits(found.isSure && isWhole ? begins : unsure, found.slots);
    return { same, begins, unsure };
  }

  async #inBase(text: string, fields: Fields): Promise<SlotSet> {
    const names: MapName[] = fields === "all" ? ["titles", "taglines"] : ["titles"];
    const set = this.#empty();
    const unsure = this.#empty();
    await Promise.all(
      names.map(async (name) => {
        const found = await Promise.all(piecesOf(text).map((one) => this.#slotsWith(name, one)));
        const [first, ...others] = found;
        if (first === undefined) return;
        for (const { slots } of others) intersectBits(first.slots, slots);
        uniteBits(first.isSure && others.length === 0 ? set : unsure, first.slots);
      }),
    );
    await this.#eachText(unsure, (slot, texts) => {
      if (holds(texts, text, fields)) setBit(set, slot);
    });
    return set;
  }

  /**
   * The slots of all keys that begin with a piece of text. If there are none, those of a key that was cut within the
   * piece, because few listings have it.
   */
  async #slotsWith(name: MapName, piece: string): Promise<FoundSlots> {
    const { from, to } = shardsWith(this.#head[name], piece);
    if (to - from > 1) {
      return { slots: await this.#slotsOf("wide", MAPS[name] + piece), isSure: true };
    }
    const slots = this.#empty();
    const cut = this.#empty();
    const least = KEY_UNITS + Number(isMarked(piece));
    const shard = await this.#shard(name, from);
    reading(SEARCH_FILES, () =>
      readShard(shard, this.#head.slots, piece, (key, own) => {
        if (key.startsWith(piece)) this.#mark(slots, own);
        else if (key.length >= least && own.length <= COMMON_MAX) this.#mark(cut, own);
      }),
    );
    const isSure = this.#count(slots) > 0;
    return { slots: isSure ? slots : cut, isSure };
  }

  /** The slots of a key. Of those that should be in `wide`, each is. */
  async #slotsOf(name: "titles" | "wide", key: string): Promise<SlotSet> {
    const set = this.#empty();
    const shard = await this.#shard(name, shardsWith(this.#head[name], key).from);
    return reading(SEARCH_FILES, () => {
      let isFound = name !== "wide";
      readShard(shard, this.#head.slots, key, (one, slots) => {
        if (one !== key) return;
        isFound = true;
        this.#mark(set, slots);
      });
      if (!isFound) throw new BadColumnsError("its maps lack a text");
      return set;
    });
  }

  async #shard(name: MapName | "wide", at: number): Promise<Uint8Array> {
    const piece = this.#pieceOf(name, at);
    return (await this.#shards.values([piece])).get(piece) ?? NO_SHARD;
  }

  /** The number of a shard among those of all maps. */
  #pieceOf(name: MapName | "wide", at: number): number {
    const { titles, taglines } = this.#head;
    const before = {
      titles: 0,
      taglines: titles.sizes.length,
      wide: titles.sizes.length + taglines.sizes.length,
    };
    return before[name] + at;
  }

  #mark(set: SlotSet, slots: readonly number[]): void {
    for (const slot of slots) {
      if (slot >= this.#head.slots) throw new BadColumnsError("its maps have an unknown slot");
      setBit(set, slot);
    }
  }

  #count(set: SlotSet): number {
    return countInRange({ dense: true, count: 0, data: set }, { from: 0, to: this.#size });
  }

  #empty(): SlotSet {
    return new Uint32Array(wordsFor(this.#size));
  }
}

/** Whether a listing's texts contain a text. */
function holds({ host, name, tagline }: RowTexts, text: string, fields: Fields): boolean {
  const isInTitles = host.includes(text) || name?.includes(text) === true;
  return isInTitles || (fields === "all" && tagline?.includes(text) === true);
}

/** Pieces of a text that keys may begin with: the text, or its start, its end and its middle if it is long. */
function piecesOf(text: string): string[] {
  const last = text.length - KEY_UNITS_MAX;
  const starts = last <= 0 ? [0] : [...new Set([0, last, Math.floor(last / 2)])];
  return starts.map((start) => pieceAt(text, start));
}

function pieceAt(text: string, start: number): string {
  return cut(text.slice(start, start + KEY_UNITS_MAX));
}

/** Whether a piece begins with a mark. Marks are halves of surrogate pairs: one with its other half is a character. */
function isMarked(piece: string): boolean {
  return Object.values<string>(STARTS).includes(piece.charAt(0)) && !LOW.test(piece.charAt(1));
}

const LOW = /^[\udc00-\udfff]/;

/** A part of a text without halves of surrogate pairs at its ends, where no key has one. */
function cut(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
