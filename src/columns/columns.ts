import {
  type AnswerColumns,
  answerColumns,
  type HostAnswers,
  readAnswers,
  writeAnswers,
} from "./answers.js";
import { ColumnReader, joinColumns } from "./file.js";
import {
  type IndexedListing,
  type ListingColumns,
  listingColumns,
  readListings,
  writeListings,
} from "./listings.js";

/*
 * A bucket's columns: what its shard says, in the form in which the runtime holds it. A build writes them
 * beside the shard; a runtime that loads them parses nothing.
 */

export interface BucketColumns {
  readonly answers: AnswerColumns;
  readonly listings: ListingColumns;
}

/** A listing that has a report, and how it is searched where it is in search. */
export interface ColumnEntry extends HostAnswers {
  readonly search: IndexedListing | null;
}

/** The bytes of a bucket's columns. @param entries by the hash of their host, then by host */
export function writeColumns(entries: readonly ColumnEntry[]): Uint8Array {
  const searchable = entries.flatMap(({ search }) => (search === null ? [] : [search]));
  return joinColumns([
    ...writeAnswers(answerColumns(entries)),
    ...writeListings(listingColumns(searchable)),
  ]);
}

/**
 * A bucket's columns as views of their bytes.
 * @param bytes they begin at a multiple of eight in their buffer
 * @throws BadColumnsError
 */
export function readColumns(bytes: Uint8Array): BucketColumns {
  const reader = new ColumnReader(bytes);
  const answers = readAnswers(reader);
  const listings = readListings(reader);
  reader.finish();
  return { answers, listings };
}
