import { countInRange, intersectBits, setBit, uniteBits, wordsFor } from "../../engine/sets.js";
import type { Fields } from "../../engine/text.js";
import { reading } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { ByteCache } from "../../store/source.js";
import { KEY_UNITS, SEARCH_FILES, type SearchHead, STARTS, shardsWith } from "./format.js";
import type { PieceReader } from "./piece-reader.js";
import type { RowTexts } from "./rows.js";
import { readShard } from "./sorted-map.js";

/*
 * Finds the slots whose texts contain or begin with a text, from the maps. Sets of slots are bitmaps. Base slots come
 * first; the texts of added listings are all in memory.
 */

/** A set of slots: a bitmap, which must not be changed. */
export type SlotSet = Uint32Array;

/** Bytes of the sets that stay in memory, and the length from which a text has a third piece. */
const SETS_BYTES = 512 * 1024;
const LONG = 3 * KEY_UNITS;
/** Rows that together are no longer than a shard. */
const FEW = 32;

/** A map without keys. */
const NO_SHARD = new Uint8Array(3);

const MAPS = { titles: "t", taglines: "g" } as const;
type MapName = keyof typeof MAPS;

/** Visits the slots of a set with their texts, in ascending order. */
export type EachText = (
  slots: SlotSet,
  visit: (slot: number, texts: RowTexts) => void,
) => Promise<void>;

/** Listings whose host or name begins with a text. */
interface Beginnings {
  readonly all: SlotSet;
  /** Those whose text is no longer. Null if the maps do not tell. */
  readonly exact: SlotSet | null;
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
    uniteBits(hosts.all, names.all);
    if (hosts.exact !== null && names.exact !== null) {
      return [hosts.exact, names.exact, hosts.all, holding];
    }
    const hostIs = this.#empty();
    const nameIs = this.#empty();
    const begins = this.#empty();
    intersectBits(hosts.all, holding);
    await this.#eachText(hosts.all, (slot, { host, name }) => {
      if (host === text) setBit(hostIs, slot);
      if (name === text) setBit(nameIs, slot);
      if (host.startsWith(text) || name?.startsWith(text)) setBit(begins, slot);
    });
    return [hostIs, nameIs, begins, holding];
  }

  /** The slots whose host or name begins with a text, or with its first units. */
  async #beginning(field: keyof typeof STARTS, text: string): Promise<Beginnings> {
    const start = STARTS[field] + cut(text.slice(0, KEY_UNITS));
    const isTold = text.length < KEY_UNITS;
    const [all, exact] = await Promise.all([
      this.#keysWith("titles", start),
      isTold ? this.#slotsOf("titles", start) : null,
    ]);
    for (const [at, texts] of this.#added.entries()) {
      const own = texts[field];
      if (own?.startsWith(text)) setBit(all, this.#head.slots + at);
      if (own === text && exact !== null) setBit(exact, this.#head.slots + at);
    }
    return { all, exact };
  }

  async #inBase(text: string, fields: Fields): Promise<SlotSet> {
    const names: MapName[] = fields === "all" ? ["titles", "taglines"] : ["titles"];
    const isShort = text.length <= KEY_UNITS;
    const found = await Promise.all(
      names.map((name) => (isShort ? this.#keysWith(name, text) : this.#withPieces(name, text))),
    );
    const [set = this.#empty(), ...others] = found;
    for (const other of others) uniteBits(set, other);
    if (isShort) return set;
    const checked = this.#empty();
    await this.#eachText(set, (slot, texts) => {
      if (holds(texts, text, fields)) setBit(checked, slot);
    });
    return checked;
  }

  /**
   * The slots with all pieces of a text. Once there are few, the other pieces are left out: rows are checked anyway.
   */
  async #withPieces(name: MapName, text: string): Promise<SlotSet> {
    const isKnown = (piece: string) => {
      const { from, to } = shardsWith(this.#head[name], piece);
      return to - from === 1 && this.#shards.has(this.#pieceOf(name, from));
    };
    // Longer texts often follow a part of them, whose shard is in memory.
    const known = windowsOf(text).find(isKnown);
    const [first = text, ...others] =
      known === undefined ? piecesOf(text) : [known, ...piecesOf(text)];
    const set = await this.#keysWith(name, first);
    for (const piece of others) {
      const count = countInRange({ dense: true, count: 0, data: set }, { from: 0, to: this.#size });
      if (count <= FEW) return set;
      intersectBits(set, await this.#keysWith(name, piece));
    }
    return set;
  }

  /** The slots of all keys that begin with a text. */
  async #keysWith(name: MapName, text: string): Promise<SlotSet> {
    const { from, to } = shardsWith(this.#head[name], text);
    if (to - from > 1) return this.#slotsOf("wide", MAPS[name] + text);
    const set = this.#empty();
    const shard = await this.#shard(name, from);
    reading(SEARCH_FILES, () =>
      readShard(shard, this.#head.slots, text, (_, slots) => this.#mark(set, slots)),
    );
    return set;
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

  #empty(): SlotSet {
    return new Uint32Array(wordsFor(this.#size));
  }
}

/** Whether a listing's texts contain a text. */
function holds({ host, name, tagline }: RowTexts, text: string, fields: Fields): boolean {
  const isInTitles = host.includes(text) || name?.includes(text) === true;
  return isInTitles || (fields === "all" && tagline?.includes(text) === true);
}

/** Pieces of a text that keys may begin with: its start, its end, and its middle if it is long. */
function piecesOf(text: string): string[] {
  const last = text.length - KEY_UNITS;
  const starts = text.length < LONG ? [0, last] : [0, last, Math.floor(last / 2)];
  return starts.map((start) => pieceAt(text, start));
}

/** All pieces of a text that are as long as keys. */
function windowsOf(text: string): string[] {
  return Array.from({ length: text.length - KEY_UNITS + 1 }, (_, start) => pieceAt(text, start));
}

function pieceAt(text: string, start: number): string {
  return cut(text.slice(start, start + KEY_UNITS));
}

/** A part of a text without halves of surrogate pairs at its ends, where no key has one. */
function cut(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
