import { hash } from "node:crypto";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { namesOf } from "../../contract/tables.js";
import { FIELDS, type ListingColumns } from "../../store/columns/listings.js";
import { COLUMNS, storedValue } from "../../store/segments/table.js";
import { storedJson } from "../../store/stored-json.js";
import type { AddedText, StoredRow } from "./format.js";

/** A listing in search: a row of some columns. */
export interface IndexedListing {
  readonly host: string;
  readonly columns: ListingColumns;
  readonly row: number;
}

/** All listings, by host. */
export function listingsIn(segments: readonly ListingColumns[]): IndexedListing[] {
  const listings = segments.flatMap((columns) =>
    Array.from({ length: columns.size }, (_, row) => {
      const host = String.fromCharCode(...fieldOf({ columns, row }, 0));
      return { host, columns, row };
    }),
  );
  return listings.sort((a, b) => byCodeUnit(a.host, b.host));
}

type Row = Pick<IndexedListing, "columns" | "row">;

/** The folded units of a field: the host, the name (1) or the tagline (2). */
export function fieldOf({ columns: { units, fields }, row }: Row, field: number): Uint16Array {
  const at = FIELDS * row + field;
  return units.subarray(fields[at], fields[at + 1]! - 1);
}

/** The folded units of all fields, each ended by FIELD_END. */
export function allUnitsOf({ columns: { units, fields }, row }: Row): Uint16Array {
  return units.subarray(fields[FIELDS * row], fields[FIELDS * (row + 1)]);
}

/** What a block says of a listing. */
export function rowOf(listing: Row): StoredRow {
  const { exempt } = listing.columns.filters;
  const places = exempt.places.subarray(exempt.starts[listing.row], exempt.starts[listing.row + 1]);
  const row = {
    ...summaryOf(listing),
    exempt: Array.from(places, (place) => exempt.values[place]!),
  };
  return namesOf(COLUMNS).map((name) => storedValue(row, name));
}

function summaryOf({ columns, row }: Row): SiteSummary {
  return storedJson(columns.summary(row));
}

/** What the delta says of a listing that the base does not have. @param before the slots before it */
export function addedText(listing: Row, before: number): AddedText {
  const { host, name, tagline } = summaryOf(listing);
  return { before, host, name, tagline };
}

/** The bytes of a digest, of which there are two for each slot. */
export const DIGEST_BYTES = 8;

/** Digests, one after the other. */
export function digestsOf(contents: readonly (NodeJS.ArrayBufferView | string)[]): Uint8Array {
  const digests = new Uint8Array(DIGEST_BYTES * contents.length);
  for (const [at, content] of contents.entries()) {
    const digest = hash("sha256", content, "buffer");
    digests.set(digest.subarray(0, DIGEST_BYTES), DIGEST_BYTES * at);
  }
  return digests;
}

/** Those of some slots whose digests differ from those of a base. @param digests of these slots @param base of all */
export function slotsUnlike(
  slots: readonly number[],
  digests: Uint8Array,
  base: Uint8Array,
): number[] {
  const digestAt = (all: Uint8Array, at: number) =>
    all.subarray(DIGEST_BYTES * at, DIGEST_BYTES * (at + 1));
  return slots.filter(
    (slot, at) => Buffer.compare(digestAt(digests, at), digestAt(base, slot)) !== 0,
  );
}
