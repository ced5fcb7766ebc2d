import { itemAt } from "../contract/tables.js";
import { bucketColumns, columnBytes } from "../store/columns/columns.js";
import { BUCKETS_A_GROUP, writeSearchFile } from "../store/columns/search-file.js";
import { inflated } from "../store/compression.js";
import type { Manifest, ShardEntry, StoredFile } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import { readChecked } from "../store/reader.js";
import {
  type BucketDetails,
  bucketDetails,
  readSearch,
  type SearchContent,
} from "../store/search-files.js";
import { columnEntries } from "../store/shard-entries.js";
import type { AnswerProblem } from "./expected-answers.js";

/** What `verify` lends to its parts. */
export interface CheckTools {
  /** Reads one file. If that fails, records the problem and returns undefined. */
  read<T>(file: string, read: () => Promise<T>): Promise<T | undefined>;
  add(problem: AnswerProblem): void;
}

/** The columns and details that a shard gives; undefined if its values cannot become columns. */
export function expectedFiles(
  entries: readonly ShardEntry[],
): { readonly columns: Uint8Array; readonly details: BucketDetails } | undefined {
  try {
    const ofEntries = columnEntries(entries);
    const columns = bucketColumns(ofEntries);
    return { columns: columnBytes(columns), details: bucketDetails(ofEntries, columns) };
  } catch {
    return undefined;
  }
}

/** Checks the details files of a snapshot bucket by bucket, and each search file after the last bucket of its group. */
export class SearchCheck {
  readonly #store: string;
  readonly #manifest: Manifest;
  readonly #tools: CheckTools;
  /** The buckets of the group so far. */
  #compared: ComparedBucket[] = [];

  constructor(store: string, manifest: Manifest, tools: CheckTools) {
    this.#store = store;
    this.#manifest = manifest;
    this.#tools = tools;
  }

  /** @param expected what the bucket's shard gives; undefined if the shard or the pack is damaged */
  async add(bucket: number, expected: BucketDetails | undefined): Promise<void> {
    const { buckets, search } = this.#manifest;
    const { details } = itemAt(buckets, bucket);
    const bytes = await this.#tools.read(details.file, () => readChecked(this.#store, details));
    this.#compared.push({ details, bytes, expected });
    if (this.#compared.length < BUCKETS_A_GROUP && bucket + 1 < buckets.length) return;
    const compared = this.#compared;
    this.#compared = [];
    const file = itemAt(search, Math.floor(bucket / BUCKETS_A_GROUP));
    const found = await this.#tools.read(file.file, () => readSearch(this.#store, file));
    if (found === undefined) return;
    for (const problem of searchProblems(file, found, compared)) this.#tools.add(problem);
  }
}

/** A bucket whose details file is compared with its shard. */
interface ComparedBucket {
  readonly details: StoredFile;
  /** The bytes of the details file; undefined if they could not be read. */
  readonly bytes: Uint8Array | undefined;
  /** What the shard gives; undefined if the shard or the pack is damaged. */
  readonly expected: BucketDetails | undefined;
}

/**
 * Compares the search file of a group and the details files of its buckets with their shards.
 * @param compared by bucket of the group
 * @returns the first problem of each file
 */
function searchProblems(
  search: StoredFile,
  { content, buckets }: SearchContent,
  compared: readonly ComparedBucket[],
): AnswerProblem[] {
  const other = { file: search.file, problem: `${search.file} does not match its shards` };
  if (buckets.length !== compared.length) return [other];
  const problems: AnswerProblem[] = [];
  const places = buckets.map(({ answers, summaries }) => [answers, ...summaries]);
  let isUnlike = false;
  for (const [place, { details, bytes, expected }] of compared.entries()) {
    if (bytes === undefined) continue;
    const blocks = blocksAt(bytes, itemAt(places, place));
    isUnlike ||= blocks === null;
    if (blocks === null || expected === undefined || hasBlocks(blocks, expected.blocks)) continue;
    const problem = `${details.file} does not match its shard`;
    problems.push({ file: details.file, problem });
  }
  const rows = compared.flatMap(({ expected }, at) => expected?.rows(itemAt(places, at)) ?? []);
  const isKnown = rows.length === compared.length;
  isUnlike ||= isKnown && !areSame(content, writeSearchFile(rows));
  return isUnlike ? [...problems, other] : problems;
}

/** The blocks of a details file; null if the file does not have exactly the blocks that its search file names. */
function blocksAt(
  bytes: Uint8Array,
  places: SearchContent["buckets"][number]["summaries"],
): Uint8Array[] | null {
  const { offset, length } = itemAt(places, places.length - 1);
  if (offset + length !== bytes.length) return null;
  const blocks = places.map((place) => bytes.subarray(place.offset, place.offset + place.length));
  const areRight = blocks.every(
    (block, at) => shortDigest(sha256(block)) === itemAt(places, at).digest,
  );
  return areRight ? blocks : null;
}

/** Whether blocks are the compressed form of others. */
function hasBlocks(blocks: readonly Uint8Array[], expected: readonly Uint8Array[]): boolean {
  if (blocks.length !== expected.length) return false;
  return expected.every((block, at) => {
    const found = inflated(itemAt(blocks, at), block.length);
    return found !== null && areSame(found, block);
  });
}

function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
