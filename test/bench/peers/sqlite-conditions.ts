import type { ListingFilters } from "../../../src/contract/query.js";
import { type Catalog, scoreRange } from "./catalog.js";
import { KINDS, type Kind, type Schema } from "./sqlite-schema.js";

/** A part of a statement and what is bound to it. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The rows that a statement goes through, as `d`, and about how many those are. */
export interface Source extends Sql {
  readonly rows: number;
}

/** Postings pay where they leave out at least this share of the rows. */
const POSTING_SHARE = 0.25;

/** A request's filters as conditions on the columns of masks of `d`. */
export class Conditions {
  readonly #wanted: readonly (readonly [kind: Kind, values: readonly string[]])[];
  readonly #tables: Schema["tables"];
  readonly #range: readonly [from: number, to: number];
  readonly #size: number;

  /** @param without kinds whose filters stay open */
  constructor(catalog: Catalog, schema: Schema, query: ListingFilters, without: readonly Kind[]) {
    this.#tables = schema.tables;
    this.#size = catalog.entries.length;
    this.#range = scoreRange(catalog, query);
    const { status } = query;
    const given = { ...query, status: status === undefined ? undefined : [status] };
    this.#wanted = KINDS.filter((kind) => !without.includes(kind)).flatMap((kind) => {
      const values = given[kind];
      return values === undefined ? [] : [[kind, values] as const];
    });
  }

  /** Where nothing is filtered. */
  get open(): boolean {
    return this.#wanted.length === 0 && this.#range[0] === 0 && this.#range[1] === this.#size;
  }

  /** Conditions on `d`'s masks and rank, "AND" before each. */
  where(): Sql {
    const parts: string[] = [];
    const values: unknown[] = [];
    for (const [kind, wanted] of this.#wanted) {
      if (kind === "capability") {
        parts.push(` AND (~d.${kind} & ?) = 0`);
        const known = wanted.every((value) => this.#tables[kind].bits.has(value));
        values.push(known ? this.#mask(kind, wanted) : 2n ** 60n);
      } else {
        parts.push(` AND (d.${kind} & ?) <> 0`);
        values.push(this.#mask(kind, wanted));
      }
    }
    const [from, to] = this.#range;
    if (from > 0 || to < this.#size) {
      parts.push(" AND d.rank BETWEEN ? AND ?");
      values.push(BigInt(from), BigInt(to - 1));
    }
    return { sql: parts.join(""), values };
  }

  /** The shortest way to all rows that may pass: the posting of a filter, or null for all rows in a range. */
  posting(): Source | null {
    const ways = this.#wanted.flatMap(([kind, wanted]) =>
      kind === "capability"
        ? wanted.map((one) => this.#postingOf(kind, [one]))
        : this.#postingOf(kind, wanted),
    );
    const shortest = ways.sort((a, b) => a.rows - b.rows)[0];
    const ranged = this.#range[1] - this.#range[0];
    if (shortest === undefined || shortest.rows > this.#size * POSTING_SHARE) return null;
    return shortest.rows > ranged ? null : shortest;
  }

  #postingOf(kind: Kind, wanted: readonly string[]): Source {
    const { bits, base, counts } = this.#tables[kind];
    const known = [...new Set(wanted)].flatMap((value) => bits.get(value) ?? []);
    const marks = known.map(() => "?").join();
    // A listing with several of the values is taken at the lowest of them.
    const once = known.length > 1 && (kind === "tag" || kind === "platform");
    const mask = this.#mask(kind, wanted);
    return {
      sql: `posting d WHERE d.value IN (${marks})${once ? ` AND (d.${kind} & ?) & -(d.${kind} & ?) = d.bit` : ""}`,
      values: [...known.map((bit) => BigInt(base + bit)), ...(once ? [mask, mask] : [])],
      rows: known.reduce((sum, bit) => sum + counts[bit]!, 0),
    };
  }

  #mask(kind: Kind, wanted: readonly string[]): bigint {
    const { bits } = this.#tables[kind];
    return wanted.reduce((mask, value) => {
      const bit = bits.get(value);
      return bit === undefined ? mask : mask | (1n << BigInt(bit));
    }, 0n);
  }
}
