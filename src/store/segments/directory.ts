import { hostHash } from "../../contract/host.js";
import { byCodeUnit, firstWhere } from "../../contract/order.js";
import {
  areStarts,
  BadColumnsError,
  ColumnReader,
  isTextAt,
  joinColumns,
  listOf,
  neverFall,
  readTexts,
  type Texts,
  type TextsElsewhere,
  textAt,
  textsOf,
} from "../columns/columns.js";
import type { AnswerLocation, HostAnswers, ListingEntry, ScanAnswer, Segment } from "../format.js";
import type { ByteRange } from "../source.js";
import { storedJson } from "../stored-json.js";

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
  readonly scans: Texts | TextsElsewhere;
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

/** An answer in the pack of its segment, with the checksum of its bytes. */
export interface AnswerRef {
  /** The number of the segment in the manifest. */
  readonly segment: number;
  /** Bytes from the start of the pack. */
  readonly offset: number;
  /** Bytes of the body. */
  readonly length: number;
  /** The body's sha256 in hex, which is checked on every read. Its first 128 bits are the entity tag. */
  readonly sha256: string;
}

/** The answers about a listing that has a report. */
export type ListingAnswers = HostAnswers<AnswerRef>;

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
 * @param range that all hashes must be in: readers look for a host only in the segments whose range has its hash
 * @throws BadColumnsError
 */
export function readDirectory(
  bytes: Uint8Array,
  listings: number,
  packBytes: number,
  { firstHash, lastHash }: Pick<Segment, "firstHash" | "lastHash">,
): SegmentDirectory & { readonly scans: Texts } {
  const reader = new ColumnReader(bytes);
  const directory = {
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
  if (listings > 0 && !(firstHash <= hashes[0]! && hashes[listings - 1]! <= lastHash))
    throw new BadColumnsError("its directory has a host outside the range of its segment");
  for (const [at, offset] of offsets.entries()) {
    if (!isAnswerIn([offset, lengths[at]!, ""], packBytes))
      throw new BadColumnsError("its directory names an answer that is not in its pack");
  }
  return directory;
}

/** Whether an answer is within the first bytes of a pack. */
export function isAnswerIn([offset, length]: AnswerLocation, packBytes: number): boolean {
  const areCounts = Number.isSafeInteger(offset) && Number.isSafeInteger(length);
  return areCounts && offset >= 0 && length > 0 && offset + length <= packBytes;
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
function answerLocation(directory: SegmentDirectory, at: number, which: 0 | 1): AnswerLocation {
  const answer = 2 * at + which;
  const { offsets, lengths, digests } = directory;
  return [offsets[answer]!, lengths[answer]!, digestAt(digests, answer, SHA256_BYTES)];
}

/** The listing at a row, with the places of its answers, but without what the search knows about it. */
export function entryAt(directory: SegmentDirectory, row: number): DirectoryEntry {
  const scans: ListingScans = storedJson(textAt(directory.scans, row));
  return {
    host: textAt(directory.hosts, row),
    search: null,
    report: answerLocation(directory, row, 0),
    enrichment: answerLocation(directory, row, 1),
    content: contentAt(directory, row),
    ...scans,
  };
}

/** The row of a host; -1 if there is none. */
export function rowOf(
  { hashes, hosts }: Pick<SegmentDirectory, "hashes" | "hosts">,
  host: string,
  hash: number,
): number {
  let row = firstWhere(0, hashes.length, (at) => hashes[at]! >= hash);
  for (; hashes[row] === hash; row += 1) if (isTextAt(hosts, row, host)) return row;
  return -1;
}

/** The answers about the listing at one row of a directory. */
export class StoredAnswers implements ListingAnswers {
  readonly host: string;
  readonly #directory: SegmentDirectory;
  readonly #row: number;
  readonly #segment: number;
  #scansRead: ListingScans | null = null;

  constructor(directory: SegmentDirectory, row: number, host: string, segment: number) {
    this.#directory = directory;
    this.#row = row;
    this.#segment = segment;
    this.host = host;
  }

  get report(): AnswerRef {
    return answerRef(this.#segment, answerLocation(this.#directory, this.#row, 0));
  }

  get enrichment(): AnswerRef {
    return answerRef(this.#segment, answerLocation(this.#directory, this.#row, 1));
  }

  get publishedScan(): string {
    return this.#scans.publishedScan;
  }

  get historical(): ListingAnswers["historical"] {
    return scanRefs(this.#segment, this.#scans.historical);
  }

  get excerpts(): ListingAnswers["excerpts"] {
    return scanRefs(this.#segment, this.#scans.excerpts ?? []);
  }

  get locked(): readonly string[] {
    return this.#scans.locked;
  }

  get #scans(): ListingScans {
    const scans: ListingScans =
      this.#scansRead ?? storedJson(textAt(this.#directory.scans, this.#row));
    this.#scansRead = scans;
    return scans;
  }
}

/** An answer of a segment. */
export function answerRef(segment: number, [offset, length, sha256]: AnswerLocation): AnswerRef {
  return { segment, offset, length, sha256 };
}

function scanRefs(segment: number, answers: ListingScans["historical"]): ScanAnswer<AnswerRef>[] {
  return answers.map(({ scan, report }) => ({ scan, report: answerRef(segment, report) }));
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

/** A part of a pack, which a packed tree stores as a separate compressed file. */
export interface PackPiece {
  /** Relative to `data/`. */
  readonly file: string;
  /** Bytes of the pack before the piece. */
  readonly offset: number;
  readonly length: number;
}

/** The most bytes of a piece, before it is compressed: a report must not cost a reader many others. */
const PIECE_BYTES = 2 * 1024 * 1024;

/**
 * The name of a file in the folder `data/` of a tree. Many web servers would say that the content of a name with `.gz`
 * is encoded, and browsers would inflate it.
 */
export function dataName(file: string): string {
  return file.replace(/\.gz$/, ".bin");
}

/**
 * The pieces of a pack, in order: its answers, cut without regard to where one ends, then its directory.
 * @param range only the pieces that have bytes of it. Default: the whole pack
 */
export function packPieces(
  { pack, directory }: Pick<Segment, "pack" | "directory">,
  { offset, length }: ByteRange = { offset: 0, length: pack.bytes },
): PackPiece[] {
  const directoryStart = pack.bytes - directory.bytes;
  const end = offset + length;
  const pieces: PackPiece[] = [];
  for (
    let number = Math.floor(offset / PIECE_BYTES);
    number * PIECE_BYTES < Math.min(directoryStart, end);
    number += 1
  ) {
    const start = number * PIECE_BYTES;
    const size = Math.min(PIECE_BYTES, directoryStart - start);
    pieces.push({ file: `${pack.file}.${number}`, offset: start, length: size });
  }
  if (end <= directoryStart) return pieces;
  const file = `${pack.file}.directory`;
  return [...pieces, { file, offset: directoryStart, length: directory.bytes }];
}
