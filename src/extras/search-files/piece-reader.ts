import type { SearchSource } from "../../answer/search-source.js";
import { inParallel } from "../../contract/tables.js";
import { reading } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { InflatedFile } from "../../store/snapshot-reader.js";
import { ByteCache } from "../../store/source.js";
import { SUM_BYTES } from "./format.js";

/** Requests at the same time. A browser or an edge worker lets those wait that it has no connection for. */
const READS = 24;
/** Bytes between two pieces that are read together nevertheless: a request costs more. */
const GAP_BYTES = 2_048;
/** About the most requests for some pieces: those of a page of sites. If there are more, longer gaps are read. */
const RUNS_MAX = 100;
/** A gap is never longer: a pack has as many bytes. */
const GAP_MAX = 4 * 1024 * 1024;

/** The packs of some pieces, in their order. */
export interface Packs {
  readonly files: readonly InflatedFile[];
  /** The number of pieces in each file. */
  readonly counts: readonly number[];
  /** Compressed bytes of each piece. */
  readonly sizes: readonly number[];
}

/** How pieces are read. */
export interface PieceOptions<T> {
  /** The most bytes that a piece may inflate to. */
  readonly most: number;
  /** Makes a value of a piece. @throws BadColumnsError */
  readonly read: (bytes: Uint8Array) => T;
  /** Compressed bytes of the pieces that stay in memory. */
  readonly cacheBytes: number;
  /**
   * Loads the sha256 of each piece, one after another. Absent: they are not checked, as gzip's own checksums find
   * damage, too.
   */
  readonly sums?: (() => Promise<Uint8Array>) | undefined;
}

/** Where a piece is. */
interface Place {
  readonly file: InflatedFile;
  readonly offset: number;
  readonly end: number;
}

/** Reads pieces of packs. Its methods throw BadSnapshotError. */
export class PieceReader<T extends object> {
  readonly #source: SearchSource;
  readonly #places: readonly Place[];
  readonly #options: PieceOptions<T>;
  readonly #cache: ByteCache<number, T>;

  /** @throws BadColumnsError if the files have other pieces */
  constructor(source: SearchSource, packs: Packs, options: PieceOptions<T>) {
    this.#source = source;
    this.#places = placesIn(packs);
    this.#options = options;
    this.#cache = new ByteCache(options.cacheBytes);
  }

  /** Returns the values of pieces by their numbers. */
  async values(pieces: Iterable<number>): Promise<ReadonlyMap<number, T>> {
    const values = new Map<number, T>();
    const missing: number[] = [];
    for (const piece of [...new Set(pieces)].sort((a, b) => a - b)) {
      const cached = this.#cache.get(piece);
      if (cached === undefined) missing.push(piece);
      else values.set(piece, cached);
    }
    if (missing.length === 0) return values;
    const sums = await this.#options.sums?.();
    await inParallel(this.#runs(missing), READS, async (run) => {
      for (const [piece, value] of await this.#read(run, sums)) values.set(piece, value);
    });
    return values;
  }

  /** Whether a piece is in memory. */
  has(piece: number): boolean {
    return this.#cache.get(piece) !== undefined;
  }

  /** Puts pieces together that are read with one request. */
  #runs(pieces: readonly number[]): number[][] {
    for (let gap = GAP_BYTES; ; gap *= 2) {
      const runs: number[][] = [];
      let last: Place | null = null;
      for (const piece of pieces) {
        const place = this.#place(piece);
        const isNear = place.file === last?.file && place.offset - last.end <= gap;
        if (isNear) runs.at(-1)?.push(piece);
        else runs.push([piece]);
        last = place;
      }
      if (runs.length <= RUNS_MAX || gap > GAP_MAX) return runs;
    }
  }

  async #read(run: readonly number[], sums: Uint8Array | undefined): Promise<[number, T][]> {
    const { read, most } = this.#options;
    const { file, offset } = this.#place(run[0]);
    const { end } = this.#place(run.at(-1));
    const inflated = await this.#source.readPart(file, { offset, length: end - offset }, (bytes) =>
      Promise.all(
        run.map(async (piece) => {
          const place = this.#place(piece);
          const own = bytes.subarray(place.offset - offset, place.end - offset);
          if (sums !== undefined && !(await this.#isRight(own, piece, sums))) throw damaged();
          return this.#source.gunzip(own, most);
        }),
      ).catch((error: unknown) => {
        if (error instanceof BadColumnsError) return null;
        throw error;
      }),
    );
    return run.map((piece, at) => {
      const value = reading(file.file, () => read(inflated[at] ?? new Uint8Array()));
      const place = this.#place(piece);
      this.#cache.set(piece, value, place.end - place.offset);
      return [piece, value];
    });
  }

  async #isRight(bytes: Uint8Array, piece: number, sums: Uint8Array): Promise<boolean> {
    const sum = sums.subarray(SUM_BYTES * piece, SUM_BYTES * (piece + 1));
    const hex = Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex === (await this.#source.sha256(bytes));
  }

  #place(piece = -1): Place {
    const place = this.#places[piece];
    if (place === undefined) throw new BadColumnsError(`there is no piece ${piece}`);
    return place;
  }
}

function damaged(): BadColumnsError {
  return new BadColumnsError("a piece is damaged");
}

function placesIn({ files, counts, sizes }: Packs): Place[] {
  const places: Place[] = [];
  for (const [at, file] of files.entries()) {
    let offset = 0;
    for (const size of sizes.slice(places.length, places.length + (counts[at] ?? 0))) {
      places.push({ file, offset, end: offset + size });
      offset += size;
    }
    if (offset !== file.bytes) throw unlikeHead();
  }
  const isWhole = files.length === counts.length && places.length === sizes.length;
  if (!isWhole || sizes.some((size) => !(size > 0))) throw unlikeHead();
  return places;
}

function unlikeHead(): BadColumnsError {
  return new BadColumnsError("its pieces are not those of its files");
}
