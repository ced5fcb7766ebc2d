import { byCodeUnit } from "../../contract/order.js";
import { type MapShards, SHARD_BYTES, STARTS, shardsWith } from "./format.js";
import { fieldOf, type IndexedListing } from "./listings.js";
import { type Packs, packed } from "./packs.js";
import { type MapEntry, ShardWriter } from "./sorted-map.js";
import { type SlotText, Suffixes } from "./suffixes.js";

type MapName = "titles" | "taglines" | "wide";

/** The maps of a base, and their packs. */
export interface Maps extends Record<MapName, MapShards> {
  readonly packs: Packs;
}

/** The fields of a map, by their index in a listing, with the marks before their first pieces. */
type MappedFields = readonly (readonly [field: number, mark: string])[];

const TITLES: MappedFields = [
  [0, STARTS.host],
  [1, STARTS.name],
];
const TAGLINES: MappedFields = [[2, ""]];

/** Makes the maps. @param slots the listings of the base */
export function mapsOf(slots: readonly IndexedListing[]): Maps {
  const { titles, taglines, wide } = shardMaps(slots);
  const packs = packed(
    "maps",
    [titles, taglines, wide].flatMap(({ shards }) => shards),
  );
  const sizes = [...packs.sizes];
  const cut = ({ firsts }: Sharded) => ({ firsts, sizes: sizes.splice(0, firsts.length) });
  return { titles: cut(titles), taglines: cut(taglines), wide: cut(wide), packs };
}

/** Makes the shards of all maps, not compressed yet. */
export function shardMaps(slots: readonly IndexedListing[]): Record<MapName, Sharded> {
  const wideEntries: MapEntry[] = [];
  const mapOf = (fields: MappedFields, kind: string) => {
    const suffixes = new Suffixes(textsOf(slots, fields));
    const map = shardsOf(slots.length, (visit) => suffixes.each(visit));
    for (const text of wideTexts(map)) {
      wideEntries.push({ key: kind + text, slots: suffixes.slotsWith(text, slots.length) });
    }
    return map;
  };
  const titles = mapOf(TITLES, "t");
  const taglines = mapOf(TAGLINES, "g");
  const wide = shardsOf(slots.length, (visit) => {
    for (const entry of wideEntries.sort((a, b) => byCodeUnit(a.key, b.key))) visit(entry);
  });
  return { titles, taglines, wide };
}

function textsOf(slots: readonly IndexedListing[], fields: MappedFields): SlotText[] {
  return slots.flatMap((listing, slot) =>
    fields
      .map(([field, mark]) => ({ slot, mark, units: fieldOf(listing, field) }))
      .filter(({ units }) => units.length > 0),
  );
}

/** A map before it is compressed. */
interface Sharded {
  readonly shards: readonly Uint8Array[];
  readonly firsts: readonly string[];
}

/** Cuts a map into shards. @param each visits all entries, in their order */
function shardsOf(size: number, each: (visit: (entry: MapEntry) => void) => void): Sharded {
  const writer = new ShardWriter(size);
  const shards: Uint8Array[] = [];
  const firsts = [""];
  let last = "";
  each((entry) => {
    if (writer.length >= SHARD_BYTES) {
      shards.push(writer.take());
      firsts.push(shortestAfter(last, entry.key));
    }
    writer.add(entry);
    last = entry.key;
  });
  shards.push(writer.take());
  return { shards, firsts };
}

/** The shortest beginning of a text that comes after another text. */
function shortestAfter(before: string, text: string): string {
  let length = 1;
  while (text.slice(0, length) <= before) length += 1;
  return text.slice(0, length);
}

/** The texts whose keys are in more than one shard: each is a beginning of the `firsts` of one of them. */
function wideTexts({ firsts }: Sharded): Set<string> {
  const texts = new Set<string>();
  for (const first of firsts) {
    for (let length = 1; length < first.length; length += 1) {
      const text = first.slice(0, length);
      const { from, to } = shardsWith({ firsts, sizes: [] }, text);
      if (to - from > 1) texts.add(text);
    }
  }
  return texts;
}
