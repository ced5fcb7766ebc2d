import { hostHash } from "../../contract/host.js";
import { byCodeUnit, firstWhere } from "../../contract/order.js";
import { isTextAt, type Texts, textAt } from "../columns/texts.js";
import { SHA256_BYTES } from "./digests.js";
import {
  answerLocation,
  directoryHosts,
  type ListingScans,
  type SegmentDirectory,
} from "./directory.js";

/** An answer's place in the pack of its segment, with the checksum of its bytes. */
export interface AnswerPlace {
  /** The number of the segment in the manifest. */
  readonly segment: number;
  /** Bytes from the start of the pack. */
  readonly offset: number;
  /** Bytes of the body. */
  readonly length: number;
  /** The body's sha256 in hex, which is checked on every read. Its first 128 bits are the entity tag. */
  readonly sha256: string;
}

/** A scan with the place of its report, or of the excerpt of the report that pages draw. */
interface ScanPlace {
  readonly scan: string;
  readonly report: AnswerPlace;
}

/** The answers about a listing that has a report. */
export interface HostAnswers {
  readonly host: string;
  readonly report: AnswerPlace;
  readonly enrichment: AnswerPlace;
  /** The scan of the latest report. */
  readonly publishedScan: string;
  readonly historical: readonly ScanPlace[];
  /** Of the scans whose reports are too large for a page. */
  readonly excerpts?: readonly ScanPlace[] | undefined;
  /** Scans that exist, but that the listing's plan does not make public. */
  readonly locked: readonly string[];
}

/** The answers of all listings of a snapshot, as columns in the order of a directory. */
export interface AnswerColumns extends Omit<SegmentDirectory, "contents"> {
  /** By listing, the number of its segment. */
  readonly segments: Uint32Array;
}

/** A directory and those of its listings that no later segment has. */
export interface LiveDirectory {
  readonly directory: SegmentDirectory;
  readonly live: Uint32Array;
  /** Its number in the manifest. */
  readonly segment: number;
}

/** Joins the live listings of directories into one table. */
export function joinAnswers(parts: readonly LiveDirectory[]): AnswerColumns {
  const order = parts.flatMap(({ directory, live, segment }) => {
    const hosts = directoryHosts(directory);
    return Array.from(live, (row) => ({
      directory,
      segment,
      row,
      hash: directory.hashes[row]!,
      host: hosts[row]!,
    }));
  });
  order.sort((a, b) => a.hash - b.hash || byCodeUnit(a.host, b.host));
  const size = order.length;
  const joined = {
    hashes: new Uint32Array(size),
    hosts: emptyTexts(order.map(({ directory, row }) => [directory.hosts, row])),
    offsets: new Float64Array(2 * size),
    lengths: new Uint32Array(2 * size),
    digests: new Uint8Array(2 * SHA256_BYTES * size),
    scans: emptyTexts(order.map(({ directory, row }) => [directory.scans, row])),
    segments: new Uint32Array(size),
  };
  for (const [at, { directory, row, segment, hash }] of order.entries()) {
    const { offsets, lengths, digests } = directory;
    joined.hashes[at] = hash;
    joined.segments[at] = segment;
    joined.offsets.set(offsets.subarray(2 * row, 2 * row + 2), 2 * at);
    joined.lengths.set(lengths.subarray(2 * row, 2 * row + 2), 2 * at);
    const bytes = 2 * SHA256_BYTES;
    joined.digests.set(digests.subarray(bytes * row, bytes * (row + 1)), bytes * at);
  }
  return joined;
}

/** Copies texts of several columns into one. */
function emptyTexts(texts: readonly (readonly [Texts, number])[]): Texts {
  const starts = new Uint32Array(texts.length + 1);
  for (const [at, [{ starts: from }, row]] of texts.entries()) {
    starts[at + 1] = starts[at]! + from[row + 1]! - from[row]!;
  }
  const bytes = new Uint8Array(starts[texts.length]!);
  for (const [at, [from, row]] of texts.entries()) {
    bytes.set(from.bytes.subarray(from.starts[row], from.starts[row + 1]), starts[at]!);
  }
  return { bytes, starts };
}

/** Finds the answers about a host. */
export class AnswerTable {
  readonly #columns: AnswerColumns;

  constructor(columns: AnswerColumns) {
    this.#columns = columns;
  }

  /** The number of hosts. */
  get size(): number {
    return this.#columns.hashes.length;
  }

  /** The first host of the table; null if the table is empty. */
  get firstHost(): string | null {
    return this.size === 0 ? null : textAt(this.#columns.hosts, 0);
  }

  /** Returns undefined if the host has no report. Each part of the answers is decoded only when it is used. */
  find(host: string): HostAnswers | undefined {
    const { hashes, hosts, segments } = this.#columns;
    const row = rowOf({ hashes, hosts }, host);
    return row < 0
      ? undefined
      : new AnswersAt({ ...this.#columns, contents: NOTHING }, row, host, segments[row]!);
  }
}

const NOTHING = new Uint8Array(0);

/** The row of a host; -1 if there is none. */
export function rowOf(
  { hashes, hosts }: Pick<SegmentDirectory, "hashes" | "hosts">,
  host: string,
): number {
  const hash = hostHash(host);
  let row = firstWhere(0, hashes.length, (at) => hashes[at]! >= hash);
  for (; hashes[row] === hash; row += 1) if (isTextAt(hosts, row, host)) return row;
  return -1;
}

/** The answers about the listing at one row. */
export class AnswersAt implements HostAnswers {
  readonly host: string;
  readonly #columns: SegmentDirectory;
  readonly #row: number;
  readonly #segment: number;
  #scansRead: ListingScans | null = null;

  constructor(columns: SegmentDirectory, row: number, host: string, segment: number) {
    this.#columns = columns;
    this.#row = row;
    this.#segment = segment;
    this.host = host;
  }

  get report(): AnswerPlace {
    return placeOf(this.#segment, answerLocation(this.#columns, this.#row, 0));
  }

  get enrichment(): AnswerPlace {
    return placeOf(this.#segment, answerLocation(this.#columns, this.#row, 1));
  }

  get publishedScan(): string {
    return this.#scans.publishedScan;
  }

  get historical(): HostAnswers["historical"] {
    return this.#placesOf(this.#scans.historical);
  }

  get excerpts(): HostAnswers["excerpts"] {
    return this.#placesOf(this.#scans.excerpts ?? []);
  }

  get locked(): readonly string[] {
    return this.#scans.locked;
  }

  #placesOf(answers: ListingScans["historical"]): ScanPlace[] {
    return answers.map(({ scan, report }) => ({ scan, report: placeOf(this.#segment, report) }));
  }

  get #scans(): ListingScans {
    const scans: ListingScans =
      this.#scansRead ?? JSON.parse(textAt(this.#columns.scans, this.#row));
    this.#scansRead = scans;
    return scans;
  }
}

function placeOf(
  segment: number,
  [offset, length, sha256]: readonly [number, number, string],
): AnswerPlace {
  return { segment, offset, length, sha256 };
}
