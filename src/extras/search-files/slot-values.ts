import { LIMITS } from "../../contract/limits.js";
import { byCodeUnit } from "../../contract/order.js";
import { addTo } from "../../contract/tables.js";
import { ListingWords } from "../../engine/corrections.js";
import { textAt } from "../../store/columns/columns.js";
import { NO_SCORE, VALUE_NAMES, type ValueName } from "../../store/columns/listings.js";
import { BEST_SHARE, type SearchColumn } from "./format.js";
import { allUnitsOf, type IndexedListing } from "./listings.js";
import { jsonFile, type MadeFile, madeFile } from "./packs.js";
import { ShardWriter } from "./sorted-map.js";

/* The files that are made in each publication, with a value for each slot: scores, dates, filters; and the words. */

type Slots = readonly IndexedListing[];

/** @param slots the base, then the added listings @param bestFrom see `BEST_FROM` */
export function valueFiles(slots: Slots, bestFrom: number): MadeFile[] {
  return [
    madeFile("scores", scoresOf(slots)),
    ...(slots.length < bestFrom ? [] : [madeFile("best", bestOf(slots))]),
    madeFile("recent", recentOf(slots)),
    ...VALUE_NAMES.map((filter) => ({ ...madeFile("column", columnOf(slots, filter)), filter })),
    jsonFile("words", wordsOf(slots)),
  ];
}

function scoresOf(slots: Slots): Uint8Array {
  return Uint8Array.from(slots, ({ columns, row }) => columns.scores[row]!);
}

function bestOf(slots: Slots): Uint8Array {
  const slotsWith = new Map<number, number[]>();
  for (const [slot, { columns, row }] of slots.entries()) {
    addTo(slotsWith, columns.scores[row]!, slot);
  }
  const writer = new ShardWriter(slots.length);
  let listed = 0;
  for (let score = LIMITS.scoreMax; score >= 0 && listed < slots.length / BEST_SHARE; score -= 1) {
    const some = slotsWith.get(score);
    if (some === undefined) continue;
    writer.add({ key: String(LIMITS.scoreMax - score).padStart(SCORE_DIGITS, "0"), slots: some });
    listed += some.length;
  }
  return writer.take();
}

function recentOf(slots: Slots): Uint8Array {
  const keys = slots.map(({ columns, row }) => textAt(columns.recents, row));
  const older = new Map<string, number>();
  for (const [at, key] of keys.toSorted(byCodeUnit).entries())
    if (!older.has(key)) older.set(key, at);
  const bytes = new Uint8Array(3 * slots.length);
  for (const [slot, key] of keys.entries()) {
    const count = older.get(key) ?? 0;
    bytes.set([count >> 16, count >> 8, count], 3 * slot);
  }
  return bytes;
}

/** The digits of the number of a value, and of a score. */
const DIGITS = 6;
const SCORE_DIGITS = 3;

function columnOf(slots: Slots, filter: ValueName): Uint8Array {
  const found = new Map<string, number[]>();
  for (const [slot, { columns, row }] of slots.entries()) {
    const { values, starts, places } = columns.filters[filter];
    for (const place of places.subarray(starts[row], starts[row + 1])) {
      addTo(found, values[place]!, slot);
    }
  }
  const values = [...found.keys()].sort(byCodeUnit);
  const writer = new ShardWriter(slots.length);
  for (const [number, value] of values.entries()) {
    writer.add({ key: String(number).padStart(DIGITS, "0"), slots: found.get(value) ?? [] });
  }
  const head: SearchColumn = { filter, values };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), writer.take()]);
}

/** The words of corrections, counted in the default order: by score, then by host. */
function wordsOf(slots: Slots) {
  const scoreOf = ({ columns, row }: IndexedListing) => {
    const score = columns.scores[row]!;
    return score === NO_SCORE ? -1 : score;
  };
  const ranked = slots.toSorted((a, b) => scoreOf(b) - scoreOf(a) || byCodeUnit(a.host, b.host));
  const words = new ListingWords();
  for (const listing of ranked) {
    const units = allUnitsOf(listing);
    words.add(units, 0, units.length);
  }
  const { texts, counts } = words.commonest();
  return { texts, counts: [...counts] };
}
