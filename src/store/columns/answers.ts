import { hostHash } from "../../contract/host.js";
import { firstWhere } from "../../contract/order.js";
import { digestAt, digestColumn, SHA256_BYTES } from "./digests.js";
import type { Column, ColumnReader } from "./file.js";
import { isTextAt, joinedTexts, readTexts, type Texts, textAt, textsOf } from "./texts.js";

/*
 * Where the answers about each host are in its bucket's pack. Hosts are sorted by hash, then by host.
 * Buckets are ranges of the same hash, so the concatenated tables of all buckets are one sorted table,
 * in which a binary search finds a host.
 */

/** An answer's place in its bucket's pack, with the checksum of its bytes. */
export interface AnswerPlace {
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

/** A host's scans, with the locations of historical reports, as JSON. */
type ScansJson = Pick<HostAnswers, "publishedScan" | "historical" | "excerpts" | "locked">;

/** The answers of many hosts as columns. The report and enrichment of host `i` are the answers 2i and 2i + 1. */
export interface AnswerColumns {
  readonly hashes: Uint32Array;
  readonly hosts: Texts;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  /** Thirty-two bytes for each answer. */
  readonly digests: Uint8Array;
  readonly scans: Texts;
}

/** @param listings sorted by the hash of their host, then by host */
export function answerColumns(listings: readonly HostAnswers[]): AnswerColumns {
  const answers = listings.flatMap(({ report, enrichment }) => [report, enrichment]);
  return {
    hashes: Uint32Array.from(listings, ({ host }) => hostHash(host)),
    hosts: textsOf(listings.map(({ host }) => host)),
    offsets: Float64Array.from(answers, ({ offset }) => offset),
    lengths: Uint32Array.from(answers, ({ length }) => length),
    digests: digestColumn(
      answers.map(({ sha256 }) => sha256),
      SHA256_BYTES,
    ),
    scans: textsOf(
      listings.map(({ publishedScan, historical, excerpts, locked }) =>
        JSON.stringify({ publishedScan, historical, excerpts, locked } satisfies ScansJson),
      ),
    ),
  };
}

/** The columns in the order of the file. */
export function writeAnswers(columns: AnswerColumns): Column[] {
  const { hashes, hosts, offsets, lengths, digests, scans } = columns;
  return [
    ...[hashes, hosts.bytes, hosts.starts, offsets, lengths, digests],
    ...[scans.bytes, scans.starts],
  ];
}

/** @throws BadColumnsError */
export function readAnswers(reader: ColumnReader): AnswerColumns {
  return {
    hashes: reader.u32(),
    hosts: readTexts(reader),
    offsets: reader.f64(),
    lengths: reader.u32(),
    digests: reader.u8(),
    scans: readTexts(reader),
  };
}

/** Joins the answers of all buckets, given in order, into one table. Copies the columns. */
export function joinAnswers(buckets: readonly AnswerColumns[]): AnswerColumns {
  return {
    hashes: joined(Uint32Array, buckets, ({ hashes }) => hashes),
    hosts: joinedTexts(buckets.map(({ hosts }) => hosts)),
    offsets: joined(Float64Array, buckets, ({ offsets }) => offsets),
    lengths: joined(Uint32Array, buckets, ({ lengths }) => lengths),
    digests: joined(Uint8Array, buckets, ({ digests }) => digests),
    scans: joinedTexts(buckets.map(({ scans }) => scans)),
  };
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

  /** All hosts, in the order of the table. */
  *hosts(): Generator<string> {
    for (let place = 0; place < this.size; place += 1) yield textAt(this.#columns.hosts, place);
  }

  /** Returns undefined if the host has no report. Each part of the answers is decoded only when it is used. */
  find(host: string): HostAnswers | undefined {
    const { hashes, hosts } = this.#columns;
    const hash = hostHash(host);
    let place = firstWhere(0, hashes.length, (at) => hashes[at]! >= hash);
    for (; hashes[place] === hash; place += 1) {
      if (isTextAt(hosts, place, host)) return new AnswersAt(this.#columns, place, host);
    }
    return undefined;
  }
}

/** The answers about the host at one place of a table. */
class AnswersAt implements HostAnswers {
  readonly host: string;
  readonly #columns: AnswerColumns;
  readonly #place: number;
  #scansRead: ScansJson | null = null;

  constructor(columns: AnswerColumns, place: number, host: string) {
    this.#columns = columns;
    this.#place = place;
    this.host = host;
  }

  get report(): AnswerPlace {
    return this.#answer(2 * this.#place);
  }

  get enrichment(): AnswerPlace {
    return this.#answer(2 * this.#place + 1);
  }

  get publishedScan(): string {
    return this.#scans.publishedScan;
  }

  get historical(): HostAnswers["historical"] {
    return this.#scans.historical;
  }

  get excerpts(): HostAnswers["excerpts"] {
    return this.#scans.excerpts;
  }

  get locked(): readonly string[] {
    return this.#scans.locked;
  }

  get #scans(): ScansJson {
    const scans: ScansJson =
      this.#scansRead ?? JSON.parse(textAt(this.#columns.scans, this.#place));
    this.#scansRead = scans;
    return scans;
  }

  #answer(place: number): AnswerPlace {
    const { offsets, lengths, digests } = this.#columns;
    return {
      offset: offsets[place]!,
      length: lengths[place]!,
      sha256: digestAt(digests, place, SHA256_BYTES),
    };
  }
}

function joined<T extends Column>(
  kind: new (length: number) => T,
  buckets: readonly AnswerColumns[],
  columnOf: (bucket: AnswerColumns) => T,
): T {
  const column = new kind(buckets.reduce((sum, bucket) => sum + columnOf(bucket).length, 0));
  let end = 0;
  for (const bucket of buckets) {
    column.set(columnOf(bucket), end);
    end += columnOf(bucket).length;
  }
  return column;
}
