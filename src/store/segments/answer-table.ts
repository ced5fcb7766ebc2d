import { firstWhere } from "../../contract/order.js";
import { isTextAt, textAt } from "../columns/texts.js";
import type { AnswerLocation, HostAnswers, ScanAnswer } from "../format.js";
import { storedJson } from "../stored-json.js";
import { answerLocation, type ListingScans, type SegmentDirectory } from "./directory.js";

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

/** The answers about a listing that has a report. */
export type PlacedAnswers = HostAnswers<AnswerPlace>;

/** Where the answers of all listings of a snapshot are, as plain data. */
export interface StoredAnswers {
  /** By the number of the segment. A host in several of them has its answers in the last one. */
  readonly directories: readonly SegmentDirectory[];
  /** The number of different hosts. */
  readonly size: number;
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

/** The answers about the listing at one row. */
export class AnswersAt implements PlacedAnswers {
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

  get historical(): PlacedAnswers["historical"] {
    return placesOf(this.#segment, this.#scans.historical);
  }

  get excerpts(): PlacedAnswers["excerpts"] {
    return placesOf(this.#segment, this.#scans.excerpts ?? []);
  }

  get locked(): readonly string[] {
    return this.#scans.locked;
  }

  get #scans(): ListingScans {
    const scans: ListingScans =
      this.#scansRead ?? storedJson(textAt(this.#columns.scans, this.#row));
    this.#scansRead = scans;
    return scans;
  }
}

/** The place of an answer in a segment. */
export function placeOf(segment: number, [offset, length, sha256]: AnswerLocation): AnswerPlace {
  return { segment, offset, length, sha256 };
}

/** The places of the reports of scans. */
export function placesOf(
  segment: number,
  answers: ListingScans["historical"],
): ScanAnswer<AnswerPlace>[] {
  return answers.map(({ scan, report }) => ({ scan, report: placeOf(segment, report) }));
}
