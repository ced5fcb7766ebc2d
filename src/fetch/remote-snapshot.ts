import { checkLists, FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { hostHash } from "../contract/host.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { itemAt } from "../contract/tables.js";
import type { Soon } from "../engine/soon.js";
import type { DocumentFacts, SnapshotView } from "../runtime/answer/content.js";
import { BadSnapshotError, unlikeManifest } from "../store/bad-snapshot.js";
import {
  type BucketAnswers,
  readAnswersBlock,
  readSummaryBlock,
} from "../store/columns/details-file.js";
import { fieldTexts } from "../store/columns/folded-text.js";
import {
  type BlockPlace,
  BUCKETS_A_GROUP,
  type SearchBucket,
  SUMMARIES_A_BLOCK,
} from "../store/columns/search-file.js";
import { listOf } from "../store/columns/texts.js";
import type { StoredFile } from "../store/format.js";
import type { AnswerPlace, HostAnswers } from "../store/segments/answer-table.js";
import { inflate, sha256Of } from "./bytes.js";
import { ByteCache, CheckedFiles, type ReadManifest } from "./checked-files.js";
import {
  checkingBlock,
  type ReadSummaries,
  RemoteEngine,
  readSearchFileOf,
  readSearchFiles,
} from "./remote-engine.js";
import type { FetchStore } from "./store.js";

/** The most bytes of an inflated block: sixteen summaries, each of at most 16 MB, or a bucket's answers. */
const BLOCK_MAX = 256 * 1024 * 1024;

/** A snapshot's id and its manifest, which belong together. */
export interface SnapshotFacts {
  readonly id: string;
  readonly manifest: ReadManifest;
}

export interface RemoteOptions {
  /** Bytes of fetched summaries, tables of answers and documents that stay in memory. */
  readonly cacheBytes: number;
  /**
   * Whether the search files are fetched only when a read needs them: all of them for a search, one for a report. If
   * not, a snapshot has all of them before it answers at all.
   */
  readonly isLazy: boolean;
}

/** Where the blocks of a bucket are in its details file. */
interface BucketBlocks extends Pick<SearchBucket, "answers" | "summaries"> {
  /** The bucket's listings in search, in the order of their summaries; null if the engine knows them. */
  readonly hosts: readonly string[] | null;
}

/** A snapshot of a store that is read over a network. */
export class RemoteSnapshot implements SnapshotView {
  readonly id: string;
  readonly directory: SnapshotView["directory"];
  readonly buckets: number;
  readonly #facts: SnapshotFacts;
  readonly #files: CheckedFiles;
  /** By group, the blocks of its buckets. */
  readonly #blocks = new Map<number, Promise<readonly BucketBlocks[]>>();
  #engine: Soon<RemoteEngine> | null = null;
  /** By path and offset of their blocks. */
  readonly #summaries: ByteCache<readonly Uint8Array[]>;
  readonly #answers: ByteCache<BucketAnswers>;
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
    this.#facts = facts;
    this.#files = files;
    this.#summaries = new ByteCache(cacheBytes / 2);
    this.#answers = new ByteCache(cacheBytes / 4);
    this.#documents = new ByteCache(cacheBytes / 4);
    const { rubric } = standards;
    this.directory = { ...manifest.directory, rubric, ...checkLists(standards) };
    this.buckets = manifest.buckets.length;
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

  get engine(): Soon<RemoteEngine> {
    this.#engine ??= this.#loadEngine().then(
      (engine) => {
        this.#engine = engine;
        return engine;
      },
      (error: unknown) => {
        // The next search tries again.
        this.#engine = null;
        throw error;
      },
    );
    return this.#engine;
  }

  get figures(): Promise<Figures> {
    return this.#readFigures();
  }

  async #readFigures(): Promise<Figures> {
    return JSON.parse(new TextDecoder().decode(await this.readDocument(FIGURES_DOCUMENT)));
  }

  async #loadEngine(): Promise<RemoteEngine> {
    const { id, manifest } = this.#facts;
    const groups = await readSearchFiles(this.#files, manifest);
    const buckets = groups.flat();
    const searchable = buckets.reduce((sum, { size }) => sum + size, 0);
    if (buckets.length !== manifest.buckets.length || searchable !== manifest.counts.searchable) {
      throw new BadSnapshotError(`${id} does not have as many listings as its manifest says`);
    }
    for (const [group, some] of groups.entries()) {
      this.#blocks.set(group, Promise.resolve(some.map((one) => blocksOf(one, false))));
    }
    return new RemoteEngine(buckets, manifest.vocabulary, this.#readSummaries);
  }

  /** The blocks of a bucket. */
  async #blocksOf(bucket: number): Promise<BucketBlocks> {
    const group = Math.floor(bucket / BUCKETS_A_GROUP);
    let blocks = this.#blocks.get(group);
    if (blocks === undefined) {
      const file = itemAt(this.#facts.manifest.search, group);
      blocks = readSearchFileOf(this.#files, file).then((buckets) =>
        buckets.map((one) => blocksOf(one, true)),
      );
      this.#blocks.set(group, blocks);
      blocks.catch(() => this.#blocks.delete(group));
    }
    return itemAt(await blocks, bucket % BUCKETS_A_GROUP);
  }

  async digestOf(content: string | Uint8Array): Promise<string> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return (await sha256Of(bytes)).slice(0, 32);
  }

  async listing(host: string): Promise<HostAnswers | undefined> {
    const bucket = this.bucketOf(host);
    const { answers } = await this.#blocksOf(bucket);
    const { details } = this.#bucket(bucket);
    return (await this.#block(details.file, answers, readAnswersBlock, this.#answers)).get(host);
  }

  /** Reads the search file of the host's own group alone, unless all of them were read for a search. */
  async summaryOf(host: string): Promise<Uint8Array | undefined> {
    const bucket = this.bucketOf(host);
    const { hosts } = await this.#blocksOf(bucket);
    if (hosts === null) return (await this.engine).summaryOf(host);
    const row = hosts.indexOf(host);
    if (row < 0) return undefined;
    const [summary] = await this.#readSummaries([{ bucket, row }]);
    return summary;
  }

  readAnswer(host: string, { offset, length, sha256 }: AnswerPlace): Promise<Uint8Array> {
    const { file, bytes } = this.#bucket(this.bucketOf(host)).pack;
    if (offset + length > bytes) throw unlikeManifest(file);
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

  /** Reads the summaries of listings. Fetches each block once, all at the same time. */
  readonly #readSummaries: ReadSummaries = async (rows) => {
    const blocks = new Map<string, Promise<readonly Uint8Array[]>>();
    const blockOf = ({ bucket, row }: (typeof rows)[number]) => {
      const number = Math.floor(row / SUMMARIES_A_BLOCK);
      const key = `${bucket} ${number}`;
      const known = blocks.get(key);
      if (known !== undefined) return known;
      const made = this.#summaryBlock(bucket, number);
      blocks.set(key, made);
      return made;
    };
    return Promise.all(
      rows.map(async (place) => itemAt(await blockOf(place), place.row % SUMMARIES_A_BLOCK)),
    );
  };

  async #summaryBlock(bucket: number, number: number): Promise<readonly Uint8Array[]> {
    const { details } = this.#bucket(bucket);
    const place = itemAt((await this.#blocksOf(bucket)).summaries, number);
    return this.#block(details.file, place, readSummaryBlock, this.#summaries);
  }

  /** Fetches, inflates and reads a block of a details file, unless the cache has it. */
  async #block<T extends object>(
    path: string,
    { offset, length, digest }: BlockPlace,
    read: (bytes: Uint8Array) => T,
    cache: ByteCache<T>,
  ): Promise<T> {
    const key = `${path} ${offset}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const compressed = await this.#files.part(path, { offset, length }, digest);
    return checkingBlock(path, async () => {
      const bytes = await inflate(compressed, BLOCK_MAX);
      const value = read(bytes);
      cache.set(key, value, bytes.length);
      return value;
    });
  }

  bucketOf(host: string): number {
    return Math.floor((hostHash(host) * this.buckets) / 2 ** 32);
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  #bucket(bucket: number): ReadManifest["buckets"][number] {
    return itemAt(this.#facts.manifest.buckets, bucket);
  }
}

/** The first field of a listing's folded text is its host. */
const HOST_FIELD = 0;

/** A copy: the bucket's arrays are views of a whole group's. */
function blocksOf(bucket: SearchBucket, hasHosts: boolean): BucketBlocks {
  const { answers, summaries } = bucket;
  return { answers, summaries, hosts: hasHosts ? listOf(fieldTexts(bucket, HOST_FIELD)) : null };
}

function documentOf({ id, manifest }: SnapshotFacts, path: string): StoredFile {
  const file = manifest.public.find((one) => one.file === path);
  if (file === undefined) throw new BadSnapshotError(`${id} has no public/${path}`);
  return file;
}
