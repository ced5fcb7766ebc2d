import { checkLists } from "../../contract/figures.js";
import { hostHash } from "../../contract/host.js";
import { ROUTES } from "../../contract/routes.js";
import type { Standards } from "../../contract/standards.js";
import { inParallel, itemAt } from "../../contract/tables.js";
import type { AnswerEngine, Engine } from "../../engine/answering.js";
import { openScanningEngine } from "../../engine/engine.js";
import {
  BadSnapshotError,
  MalformedSnapshotError,
  unlikeManifest,
} from "../../store/bad-snapshot.js";
import {
  changesIn,
  inflatedBytes,
  type LoggedChange,
  publicationsUpTo,
} from "../../store/change-log.js";
import type { ListingColumns } from "../../store/columns/listings.js";
import type { ChangesFile, History, Manifest, Segment, StoredFile } from "../../store/format.js";
import {
  type AnswerPlace,
  AnswersAt,
  type PlacedAnswers,
  rowOf,
} from "../../store/segments/answer-table.js";
import { readDirectory, type SegmentDirectory } from "../../store/segments/directory.js";
import {
  checking,
  namedError,
  type OpenTable,
  openTable,
  rowsBelow,
  TableRoom,
} from "../../store/segments/table.js";
import { ByteCache, type ByteSource, CheckedFiles } from "../../store/source.js";
import { storedJson } from "../../store/stored-json.js";
import type { DocumentFacts, SnapshotView } from "../answer/content.js";

/** Files that are read at the same time: an edge worker may have six connections. */
const READS = 6;

/** Bytes of the lines of changes in memory. */
const CHANGES_CACHE = 5 * 1024 * 1024;

/** The members of a manifest that a snapshot is read from. */
export type ReadManifest = Pick<
  Manifest,
  "content" | "directory" | "counts" | "vocabulary" | "segments" | "public" | "history"
>;

/** A snapshot's id and its manifest, which belong together. */
export interface SnapshotFacts {
  readonly id: string;
  readonly manifest: ReadManifest;
}

/** The functions that differ between platforms. */
export interface SnapshotPlatform {
  /** The sha256 of bytes in hex. */
  sha256(bytes: Uint8Array): Promise<string>;
  /** Inflates a file. @param most the most bytes that it may become @throws BadColumnsError */
  gunzip(bytes: Uint8Array, most: number): Promise<Uint8Array>;
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
  /** The time, in milliseconds since 1970. */
  now(): number;
  readonly makeDump?: SnapshotView["makeDump"];
}

export interface SnapshotOptions {
  readonly platform: SnapshotPlatform;
  /** Bytes of directories and documents that stay in memory. */
  readonly cacheBytes: number;
  /**
   * Whether the tables are read only when a request needs them: all of them for a search, one for a report. Otherwise
   * a snapshot reads all of them before it answers.
   */
  readonly isLazy?: boolean;
  /** An engine that was made before. Default: one made from the tables, without postings, which scans all texts. */
  readonly engine?: Engine;
  /** Directories that were read before, by the number of their segments. */
  readonly directories?: ByteCache<number, SegmentDirectory>;
}

/** A published snapshot, read from any source of bytes. Everything that is read is checked by its sha256. */
export class Snapshot implements SnapshotView {
  readonly id: string;
  readonly content: string;
  readonly sha256Of: SnapshotView["sha256Of"];
  readonly makeDump: SnapshotView["makeDump"];
  readonly during: SnapshotView["during"];
  readonly pause: SnapshotView["pause"];
  readonly now: SnapshotView["now"];
  readonly directory: SnapshotView["directory"];
  readonly listingCount: number;
  readonly history: History;
  readonly #facts: SnapshotFacts;
  readonly #files: CheckedFiles;
  readonly #platform: SnapshotPlatform;
  #engine: Promise<Engine> | null = null;
  /** By segment. */
  readonly #directories: ByteCache<number, SegmentDirectory>;
  /** By path. */
  readonly #documents: ByteCache<string, Uint8Array>;
  /** By path: a feed and each page of the changes read the same files. */
  readonly #changeFiles = new ByteCache<string, readonly LoggedChange[]>(CHANGES_CACHE);
  /** The files that are being read: requests that come meanwhile share them. */
  readonly #reading = new Map<string, Promise<unknown>>();
  /** By path, why files were refused that have the right bytes. They are not read again. */
  readonly #refused = new Map<string, MalformedSnapshotError>();

  private constructor(
    facts: SnapshotFacts,
    files: CheckedFiles,
    standards: Standards,
    { platform, cacheBytes, engine, directories }: SnapshotOptions,
  ) {
    const { manifest } = facts;
    this.id = facts.id;
    this.content = manifest.content;
    this.sha256Of = (bytes) => platform.sha256(bytes);
    this.makeDump = platform.makeDump;
    this.pause = () => platform.pause();
    this.now = () => platform.now();
    this.#facts = facts;
    this.#files = files;
    this.#platform = platform;
    this.#directories = directories ?? new ByteCache((3 * cacheBytes) / 4);
    this.#documents = new ByteCache(cacheBytes / 4);
    const { rubric } = standards;
    this.directory = { ...manifest.directory, rubric, ...checkLists(standards) };
    this.listingCount = manifest.counts.reports;
    this.history = publicationsUpTo(manifest);
    if (engine !== undefined) this.#engine = Promise.resolve(engine);
    const during = engine?.during;
    this.during = during && ((leaving) => answerView(this, during.call(engine, leaving)));
  }

  /**
   * Reads what every request needs; unless `isLazy` is set, also what a search needs.
   * @throws BadSnapshotError if a file is missing, damaged or inconsistent
   */
  static async open(
    source: ByteSource,
    facts: SnapshotFacts,
    options: SnapshotOptions,
  ): Promise<Snapshot> {
    const files = new CheckedFiles(source, options.platform.sha256);
    const file = documentOf(facts, ROUTES.standards.document);
    const bytes = await files.file(file, `${facts.id}/public/`);
    const { data }: { readonly data: Standards } = storedJson(bytes);
    const snapshot = new Snapshot(facts, files, data, options);
    if (!options.isLazy) await snapshot.engine;
    return snapshot;
  }

  /** Whether the engine was asked for. */
  get isSearched(): boolean {
    return this.#engine !== null;
  }

  get engine(): Promise<Engine> {
    this.#engine ??= this.#makeEngine().catch((error: unknown) => {
      // The next search tries again, unless the files are as they should be and yet of no use.
      if (!(error instanceof MalformedSnapshotError)) this.#engine = null;
      throw error;
    });
    return this.#engine;
  }

  async #makeEngine(): Promise<Engine> {
    const { segments, vocabulary, counts } = this.#facts.manifest;
    const tables: OpenTable[] = [];
    const rows: ListingColumns[] = [];
    const seen = new Set<string>();
    const room = new TableRoom(segments);
    let last = segments.length;
    await inParallel([...segments.keys()].reverse(), READS, async (segment) => {
      tables[segment] = await this.#table(itemAt(segments, segment), room);
      // Which rows of a table count is known once all later tables have arrived. They are then read while other
      // tables are still on their way.
      for (let table = tables[last - 1]; table !== undefined; table = tables[last - 1]) {
        last -= 1;
        const { file } = itemAt(segments, last).table;
        rows[last] = checking(file, () => table.rows(rowsBelow(table.hosts, seen)));
      }
    });
    if (rows.reduce((sum, { size }) => sum + size, 0) !== counts.searchable) {
      throw unlikeCounts(this.id);
    }
    return openScanningEngine(rows, vocabulary);
  }

  /**
   * Reads a table.
   * @param room the bytes that it may inflate to. Default: those of any one table
   * @throws BadSnapshotError
   */
  #table(segment: Segment, room = new TableRoom([])): Promise<OpenTable> {
    const { table } = segment;
    return this.#once(table.file, async () => {
      const bytes = await this.#files.file(table);
      const inflated = await this.#inflated(table.file, bytes, room.most);
      room.take(inflated);
      return checking(table.file, () =>
        openTable(inflated, segment, this.#facts.manifest.vocabulary),
      );
    });
  }

  #inflated(file: string, bytes: Uint8Array, most: number): Promise<Uint8Array> {
    return this.#platform.gunzip(bytes, most).catch(namedError(file));
  }

  /**
   * Reads a file once for all requests that come meanwhile. If its content was refused, it is not read again.
   * @param path names the file, or a part of it
   */
  #once<T>(path: string, read: () => Promise<T>): Promise<T> {
    const refused = this.#refused.get(path);
    if (refused !== undefined) return Promise.reject(refused);
    const known = this.#reading.get(path);
    // A path always stands for values of the same type.
    if (known !== undefined) return known as Promise<T>;
    const reading = read()
      .catch((error: unknown) => {
        if (error instanceof MalformedSnapshotError) this.#refused.set(path, error);
        throw error;
      })
      .finally(() => this.#reading.delete(path));
    this.#reading.set(path, reading);
    return reading;
  }

  async digestOf(content: string | Uint8Array): Promise<string> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return (await this.sha256Of(bytes)).slice(0, 32);
  }

  async listing(host: string): Promise<PlacedAnswers | undefined> {
    const found = await this.#find(host);
    if (found === null) return undefined;
    return new AnswersAt(found.directory, found.row, host, found.segment);
  }

  /** Finds a host in the last segment that has it. A full build has one candidate, later builds add small ones. */
  async #find(host: string) {
    const hash = hostHash(host);
    const candidates: number[] = [];
    for (const [segment, { firstHash, lastHash }] of this.#facts.manifest.segments.entries()) {
      if (firstHash <= hash && hash <= lastHash) candidates.unshift(segment);
    }
    for (let at = 0; at < candidates.length; at += READS) {
      const some = candidates.slice(at, at + READS);
      const directories = await Promise.all(some.map((segment) => this.#directory(segment)));
      for (const [place, directory] of directories.entries()) {
        const row = rowOf(directory, host, hash);
        if (row >= 0) return { segment: some[place]!, directory, row };
      }
    }
    return null;
  }

  /** Reads the directory of a segment, unless the cache has it. */
  async #directory(segment: number): Promise<SegmentDirectory> {
    const known = this.#directories.get(segment);
    if (known !== undefined) return known;
    const { pack, directory, listings } = itemAt(this.#facts.manifest.segments, segment);
    const { bytes: length, sha256 } = directory;
    const offset = pack.bytes - length;
    if (offset < 0) throw unlikeManifest(pack.file);
    return this.#once(pack.file, async () => {
      const bytes = await this.#files.part(pack.file, { offset, length }, sha256);
      const read = () => readDirectory(new Uint8Array(bytes), listings, offset);
      const made = checking(pack.file, read);
      this.#directories.set(segment, made, length);
      return made;
    });
  }

  /** Reads only the tables of the listings' own segments, unless all tables were read for a search. */
  async summariesOf(hosts: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (this.isSearched) return (await this.engine).summariesOf(hosts);
    const tables = new Map<number, Promise<OpenTable>>();
    const summaries: (Uint8Array | undefined)[] = [];
    for (const host of hosts) {
      const found = await this.#find(host);
      if (found === null) {
        summaries.push(undefined);
        continue;
      }
      const names = itemAt(this.#facts.manifest.segments, found.segment);
      const reading = tables.get(found.segment) ?? this.#table(names);
      tables.set(found.segment, reading);
      const table = await reading;
      const row = table.hosts.indexOf(host);
      const summary = () => table.rows(Uint32Array.of(row)).summary(0).slice();
      summaries.push(row < 0 ? undefined : checking(names.table.file, summary));
    }
    return summaries;
  }

  readAnswer({ segment, offset, length, sha256 }: AnswerPlace): Promise<Uint8Array> {
    const { file } = itemAt(this.#facts.manifest.segments, segment).pack;
    return this.#files.part(file, { offset, length }, sha256);
  }

  document(path: string): DocumentFacts {
    const { bytes, sha256 } = documentOf(this.#facts, path);
    return { length: bytes, sha256 };
  }

  async readDocument(path: string): Promise<Uint8Array> {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    return this.#once(path, async () => {
      const bytes = await this.#files.file(documentOf(this.#facts, path), `${this.id}/public/`);
      this.#documents.set(path, bytes, bytes.length);
      return bytes;
    });
  }

  async changesIn(file: ChangesFile): Promise<readonly LoggedChange[]> {
    const path = file.file;
    const known = this.#changeFiles.get(path);
    if (known !== undefined) return known;
    return this.#once(path, async () => {
      const most = checking(path, () => inflatedBytes(file));
      const lines = await this.#inflated(path, await this.#files.file(file), most);
      const changes = checking(path, () => changesIn(lines, file));
      this.#changeFiles.set(path, changes, file.length);
      return changes;
    });
  }
}

/** The view of a snapshot for one answer, which the engine ends. */
function answerView(snapshot: Snapshot, engine: AnswerEngine): SnapshotView {
  return {
    ...snapshot,
    engine: Promise.resolve(engine),
    answering: { snapshot, engine },
    digestOf: (content) => snapshot.digestOf(content),
    listing: (host) => snapshot.listing(host),
    summariesOf: (hosts) => engine.summariesOf(hosts),
    readAnswer: (answer) => snapshot.readAnswer(answer),
    document: (path) => snapshot.document(path),
    readDocument: (path) => snapshot.readDocument(path),
    changesIn: (file) => snapshot.changesIn(file),
  };
}

/** The error for a snapshot that has fewer or more listings than it should. */
export function unlikeCounts(id: string): BadSnapshotError {
  return new MalformedSnapshotError(`${id} does not have as many listings as its manifest says`);
}

function documentOf({ id, manifest }: SnapshotFacts, path: string): StoredFile {
  const file = manifest.public.find((one) => one.file === path);
  if (file === undefined) throw new BadSnapshotError(`${id} has no public/${path}`);
  return file;
}
