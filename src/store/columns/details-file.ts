import {
  type AnswerColumns,
  AnswerTable,
  type HostAnswers,
  readAnswers,
  writeAnswers,
} from "./answers.js";
import { BadColumnsError, ColumnReader, joinColumns } from "./file.js";
import { checkAnswers } from "./rules.js";
import { SUMMARIES_A_BLOCK } from "./search-file.js";

/*
 * The blocks of a bucket's details file before compression. The first block has the places of all answers; each of the
 * others has the summaries of SUMMARIES_A_BLOCK consecutive listings of the bucket that are in search. Each block is
 * compressed by itself, so that a reader can fetch it alone.
 */

const LINE_FEED = 0x0a;

/** The block of a bucket's answers. */
export function writeAnswersBlock(columns: AnswerColumns): Uint8Array {
  return joinColumns(writeAnswers(columns));
}

/** The answers about the listings of a bucket. */
export interface BucketAnswers {
  /** Returns undefined if the bucket has no report about the host. */
  get(host: string): HostAnswers | undefined;
  /** All hosts with a report, sorted by hash, then by host. */
  hosts(): Iterable<string>;
}

/**
 * Reads the block of a bucket's answers. Does not know the bucket's pack: the caller checks that an answer lies in it.
 * @param bytes an inflated block that begins at a multiple of eight in its buffer
 * @throws BadColumnsError
 */
export function readAnswersBlock(bytes: Uint8Array): BucketAnswers {
  const reader = new ColumnReader(bytes);
  const columns = readAnswers(reader);
  reader.finish();
  checkAnswers(columns);
  const table = new AnswerTable(columns);
  return { get: (host) => table.find(host), hosts: () => table.hosts() };
}

/** The blocks of a bucket's summaries. @param summaries JSON, sorted by host */
export function writeSummaryBlocks(summaries: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder();
  return Array.from({ length: Math.ceil(summaries.length / SUMMARIES_A_BLOCK) }, (_, block) => {
    const first = block * SUMMARIES_A_BLOCK;
    return encoder.encode(summaries.slice(first, first + SUMMARIES_A_BLOCK).join("\n"));
  });
}

/**
 * Reads a block of summaries.
 * @param bytes an inflated block
 * @returns one view of JSON bytes for each listing
 * @throws BadColumnsError
 */
export function readSummaryBlock(bytes: Uint8Array): Uint8Array[] {
  const summaries: Uint8Array[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    if (end === start || summaries.length === SUMMARIES_A_BLOCK) {
      throw new BadColumnsError("it is not a block of summaries");
    }
    summaries.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return summaries;
}
