import { byCodeUnit } from "../contract/order.js";
import { didYouMean, quote } from "./checking/problem.js";
import { type CheckedRecord, problemAt } from "./checking/record.js";
import type { Listing, Scan } from "./checking/schemas.js";
import { hostOf, type RecordSet } from "./record-set.js";

/** A listing with all its scans, none of which has a problem. */
export interface ListingWithScans {
  readonly listing: Listing;
  /** Sorted by id, by code unit. */
  readonly scans: readonly ScanOfListing[];
}

/** The fields of a scan that stay in memory even if the whole scan does not. */
export interface ScanOfListing
  extends Pick<Scan, "id" | "finishedAt" | "score" | "band" | "scoreVersion"> {
  /** Returns the whole scan; may read its record from disk again. @throws LostRecordError */
  read(): Scan;
}

/** A record was located but cannot be read again. The problem of its file is already reported. */
export class LostRecordError extends Error {
  override readonly name = "LostRecordError";
}

/** What the second pass reads. */
export interface RecordSets {
  readonly listings: RecordSet<Listing>;
  readonly scans: RecordSet<Scan>;
  /** Whether some files of listings were unreadable. If so, a scan without a listing is not an error. */
  readonly lacksListings: boolean;
  /** Collects hashes that more than one host has, and those of hosts with notices: the next build reads them again. */
  readonly rereads: Set<number>;
}

/**
 * If one host's scans take at most this many bytes together, they stay in memory. Otherwise each scan is read again
 * on demand.
 */
const HELD_BYTES = 4 * 1024 * 1024;

/** A checked record, with the facts that checks across its host's records need. */
interface Checked<T> {
  readonly record: number;
  readonly host: string | null;
  /** The host of a listing, the id of a scan; null if the record has none. */
  readonly key: string | null;
  /** Null if the record has problems. */
  readonly value: T | null;
  readonly hasNotices: boolean;
  /** Returns the whole record, from memory or read again. @throws LostRecordError */
  again(): CheckedRecord<unknown>;
}

interface HostRecords {
  readonly listings: Checked<Listing>[];
  readonly scans: Checked<ScanOfListing>[];
}

/**
 * The second pass over one part: reads and checks its records. Yields its listings sorted by the hash of
 * their host, then by host. Holds at most one host's records in memory at a time.
 * @param reads hashes of the hosts to read; null for all
 */
export function* readPartListings(
  sets: RecordSets,
  part: number,
  bits: number,
  reads: ReadonlySet<number> | null = null,
): Generator<ListingWithScans, void> {
  const listings = sets.listings.groupsOf(part, bits, reads);
  const scans = sets.scans.groupsOf(part, bits, reads);
  const hashes = new Set([...listings.keys(), ...scans.keys()]);
  for (const hash of [...hashes].sort((a, b) => a - b)) {
    yield* readGroup(sets, hash, listings.get(hash) ?? [], scans.get(hash) ?? []);
  }
}

/** Reads the records whose hosts share a hash. They nearly always belong to one host. */
function* readGroup(
  sets: RecordSets,
  hash: number,
  listingRecords: readonly number[],
  scanRecords: readonly number[],
): Generator<ListingWithScans, void> {
  const listings = listingRecords.flatMap((record) => checkListing(sets, record) ?? []);
  const holds = sets.scans.bytesOf(scanRecords) <= HELD_BYTES;
  const scans = scanRecords.flatMap((record) => checkScan(sets, record, holds) ?? []);
  // A lost record is already reported. Joining without it would also report it as missing, so skip the join.
  if (listings.length === listingRecords.length && scans.length === scanRecords.length) {
    const hosts = new Map<string, HostRecords>();
    for (const member of listings) recordsOfHost(hosts, member)?.listings.push(member);
    for (const member of scans) recordsOfHost(hosts, member)?.scans.push(member);
    const isNoticed = [...listings, ...scans].some(({ hasNotices }) => hasNotices);
    if (hosts.size > 1 || isNoticed) sets.rereads.add(hash);
    for (const [host, records] of [...hosts].sort(([a], [b]) => byCodeUnit(a, b))) {
      const listing = joinIfThere(sets, host, records);
      if (listing !== null) yield listing;
    }
  }
  sets.listings.settle(listingRecords);
  sets.scans.settle(scanRecords);
}

function checkListing({ listings }: RecordSets, record: number): Checked<Listing> | null {
  const checked = listings.check(record);
  if (checked === null) return null;
  const { value, notices } = checked;
  const host = hostOf(checked);
  const hasNotices = notices.length > 0;
  return { record, host, key: host, value, hasNotices, again: () => checked };
}

function checkScan(
  { scans }: RecordSets,
  record: number,
  holds: boolean,
): Checked<ScanOfListing> | null {
  const checked = scans.check(record);
  if (checked === null) return null;
  const again = holds ? always(checked) : () => rereadScan(scans, record);
  const host = hostOf(checked);
  const [key, value] = [recordText(checked, "id"), lazyScan(checked.value, again)];
  return { record, host, key, value, hasNotices: checked.notices.length > 0, again };
}

/** A separate function, because a closure retains every variable of the scope that it is made in. */
function always<T>(held: T): () => T {
  return () => held;
}

function lazyScan(scan: Scan | null, again: () => CheckedRecord<Scan>): ScanOfListing | null {
  if (scan === null) return null;
  const { id, finishedAt, score, band, scoreVersion } = scan;
  return { id, finishedAt, score, band, scoreVersion, read: () => again().value! };
}

function rereadScan<T>(set: RecordSet<T>, record: number): CheckedRecord<T> {
  const checked = set.read(record);
  if (checked === null) throw new LostRecordError("a record cannot be read again");
  return checked;
}

function recordsOfHost(
  hosts: Map<string, HostRecords>,
  { host }: Checked<unknown>,
): HostRecords | undefined {
  if (host === null) return undefined;
  const records = hosts.get(host) ?? { listings: [], scans: [] };
  hosts.set(host, records);
  return records;
}

/** Joins one host's records as `joinHost` does. Returns null also if a record cannot be read again. */
function joinIfThere(
  sets: RecordSets,
  host: string,
  records: HostRecords,
): ListingWithScans | null {
  try {
    return joinHost(sets, host, records);
  } catch (error) {
    if (error instanceof LostRecordError) return null;
    throw error;
  }
}

/** Joins one host's records. Returns null if the listing is missing or any record has a problem. */
function joinHost(
  sets: RecordSets,
  host: string,
  { listings, scans }: HostRecords,
): ListingWithScans | null {
  const [listing] = listings;
  if (listing === undefined) {
    if (sets.lacksListings) return null;
    for (const { record, again } of scans) {
      const message = `is left out: there is no listing for ${quote(host)}`;
      sets.scans.warn(record, [problemAt(again(), null, message)]);
    }
    return null;
  }
  const single = reportRepeats(sets.listings, listings, "host");
  const distinct = reportRepeats(sets.scans, scans, "id");
  const pinned = listings.filter((member) => reportLostPin(sets, member, scans)).length === 0;
  const values = scans.flatMap(({ value }) => value ?? []);
  if (!single || !distinct || !pinned) return null;
  if (listing.value === null || values.length < scans.length) return null;
  return {
    listing: listing.value,
    scans: values.sort((a, b) => byCodeUnit(a.id, b.id)),
  };
}

/** Reports each record whose host or id repeats that of an earlier record. Returns whether all are distinct. */
function reportRepeats<T>(
  set: RecordSet<T>,
  members: readonly Checked<unknown>[],
  name: "host" | "id",
): boolean {
  const first = new Map<string, Checked<unknown>>();
  let distinct = true;
  for (const member of members) {
    const { key } = member;
    if (key === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, member);
      continue;
    }
    distinct = false;
    const { file, line, column } = problemAt(earlier.again(), name, "");
    const message = `found ${quote(key)} a second time; the first is at ${file}:${line}:${column}`;
    set.report(member.record, [problemAt(member.again(), name, message)]);
  }
  return distinct;
}

/** Reports a `publishedScan` that is not the id of one of the listing's scans. Returns whether it did so. */
function reportLostPin(
  sets: RecordSets,
  { record, again }: Checked<Listing>,
  scans: readonly Checked<ScanOfListing>[],
): boolean {
  const listing = again();
  const pin = recordText(listing, "publishedScan");
  const ids = scans.map(({ key }) => key);
  // A scan whose id is unreadable may be the pinned one.
  if (pin === null || ids.includes(pin) || ids.includes(null)) return false;
  if (listing.problems.some(({ path }) => path === "$.publishedScan")) return false;
  const known = ids.filter((id) => id !== null);
  const message = `found ${quote(pin)}, expected the id of one of the listing's scans${didYouMean(pin, known)}`;
  sets.listings.report(record, [problemAt(listing, "publishedScan", message)]);
  return true;
}

function recordText({ parsed }: CheckedRecord<unknown>, key: string): string | null {
  const text = parsed?.[key];
  return typeof text === "string" ? text : null;
}
