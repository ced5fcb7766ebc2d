import { byCodeUnit } from "../contract/order.js";
import { itemAt } from "../contract/tables.js";
import { BadSnapshotError } from "./bad-snapshot.js";
import type { BucketColumns, ColumnEntry } from "./columns/columns.js";
import { writeAnswersBlock, writeSummaryBlocks } from "./columns/details-file.js";
import { BadColumnsError } from "./columns/file.js";
import {
  type BlockPlace,
  readSearchFile,
  type SearchBucket,
  type SearchRows,
  writeSearchFile,
} from "./columns/search-file.js";
import { textsOf } from "./columns/texts.js";
import { deflated, inflated } from "./compression.js";
import type { StoredFile } from "./format.js";
import { sha256, shortDigest } from "./layout.js";
import { readChecked } from "./reader.js";

/** What the details file and the search file have of a bucket's listings. */
export interface BucketDetails {
  /** The blocks of the details file before compression: the answers, then the summaries. */
  readonly blocks: readonly Uint8Array[];
  /** The bucket's rows of its group's search file. @param places of the compressed blocks in the details file */
  rows(places: readonly BlockPlace[]): SearchRows;
}

/** @param columns those of the entries */
export function bucketDetails(
  entries: readonly ColumnEntry[],
  { answers: places, listings }: BucketColumns,
): BucketDetails {
  const { scores, units, fields, filters } = listings;
  const summaries = entries
    .flatMap(({ search }) => (search === null ? [] : [search.summary]))
    .sort((a, b) => byCodeUnit(a.host, b.host));
  const json = summaries.map((summary) => JSON.stringify(summary));
  const scannedAt = textsOf(summaries.map(({ latestScannedAt }) => latestScannedAt ?? ""));
  return {
    blocks: [writeAnswersBlock(places), ...writeSummaryBlocks(json)],
    rows([answers, ...others]) {
      if (answers === undefined) throw new RangeError("a details file has at least one block");
      return { scores, units, fields, scannedAt, filters, answers, summaries: others };
    },
  };
}

/** A details file's bytes, and the places of its blocks. @param blocks before compression */
export function detailsFile(blocks: readonly Uint8Array[]) {
  const compressed = blocks.map(deflated);
  let end = 0;
  const places = compressed.map((block): BlockPlace => {
    end += block.length;
    const digest = shortDigest(sha256(block));
    return { offset: end - block.length, length: block.length, digest };
  });
  const bytes = new Uint8Array(end);
  for (const [place, block] of compressed.entries()) bytes.set(block, itemAt(places, place).offset);
  return { bytes, places };
}

/** The bytes of a group's search file. @param rows by bucket */
export function searchFile(rows: readonly SearchRows[]): Uint8Array {
  return deflated(writeSearchFile(rows));
}

/** The most bytes of a search file's content: hundreds of times an ordinary one. */
const CONTENT_MAX = 256 * 1024 * 1024;

/** The inflated content of a search file, and the group's buckets, in order. */
export interface SearchContent {
  readonly content: Uint8Array;
  readonly buckets: readonly SearchBucket[];
}

/**
 * Reads a group's search file.
 * @throws BadSnapshotError if the file is missing, damaged or malformed
 */
export async function readSearch(store: string, file: StoredFile): Promise<SearchContent> {
  const content = inflated(await readChecked(store, file), CONTENT_MAX);
  try {
    if (content === null) throw new BadColumnsError("it cannot be inflated");
    return { content, buckets: readSearchFile(content) };
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    throw new BadSnapshotError(`${file.file}: ${error.message}`, { cause: error });
  }
}
