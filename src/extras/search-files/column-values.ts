import { tableOf } from "../../contract/tables.js";
import { gatherValues, Values } from "../../engine/filters.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { VALUE_NAMES, type ValueName, type ValueRows } from "../../store/columns/listings.js";
import type { SearchColumn } from "./format.js";
import { parsed } from "./rows.js";
import type { SlotOrders } from "./slot-orders.js";
import { readShard } from "./sorted-map.js";

const LINE_END = 0x0a;

/** Reads the file of a filter. @param read @throws BadColumnsError */
export type LoadColumn = <T extends object>(
  filter: ValueName,
  read: (bytes: Uint8Array) => T,
) => Promise<T>;

/** The values of filters, each of which is loaded before the first answer that needs it. */
export class ColumnValues {
  /** Those that are not loaded have no listings. */
  readonly table: Record<ValueName, Values>;
  readonly #orders: SlotOrders;
  readonly #load: LoadColumn;
  readonly #loading = new Map<ValueName, Promise<void>>();

  constructor(orders: SlotOrders, load: LoadColumn) {
    const { ranking } = orders;
    this.#orders = orders;
    this.#load = load;
    this.table = tableOf(
      VALUE_NAMES,
      (name) => new Values(ranking.size, gatherValues(ranking, name)),
    );
  }

  async need(names: readonly ValueName[]): Promise<void> {
    await Promise.all(names.map((name) => this.#loaded(name)));
  }

  #loaded(name: ValueName): Promise<void> {
    const known = this.#loading.get(name);
    if (known !== undefined) return known;
    const { ranking, ranks } = this.#orders;
    const { size, segments } = ranking;
    const loading = this.#load(name, (bytes) => valueRows(bytes, ranks)).then((rows) => {
      const columns = segments.map((one) => ({
        ...one,
        filters: { ...one.filters, [name]: rows },
      }));
      const index = gatherValues({ ...ranking, segments: columns }, name);
      this.table[name] = new Values(size, index);
    });
    this.#loading.set(name, loading);
    loading.catch(() => this.#loading.delete(name));
    return loading;
  }
}

/** The values of each listing, by rank. @param ranks by slot @throws BadColumnsError */
function valueRows(bytes: Uint8Array, ranks: Uint32Array): ValueRows {
  const end = bytes.indexOf(LINE_END);
  const { values } = parsed<SearchColumn>(bytes.subarray(0, Math.max(0, end)));
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    throw badColumn();
  }
  const slotsOf: (readonly number[])[] = [];
  const starts = new Uint32Array(ranks.length + 1);
  readShard(bytes.subarray(end + 1), ranks.length, "", (key, slots) => {
    if (Number(key) !== slotsOf.length) throw badColumn();
    slotsOf.push(slots);
    for (const slot of slots) starts[rankOf(slot, ranks) + 1]! += 1;
  });
  if (slotsOf.length !== values.length || new Set(values).size !== values.length) {
    throw badColumn();
  }
  for (let rank = 0; rank < ranks.length; rank += 1) starts[rank + 1]! += starts[rank]!;
  const places = new Uint32Array(starts[ranks.length] ?? 0);
  const ends = starts.slice();
  for (const [place, slots] of slotsOf.entries()) {
    for (const slot of slots) {
      const rank = rankOf(slot, ranks);
      places[ends[rank]!] = place;
      ends[rank]! += 1;
    }
  }
  return { values, starts, places };
}

/** @throws BadColumnsError if there is no such slot */
function rankOf(slot: number, ranks: Uint32Array): number {
  const rank = ranks[slot];
  if (rank === undefined) throw badColumn();
  return rank;
}

function badColumn(): BadColumnsError {
  return new BadColumnsError("it is not the values of a filter");
}
