import { hostHash } from "../../contract/host.js";
import { byCodeUnit } from "../../contract/order.js";
import { BadColumnsError, ColumnReader, joinColumns } from "../columns/file.js";
import { areStarts, listOf, neverFall, readTexts, type Texts, textsOf } from "../columns/texts.js";
import type { AnswerLocation, ListingEntry } from "../format.js";

/*
 * The directory of a segment: where the answers of each listing are in its pack, with the sha256 of each. It is the end
 * of the pack, so that a reader who wants one report reads this and the report, and a search reads neither. Listings
 * are sorted by the hash of their host, then by host.
 */

/** A directory as columns. The report and enrichment of listing `i` are the answers 2i and 2i + 1. */
export interface SegmentDirectory {
  readonly hashes: Uint32Array;
  readonly hosts: Texts;
  /** Sixteen bytes for each listing: a digest of everything that is served about it. */
  readonly contents: Uint8Array;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  /** Thirty-two bytes for each answer. */
  readonly digests: Uint8Array;
  /** The scans of each listing, as JSON (`ListingScans`). */
  readonly scans: Texts;
}

/** The members of an entry that a directory stores as JSON. */
export type ListingScans = Pick<
  ListingEntry,
  "publishedScan" | "historical" | "excerpts" | "locked" | "exempt"
>;

/** An entry with the digest of everything that is served about its listing, in hex. */
export interface DirectoryEntry extends ListingEntry {
  readonly content: string;
}

/** The order of a directory. */
export function byHash(a: { readonly host: string }, b: { readonly host: string }): number {
  return hostHash(a.host) - hostHash(b.host) || byCodeUnit(a.host, b.host);
}

/** The bytes of a directory. @param entries in its order */
export function writeDirectory(entries: readonly DirectoryEntry[]): Uint8Array {
  const answers = entries.flatMap(({ report, enrichment }) => [report, enrichment]);
  const hosts = textsOf(entries.map(({ host }) => host));
  const scans = textsOf(
    entries.map(({ publishedScan, historical, excerpts, locked, exempt }) =>
      JSON.stringify({
        publishedScan,
        historical,
        excerpts,
        locked,
        exempt,
      } satisfies ListingScans),
    ),
  );
  const contents = entries.map(({ content }) => content);
  const digests = answers.map(([, , sha256]) => sha256);
  return joinColumns([
    Uint32Array.from(entries, ({ host }) => hostHash(host)),
    hosts.bytes,
    hosts.starts,
    digestColumn(contents, DIGEST_BYTES),
    Float64Array.from(answers, ([at]) => at),
    Uint32Array.from(answers, ([, length]) => length),
    digestColumn(digests, SHA256_BYTES),
    scans.bytes,
    scans.starts,
  ]);
}

/**
 * A directory as views of its bytes. Readers follow its places without checks, so they are checked here.
 * @param bytes must begin at a multiple of eight in their buffer
 * @param listings how many it must have
 * @param packBytes the bytes of the pack before the directory, where all answers must be
 * @throws BadColumnsError
 */
export function readDirectory(
  bytes: Uint8Array,
  listings: number,
  packBytes: number,
): SegmentDirectory {
  const reader = new ColumnReader(bytes);
  const directory: SegmentDirectory = {
    hashes: reader.u32(),
    hosts: readTexts(reader),
    contents: reader.u8(),
    offsets: reader.f64(),
    lengths: reader.u32(),
    digests: reader.u8(),
    scans: readTexts(reader),
  };
  reader.finish();
  const { hashes, hosts, contents, offsets, lengths, digests, scans } = directory;
  const isWhole =
    hashes.length === listings &&
    [hosts, scans].every(({ starts }) => starts.length === listings + 1) &&
    contents.length === DIGEST_BYTES * listings &&
    [offsets, lengths].every(({ length }) => length === 2 * listings) &&
    digests.length === 2 * SHA256_BYTES * listings;
  if (!isWhole || !neverFall(hashes) || !areStarts(hosts.starts, hosts.bytes.length)) {
    throw new BadColumnsError("its directory has columns of different lengths, or is not sorted");
  }
  for (const [at, offset] of offsets.entries())
    requireInside([offset, lengths[at]!, ""], packBytes);
  return directory;
}

function requireInside([offset, length]: AnswerLocation, packBytes: number): void {
  const isPlace = Number.isSafeInteger(offset) && offset >= 0 && length > 0;
  if (!isPlace || offset + length > packBytes) {
    throw new BadColumnsError("its directory names an answer that is not in its pack");
  }
}

/**
 * The places of all of a listing's answers and excerpts, in the order of the pack. They lie together, the report
 * first.
 */
export function answersOf(entry: ListingEntry): AnswerLocation[] {
  const { report, enrichment, historical, excerpts = [] } = entry;
  return [report, enrichment, ...[...historical, ...excerpts].map((one) => one.report)].sort(
    ([one], [other]) => one - other,
  );
}

/** All hosts, in order. */
export function directoryHosts({ hosts }: SegmentDirectory): string[] {
  return listOf(hosts);
}

/** The digest of everything that is served about a listing, in hex. */
export function contentAt({ contents }: SegmentDirectory, at: number): string {
  return digestAt(contents, at, DIGEST_BYTES);
}

/** The report (0) or the enrichment (1) of a listing. */
export function answerLocation(
  directory: SegmentDirectory,
  at: number,
  which: 0 | 1,
): AnswerLocation {
  const answer = 2 * at + which;
  const { offsets, lengths, digests } = directory;
  return [offsets[answer]!, lengths[answer]!, digestAt(digests, answer, SHA256_BYTES)];
}

/* Digests as columns: a whole sha256 each, or its first 128 bits. */

const SHA256_BYTES = 32;
const DIGEST_BYTES = 16;

/** Two hexadecimal digits for each byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param size bytes of each digest @param digests in hex */
function digestColumn(digests: readonly string[], size: number): Uint8Array {
  const bytes = new Uint8Array(size * digests.length);
  for (const [place, digest] of digests.entries()) {
    for (let at = 0; at < size; at += 1) {
      bytes[size * place + at] = Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16);
    }
  }
  return bytes;
}

/** The digest at a place, in hex. @param size bytes of each digest */
function digestAt(digests: Uint8Array, place: number, size: number): string {
  let digest = "";
  for (let at = size * place; at < size * (place + 1); at += 1) {
    digest += HEX[digests[at]!]!;
  }
  return digest;
}
