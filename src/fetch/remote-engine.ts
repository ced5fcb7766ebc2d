import type { Vocabulary } from "../contract/listing.js";
import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../contract/query.js";
import { itemAt } from "../contract/tables.js";
import { Body, suggestionOf, writeSearch, writeSuggestions } from "../engine/body.js";
import type { Engine } from "../engine/engine.js";
import type { ScoreRubric } from "../engine/facets/scores.js";
import { rankListings } from "../engine/order/ranking.js";
import { scanningSelector } from "../engine/scanning.js";
import { type Selector, selectorIndex } from "../engine/selector.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { BadColumnsError } from "../store/columns/file.js";
import { readSearchFile, type SearchBucket } from "../store/columns/search-file.js";
import { joinedTexts, type Texts, textAt } from "../store/columns/texts.js";
import type { StoredFile } from "../store/format.js";
import { inflate } from "./bytes.js";
import type { CheckedFiles, ReadManifest } from "./checked-files.js";

/** Reads the summaries of some rows of a bucket as JSON, in the order of the rows. */
export type ReadSummaries = (
  rows: readonly { readonly bucket: number; readonly row: number }[],
) => Promise<readonly Uint8Array[]>;

/** An engine that has everything but the summaries in memory. It fetches those of each answer. */
export class RemoteEngine implements Engine {
  readonly size: number;
  readonly scored: number;
  readonly #selector: Selector;
  readonly #bucketOf: Uint32Array;
  readonly #rowOf: Uint32Array;
  readonly #scannedAt: readonly Texts[];
  readonly #readSummaries: ReadSummaries;
  readonly #body = new Body();

  /** Makes the engine's index. Does not hold on to the buckets. */
  constructor(
    buckets: readonly SearchBucket[],
    vocabulary: Vocabulary,
    readSummaries: ReadSummaries,
  ) {
    const ranking = rankListings(buckets);
    const index = selectorIndex(ranking, vocabulary);
    this.#selector = scanningSelector(index);
    this.size = index.size;
    this.scored = this.#selector.scored;
    this.#bucketOf = ranking.bucketOf;
    this.#rowOf = ranking.rowOf;
    // Copies: the buckets' own texts are views of larger arrays.
    this.#scannedAt = buckets.map(({ scannedAt }) => joinedTexts([scannedAt]));
    this.#readSummaries = readSummaries;
  }

  numberOf(host: string): number | undefined {
    return this.#selector.numberOf(host);
  }

  hostOf(number: number): string {
    return this.#selector.hostOf(number);
  }

  scannedAt(number: number): string | null {
    const { bucket, row } = this.#placeOf(number);
    const text = textAt(this.#scannedAt[bucket]!, row);
    return text === "" ? null : text;
  }

  count(query: ListingFilters): number {
    return this.#selector.count(query);
  }

  async summaryOf(host: string): Promise<Uint8Array | undefined> {
    const number = this.#selector.numberOf(host);
    if (number === undefined) return undefined;
    const [summary] = await this.#readSummaries([this.#placeOf(number)]);
    return summary;
  }

  async search(query: SearchQuery): Promise<Uint8Array> {
    const found = this.#selector.search(query);
    const summaries = await this.#read(found.numbers);
    return writeSearch(this.#body, found, (body) => body.list(summaries));
  }

  facets(query: ListingFilters, rubric: ScoreRubric | null = null): Uint8Array {
    return this.#selector.facets(query, rubric);
  }

  async suggest(query: SuggestionsQuery): Promise<Uint8Array> {
    const found = this.#selector.suggest(query);
    const summaries = await this.#read(found.numbers);
    return writeSuggestions(this.#body, found, (body) =>
      body.list(summaries.map((summary) => suggestionOf(summary, query))),
    );
  }

  #read(numbers: Uint32Array): Promise<readonly Uint8Array[]> {
    return this.#readSummaries(Array.from(numbers, (number) => this.#placeOf(number)));
  }

  #placeOf(number: number): { bucket: number; row: number } {
    return { bucket: this.#bucketOf[number]!, row: this.#rowOf[number]! };
  }
}

/** Search files that are fetched at the same time: an edge worker may have six connections. */
const FETCHES = 6;
/** The most bytes of an inflated search file. A group of buckets has about 4,000 listings and takes 1 MB. */
const SEARCH_MAX = 512 * 1024 * 1024;

/** Fetches all search files, a few at the same time, and reads their columns. @returns the buckets of each group */
export async function readSearchFiles(
  files: CheckedFiles,
  { search }: ReadManifest,
): Promise<SearchBucket[][]> {
  const groups: SearchBucket[][] = [];
  let next = 0;
  const lane = async () => {
    for (let group = next; group < search.length; group = next) {
      next += 1;
      groups[group] = await readSearchFileOf(files, itemAt(search, group));
    }
  };
  await Promise.all(Array.from({ length: FETCHES }, lane));
  return groups;
}

/** Fetches a search file and reads its columns. */
export async function readSearchFileOf(
  files: CheckedFiles,
  file: StoredFile,
): Promise<SearchBucket[]> {
  const compressed = await files.file(file);
  return checkingBlock(file.file, async () =>
    readSearchFile(await inflate(compressed, SEARCH_MAX)),
  );
}

/** Runs an action that reads columns of a file. @throws BadSnapshotError that names the file */
export async function checkingBlock<T>(file: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
  }
}
