import {
  type AnswerColumns,
  answerColumns,
  type HostAnswers,
  readAnswers,
  writeAnswers,
} from "./answers.js";
import { BadColumnsError, ColumnReader, joinColumns } from "./file.js";
import {
  type IndexedListing,
  type ListingColumns,
  listingColumns,
  readListings,
  VALUE_NAMES,
  writeListings,
} from "./listings.js";

/*
 * A bucket's columns: the content of its shard in the runtime's in-memory form. A build writes them
 * beside the shard, so that a runtime can load them without parsing. The first column is a head in JSON
 * that names the others. A runtime that uses other columns rebuilds them from the shard.
 */

/** Increase it when a column's meaning or its computation changes, but its name does not. */
const COLUMNS_VERSION = 3;
/** The version of files without a head. */
const FIRST_VERSION = 1;

const texts = (name: string) => [`${name}.bytes`, `${name}.starts`];

/** The names of the columns after the head, in order. */
const COLUMN_NAMES: readonly string[] = [
  ...["hashes", ...texts("hosts"), "offsets", "lengths", "digests", ...texts("scans")],
  ...[...texts("summaries.own"), "summaries.cuts", "summaries.shown", ...texts("summaries.pieces")],
  ...["summaries.starts", "summaries.named", "scores", ...texts("recents"), "units", "fields"],
  ...["parents", "units", "starts", "titleEnds", "grams"].map((name) => `grams.${name}`),
  ...VALUE_NAMES.flatMap((filter) => {
    const name = `filters.${filter}`;
    return [...texts(`${name}.values`), `${name}.starts`, `${name}.places`];
  }),
];

const HEAD = new TextEncoder().encode(
  JSON.stringify({ version: COLUMNS_VERSION, columns: COLUMN_NAMES }),
);

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
  return joinColumns([HEAD, ...writeAnswers(answers), ...writeListings(listings)]);
}

/**
 * A bucket's columns as views of their bytes.
 * @param bytes must begin at a multiple of eight in their buffer
 * @throws BadColumnsError
 */
export function readColumns(bytes: Uint8Array): BucketColumns {
  const reader = new ColumnReader(bytes);
  if (!isHead(reader.u8()))
    throw new BadColumnsError("its columns are not those that this version reads");
  const answers = readAnswers(reader);
  const listings = readListings(reader);
  reader.finish();
  return { answers, listings };
}

/**
 * The version of a file whose columns differ from this program's, in their version or their names.
 * @param bytes must begin at a multiple of eight in their buffer
 * @returns null if the columns are this program's, or if this is no file of columns of any version.
 * `readColumns` reads the former and throws on the latter
 */
export function otherVersion(bytes: Uint8Array): number | null {
  try {
    if (isOfFirstVersion(bytes)) return FIRST_VERSION;
    const head = new ColumnReader(bytes).u8();
    if (isHead(head)) return null;
    const { version }: { version?: unknown } = JSON.parse(new TextDecoder().decode(head));
    return typeof version === "number" && Number.isSafeInteger(version) ? version : null;
  } catch {
    return null;
  }
}

/** Files of the first version begin with the hosts' hashes, which are 32-bit numbers. */
function isOfFirstVersion(bytes: Uint8Array): boolean {
  try {
    new ColumnReader(bytes).u32();
    return true;
  } catch {
    return false;
  }
}

function isHead(bytes: Uint8Array): boolean {
  if (bytes.length !== HEAD.length) return false;
  for (let at = 0; at < HEAD.length; at += 1) if (bytes[at] !== HEAD[at]) return false;
  return true;
}
