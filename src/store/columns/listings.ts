import { FILTERS } from "../../contract/filters.js";
import type { SiteSummary } from "../../contract/listing.js";
import { namesOf } from "../../contract/tables.js";
import type { Texts } from "./columns.js";

/* The input of the engine: the listings of a segment that are in search, as columns, read from its table. */

/**
 * The values of listings that the engine knows, each with its column: those of every filter, the version of the score,
 * by which facets tell current scores from older ones, and the checks that do not apply.
 */
export const VALUES = {
  ...FILTERS,
  scoreVersion: { column: "latestScoreVersion" },
  exempt: { column: "exempt" },
} as const satisfies Record<string, { readonly column: keyof SiteSummary | "exempt" }>;
export type ValueName = keyof typeof VALUES;
export const VALUE_NAMES: readonly ValueName[] = namesOf(VALUES);

/** The values of one name: all distinct values, and for each listing the values that it has. */
export interface ValueRows {
  readonly values: readonly string[];
  /** Where each listing's row starts in `places`; one more entry than listings. */
  readonly starts: Uint32Array;
  /** Places in `values`. No place appears twice in a row. */
  readonly places: Uint32Array;
}

export interface ListingColumns {
  /** The number of listings. */
  readonly size: number;
  /** Makes the JSON of a listing's summary. The bytes are valid until the next one is made. */
  summary(listing: number): Uint8Array;
  /** Points, 0 to 100; NO_SCORE if a listing has no score. */
  readonly scores: Uint8Array;
  /** Sort keys of the scans' instants; "" if a listing has none. */
  readonly recents: Texts;
  /** UTF-16 code units of each listing's folded host, name and tagline, each ended by FIELD_END. */
  readonly units: Uint16Array;
  /** Where each listing's three fields start in `units`; one more entry than fields. */
  readonly fields: Uint32Array;
  readonly filters: Readonly<Record<ValueName, ValueRows>>;
}

export const NO_SCORE = 255;
/** Fields of a listing that are searched. */
export const FIELDS = 3;
/** Ends a field. An unpaired surrogate: well-formed text never contains one, so no match spans two fields. */
export const FIELD_END = 0xd800;
