import { FILTERS } from "../../contract/filters.js";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit, foldText } from "../../contract/order.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import { narrowColumn } from "./file.js";
import { type GramRows, gramRows } from "./gram-rows.js";
import { type SummaryRows, summaryRows } from "./summaries.js";
import { DistinctTexts, type Texts, textsOf } from "./texts.js";

/*
 * The engine's data about the listings of one bucket that are in search, as columns. The build computes
 * here, once, everything that depends on only one listing: its JSON, its folded text, its grams and its
 * values. Listings are sorted by host; a listing's row is its place in that order.
 */

/** One searchable listing, as in a shard's entry. */
export interface IndexedListing {
  readonly summary: SiteSummary;
  /** Sort key of latestScannedAt as an exact instant. Keys compare by code unit. */
  readonly recent: string;
}

/**
 * The values of listings that columns hold, by name: those of every filter, and the version of a score, by which facets
 * tell current scores from older ones.
 */
const VALUES = {
  ...FILTERS,
  scoreVersion: {
    valuesOf: ({ latestScore, latestScoreVersion }: SiteSummary) =>
      latestScore === null || latestScoreVersion === null ? [] : [latestScoreVersion],
  },
};
export type ValueName = keyof typeof VALUES;
/** The names in the order of the columns. */
export const VALUE_NAMES: readonly ValueName[] = namesOf(VALUES);

/** The values of one name: all distinct values, and for each listing the values that it has. */
export interface ValueRows {
  readonly values: readonly string[];
  /** Where each listing's row starts in `places`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Places in `values`. No place appears twice in a row. */
  readonly places: Uint16Array | Uint32Array;
}

export interface ListingColumns {
  /** The number of listings. */
  readonly size: number;
  readonly summaries: SummaryRows;
  /** Points, 0 to 100; NO_SCORE if a listing has no score. */
  readonly scores: Uint8Array;
  /** Sort keys of the scans' instants; "" if a listing has none. */
  readonly recents: Texts;
  /** UTF-16 code units of each listing's folded host, name and tagline, each ended by FIELD_END. */
  readonly units: Uint16Array;
  /** Where each listing's three fields start in `units`; one more entry than fields. */
  readonly fields: Uint32Array;
  readonly grams: GramRows;
  readonly filters: Readonly<Record<ValueName, ValueRows>>;
}

export const NO_SCORE = 255;
/** Fields of a listing that are searched. */
export const FIELDS = 3;
/** Ends a field. An unpaired surrogate: well-formed text never contains one, so no match spans two fields. */
export const FIELD_END = 0xd800;

/** @param listings visible ones in any order, each host once and canonical, with well-formed text */
export function listingColumns(listings: readonly IndexedListing[]): ListingColumns {
  const rows = listings.toSorted((a, b) => byCodeUnit(a.summary.host, b.summary.host));
  const summaries = rows.map(({ summary }) => summary);
  const { units, fields } = foldedUnits(summaries);
  return {
    size: rows.length,
    summaries: summaryRows(summaries),
    scores: Uint8Array.from(summaries, ({ latestScore }) => latestScore ?? NO_SCORE),
    recents: textsOf(rows.map(({ recent }) => recent)),
    units,
    fields,
    grams: gramRows(units, fields),
    filters: tableOf(VALUE_NAMES, (name) => valueRows(summaries, VALUES[name].valuesOf)),
  };
}

function foldedUnits(summaries: readonly SiteSummary[]): Pick<ListingColumns, "units" | "fields"> {
  const texts = summaries.flatMap(({ host, name, tagline }) =>
    [host, name ?? "", tagline ?? ""].map(foldText),
  );
  const fields = new Uint32Array(texts.length + 1);
  const units = new Uint16Array(texts.reduce((sum, { length }) => sum + length + 1, 0));
  let end = 0;
  for (const [place, text] of texts.entries()) {
    for (let at = 0; at < text.length; at += 1) units[end + at] = text.charCodeAt(at);
    end += text.length;
    units[end] = FIELD_END;
    end += 1;
    fields[place + 1] = end;
  }
  return { units, fields };
}

function valueRows(
  summaries: readonly SiteSummary[],
  valuesOf: (summary: SiteSummary) => readonly string[],
): ValueRows {
  const known = new DistinctTexts();
  const starts = new Uint32Array(summaries.length + 1);
  const places: number[] = [];
  for (const [row, summary] of summaries.entries()) {
    const start = places.length;
    for (const value of valuesOf(summary)) {
      const place = known.placeOf(value);
      if (!places.includes(place, start)) places.push(place);
    }
    starts[row + 1] = places.length;
  }
  return { values: known.texts, starts, places: narrowColumn(places, known.size) };
}
