import { SearchQuery } from "../contract/query.js";
import { buildIndex, type Engine, type IndexedListing, openEngine } from "../engine/engine.js";
import type { AnswerLocation, StoredFile } from "../store/format.js";
import { BadSnapshotError, StoredSnapshot, unreadable } from "../store/reader.js";
import type { SnapshotView, StoredListing } from "./content.js";
import { DocumentFiles } from "./documents.js";

/** A snapshot in memory, ready to answer. It closes its files when it was retired and no request holds it. */
export class LoadedSnapshot implements SnapshotView {
  readonly id: string;
  readonly engine: Engine;
  readonly documents: DocumentFiles;
  /** A host that has a report, for examples; null where there is none. */
  readonly exampleHost: string | null;
  /** What was found damaged since the loading. */
  readonly damages = new Set<string>();
  readonly #stored: StoredSnapshot;
  readonly #listings: ReadonlyMap<string, StoredListing>;
  readonly #documentFiles: ReadonlyMap<string, StoredFile>;
  #holders = 1;

  private constructor(
    stored: StoredSnapshot,
    engine: Engine,
    documents: DocumentFiles,
    listings: ReadonlyMap<string, StoredListing>,
    exampleHost: string | null,
  ) {
    this.id = stored.id;
    this.engine = engine;
    this.documents = documents;
    this.exampleHost = exampleHost;
    this.#stored = stored;
    this.#listings = listings;
    this.#documentFiles = new Map(stored.manifest.public.map((file) => [file.file, file]));
  }

  /**
   * Loads a snapshot wholly and asks it first questions.
   * @throws BadSnapshotError where anything of it is missing, damaged or does not add up.
   */
  static async load(store: string, id: string): Promise<LoadedSnapshot> {
    const stored = await StoredSnapshot.open(store, id);
    try {
      return await LoadedSnapshot.#read(stored);
    } catch (error) {
      stored.close();
      throw error;
    }
  }

  static async #read(stored: StoredSnapshot): Promise<LoadedSnapshot> {
    const { id, manifest } = stored;
    const paths = manifest.public.map(({ file }) => file);
    const documents = await DocumentFiles.open(stored.publicFolder, paths).catch(
      (error: unknown) => {
        throw unreadable(`${id}/public`, error);
      },
    );
    for (const file of manifest.public) await stored.readDocument(file);
    const searchable: IndexedListing[] = [];
    const listings = new Map<string, StoredListing>();
    for (const bucket of manifest.buckets.keys()) {
      for (const { search, ...listing } of await stored.readShard(bucket)) {
        if (search !== null) searchable.push(search);
        listings.set(listing.host, { ...listing, bucket });
      }
    }
    const best = searchable.find(({ summary }) => (summary.latestScore ?? 0) > 0)?.summary.host;
    const exampleHost = best ?? [...listings.keys()][0] ?? null;
    const engine = openEngine(buildIndex(searchable, manifest.vocabulary));
    const loaded = new LoadedSnapshot(stored, engine, documents, listings, exampleHost);
    const { reports, searchable: expected } = manifest.counts;
    if (listings.size !== reports || engine.size !== expected || !answersSearch(engine)) {
      throw new BadSnapshotError(`${id} does not hold the listings that its manifest counts`);
    }
    const example = listings.get(exampleHost ?? "");
    if (example !== undefined) await loaded.readAnswer(example.bucket, example.report);
    return loaded;
  }

  listing(host: string): StoredListing | undefined {
    return this.#listings.get(host);
  }

  readAnswer(bucket: number, location: AnswerLocation): Promise<Uint8Array> {
    return this.#stored.readAnswer(bucket, location);
  }

  document(path: string): StoredFile {
    const file = this.#documentFiles.get(path);
    if (file === undefined) throw new BadSnapshotError(`${this.id} has no public/${path}`);
    return file;
  }

  readDocument(path: string): Promise<Uint8Array> {
    return this.#stored.readDocument(this.document(path));
  }

  async checkDocument(path: string): Promise<void> {
    if (await this.documents.isUnchanged(path)) return;
    await this.readDocument(path);
    await this.documents.accept(path);
  }

  /** Keeps the snapshot's files open for a request; `release` it when the answer is out. */
  retain(): this {
    this.#holders += 1;
    return this;
  }

  /** Gives back what `retain`, or the loading, took. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#stored.close();
  }
}

/** Whether the first page has as many listings as it must. */
function answersSearch(engine: Engine): boolean {
  const query = SearchQuery.parse({});
  const body = JSON.parse(new TextDecoder().decode(engine.search(query))) as { data: unknown[] };
  return body.data.length === Math.min(engine.size, query.limit);
}
