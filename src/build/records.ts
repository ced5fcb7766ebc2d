import { partOfHash } from "../contract/host.js";
import { DIGEST_WORDS, type FileRecords } from "../published/locating/record-columns.js";

/** Words in a row: the host's hash, the record's kind as a number, and the record's digest. */
const ROW = 2 + DIGEST_WORDS;
const LISTING = 0;
const SCAN = 1;

/**
 * The parts of a build's records that decide the build's result: one row for each record, grouped by
 * part. `rowsOf` sorts them, so that their order does not depend on the records' files.
 */
export class RecordTable {
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;

  /** @param bits how many bits of a host's hash number its part */
  constructor(listings: readonly FileRecords[], scans: readonly FileRecords[], bits: number) {
    const kinds = [
      [LISTING, listings],
      [SCAN, scans],
    ] as const;
    this.#starts = new Uint32Array(2 ** bits + 1);
    for (const [, files] of kinds) {
      for (const { hostHash } of files) {
        for (const hash of hostHash) this.#starts[partOfHash(hash, bits) + 1]! += 1;
      }
    }
    for (let part = 0; part < 2 ** bits; part += 1) {
      this.#starts[part + 1]! += this.#starts[part]!;
    }
    const next = this.#starts.slice();
    this.#rows = new Uint32Array(ROW * this.#starts.at(-1)!);
    for (const [kind, files] of kinds) {
      for (const { hostHash, digest } of files) {
        for (const [record, hash] of hostHash.entries()) {
          const part = partOfHash(hash, bits);
          const at = ROW * next[part]!;
          next[part]! += 1;
          this.#rows[at] = hash;
          this.#rows[at + 1] = kind;
          for (let word = 0; word < DIGEST_WORDS; word += 1) {
            this.#rows[at + 2 + word] = digest[DIGEST_WORDS * record + word]!;
          }
        }
      }
    }
  }

  /** A part's rows, sorted. */
  rowsOf(part: number): Rows {
    const rows = this.#rows.subarray(ROW * this.#starts[part]!, ROW * this.#starts[part + 1]!);
    const order = Array.from({ length: rows.length / ROW }, (_, row) => ROW * row);
    order.sort((a, b) => compareRows(rows, a, rows, b));
    const sorted = new Uint32Array(rows.length);
    for (const [place, row] of order.entries()) {
      sorted.set(rows.subarray(row, row + ROW), ROW * place);
    }
    return sorted;
  }
}

/** Rows of a part, sorted. */
export type Rows = Uint32Array;

/** Hosts whose records differ between two builds, by their hashes. */
export interface ChangedHosts {
  readonly changed: Set<number>;
  /** The changed hosts that had a scan record which has changed or left the input. */
  readonly lostScans: Set<number>;
}

/** Adds the hosts of a part whose records differ. */
export function addChanged({ changed, lostScans }: ChangedHosts, before: Rows, after: Rows): void {
  let a = 0;
  let b = 0;
  while (a < before.length || b < after.length) {
    const order =
      a === before.length ? 1 : b === after.length ? -1 : compareRows(before, a, after, b);
    if (order < 0) {
      changed.add(before[a]!);
      if (before[a + 1] === SCAN) lostScans.add(before[a]!);
    }
    if (order > 0) changed.add(after[b]!);
    if (order <= 0) a += ROW;
    if (order >= 0) b += ROW;
  }
}

/** The hashes of hosts that have scans but no listing. */
export function orphanHashes(
  listings: readonly FileRecords[],
  scans: readonly FileRecords[],
): Set<number> {
  const listed = new Set<number>();
  for (const { hostHash } of listings) for (const hash of hostHash) listed.add(hash);
  const orphans = new Set<number>();
  for (const { hostHash } of scans) {
    for (const hash of hostHash) if (!listed.has(hash)) orphans.add(hash);
  }
  return orphans;
}

function compareRows(a: Rows, atA: number, b: Rows, atB: number): number {
  for (let word = 0; word < ROW; word += 1) {
    const difference = a[atA + word]! - b[atB + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
