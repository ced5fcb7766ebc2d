/** The directories of a baseline: each is published twice, so that there are changes to answer with. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ListingRecord, loadRecords, type Records } from "../../test/oracle/records.js";

/**
 * Writes a former state of a directory: some listings are missing, have another tagline or an older scan, and those
 * that are withheld or removed now are still listed.
 * @returns the records of the present state
 */
export function writeFormer(published: string, folder: string): Records {
  const records = loadRecords(published);
  copyDocuments(published, folder);
  const listings = [...records.listings.values()].flatMap((listing, i) =>
    formerListing(listing, i, records),
  );
  writeRecords(folder, "listings", listings);
  writeRecords(folder, "scans", [...records.scans.values()].flat());
  return records;
}

/**
 * Writes a directory again, with another tagline for some listings.
 * @param isChanged called with the index of each listing
 * @returns the records of the directory
 */
export function writeChanged(
  published: string,
  folder: string,
  isChanged: (index: number) => boolean,
): Records {
  const records = loadRecords(published);
  copyDocuments(published, folder);
  const listings = [...records.listings.values()].map((listing, i) =>
    isChanged(i) ? { ...listing, tagline: `Another tagline of ${listing.host}` } : listing,
  );
  writeRecords(folder, "listings", listings);
  writeRecords(folder, "scans", [...records.scans.values()].flat());
  return records;
}

/** A listing as it was before, or none if it is new. */
function formerListing(listing: ListingRecord, i: number, { scans }: Records): ListingRecord[] {
  const [first, ...later] = scans.get(listing.host) ?? [];
  if (listing.visibility !== "listed") return [{ ...listing, visibility: "listed" }];
  if (i % 20 === 7) return [];
  if (i % 15 === 4) return [{ ...listing, tagline: `A former tagline of ${listing.host}` }];
  const hasOlder = first !== undefined && later.length > 0 && listing.publishedScan === null;
  return hasOlder && i % 2 === 1 ? [{ ...listing, publishedScan: first.id }] : [listing];
}

function copyDocuments(published: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ["directory.json", "standards.json", "taxonomy.json"]) {
    cpSync(join(published, file), join(folder, file));
  }
}

function writeRecords(folder: string, name: string, records: readonly unknown[]): void {
  mkdirSync(join(folder, name));
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, name, "all.ndjson"), lines.join(""));
}
