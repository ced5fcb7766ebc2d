import {
  type AnswerColumns,
  answerColumns,
  type HostAnswers,
  readAnswers,
  writeAnswers,
} from "./answers.js";
import { BadColumnsError, ColumnReader, joinColumns } from "./file.js";
import {
  eachFilter,
  type IndexedListing,
  type ListingColumns,
  listingColumns,
  readListings,
  writeListings,
} from "./listings.js";

/*
 * A bucket's columns: what its shard says, in the form in which the runtime holds it. A build writes them
 * beside the shard; a runtime that loads them parses nothing. The first column is a head in JSON, which says what the
 * others are: a runtime that knows other columns makes its own from the shard.
 */

/** Grows when the meaning or the making of a column changes, though its name does not. */
const COLUMNS_VERSION = 2;
/** Of files without a head. */
const FIRST_VERSION = 1;

const texts = (name: string) => [`${name}.bytes`, `${name}.starts`];

/** What the columns behind the head are called, in their order. */
const COLUMN_NAMES: readonly string[] = [
  ...["hashes", ...texts("hosts"), "offsets", "lengths", "crcs", "digests", ...texts("scans")],
  ...[...texts("summaries.own"), "summaries.cuts", "summaries.shown", ...texts("summaries.pieces")],
  ...["summaries.starts", "summaries.named", "scores", ...texts("recents"), "units", "fields"],
  ...["parents", "units", "starts", "titleEnds", "grams"].map((name) => `grams.${name}`),
  ...Object.keys(eachFilter(() => null)).flatMap((filter) => {
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

/** A listing that has a report, and how it is searched where it is in search. */
export interface ColumnEntry extends HostAnswers {
  readonly search: IndexedListing | null;
}

/** The bytes of a bucket's columns. @param entries by the hash of their host, then by host */
export function writeColumns(entries: readonly ColumnEntry[]): Uint8Array {
  const searchable = entries.flatMap(({ search }) => (search === null ? [] : [search]));
  return joinColumns([
    HEAD,
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
  if (!isHead(reader.u8())) throw new BadColumnsError("it has other columns");
  const answers = readAnswers(reader);
  const listings = readListings(reader);
  reader.finish();
  return { answers, listings };
}

/**
 * The version of a file whose columns are not this program's: another version's, or others by name.
 * @param bytes they begin at a multiple of eight in their buffer
 * @returns null where `readColumns` reads them, or refuses them as no file of columns of any version
 */
export function otherVersion(bytes: Uint8Array): number | null {
  try {
    if (isOfFirstVersion(bytes)) return FIRST_VERSION;
    const head = new ColumnReader(bytes).u8();
    if (isHead(head)) return null;
    const { version } = JSON.parse(new TextDecoder().decode(head)) as { version?: unknown };
    return Number.isSafeInteger(version) ? (version as number) : null;
  } catch {
    return null;
  }
}

/** Those begin with the hosts' hashes. */
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
