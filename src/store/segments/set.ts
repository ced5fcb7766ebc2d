import { closeSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { SiteSummary } from "../../contract/listing.js";
import { instantKey } from "../../contract/order.js";
import { fillSync, openRegularSync, readRegularSync } from "../../files/regular.js";
import { BadSnapshotError, unlikeManifest } from "../bad-snapshot.js";
import type { ListingColumns } from "../columns/listings.js";
import { textAt } from "../columns/texts.js";
import { gunzip } from "../compression.js";
import type { ListingEntry, Segment } from "../format.js";
import { sha256 } from "../layout.js";
import { storedJson } from "../stored-json.js";
import { rowOf, type StoredAnswers } from "./answer-table.js";
import {
  answerLocation,
  contentAt,
  type DirectoryEntry,
  directoryHosts,
  type ListingScans,
  readDirectory,
  type SegmentDirectory,
} from "./directory.js";
import type { StoredTerms } from "./rows.js";
import { checking, liveRows, type OpenTable, openTable, TableRoom } from "./table.js";

/** The listing of a host, by the number of its segment and its row in that segment's directory. */
export interface ListingRow {
  readonly segment: number;
  readonly row: number;
}

/** The most tables in memory: one of a full build, and the small ones of later builds. */
const TABLES_MAX = 20;

/**
 * The segments of a snapshot in a store's folder. Every read is checked against its checksum, and blocks the thread: a
 * directory or a table takes milliseconds. All methods throw BadSnapshotError if a file is missing or damaged.
 */
export class StoredSegments {
  readonly segments: readonly Segment[];
  readonly #store: string;
  readonly #terms: StoredTerms;
  readonly #directories: (SegmentDirectory | undefined)[] = [];
  /** By segment. Several, as listings are often read in an order that alternates between tables. */
  readonly #tables = new LRUCache<number, OpenTable>({ max: TABLES_MAX });
  #live: readonly Uint32Array[] | null = null;

  constructor(store: string, segments: readonly Segment[], terms: StoredTerms) {
    this.#store = store;
    this.segments = segments;
    this.#terms = terms;
  }

  directory(segment: number): SegmentDirectory {
    const known = this.#directories[segment];
    if (known !== undefined) return known;
    const made = readStoredDirectory(this.#store, this.#segment(segment));
    this.#directories[segment] = made;
    return made;
  }

  /** By segment, the rows of its directory that no later segment replaces. */
  get live(): readonly Uint32Array[] {
    this.#live ??= liveRows(
      this.segments.map((_, segment) => directoryHosts(this.directory(segment))),
    );
    return this.#live;
  }

  /** The hosts of all live listings. */
  *hosts(): Generator<string> {
    for (const [segment, rows] of this.live.entries()) {
      const { hosts } = this.directory(segment);
      for (const row of rows) yield textAt(hosts, row);
    }
  }

  /** Finds a host's listing; null if it has none. Reads only the directories that may have it. */
  find(host: string, hash: number): ListingRow | null {
    for (let segment = this.segments.length - 1; segment >= 0; segment -= 1) {
      const { firstHash, lastHash } = this.#segment(segment);
      if (hash < firstHash || hash > lastHash) continue;
      const row = rowOf(this.directory(segment), host, hash);
      if (row >= 0) return { segment, row };
    }
    return null;
  }

  /**
   * The listings of a segment.
   * @param rows of its directory. Default: the live ones
   */
  entries(segment: number, rows?: Uint32Array): DirectoryEntry[] {
    const wanted = rows ?? this.live[segment] ?? new Uint32Array(0);
    const entries = this.entriesWithoutSearch(segment, wanted);
    const hosts = entries.map(({ host }) => host);
    const searches = this.#searches(segment, hosts);
    return entries.map((entry) => ({ ...entry, search: searches.get(entry.host) ?? null }));
  }

  /** Listings of a segment without what the search knows about them: reads no table. @param rows of its directory */
  entriesWithoutSearch(segment: number, rows: Uint32Array): DirectoryEntry[] {
    const directory = this.directory(segment);
    return Array.from(rows, (row) => {
      const scans: ListingScans = storedJson(textAt(directory.scans, row));
      return {
        host: textAt(directory.hosts, row),
        search: null,
        report: answerLocation(directory, row, 0),
        enrichment: answerLocation(directory, row, 1),
        content: contentAt(directory, row),
        ...scans,
      };
    });
  }

  /** The search data of those hosts that are in a segment's table. */
  #searches(
    segment: number,
    hosts: readonly string[],
  ): Map<string, NonNullable<ListingEntry["search"]>> {
    const names = this.#segment(segment);
    return checking(names.table.file, () => {
      const table = this.#table(segment);
      const rowsByHost = new Map(table.hosts.map((host, row) => [host, row]));
      const found = hosts.filter((host) => rowsByHost.has(host));
      const rows = Uint32Array.from(found, (host) => rowsByHost.get(host)!);
      const columns = table.rows(rows);
      return new Map(
        found.map((host, at) => {
          const summary: SiteSummary = storedJson(columns.summary(at));
          const { latestScannedAt } = summary;
          return [host, { summary, recent: latestScannedAt ? instantKey(latestScannedAt) : "" }];
        }),
      );
    });
  }

  /** The rows of all segments that are in search, as columns. */
  searchRows(): ListingColumns[] {
    const tables = readTables(this.#store, this.segments, this.#terms);
    const live = liveRows(tables.map(({ hosts }) => hosts));
    return tables.map((table, segment) =>
      checking(this.#segment(segment).table.file, () => table.rows(live[segment]!)),
    );
  }

  #table(segment: number): OpenTable {
    const known = this.#tables.get(segment);
    const table = known ?? readStoredTable(this.#store, this.#segment(segment), this.#terms);
    this.#tables.set(segment, table);
    return table;
  }

  #segment(segment: number): Segment {
    const names = this.segments[segment];
    if (names === undefined) throw new BadSnapshotError(`there is no segment ${segment}`);
    return names;
  }
}

/** Reads and checks the directory at the end of a segment's pack. */
function readStoredDirectory(
  store: string,
  { pack, directory, listings, firstHash, lastHash }: Segment,
): SegmentDirectory {
  return checking(pack.file, () => {
    const { descriptor, size } = openRegularSync(join(store, pack.file));
    try {
      const start = pack.bytes - directory.bytes;
      if (size !== pack.bytes || start < 0) throw unlikeManifest(pack.file);
      const bytes = new Uint8Array(directory.bytes);
      fillSync(descriptor, bytes, start);
      if (sha256(bytes) !== directory.sha256) throw unlikeManifest(pack.file);
      const read = readDirectory(bytes, listings, start);
      // Readers look for a host only in the segments whose range has its hash.
      const isCovered = read.hashes.every((hash) => firstHash <= hash && hash <= lastHash);
      if (!isCovered) throw unlikeManifest(pack.file);
      return read;
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Reads the directories of all segments. @throws BadSnapshotError */
export function readAnswers(store: string, segments: readonly Segment[]): StoredAnswers {
  const directories = segments.map((segment) => readStoredDirectory(store, segment));
  const live = liveRows(directories.map(directoryHosts));
  return { directories, size: live.reduce((sum, { length }) => sum + length, 0) };
}

/** Reads and checks a segment's table. @param room the bytes that it may inflate to. Default: those of any one table */
export function readStoredTable(
  store: string,
  segment: Segment,
  terms: StoredTerms,
  room = new TableRoom([]),
): OpenTable {
  const { file, bytes, sha256: hash } = segment.table;
  return checking(file, () => {
    const read = readRegularSync(join(store, file));
    if (read.length !== bytes || sha256(read) !== hash) throw unlikeManifest(file);
    const inflated = gunzip(read, room.most);
    room.take(inflated);
    return openTable(inflated, segment, terms);
  });
}

/** Reads the tables of all segments, which stay in memory together. */
export function readTables(
  store: string,
  segments: readonly Segment[],
  terms: StoredTerms,
): OpenTable[] {
  const room = new TableRoom(segments);
  return segments.map((segment) => readStoredTable(store, segment, terms, room));
}
