import { setImmediate as pause } from "node:timers/promises";
import type { Figures } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import { type MemoryEngine, openEngineInSlices } from "../../engine/engine.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { directoryOf, readFigures } from "../../store/directory-facts.js";
import type { StoredFile } from "../../store/format.js";
import { sha256, shortDigest } from "../../store/layout.js";
import { StoredSnapshot } from "../../store/reader.js";
import {
  type AnswerPlace,
  AnswerTable,
  type PlacedAnswers,
} from "../../store/segments/answer-table.js";
import type { DocumentFacts, SnapshotView } from "../answer/content.js";
import { AnswerCache } from "./answer-cache.js";
import { loadIndex } from "./load.js";

export interface LoadOptions {
  /** Bytes of answers that the snapshot may cache in memory. Default: 0. */
  readonly cacheBytes?: number;
  /** Whether another snapshot answers meanwhile. Its requests take priority. */
  readonly isAside?: boolean;
}

/** Different damages that are told of one snapshot: without a limit, a deleted store would fill the log. */
const DAMAGES_MAX = 1_000;

/** A snapshot in memory, ready to answer. It closes its files once it is released and no request holds it. */
export class LoadedSnapshot implements SnapshotView {
  readonly id: string;
  readonly content: string;
  generation: number | undefined;
  readonly engine: Promise<MemoryEngine>;
  readonly directory: SnapshotView["directory"];
  readonly figures: Promise<Figures>;
  /** The number of listings in search. */
  readonly searchable: number;
  readonly listingCount: number;
  /** A host that has a report, for examples; null if there is none. */
  readonly exampleHost: string | null;
  /** Cached answers. */
  readonly kept: AnswerCache;
  /** The causes of damage that were found since the load. */
  readonly #damages = new Set<string>();
  readonly #stored: StoredSnapshot;
  readonly #listings: AnswerTable;
  readonly #documentFiles: ReadonlyMap<string, StoredFile>;
  /** Public documents that are being read, by path. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();
  #holders = 1;

  private constructor(
    stored: StoredSnapshot,
    engine: MemoryEngine,
    listings: AnswerTable,
    directory: SnapshotView["directory"],
    figures: Figures,
    exampleHost: string | null,
    cacheBytes: number,
  ) {
    this.kept = new AnswerCache(cacheBytes);
    this.id = stored.id;
    this.content = stored.manifest.content;
    this.engine = Promise.resolve(engine);
    this.searchable = engine.size;
    this.directory = directory;
    this.figures = Promise.resolve(figures);
    this.listingCount = stored.manifest.counts.reports;
    this.exampleHost = exampleHost;
    this.#stored = stored;
    this.#listings = listings;
    this.#documentFiles = new Map(stored.manifest.public.map((file) => [file.file, file]));
  }

  /**
   * Loads a whole snapshot and asks it a first question.
   * @throws BadSnapshotError if any part of it is missing, damaged or inconsistent
   */
  static async load(store: string, id: string, options: LoadOptions = {}): Promise<LoadedSnapshot> {
    const stored = await StoredSnapshot.openManifest(store, id, () => performance.now());
    try {
      return await LoadedSnapshot.#read(stored, options);
    } catch (error) {
      stored.close();
      throw error;
    }
  }

  static async #read(
    stored: StoredSnapshot,
    { cacheBytes = 0, isAside = false }: LoadOptions,
  ): Promise<LoadedSnapshot> {
    const { id, manifest } = stored;
    for (const file of manifest.public) await stored.readDocument(file);
    const { index, answers } = await loadIndex(stored, { isAside });
    const engine = await openEngineInSlices(index, () => pause());
    const listings = new AnswerTable(answers);
    const best = await bestHosts(engine);
    const exampleHost = best[0] ?? listings.anyHost;
    const example = listings.find(exampleHost ?? "");
    // Detects unreadable packs before the first request needs one.
    if (example) await readAnswer(stored, example.report);
    const directory = await directoryOf(stored);
    const loaded = new LoadedSnapshot(
      stored,
      engine,
      listings,
      directory,
      await readFigures(stored),
      exampleHost,
      cacheBytes,
    );
    const { reports, searchable } = manifest.counts;
    const isWhole = listings.size === reports && engine.size === searchable;
    if (!isWhole || best.length !== Math.min(searchable, LIMITS.pageSizeDefault)) {
      throw new BadSnapshotError(`${id} does not have as many listings as its manifest says`);
    }
    return loaded;
  }

  async digestOf(content: string | Uint8Array): Promise<string> {
    return shortDigest(sha256(content));
  }

  async listing(host: string): Promise<PlacedAnswers | undefined> {
    return this.#listings.find(host);
  }

  async summaryOf(host: string): Promise<Uint8Array | undefined> {
    return (await this.engine).summaryOf(host);
  }

  readAnswer(answer: AnswerPlace): Promise<Uint8Array> {
    return readAnswer(this.#stored, answer);
  }

  document(path: string): DocumentFacts {
    const { bytes, sha256 } = this.#documentFile(path);
    return { length: bytes, digest: shortDigest(sha256) };
  }

  /** Requests that come while a document is read share its bytes. */
  async readDocument(path: string): Promise<Uint8Array> {
    const reading =
      this.#reading.get(path) ??
      this.#stored.readDocument(this.#documentFile(path)).finally(() => this.#reading.delete(path));
    this.#reading.set(path, reading);
    return await reading;
  }

  /**
   * Returns the cause of a damage; null if it was told before.
   * @param error the message of a damaged file's error says everything; any other error is our own mistake, and its
   * stack helps to find it
   */
  newDamage(error: Error): string | null {
    const cause = error instanceof BadSnapshotError ? error.message : String(error.stack);
    if (this.#damages.has(cause) || this.#damages.size >= DAMAGES_MAX) return null;
    this.#damages.add(cause);
    return cause;
  }

  pause(): Promise<void> {
    return pause();
  }

  /** Keeps the snapshot's files open for a request. Call `release` once the answer is made. */
  retain(): void {
    this.#holders += 1;
  }

  /** Gives up one hold, of `retain` or of the load. The files close with the last one. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#stored.close();
  }

  #documentFile(path: string): StoredFile {
    const file = this.#documentFiles.get(path);
    if (file === undefined) throw new BadSnapshotError(`${this.id} has no public/${path}`);
    return file;
  }
}

function readAnswer(stored: StoredSnapshot, { segment, offset, length, sha256 }: AnswerPlace) {
  return stored.readAnswer(segment, [offset, length, sha256]);
}

/** Returns the hosts of the first page of a search without filters: the best listings. */
async function bestHosts(engine: MemoryEngine): Promise<string[]> {
  const body = new TextDecoder().decode(
    await engine.search({ sort: "score", page: 1, limit: LIMITS.pageSizeDefault }),
  );
  return (JSON.parse(body) as { data: { host: string }[] }).data.map(({ host }) => host);
}
