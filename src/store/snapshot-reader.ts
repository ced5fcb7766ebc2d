import { checkLists } from "../contract/figures.js";
import { formerTable } from "../contract/former.js";
import { hostHash } from "../contract/host.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { inParallel, itemAt, own } from "../contract/tables.js";
import { BadSnapshotError, reading, unlikeManifest } from "./bad-snapshot.js";
import type { ListingColumns } from "./columns/listings.js";
import type { AddedFile, Addition, Manifest, Segment, StoredFile } from "./format.js";
import {
  type AnswerRef,
  isAnswerIn,
  type ListingAnswers,
  readDirectory,
  rowOf,
  type SegmentDirectory,
  StoredAnswers,
} from "./segments/directory.js";
import {
  type OpenTable,
  openTable,
  rowsBelow,
  type StoredTerms,
  TableRoom,
} from "./segments/rows.js";
import { ByteCache, type ByteRange, type CheckedFiles } from "./source.js";
import { storedJson } from "./stored-json.js";

/*
 * The one reader of snapshots, over any source of bytes. Everything that it reads is checked against its checksum. A
 * platform gives it the files and the caches. All methods throw BadSnapshotError if a file is missing or damaged.
 */

/** Files that are read at the same time: an edge worker may have six connections. */
const READS = 6;

/** The listing of a host, by the number of its segment and its row in that segment's directory. */
export interface ListingRow {
  readonly segment: number;
  readonly row: number;
}

/** What stays in memory after it was read. */
export interface SegmentCaches {
  /** By the number of the segment. Default: all directories. */
  readonly directories?: Pick<ByteCache<number, SegmentDirectory>, "get" | "set">;
  /** The most tables. Default: none. */
  readonly tablesMax?: number;
}

/** Some segments, of one snapshot or of none yet: what requests read of them. */
export class SegmentReader {
  readonly segments: readonly Segment[];
  readonly #files: CheckedFiles;
  readonly #terms: StoredTerms;
  readonly #directories: Pick<ByteCache<number, SegmentDirectory>, "get" | "set">;
  /** By segment. */
  readonly #tables: ByteCache<number, OpenTable>;

  constructor(
    files: CheckedFiles,
    segments: readonly Segment[],
    terms: StoredTerms,
    { directories = new Map(), tablesMax = 0 }: SegmentCaches = {},
  ) {
    this.#files = files;
    this.segments = segments;
    this.#terms = terms;
    this.#directories = directories;
    this.#tables = new ByteCache(tablesMax);
  }

  /** Reads the directory of a segment, unless the cache has it. */
  async directory(segment: number): Promise<SegmentDirectory> {
    const cached = this.#directories.get(segment);
    if (cached !== undefined) return cached;
    const { pack, directory, listings, firstHash, lastHash } = this.#segment(segment);
    const { bytes: length, sha256 } = directory;
    const offset = pack.bytes - length;
    if (offset < 0) throw unlikeManifest(pack.file);
    return this.#files.once(pack.file, async () => {
      const bytes = await this.#files.part(pack.file, { offset, length }, sha256);
      const hashes = { firstHash, lastHash };
      const read = () => readDirectory(new Uint8Array(bytes), listings, offset, hashes);
      const made = reading(pack.file, read);
      this.#directories.set(segment, made, length);
      return made;
    });
  }

  async directories(): Promise<SegmentDirectory[]> {
    const all: SegmentDirectory[] = [];
    for (const segment of this.segments.keys()) all.push(await this.directory(segment));
    return all;
  }

  /**
   * Finds a host in the last segment that has it; null if none has. Reads only the directories that may have it: a full
   * build has one, later builds add small ones.
   */
  async find(host: string, hash = hostHash(host)): Promise<ListingRow | null> {
    const candidates: number[] = [];
    for (let segment = this.segments.length - 1; segment >= 0; segment -= 1) {
      const { firstHash, lastHash } = this.#segment(segment);
      if (firstHash <= hash && hash <= lastHash) candidates.push(segment);
    }
    for (let at = 0; at < candidates.length; at += READS) {
      const some = candidates.slice(at, at + READS);
      const directories = await Promise.all(some.map((segment) => this.directory(segment)));
      for (const [index, directory] of directories.entries()) {
        const row = rowOf(directory, host, hash);
        if (row >= 0) return { segment: itemAt(some, index), row };
      }
    }
    return null;
  }

  /** For each host, the JSON of its summary; undefined if it is not in search. Reads only the tables that have them. */
  async summariesOf(hosts: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    const tables = new Map<number, Promise<OpenTable>>();
    const summaries: (Uint8Array | undefined)[] = [];
    for (const host of hosts) {
      const found = await this.find(host);
      if (found === null) {
        summaries.push(undefined);
        continue;
      }
      const { segment } = found;
      const opening = tables.get(segment) ?? this.table(segment);
      tables.set(segment, opening);
      const table = await opening;
      const row = table.hosts.indexOf(host);
      const summary = () => table.rows(Uint32Array.of(row)).summary(0).slice();
      summaries.push(row < 0 ? undefined : this.readingTable(segment, summary));
    }
    return summaries;
  }

  /**
   * The rows of all segments that are in search, as columns.
   * @param pause is awaited after each segment, so that a thread that also answers requests can do so
   */
  searchRows(pause: () => Promise<unknown> = async () => {}): Promise<ListingColumns[]> {
    return this.readLive((table, live) => table.rows(live), pause);
  }

  /** Reads the rows of each table that are in search. @param pause as in `searchRows` */
  protected async readLive<T>(
    read: (table: OpenTable, live: Uint32Array) => T,
    pause: () => Promise<unknown> = async () => {},
  ): Promise<T[]> {
    const tables: OpenTable[] = [];
    const rows: T[] = [];
    const seen = new Set<string>();
    const room = new TableRoom(this.segments);
    let last = this.segments.length;
    await inParallel([...this.segments.keys()].reverse(), READS, async (segment) => {
      tables[segment] = await this.table(segment, room);
      // Which rows of a table count is known once all later tables have arrived. They are then read while other
      // tables are still on their way.
      for (let table = tables[last - 1]; table !== undefined; table = tables[last - 1]) {
        last -= 1;
        const opened = table;
        const live = rowsBelow(opened.hosts, seen);
        rows[last] = this.readingTable(last, () => read(opened, live));
        await pause();
      }
    });
    return rows;
  }

  /** @param room the bytes that the table may inflate to. Default: those of any one table */
  protected async table(segment: number, room = new TableRoom([])): Promise<OpenTable> {
    const cached = this.#tables.get(segment);
    if (cached !== undefined) return cached;
    const names = this.#segment(segment);
    return this.#files.once(names.table.file, async () => {
      const bytes = await this.#files.inflated(names.table, () => room.most);
      room.take(bytes);
      const table = reading(names.table.file, () => openTable(bytes, names, this.#terms));
      this.#tables.set(segment, table, 1);
      return table;
    });
  }

  protected readingTable<T>(segment: number, action: () => T): T {
    return reading(this.#segment(segment).table.file, action);
  }

  #segment(segment: number): Segment {
    const names = this.segments[segment];
    if (names === undefined) throw new BadSnapshotError(`there is no segment ${segment}`);
    return names;
  }
}

/** A snapshot's id and its manifest, which belong together. */
export interface SnapshotFacts {
  readonly id: string;
  readonly manifest: Manifest;
}

/** What stays in memory after it was read. */
export interface SnapshotCaches extends SegmentCaches {
  /** Bytes of public documents. Default: 0. */
  readonly documentBytes?: number;
  /** Inflated bytes of the files that extras added. Default: 0. */
  readonly addedBytes?: number;
}

/** A file that an extra added, and the bytes that it inflates to. */
export type InflatedFile = Pick<AddedFile, "file" | "bytes" | "sha256" | "length">;

/** A published snapshot. */
export class SnapshotReader {
  readonly id: string;
  readonly manifest: Manifest;
  /** The listings, as the segments store them. */
  readonly listings: SegmentReader;
  readonly #files: CheckedFiles;
  /** Both by path. */
  readonly #documents: ByteCache<string, Uint8Array>;
  readonly #added: ByteCache<string, object>;

  /** @param listings Default: read from the same files */
  constructor(
    files: CheckedFiles,
    { id, manifest }: SnapshotFacts,
    caches: SnapshotCaches = {},
    listings = new SegmentReader(files, manifest.segments, manifest.vocabulary, caches),
  ) {
    const { documentBytes = 0, addedBytes = 0 } = caches;
    this.id = id;
    this.manifest = manifest;
    this.listings = listings;
    this.#files = files;
    this.#documents = new ByteCache(documentBytes);
    this.#added = new ByteCache(addedBytes);
  }

  /** The answers about a host; undefined if it has no report. */
  async answersOf(host: string): Promise<ListingAnswers | undefined> {
    const { segments, counts } = this.manifest;
    if (segments.length === 0 && counts.reports > 0)
      throw new BadSnapshotError("the reports of this tree are its files");
    const found = await this.listings.find(host);
    if (found === null) return undefined;
    const { segment, row } = found;
    return new StoredAnswers(await this.listings.directory(segment), row, host, segment);
  }

  /** Reads the body of an answer from its segment's pack. */
  async readAnswer({ segment, offset, length, sha256 }: AnswerRef): Promise<Uint8Array> {
    const { file, bytes } = itemAt(this.manifest.segments, segment).pack;
    if (!isAnswerIn([offset, length, sha256], bytes))
      throw new BadSnapshotError(`${file} cannot have ${length} bytes at byte ${offset}`);
    return this.#files.part(file, { offset, length }, sha256);
  }

  /** What the manifest says of a public document. @throws BadSnapshotError if it names none at this path */
  document(path: string): StoredFile {
    const file = this.manifest.public.find((one) => one.file === path);
    if (file === undefined) throw new BadSnapshotError(`${this.id} has no public/${path}`);
    return file;
  }

  async readDocument(path: string): Promise<Uint8Array> {
    const cached = this.#documents.get(path);
    if (cached !== undefined) return cached;
    return this.#files.once(path, async () => {
      const bytes = await this.#files.file(this.document(path), `${this.id}/public/`);
      this.#documents.set(path, bytes, bytes.length);
      return bytes;
    });
  }

  async readStandards(): Promise<Standards> {
    const bytes = await this.readDocument(ROUTES.standards.document);
    return storedJson<{ data: Standards }>(bytes).data;
  }

  /**
   * The facts about the directory that pages show: its name and addresses, its rubric, and the ids of the checks and
   * achievements in its methodology.
   */
  async readDirectoryFacts() {
    const standards = await this.readStandards();
    const { rubric } = standards;
    const { directory, vocabulary } = this.manifest;
    const former = formerTable(vocabulary.former);
    return { ...directory, former, rubric, ...checkLists(standards) };
  }

  /** What an extra added to the snapshot; null if it added nothing. */
  addition(extra: string): Addition | null {
    return own(this.manifest.extras ?? {}, extra) ?? null;
  }

  /**
   * Reads a file that an extra added.
   * @param read makes a value of the inflated bytes, which stays in memory. @throws BadColumnsError
   */
  async readAdded<T extends object>(
    file: InflatedFile,
    read: (bytes: Uint8Array) => T,
  ): Promise<T> {
    const path = file.file;
    const cached = this.#added.get(path);
    // A file always stands for values of the same type.
    if (cached !== undefined) return cached as T;
    return this.#files.once(path, async () => {
      const bytes = await this.#files.inflated(file, () => file.length);
      const value = reading(path, () => read(bytes));
      this.#added.set(path, value, file.length);
      return value;
    });
  }

  /**
   * Reads a part of a file that an extra added.
   * @param read makes a value of its compressed bytes; null if they are damaged
   */
  async readAddedPart<T>(
    { file, bytes }: InflatedFile,
    range: ByteRange,
    read: (bytes: Uint8Array) => Promise<T | null>,
  ): Promise<T> {
    if (range.offset + range.length > bytes) throw unlikeManifest(file);
    return this.#files.partAs(file, range, read);
  }
}
