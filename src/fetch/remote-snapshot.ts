import { hostHash } from "../contract/host.js";
import { itemAt } from "../contract/item-at.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import type { DocumentFacts, SnapshotView } from "../runtime/answer/content.js";
import { BadSnapshotError, unlikeManifest } from "../store/bad-snapshot.js";
import type { AnswerPlace, HostAnswers } from "../store/columns/answers.js";
import { readAnswersBlock, readSummaryBlock } from "../store/columns/details-file.js";
import { BadColumnsError } from "../store/columns/file.js";
import {
  type BlockPlace,
  readSearchFile,
  type SearchBucket,
  SUMMARIES_A_BLOCK,
} from "../store/columns/search-file.js";
import type { StoredFile } from "../store/format.js";
import { ByteCache } from "./byte-cache.js";
import { CheckedFiles, sha256Of } from "./checked-files.js";
import { inflate } from "./inflate.js";
import type { ReadManifest } from "./manifest.js";
import { type ReadSummaries, RemoteEngine } from "./remote-engine.js";
import type { FetchStore } from "./store.js";

/** Search files that are fetched at the same time: an edge worker may have six connections. */
const FETCHES = 6;
/** The most bytes of an inflated search file. A group of buckets has about 4,000 listings and takes 1 MB. */
const SEARCH_MAX = 512 * 1024 * 1024;
/** The most bytes of an inflated block: sixteen summaries, each of at most 16 MB, or a bucket's answers. */
const BLOCK_MAX = 256 * 1024 * 1024;

/** Facts about a snapshot, known before its files are read. */
export interface SnapshotFacts {
  readonly id: string;
  readonly generation: number | undefined;
  readonly manifest: ReadManifest;
}

export interface RemoteOptions {
  /** Bytes of fetched summaries, tables of answers and documents that stay in memory. */
  readonly cacheBytes: number;
}

/** A snapshot of a store that is read over a network. */
export class RemoteSnapshot implements SnapshotView {
  readonly id: string;
  readonly generation: number | undefined;
  readonly engine: RemoteEngine;
  readonly directory: SnapshotView["directory"];
  readonly buckets: number;
  readonly #manifest: ReadManifest;
  readonly #files: CheckedFiles;
  /** By bucket, the blocks of its details file. */
  readonly #blocks: readonly Pick<SearchBucket, "answers" | "summaries">[];
  /** Inflated blocks and documents, by path and offset. */
  readonly #cache: ByteCache<Uint8Array>;

  private constructor(
    { id, generation, manifest }: SnapshotFacts,
    files: CheckedFiles,
    buckets: readonly SearchBucket[],
    standards: Standards,
    { cacheBytes }: RemoteOptions,
  ) {
    this.id = id;
    this.generation = generation;
    this.#manifest = manifest;
    this.#files = files;
    this.#blocks = buckets.map(({ answers, summaries }) => ({ answers, summaries }));
    this.#cache = new ByteCache(cacheBytes, ({ length }) => length);
    this.engine = new RemoteEngine(buckets, manifest.vocabulary, this.#readSummaries);
    const { rubric, checks } = standards;
    const checkIds = checks.map((check) => check.id);
    this.directory = { ...manifest.directory, rubric, checkIds };
    this.buckets = manifest.buckets.length;
  }

  /**
   * Fetches what a search needs.
   * @throws BadSnapshotError if a file is missing, damaged or inconsistent
   */
  static async open(
    store: FetchStore,
    facts: SnapshotFacts,
    options: RemoteOptions,
  ): Promise<RemoteSnapshot> {
    const { id, manifest } = facts;
    const files = new CheckedFiles(store);
    const standardsFile = documentOf(facts, ROUTES.standards.document);
    const [standards, buckets] = await Promise.all([
      files.file(standardsFile, `${id}/public/`),
      readSearchFiles(files, manifest),
    ]);
    const { data }: { readonly data: Standards } = JSON.parse(new TextDecoder().decode(standards));
    const searchable = buckets.reduce((sum, { size }) => sum + size, 0);
    if (buckets.length !== manifest.buckets.length || searchable !== manifest.counts.searchable) {
      throw new BadSnapshotError(`${id} does not have as many listings as its manifest says`);
    }
    return new RemoteSnapshot(facts, files, buckets, data, options);
  }

  async digestOf(text: string): Promise<string> {
    return (await sha256Of(new TextEncoder().encode(text))).slice(0, 32);
  }

  async listing(host: string): Promise<HostAnswers | undefined> {
    const bucket = this.bucketOf(host);
    const { answers } = itemAt(this.#blocks, bucket);
    const path = this.#bucket(bucket).details.file;
    const bytes = await this.#block(path, answers);
    return (await checkingBlock(path, () => readAnswersBlock(bytes))).get(host);
  }

  readAnswer(host: string, { offset, length, digest }: AnswerPlace): Promise<Uint8Array> {
    const { file, bytes } = this.#bucket(this.bucketOf(host)).pack;
    if (offset + length > bytes) throw unlikeManifest(file);
    return this.#files.part(file, { offset, length }, digest);
  }

  document(path: string): DocumentFacts {
    const { bytes, sha256 } = documentOf({ id: this.id, manifest: this.#manifest }, path);
    return { length: bytes, digest: sha256.slice(0, 32) };
  }

  async readDocument(path: string): Promise<Uint8Array> {
    const known = this.#cache.get(path);
    if (known !== undefined) return known;
    const file = documentOf({ id: this.id, manifest: this.#manifest }, path);
    const bytes = await this.#files.file(file, `${this.id}/public/`);
    this.#cache.set(path, bytes);
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
    const path = this.#bucket(bucket).details.file;
    const bytes = await this.#block(path, itemAt(itemAt(this.#blocks, bucket).summaries, number));
    return checkingBlock(path, () => readSummaryBlock(bytes));
  }

  /** Fetches and inflates a block of a details file. */
  async #block(path: string, { offset, length, digest }: BlockPlace): Promise<Uint8Array> {
    const key = `${path} ${offset}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const compressed = await this.#files.part(path, { offset, length }, digest);
    const bytes = await checkingBlock(path, () => inflate(compressed, BLOCK_MAX));
    this.#cache.set(key, bytes);
    return bytes;
  }

  bucketOf(host: string): number {
    return Math.floor((hostHash(host) * this.buckets) / 2 ** 32);
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  #bucket(bucket: number): ReadManifest["buckets"][number] {
    return itemAt(this.#manifest.buckets, bucket);
  }
}

/** Fetches all search files, a few at the same time, and reads their columns. */
async function readSearchFiles(
  files: CheckedFiles,
  { search }: ReadManifest,
): Promise<SearchBucket[]> {
  const groups: SearchBucket[][] = [];
  let next = 0;
  const lane = async () => {
    for (let group = next; group < search.length; group = next) {
      next += 1;
      const file = itemAt(search, group);
      const compressed = await files.file(file);
      groups[group] = await checkingBlock(file.file, async () =>
        readSearchFile(await inflate(compressed, SEARCH_MAX)),
      );
    }
  };
  await Promise.all(Array.from({ length: FETCHES }, lane));
  return groups.flat();
}

/** Runs an action that reads columns of a file. @throws BadSnapshotError that names the file */
async function checkingBlock<T>(file: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
  }
}

function documentOf(
  { id, manifest }: Pick<SnapshotFacts, "id" | "manifest">,
  path: string,
): StoredFile {
  const file = manifest.public.find((one) => one.file === path);
  if (file === undefined) throw new BadSnapshotError(`${id} has no public/${path}`);
  return file;
}
