import { byCodeUnit } from "../contract/order.js";
import { quote } from "./finding.js";
import { didYouMean } from "./nearest.js";
import type { ProblemList } from "./problem.js";
import { type CheckedRecord, placeOf } from "./record.js";
import { hostOf, type Member, type RecordSet } from "./record-set.js";
import type { Listing, Scan } from "./schemas.js";

/** A listing with all its scans, free of problems. */
export interface PublishedListing {
  readonly listing: Listing;
  /** In the order of their ids, by code unit. */
  readonly scans: readonly Scan[];
}

/** What the second pass reads from and tells to. */
export interface RecordSets {
  readonly listings: RecordSet<Listing>;
  readonly scans: RecordSet<Scan>;
  readonly warnings: ProblemList;
}

interface HostRecords {
  readonly listings: Member<Listing>[];
  readonly scans: Member<Scan>[];
}

/**
 * The second pass over one bucket: reads and checks its records, and yields its listings in the order of
 * their hosts' hashes, then of their hosts. One host's records are in memory at a time.
 * @param leavesOut is asked of each hash in turn; where it says so, records of that hash are not read
 */
export function* readListings(
  sets: RecordSets,
  bucket: number,
  bits: number,
  leavesOut: (hash: number) => boolean = () => false,
): Generator<PublishedListing, void> {
  const listings = sets.listings.groupsOf(bucket, bits);
  const scans = sets.scans.groupsOf(bucket, bits);
  const hashes = new Set([...listings.keys(), ...scans.keys()]);
  for (const hash of [...hashes].sort((a, b) => a - b)) {
    if (leavesOut(hash)) continue;
    yield* readGroup(sets, listings.get(hash) ?? [], scans.get(hash) ?? []);
  }
}

/** Records whose hosts have the same hash: nearly always those of one host. */
function* readGroup(
  sets: RecordSets,
  listingRecords: readonly number[],
  scanRecords: readonly number[],
): Generator<PublishedListing, void> {
  const listings = checkAll(sets.listings, listingRecords);
  const scans = checkAll(sets.scans, scanRecords);
  // What could not be read again has been told; what it would have been is not to be missed too.
  if (listings.length === listingRecords.length && scans.length === scanRecords.length) {
    const hosts = new Map<string, HostRecords>();
    for (const member of listings) recordsOfHost(hosts, member)?.listings.push(member);
    for (const member of scans) recordsOfHost(hosts, member)?.scans.push(member);
    for (const [host, records] of [...hosts].sort(([a], [b]) => byCodeUnit(a, b))) {
      const listing = joinHost(sets, host, records);
      if (listing !== null) yield listing;
    }
  }
  sets.listings.settle(listingRecords);
  sets.scans.settle(scanRecords);
}

function checkAll<T>(set: RecordSet<T>, records: readonly number[]): Member<T>[] {
  return records.flatMap((record) => set.check(record) ?? []);
}

function recordsOfHost(
  hosts: Map<string, HostRecords>,
  member: Member<unknown>,
): HostRecords | undefined {
  const host = hostOf(member);
  if (host === null) return undefined;
  const records = hosts.get(host) ?? { listings: [], scans: [] };
  hosts.set(host, records);
  return records;
}

/** Joins one host's records; null where there is no listing, or a problem with any of them. */
function joinHost(
  sets: RecordSets,
  host: string,
  { listings, scans }: HostRecords,
): PublishedListing | null {
  const [listing] = listings;
  if (listing === undefined) {
    for (const scan of scans) {
      const message = `is left out: there is no listing of ${quote(host)}`;
      sets.scans.tell(scan.record, [placeOf(scan, null, message)], sets.warnings);
    }
    return null;
  }
  const single = tellRepeats(sets.listings, listings, "host");
  const distinct = tellRepeats(sets.scans, scans, "id");
  const pinned = listings.filter((member) => tellLostPin(sets, member, scans)).length === 0;
  const values = scans.flatMap(({ value }) => value ?? []);
  if (!single || !distinct || !pinned) return null;
  if (listing.value === null || values.length < scans.length) return null;
  return {
    listing: listing.value,
    scans: values.sort((a, b) => byCodeUnit(a.id, b.id)),
  };
}

/** Tells of records that have the same text under a key as an earlier one. Whether there are none. */
function tellRepeats<T>(set: RecordSet<T>, members: readonly Member<T>[], key: string): boolean {
  const first = new Map<string, Member<T>>();
  let distinct = true;
  for (const member of members) {
    const id = key === "host" ? hostOf(member) : textOf(member, key);
    if (id === null) continue;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, member);
      continue;
    }
    distinct = false;
    const { file, line, column } = placeOf(earlier, key, "");
    const message = `found ${quote(id)} a second time, it is at ${file}:${line}:${column} already`;
    set.tell(member.record, [placeOf(member, key, message)]);
  }
  return distinct;
}

/** Tells of a `publishedScan` that none of the listing's scans is. Whether it is so. */
function tellLostPin(
  sets: RecordSets,
  listing: Member<Listing>,
  scans: readonly Member<Scan>[],
): boolean {
  const pin = textOf(listing, "publishedScan");
  const ids = scans.map((scan) => textOf(scan, "id"));
  // A scan of which not even the id can be read may be the one.
  if (pin === null || ids.includes(pin) || ids.includes(null)) return false;
  if (listing.problems.some(({ path }) => path === "$.publishedScan")) return false;
  const known = ids.filter((id) => id !== null);
  const message = `found ${quote(pin)}, expected the id of one of the listing's scans${didYouMean(pin, known)}`;
  sets.listings.tell(listing.record, [placeOf(listing, "publishedScan", message)]);
  return true;
}

function textOf({ parsed }: CheckedRecord<unknown>, key: string): string | null {
  const text = parsed?.[key];
  return typeof text === "string" ? text : null;
}
