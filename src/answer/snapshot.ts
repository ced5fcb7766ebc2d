import type { AnswerEngine, Engine } from "../engine/answering.js";
import { openScanningEngine } from "../engine/engine.js";
import type { Downloads } from "../pages/kit/page-context.js";
import { type BadSnapshotError, MalformedSnapshotError } from "../store/bad-snapshot.js";
import type { Addition, History } from "../store/format.js";
import { publicationsUpTo } from "../store/publications.js";
import type { AnswerRef, ListingAnswers, SegmentDirectory } from "../store/segments/directory.js";
import { type InflatedFile, type SnapshotFacts, SnapshotReader } from "../store/snapshot-reader.js";
import {
  ByteCache,
  type ByteSource,
  CheckedFiles,
  type FilePlatform,
  readSignatureFrom,
} from "../store/source.js";
import type { DocumentFacts, SnapshotView } from "./content.js";
import type { OpenSearch } from "./search-source.js";

/** Inflated bytes of the files that extras added, in memory. */
const ADDED_CACHE = 5 * 1024 * 1024;

/** The functions that differ between platforms. */
export interface SnapshotPlatform extends FilePlatform {
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
  /** The time, in milliseconds since 1970. */
  now(): number;
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
  /** Opens an engine in place of the one from tables. If it gives null, the next one does. Default: none. */
  readonly search?: readonly OpenSearch[] | undefined;
  /** The files with all listings, to which pages link. Default: none. */
  readonly downloads?: readonly Downloads[] | undefined;
  /** Keeps all directories in memory, and begins with these. Default: those that fit into the cache. */
  readonly directories?: readonly SegmentDirectory[];
}

/** A published snapshot, read from any source of bytes. Everything that is read is checked by its sha256. */
export class Snapshot implements SnapshotView {
  readonly id: string;
  readonly content: string;
  readonly sha256Of: SnapshotView["sha256Of"];
  readonly during: SnapshotView["during"];
  readonly pause: SnapshotView["pause"];
  readonly now: SnapshotView["now"];
  readonly directory: SnapshotView["directory"];
  readonly listingCount: number;
  readonly history: History;
  readonly manifest: SnapshotView["manifest"];
  readonly listings: SnapshotView["listings"];
  readonly #source: ByteSource;
  readonly #reader: SnapshotReader;
  readonly #engines: ReaderEngines;
  readonly #engine: () => Promise<Engine>;
  #isSearched: boolean;

  private constructor(
    source: ByteSource,
    reader: SnapshotReader,
    directory: SnapshotView["directory"],
    { platform, engine }: SnapshotOptions,
    engines: ReaderEngines,
  ) {
    const { manifest } = reader;
    this.id = reader.id;
    this.manifest = manifest;
    this.listings = reader.listings;
    this.#source = source;
    this.content = manifest.content;
    this.sha256Of = (bytes) => platform.sha256(bytes);
    this.pause = () => platform.pause();
    this.now = () => platform.now();
    this.#reader = reader;
    this.directory = directory;
    this.listingCount = manifest.counts.reports;
    this.history = publicationsUpTo(manifest);
    this.#isSearched = engine !== undefined;
    this.#engines = engines;
    this.#engine = lasting(async () => engine ?? (await engines.extra()) ?? engines.scanning());
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
    const { platform, cacheBytes, directories, downloads } = options;
    const reader = new SnapshotReader(new CheckedFiles(source, platform), facts, {
      directories: directories
        ? new Map(directories.entries())
        : new ByteCache((3 * cacheBytes) / 4),
      documentBytes: cacheBytes / 4,
      addedBytes: ADDED_CACHE,
    });
    const engines = enginesOf(reader, options);
    // The files of the engine are read together with those of the directory.
    if (options.isLazy !== true && options.engine === undefined) engines.extra().catch(() => {});
    const known = await reader.readDirectoryFacts();
    const directory = known.extensions === false ? known : { ...known, downloads };
    const snapshot = new Snapshot(source, reader, directory, options, engines);
    if (!options.isLazy) await snapshot.engine;
    return snapshot;
  }

  /** Whether the engine was asked for. */
  get isSearched(): boolean {
    return this.#isSearched;
  }

  get engine(): Promise<Engine> {
    this.#isSearched = true;
    return this.#engine();
  }

  async digestOf(content: string | Uint8Array): Promise<string> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return (await this.sha256Of(bytes)).slice(0, 32);
  }

  listing(host: string): Promise<ListingAnswers | undefined> {
    return this.#reader.answersOf(host);
  }

  /** Without an engine, reads only the tables of the listings' own segments. */
  async summariesOf(hosts: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const engine = await (this.isSearched ? this.engine : this.#engines.extra());
    return (engine ?? this.#reader.listings).summariesOf(hosts);
  }

  readAnswer(answer: AnswerRef): Promise<Uint8Array> {
    return this.#reader.readAnswer(answer);
  }

  signature(): Promise<string | null> {
    return readSignatureFrom(this.#source, this.id);
  }

  document(path: string): DocumentFacts {
    const { bytes, sha256 } = this.#reader.document(path);
    return { length: bytes, sha256 };
  }

  readDocument(path: string): Promise<Uint8Array> {
    return this.#reader.readDocument(path);
  }

  addition(extra: string): Addition | null {
    return this.#reader.addition(extra);
  }

  readAdded<T extends object>(file: InflatedFile, read: (bytes: Uint8Array) => T): Promise<T> {
    return this.#reader.readAdded(file, read);
  }
}

/**
 * Makes a value once. After a failure, the next call tries again, unless the files are as they should be and yet of no
 * use.
 */
function lasting<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      if (!(error instanceof MalformedSnapshotError)) made = null;
      throw error;
    });
    return made;
  };
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
    signature: () => snapshot.signature(),
    document: (path) => snapshot.document(path),
    readDocument: (path) => snapshot.readDocument(path),
    addition: (extra) => snapshot.addition(extra),
    readAdded: (file, read) => snapshot.readAdded(file, read),
  };
}

/** The error for a snapshot that has fewer or more listings than it should. */
export function unlikeCounts(id: string): BadSnapshotError {
  return new MalformedSnapshotError(`${id} does not have as many listings as its manifest says`);
}

/** The engines that a snapshot's own files make. */
interface ReaderEngines {
  /** The engine that an extra opens; null if none does. */
  readonly extra: () => Promise<Engine | null>;
  /** The engine that scans the texts of all tables. */
  readonly scanning: () => Promise<Engine>;
}

function enginesOf(
  reader: SnapshotReader,
  { platform, search = [] }: SnapshotOptions,
): ReaderEngines {
  const { vocabulary, counts } = reader.manifest;
  const scanning = lasting(async () => {
    const rows = await reader.listings.searchRows(() => platform.pause());
    if (rows.reduce((sum, { size }) => sum + size, 0) !== counts.searchable) {
      throw unlikeCounts(reader.id);
    }
    return openScanningEngine(rows, vocabulary);
  });
  const extra = lasting(async () => {
    for (const open of search) {
      const engine = await open({
        vocabulary,
        size: counts.searchable,
        addition: (name) => reader.addition(name),
        readAdded: (file, read) => reader.readAdded(file, read),
        readPart: (file, range, read) => reader.readAddedPart(file, range, read),
        gunzip: (bytes, most) => platform.gunzip(bytes, most),
        sha256: (bytes) => platform.sha256(bytes),
        whole: scanning,
      });
      if (engine !== null) return engine;
    }
    return null;
  });
  return { extra, scanning };
}
