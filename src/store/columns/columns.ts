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
 * A bucket's columns: the content of its shard in the runtime's in-memory form. A build writes them
 * beside the shard, so that a runtime can load them without parsing. A change of the columns is a change of the store's
 * format.
 */

export interface BucketColumns {
  readonly answers: AnswerColumns;
  readonly listings: ListingColumns;
}

/** A listing that has a report, with its search data if it is in search. */
export interface ColumnEntry extends HostAnswers {
  readonly search: IndexedListing | null;
}

/** The bytes of a bucket's columns. @param entries sorted by the hash of their host, then by host */
export function writeColumns(entries: readonly ColumnEntry[]): Uint8Array {
  return columnBytes(bucketColumns(entries));
}

/** @param entries as for `writeColumns` */
export function bucketColumns(entries: readonly ColumnEntry[]): BucketColumns {
  const searchable = entries.flatMap(({ search }) => (search === null ? [] : [search]));
  return { answers: answerColumns(entries), listings: listingColumns(searchable) };
}

/** The bytes of columns. */
export function columnBytes({ answers, listings }: BucketColumns): Uint8Array {
  return joinColumns([...writeAnswers(answers), ...writeListings(listings)]);
}

/**
 * A bucket's columns as views of their bytes.
 * @param bytes must begin at a multiple of eight in their buffer
 * @throws BadColumnsError
 */
export function readColumns(bytes: Uint8Array): BucketColumns {
  const reader = new ColumnReader(bytes);
  const answers = readAnswers(reader);
  const listings = readListings(reader);
  reader.finish();
  return { answers, listings };
}
