import { crc32 } from "node:zlib";
import type { EngineIndex, EngineTables, SummaryAt } from "../engine/engine.js";
import { hostAt } from "../engine/text.js";
import { fillSync } from "../files/regular.js";
import type { Texts, TextsElsewhere } from "../store/columns/columns.js";
import type { SegmentDirectory } from "../store/segments/directory.js";
import {
  Outside,
  type OutsidePart,
  type PackedIndex,
  packIndex,
  unpackIndex,
} from "./packed-index.js";

/*
 * From a made index to the one that answers: everything in one block, but for the summaries of listings and the scans
 * of packs, which are half of the bytes. They stay in the index file, if there is one, and are read from it when a
 * request needs them.
 */

/** Everything of a snapshot that answers need, as plain data. */
export interface MadeIndex {
  readonly index: EngineIndex;
  /** By segment. Null if the store's packs are elsewhere: their directories are then read when they are needed. */
  readonly directories: readonly SegmentDirectory[] | null;
  /** The number of different hosts in the directories. */
  readonly reports: number | null;
}

/** An index that answers. */
export interface OpenedIndex {
  readonly index: EngineTables;
  readonly summaryAt: SummaryAt;
  /** As in `MadeIndex`. */
  readonly directories: readonly SegmentDirectory[] | null;
  readonly reports: number | null;
}

/** Texts whose bytes are outside the block. @template B what stands for the bytes */
interface OutsideTexts<B> {
  readonly bytes: B;
  readonly starts: Uint32Array;
  /** By place, the checksum of the text's bytes. */
  readonly checks: Uint32Array;
}

/** What is packed. */
interface Packed<B> {
  readonly index: EngineTables;
  readonly summaries: OutsideTexts<B>;
  readonly directories:
    | readonly (Omit<SegmentDirectory, "scans"> & { readonly scans: OutsideTexts<B> })[]
    | null;
  readonly reports: number | null;
}

export function packMade({ index, directories, reports }: MadeIndex): PackedIndex {
  const { summaries, ...tables } = index;
  return packIndex({
    index: tables,
    summaries: outsideTexts(summaries),
    directories: directories?.map((one) => ({ ...one, scans: outsideTexts(one.scans) })) ?? null,
    reports,
  } satisfies Packed<Outside>);
}

function outsideTexts(texts: Texts | TextsElsewhere): OutsideTexts<Outside> {
  if ("bytesAt" in texts) throw new TypeError("an index is made of texts in memory");
  const { bytes, starts } = texts;
  const checks = new Uint32Array(starts.length - 1);
  for (let place = 0; place < checks.length; place += 1) {
    checks[place] = crc32(bytes.subarray(starts[place], starts[place + 1]));
  }
  return { bytes: new Outside(bytes), starts, checks };
}

/** Reads from the store what the index file has damaged. Each function throws BadSnapshotError. */
export interface IndexRescue {
  summaryOf(host: string): Uint8Array;
  /** @param row of the segment's directory */
  scansOf(segment: number, row: number): Uint8Array;
}

/**
 * Opens an index for answering.
 * @param descriptor of the index file, if it has what is outside the block; else null
 * @param rescue reads a text from the store if that of the file is damaged
 */
export function openBlock(
  block: SharedArrayBuffer,
  descriptor: number | null,
  rescue: IndexRescue,
): OpenedIndex {
  const { index, summaries, directories, reports } = unpackIndex<Packed<OutsidePart>>(block);
  const from = { block, descriptor };
  const places = index.summaryPlaces;
  const hostOf = (place: number) => hostAt(index.text, places.indexOf(place));
  const stored = new StoredTexts(from, summaries, (place) => rescue.summaryOf(hostOf(place)));
  return {
    index,
    summaryAt: (number) => stored.bytesAt(places[number]!),
    directories:
      directories?.map(({ scans, ...columns }, segment) => ({
        ...columns,
        scans: new StoredTexts(from, scans, (row) => rescue.scansOf(segment, row)),
      })) ?? null,
    reports,
  };
}

/** Texts in an index file, or in the rest of a block that has everything. */
class StoredTexts implements TextsElsewhere {
  readonly #block: SharedArrayBuffer;
  readonly #descriptor: number | null;
  readonly #texts: OutsideTexts<OutsidePart>;
  readonly #rescue: (place: number) => Uint8Array;

  constructor(
    {
      block,
      descriptor,
    }: { readonly block: SharedArrayBuffer; readonly descriptor: number | null },
    texts: OutsideTexts<OutsidePart>,
    rescue: (place: number) => Uint8Array,
  ) {
    this.#block = block;
    this.#descriptor = descriptor;
    this.#texts = texts;
    this.#rescue = rescue;
  }

  bytesAt(place: number): Uint8Array {
    const { bytes, starts, checks } = this.#texts;
    const offset = bytes.offset + starts[place]!;
    const length = starts[place + 1]! - starts[place]!;
    if (this.#descriptor === null) return new Uint8Array(this.#block, offset, length);
    const read = readAt(this.#descriptor, offset, length);
    return read !== null && crc32(read) === checks[place] ? read : this.#rescue(place);
  }
}

/** Reads a part of a file, synchronously: it is in the system's cache. @returns null if it cannot be read */
function readAt(descriptor: number, offset: number, length: number): Uint8Array | null {
  const bytes = Buffer.allocUnsafe(length);
  try {
    return fillSync(descriptor, bytes, offset) === length ? bytes : null;
  } catch {
    return null;
  }
}
