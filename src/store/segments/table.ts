import type { ListingColumns } from "../columns/listings.js";
import type { Segment } from "../format.js";
import { BriefTable } from "./brief-table.js";
import { columnsIn, readRows, type StoredTerms, tableHosts } from "./rows.js";

/** The most bytes of an inflated table: hundreds of times those of an ordinary one. */
export const TABLE_BYTES_MAX = 64 * 1024 * 1024;

/** The most bytes of all inflated tables of a snapshot for each of its rows: more than ten times as many as usual. */
const ROW_BYTES_MAX = 4_096;

/** How much the tables of a snapshot may inflate to. A small file may become large, and be named many times. */
export class TableRoom {
  #left: number;

  constructor(segments: readonly Pick<Segment, "rows">[]) {
    this.#left = segments.reduce((sum, { rows }) => sum + ROW_BYTES_MAX * rows, TABLE_BYTES_MAX);
  }

  /** The most bytes of the next table. */
  get most(): number {
    return Math.min(this.#left, TABLE_BYTES_MAX);
  }

  take({ length }: Uint8Array): void {
    this.#left = Math.max(0, this.#left - length);
  }
}

/** A segment's table whose rows have not been read yet. */
export interface OpenTable {
  /** By row. */
  readonly hosts: readonly string[];
  /** @param live the rows to read, in order @throws BadColumnsError */
  rows(live: Uint32Array): ListingColumns;
}

/** Opens a table. @param bytes inflated, and checked against the manifest @throws BadColumnsError */
export function openTable(
  bytes: Uint8Array,
  { rows }: Pick<Segment, "rows">,
  terms: StoredTerms,
): OpenTable {
  const table = new BriefTable(bytes, rows);
  let columns: ReturnType<typeof columnsIn> | null = null;
  return {
    hosts: tableHosts(table),
    rows: (live) => {
      columns ??= columnsIn(table, terms);
      return readRows(columns, live);
    },
  };
}

/**
 * The rows of each segment that count: a host in several segments counts in the last one.
 * @param hosts by segment and row, oldest segment first
 */
export function liveRows(hosts: readonly (readonly string[])[]): Uint32Array[] {
  const seen = new Set<string>();
  const live: Uint32Array[] = hosts.map(() => new Uint32Array(0));
  for (let segment = hosts.length - 1; segment >= 0; segment -= 1) {
    live[segment] = rowsBelow(hosts[segment] ?? [], seen);
  }
  return live;
}

/** The rows of a segment that count. @param seen the hosts of all later segments, to which it adds its own */
export function rowsBelow(hosts: readonly string[], seen: Set<string>): Uint32Array {
  const rows: number[] = [];
  for (const [row, host] of hosts.entries()) {
    if (seen.has(host)) continue;
    seen.add(host);
    rows.push(row);
  }
  return Uint32Array.from(rows);
}
