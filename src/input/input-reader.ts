import { closeSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { addTo, itemAt } from "../contract/tables.js";
import type { WarningCode } from "./checking/codes.js";
import { locatedProblems } from "./checking/positions.js";
import {
  didYouMean,
  type Finding,
  Findings,
  formatPath,
  type Problem,
  quote,
} from "./checking/problem.js";
import {
  type CheckedRecord,
  checkRecord,
  problemAt,
  type RecordChecks,
  type RecordSource,
  recordDigest,
} from "./checking/record.js";
import { type CheckingDocuments, listingChecks, scanChecks } from "./checking/rules.js";
import type { Listing, Scan } from "./checking/schemas.js";
import {
  FileError,
  openInputFile,
  readBytes,
  type SourceFile,
  wholeFile,
} from "./locating/files.js";
import { hostHint } from "./locating/locate.js";
import { pointerAt, type RecordColumns, RecordShards } from "./locating/record-columns.js";

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

/** The located records of one kind. Posting them to another thread does not copy the pointers. */
export interface LocatedRecords {
  readonly files: readonly SourceFile[];
  readonly columns: RecordColumns;
  /** In shared memory: 1 for each file that some thread could not read and has reported. */
  readonly failed: Uint8Array;
}

/** Everything that the second pass needs. It can be posted to a thread. */
export interface LocatedInput extends CheckingDocuments {
  readonly listings: LocatedRecords;
  readonly scans: LocatedRecords;
  /** Whether some files of listings were unreadable. If so, a scan without a listing is not worth a warning. */
  readonly lacksListings: boolean;
  /** The codes of the warnings that are accepted. */
  readonly accepts: readonly WarningCode[];
}

/**
 * If one host's scans take at most this many bytes together, they stay in memory. Otherwise each scan is read again
 * on demand.
 */
const HELD_BYTES = 4 * 1024 * 1024;

/** A checked record, with the facts that checks across its host's records need. */
interface HostRecord<T> {
  readonly record: number;
  readonly host: string | null;
  /** The host of a listing, the id of a scan; null if the record has none. */
  readonly key: string | null;
  /** Null if the record has problems. */
  readonly value: T | null;
  /** Returns the whole record, from memory or read again. @throws LostRecordError */
  again(): CheckedRecord<unknown>;
}

interface HostRecords {
  readonly listings: HostRecord<Listing>[];
  readonly scans: HostRecord<ScanOfListing>[];
}

/** The second pass over an input: reads the located records and checks them, shard by shard, in any thread. */
export class InputReader {
  /** What was found since the last `findings.take()`. */
  readonly findings: Findings;
  readonly #listings: RecordReader<Listing>;
  readonly #scans: RecordReader<Scan>;
  readonly #lacksListings: boolean;

  constructor(located: LocatedInput) {
    this.findings = new Findings(located.accepts);
    this.#listings = new RecordReader(located.listings, listingChecks(located), this.findings);
    this.#scans = new RecordReader(located.scans, scanChecks(located), this.findings);
    this.#lacksListings = located.lacksListings;
  }

  /**
   * Reads and checks the listings of a shard, with their scans. A listing is in the shard if the first `bits` bits of
   * its host's hash equal `shard`. Yields them sorted by hash, then by host, and holds at most one host's records at a
   * time. Leaves out a listing if it or one of its scans has a problem. A second call for a shard reports its problems
   * again.
   * @param bits 0 to 32; with 0 bits, shard 0 has every listing
   * @param hashes of the hosts to read; null for all
   */
  *readShard(
    shard: number,
    bits: number,
    hashes: ReadonlySet<number> | null = null,
  ): Generator<ListingWithScans, void> {
    const listings = this.#listings.recordsByHash(shard, bits, hashes);
    const scans = this.#scans.recordsByHash(shard, bits, hashes);
    const all = new Set([...listings.keys(), ...scans.keys()]);
    for (const hash of [...all].sort((a, b) => a - b)) {
      yield* this.#readHash(hash, listings.get(hash) ?? [], scans.get(hash) ?? []);
    }
  }

  /** Warns of the hosts' listings. @param messages by host */
  warnOfListings(code: WarningCode, messages: ReadonlyMap<string, string>): void {
    for (const record of this.#listings.recordsOf(new Set([...messages.keys()].map(hostHash)))) {
      const checked = this.#listings.read(record);
      const message = checked && messages.get(hostOf(checked) ?? "");
      if (checked === null || message == null) continue;
      this.findings.warn([problemAt(checked, "host", { code, message })]);
    }
  }

  close(): void {
    this.#listings.close();
    this.#scans.close();
  }

  /** Reads the records whose hosts share a hash. They nearly always belong to one host. */
  *#readHash(
    hash: number,
    listingRecords: readonly number[],
    scanRecords: readonly number[],
  ): Generator<ListingWithScans, void> {
    const { warnings } = this.findings;
    const before = { shown: warnings.count, accepted: this.findings.acceptedCount };
    const hosts = new Map<string, HostRecords>();
    const recordsOf = (host: string) => {
      const records = hosts.get(host) ?? { listings: [], scans: [] };
      hosts.set(host, records);
      return records;
    };
    let isComplete = true;
    for (const record of listingRecords) {
      const listing = this.#checkListing(record);
      isComplete &&= listing !== null;
      if (listing?.host != null) recordsOf(listing.host).listings.push(listing);
    }
    const holds = this.#scans.bytesOf(scanRecords) <= HELD_BYTES;
    for (const record of scanRecords) {
      const scan = this.#checkScan(record, holds);
      isComplete &&= scan !== null;
      if (scan?.host != null) recordsOf(scan.host).scans.push(scan);
    }
    // A lost record is already reported. Joining without it would also report it as missing, so skip the join.
    if (!isComplete) return;
    if (hosts.size > 1 || warnings.count > before.shown) this.findings.rereads.add(hash);
    else if (this.findings.acceptedCount > before.accepted) this.findings.acceptedRereads.add(hash);
    for (const [host, records] of [...hosts].sort(([a], [b]) => byCodeUnit(a, b))) {
      const listing = this.#joinIfThere(host, records);
      if (listing !== null) yield listing;
    }
  }

  #checkListing(record: number): HostRecord<Listing> | null {
    const checked = this.#listings.check(record);
    if (checked === null) return null;
    const host = hostOf(checked);
    return { record, host, key: host, value: checked.value, again: () => checked };
  }

  #checkScan(record: number, holds: boolean): HostRecord<ScanOfListing> | null {
    const checked = this.#scans.check(record);
    if (checked === null) return null;
    const again = holds ? always(checked) : () => this.#scans.readAgain(record);
    const host = hostOf(checked);
    return {
      record,
      host,
      key: textAt(checked, "id"),
      value: lazyScan(checked.value, again),
      again,
    };
  }

  /** Joins one host's records as `#join` does. Returns null also if a record cannot be read again. */
  #joinIfThere(host: string, records: HostRecords): ListingWithScans | null {
    try {
      return this.#join(host, records);
    } catch (error) {
      if (error instanceof LostRecordError) return null;
      throw error;
    }
  }

  /** Joins one host's records. Returns null if the listing is missing or any record has a problem. */
  #join(host: string, { listings, scans }: HostRecords): ListingWithScans | null {
    const { problems } = this.findings;
    const [listing] = listings;
    if (listing === undefined) {
      if (this.#lacksListings) return null;
      const message = `is left out: there is no listing for ${quote(host)}`;
      const said = { code: "scan-without-listing", message } as const;
      for (const { again } of scans) this.findings.warn([problemAt(again(), null, said)]);
      return null;
    }
    const conflicts = [
      ...repeats(listings, "host"),
      ...repeats(scans, "id"),
      ...listings.flatMap((one) => lostPin(one, scans) ?? []),
    ];
    problems.add(conflicts);
    const values = scans.flatMap(({ value }) => value ?? []);
    if (conflicts.length > 0 || listing.value === null || values.length < scans.length) return null;
    return { listing: listing.value, scans: values.sort((a, b) => byCodeUnit(a.id, b.id)) };
  }
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

/** A problem for each record whose host or id repeats that of an earlier record. */
function repeats(records: readonly HostRecord<unknown>[], name: "host" | "id"): Problem[] {
  const code = name === "host" ? "host-repeated" : "id-repeated";
  const first = new Map<string, HostRecord<unknown>>();
  return records.flatMap((record) => {
    const { key } = record;
    if (key === null) return [];
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, record);
      return [];
    }
    const { file, line, column } = problemAt(earlier.again(), name, { code, message: "" });
    const message = `found ${quote(key)} a second time; the first is at ${file}:${line}:${column}`;
    return [problemAt(record.again(), name, { code, message })];
  });
}

/** The problem of a `publishedScan` that is not the id of one of the listing's scans; null if there is none. */
function lostPin(
  { again }: HostRecord<Listing>,
  scans: readonly HostRecord<ScanOfListing>[],
): Problem | null {
  const listing = again();
  const pin = textAt(listing, "publishedScan");
  const ids = scans.map(({ key }) => key);
  // A scan whose id is unreadable may be the pinned one.
  if (pin === null || ids.includes(pin) || ids.includes(null)) return null;
  if (listing.problems.some(({ path }) => path === "$.publishedScan")) return null;
  const hint = didYouMean(
    pin,
    ids.filter((id) => id !== null),
  );
  const message = `found ${quote(pin)}, expected the id of one of the listing's scans${hint}`;
  return problemAt(listing, "publishedScan", { code: "pinned-scan-unknown", message });
}

/** The host of a record; null if it names none. */
function hostOf({ parsed, source }: CheckedRecord<unknown>): string | null {
  if (parsed === null) return hostHint(source.bytes);
  return typeof parsed.host === "string" ? parsed.host : null;
}

function textAt({ parsed }: CheckedRecord<unknown>, key: string): string | null {
  const text = parsed?.[key];
  return typeof text === "string" ? text : null;
}

/** How many files of a kind stay open between records; far below any system's limit. */
const OPEN_FILES = 32;

/**
 * How many notices of a kind get their exact positions, which takes longer than all checks of a record. Others are
 * placed at the beginning of their record.
 */
const NOTICES_PLACED = 1_000;

/** Reads the located records of one kind, and detects files that have changed since. */
export class RecordReader<T> {
  readonly #located: LocatedRecords;
  readonly #checks: RecordChecks<T>;
  readonly #findings: Findings;
  /** Descriptors by file number. */
  readonly #open = new LRUCache<number, number>({
    max: OPEN_FILES,
    dispose: (descriptor) => closeSync(descriptor),
  });
  #shards: RecordShards | null = null;
  #noticesPlaced = 0;

  constructor(located: LocatedRecords, checks: RecordChecks<T>, findings: Findings) {
    this.#located = located;
    this.#checks = checks;
    this.#findings = findings;
  }

  /**
   * A shard's record numbers, grouped by the hash of their host. Each group is in the order of files and lines.
   * @param wanted the hashes of the groups; null for all
   */
  recordsByHash(
    shard: number,
    bits: number,
    wanted: ReadonlySet<number> | null,
  ): Map<number, number[]> {
    const { columns } = this.#located;
    if (this.#shards?.bits !== bits) this.#shards = new RecordShards(columns, bits);
    const groups = new Map<number, number[]>();
    for (const record of this.#shards.recordsOf(shard)) {
      const hash = columns.hostHash[record]!;
      if (wanted?.has(hash) !== false) addTo(groups, hash, record);
    }
    return groups;
  }

  /** The numbers of the records of hosts with these hashes, ascending. */
  recordsOf(hashes: ReadonlySet<number>): number[] {
    if (hashes.size === 0) return [];
    const { count, hostHash } = this.#located.columns;
    const records: number[] = [];
    for (let record = 0; record < count; record += 1) {
      if (hashes.has(hostHash[record]!)) records.push(record);
    }
    return records;
  }

  /** How many bytes these records take together. */
  bytesOf(records: readonly number[]): number {
    const { length } = this.#located.columns;
    return records.reduce((sum, record) => sum + length[record]!, 0);
  }

  /** Reads and checks a record, and reports its problems and notices. */
  check(record: number): CheckedRecord<T> | null {
    const checked = this.read(record);
    if (checked === null) return null;
    this.#findings.problems.add(checked.problems);
    const notices = this.#findings.notAccepted(checked.notices);
    if (notices.length > 0) this.#findings.warnings.add(this.#placed(checked.source, notices));
    return checked;
  }

  /** Reads and checks a record. Returns null and reports a problem if it cannot be read again. */
  read(record: number): CheckedRecord<T> | null {
    const source = this.#source(record);
    return source === null ? null : checkRecord(this.#checks, source);
  }

  /** @throws LostRecordError */
  readAgain(record: number): CheckedRecord<T> {
    const checked = this.read(record);
    if (checked === null) throw new LostRecordError("a record cannot be read again");
    return checked;
  }

  close(): void {
    this.#open.clear();
  }

  /** A record's bytes; null if its file is unreadable or has changed since the record was located. */
  #source(record: number): RecordSource | null {
    const { files, columns, failed } = this.#located;
    const { file, offset, length, line, digest } = pointerAt(columns, record);
    const { name } = itemAt(files, file);
    try {
      const bytes = Buffer.allocUnsafe(length);
      const filled = readBytes(this.#descriptor(file), bytes, offset);
      const found = recordDigest(name, bytes);
      if (filled === length && digest.every((word, at) => word === found[at])) {
        return { file: name, line, bytes };
      }
      throw new FileError(
        "changed while it was being read; run again once it is completely written",
        "file-changed",
      );
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // Each file is reported once.
      if (Atomics.exchange(failed, file, 1) === 0) {
        this.#findings.problems.add([wholeFile(name, error)]);
      }
      return null;
    }
  }

  #descriptor(file: number): number {
    const open = this.#open.get(file);
    if (open !== undefined) return open;
    const { fd } = openInputFile(itemAt(this.#located.files, file).path);
    this.#open.set(file, fd);
    return fd;
  }

  #placed({ file, line, bytes }: RecordSource, notices: readonly Finding[]): Problem[] {
    this.#noticesPlaced += notices.length;
    if (this.#noticesPlaced <= NOTICES_PLACED) {
      return locatedProblems(file, line, bytes.toString(), notices);
    }
    return notices.map((notice) => {
      return { ...wholeFile(file, notice), line, path: formatPath(notice.path) };
    });
  }
}
