import { checkLists, FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { hostHash } from "../contract/host.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { itemAt } from "../contract/tables.js";
import { type MemoryEngine, openScanningEngine } from "../engine/engine.js";
import type { DocumentFacts, SnapshotView } from "../runtime/answer/content.js";
import { BadSnapshotError, unlikeManifest } from "../store/bad-snapshot.js";
import { summaryJson } from "../store/columns/summaries.js";
import type { Segment, StoredFile } from "../store/format.js";
import {
  type AnswerPlace,
  AnswersAt,
  type PlacedAnswers,
  rowOf,
} from "../store/segments/answer-table.js";
import { checking, namedError } from "../store/segments/checking.js";
import { readDirectory, type SegmentDirectory } from "../store/segments/directory.js";
import { liveRows } from "../store/segments/live.js";
import { type OpenTable, openTableLater } from "../store/segments/table.js";
import { inflatePage, sha256Of } from "./bytes.js";
import { ByteCache, CheckedFiles, type ReadManifest } from "./checked-files.js";
import type { FetchStore } from "./store.js";

/** Files that are fetched at the same time: an edge worker may have six connections. */
const FETCHES = 6;

/** A snapshot's id and its manifest, which belong together. */
export interface SnapshotFacts {
  readonly id: string;
  readonly manifest: ReadManifest;
}

export interface RemoteOptions {
  /** Bytes of fetched directories and documents that stay in memory. */
  readonly cacheBytes: number;
  /**
   * Whether the tables are fetched only when a read needs them: all of them for a search, one for a report. If not, a
   * snapshot has all of them before it answers at all.
   */
  readonly isLazy: boolean;
}

/** A snapshot of a store that is read over a network. */
export class RemoteSnapshot implements SnapshotView {
  readonly id: string;
  readonly content: string;
  readonly directory: SnapshotView["directory"];
  readonly listingCount: number;
  readonly #facts: SnapshotFacts;
  readonly #files: CheckedFiles;
  #engine: Promise<MemoryEngine> | null = null;
  /** By the paths of their packs. */
  readonly #directories: ByteCache<SegmentDirectory>;
  /** By path. */
  readonly #documents: ByteCache<Uint8Array>;

  private constructor(
    facts: SnapshotFacts,
    files: CheckedFiles,
    standards: Standards,
    { cacheBytes }: RemoteOptions,
  ) {
    const { manifest } = facts;
    this.id = facts.id;
    this.content = manifest.content;
    this.#facts = facts;
    this.#files = files;
    this.#directories = new ByteCache((3 * cacheBytes) / 4);
    this.#documents = new ByteCache(cacheBytes / 4);
    const { rubric } = standards;
    this.directory = { ...manifest.directory, rubric, ...checkLists(standards) };
    this.listingCount = manifest.counts.reports;
  }

  /**
   * Fetches what every read needs; unless it is lazy, also what a search needs.
   * @throws BadSnapshotError if a file is missing, damaged or inconsistent
   */
  static async open(
    store: FetchStore,
    facts: SnapshotFacts,
    options: RemoteOptions,
  ): Promise<RemoteSnapshot> {
    const { id } = facts;
    const files = new CheckedFiles(store);
    const standardsFile = documentOf(facts, ROUTES.standards.document);
    const standards = await files.file(standardsFile, `${id}/public/`);
    const { data }: { readonly data: Standards } = JSON.parse(new TextDecoder().decode(standards));
    const snapshot = new RemoteSnapshot(facts, files, data, options);
    if (!options.isLazy) await snapshot.engine;
    return snapshot;
  }

  /** Whether the engine was asked for. */
  get isSearched(): boolean {
    return this.#engine !== null;
  }

  get engine(): Promise<MemoryEngine> {
    this.#engine ??= this.#loadEngine().catch((error: unknown) => {
      // The next search tries again.
      this.#engine = null;
      throw error;
    });
    return this.#engine;
  }

  get figures(): Promise<Figures> {
    return this.#readFigures();
  }

  async #readFigures(): Promise<Figures> {
    return JSON.parse(new TextDecoder().decode(await this.readDocument(FIGURES_DOCUMENT)));
  }

  async #loadEngine(): Promise<MemoryEngine> {
    const { id, manifest } = this.#facts;
    const { segments, vocabulary, counts } = manifest;
    const tables: OpenTable[] = [];
    let next = 0;
    const lane = async () => {
      for (let place = next; place < segments.length; place = next) {
        next += 1;
        tables[place] = await this.#table(itemAt(segments, place));
      }
    };
    await Promise.all(Array.from({ length: FETCHES }, lane));
    const live = liveRows(tables.map(({ hosts }) => hosts));
    const rows = tables.map((table, place) =>
      checking(itemAt(segments, place).table.file, () => table.rows(itemAt(live, place))),
    );
    if (rows.reduce((sum, { size }) => sum + size, 0) !== counts.searchable) {
      throw new BadSnapshotError(`${id} does not have as many listings as its manifest says`);
    }
    return openScanningEngine(rows, vocabulary);
  }

  /** Fetches a table. @throws BadSnapshotError */
  async #table(segment: Segment): Promise<OpenTable> {
    const bytes = await this.#files.file(segment.table);
    const { vocabulary } = this.#facts.manifest;
    const { file } = segment.table;
    return openTableLater(bytes, segment, vocabulary, inflatePage).catch(namedError(file));
  }

  async digestOf(content: string | Uint8Array): Promise<string> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return (await sha256Of(bytes)).slice(0, 32);
  }

  async listing(host: string): Promise<PlacedAnswers | undefined> {
    const found = await this.#find(host);
    if (found === null) return undefined;
    return new AnswersAt(found.directory, found.row, host, found.segment);
  }

  /** Finds a host in the last segment that has it. A full build has one candidate, later builds add small ones. */
  async #find(host: string) {
    const hash = hostHash(host);
    const candidates = [...this.#facts.manifest.segments.entries()]
      .filter(([, { firstHash, lastHash }]) => firstHash <= hash && hash <= lastHash)
      .reverse();
    for (let at = 0; at < candidates.length; at += FETCHES) {
      const some = candidates.slice(at, at + FETCHES);
      const found = await Promise.all(
        some.map(async ([segment, names]) => {
          const directory = await this.#directory(names);
          return { segment, directory, row: rowOf(directory, host, hash) };
        }),
      );
      const newest = found.find(({ row }) => row >= 0);
      if (newest !== undefined) return newest;
    }
    return null;
  }

  /** Fetches the directory of a segment, unless the cache has it. */
  async #directory({ pack, directory, listings }: Segment): Promise<SegmentDirectory> {
    const known = this.#directories.get(pack.file);
    if (known !== undefined) return known;
    const { bytes: length, sha256 } = directory;
    const offset = pack.bytes - length;
    if (offset < 0) throw unlikeManifest(pack.file);
    const bytes = await this.#files.part(pack.file, { offset, length }, sha256);
    const made = checking(pack.file, () => readDirectory(bytes.slice(), listings, offset));
    this.#directories.set(pack.file, made, length);
    return made;
  }

  /** Fetches the table of the listing's own segment alone, unless all of them were read for a search. */
  async summaryOf(host: string): Promise<Uint8Array | undefined> {
    if (this.isSearched) return (await this.engine).summaryOf(host);
    const found = await this.#find(host);
    if (found === null) return undefined;
    const names = itemAt(this.#facts.manifest.segments, found.segment);
    const table = await this.#table(names);
    const row = table.hosts.indexOf(host);
    if (row < 0) return undefined;
    const { summaries } = checking(names.table.file, () => table.rows(Uint32Array.of(row)));
    return new TextEncoder().encode(summaryJson(summaries, 0));
  }

  readAnswer({ segment, offset, length, sha256 }: AnswerPlace): Promise<Uint8Array> {
    const { file } = itemAt(this.#facts.manifest.segments, segment).pack;
    return this.#files.part(file, { offset, length }, sha256);
  }

  document(path: string): DocumentFacts {
    const { bytes, sha256 } = documentOf(this.#facts, path);
    return { length: bytes, digest: sha256.slice(0, 32) };
  }

  async readDocument(path: string): Promise<Uint8Array> {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const file = documentOf(this.#facts, path);
    const bytes = await this.#files.file(file, `${this.id}/public/`);
    this.#documents.set(path, bytes, bytes.length);
    return bytes;
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }
}

function documentOf({ id, manifest }: SnapshotFacts, path: string): StoredFile {
  const file = manifest.public.find((one) => one.file === path);
  if (file === undefined) throw new BadSnapshotError(`${id} has no public/${path}`);
  return file;
}
