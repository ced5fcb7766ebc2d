import { FILTER_NAMES, FILTERS, type FilterName } from "../../contract/filters.js";
import { LIMITS } from "../../contract/limits.js";
import { foldText } from "../../contract/order.js";
import type { ListingFilters } from "../../contract/query.js";
import { LIMITS as STATEMENT_LIMITS, type StatementValues } from "./connection.js";
import { ALL, type Tables } from "./tables.js";

/*
 * A request's filters as sets of listing numbers, which ClickHouse computes as bitmaps. The set of a value is stored in
 * the table of terms; the set of a text is found by reading texts. Each set is computed once per statement.
 */

/** The conditions of a request: those of the filters, its text, and its range of scores. */
export type Condition = FilterName | "q" | "scores";
export const CONDITIONS: readonly Condition[] = ["q", ...FILTER_NAMES, "scores"];

/** The sets of a request as SQL: `WITH` defines them, each under the name of its conditions. */
export class QuerySets {
  readonly values: Record<string, StatementValues[string]> = {};
  readonly #tables: Tables;
  /** By condition, the names of its sets. A listing must be in all of them. */
  readonly #names = new Map<Condition, string[]>();
  readonly #definitions: string[] = [];

  /** @param isCommon whether so many listings contain the text that an index would skip no rows */
  constructor(tables: Tables, query: ListingFilters, isCommon: (text: string) => boolean) {
    this.#tables = tables;
    const { q, minScore, maxScore } = query;
    if (q !== undefined) {
      this.values.q = containing(q);
      const found = `SELECT groupBitmapState(number) FROM ${tables.listings} WHERE text LIKE {q:String}`;
      this.#define("q", "q_set", isCommon(q) ? `${found} SETTINGS use_skip_indexes = 0` : found);
    }
    for (const name of FILTER_NAMES) {
      const given = query[name];
      if (given === undefined) continue;
      const terms = (typeof given === "string" ? [given] : given).map((one) => `${name}:${one}`);
      if (FILTERS[name].match === "any") this.#defineTerms(name, name, terms);
      else for (const [at, term] of terms.entries()) this.#defineTerms(name, name + at, [term]);
    }
    if (minScore !== undefined || maxScore !== undefined) {
      const least = minScore ?? LIMITS.scoreMin;
      const most = maxScore ?? LIMITS.scoreMax;
      const terms = Array.from({ length: most - least + 1 }, (_, at) => `score:${least + at}`);
      this.#defineTerms("scores", "scores", terms);
    }
  }

  /** Whether a request gives a condition. */
  has(condition: Condition): boolean {
    return this.#names.has(condition);
  }

  /** Defines the set of the listings that have any of these terms. @returns its name */
  termSet(name: string, terms: readonly string[]): string {
    this.values[name] = terms;
    const found = `SELECT groupBitmapMergeState(listings) FROM ${this.#tables.terms}`;
    this.#definitions.push(`(${found} WHERE term IN {${name}:Array(String)}) AS ${name}_set`);
    return `${name}_set`;
  }

  /** Defines the set of the listings that fulfil all of these conditions that the request gives. @returns its name */
  all(name: string, conditions: readonly Condition[], more: readonly string[] = []): string {
    const sets = [...conditions.flatMap((one) => this.#names.get(one) ?? []), ...more];
    if (sets.length === 0) sets.push(this.termSet(`${name}_all`, [ALL]));
    const joined = sets.reduce((one, other) => `bitmapAnd(${one}, ${other})`);
    this.#definitions.push(`${joined} AS ${name}`);
    return name;
  }

  /** Counts the listings of a set that have each value of a filter. */
  counts(name: string, set: string): string {
    return `(SELECT groupArray((term, bitmapAndCardinality(listings, ${set})))
      FROM ${this.#tables.terms} WHERE startsWith(term, '${name}:'))`;
  }

  /** The clause that defines all sets. */
  get clause(): string {
    return `WITH ${this.#definitions.join(", ")}`;
  }

  #defineTerms(condition: Condition, name: string, terms: readonly string[]): void {
    this.#names.set(condition, [...(this.#names.get(condition) ?? []), this.termSet(name, terms)]);
  }

  #define(condition: Condition, name: string, query: string): void {
    this.#names.set(condition, [name]);
    this.#definitions.push(`(${query}) AS ${name}`);
  }
}

/**
 * Whether a column has one of many values: the condition as SQL, and its parameters, each as long as a server takes.
 */
export function isAmong(
  column: string,
  type: "String" | "UInt32",
  list: readonly (string | number)[],
): { readonly condition: string; readonly values: StatementValues } {
  const parts: (string | number)[][] = [];
  let room = 0;
  for (const one of list) {
    // No UTF-16 unit takes more than four bytes, even with a backslash before it.
    const bytes = typeof one === "number" ? "4294967296,".length : 4 * one.length + "'',".length;
    if (bytes > room) {
      parts.push([]);
      room = STATEMENT_LIMITS.parameterBytes;
    }
    room -= bytes;
    parts.at(-1)?.push(one);
  }
  const names = parts.map((_, at) => `${column}_${at}`);
  const conditions = names.map((name) => `${column} IN {${name}:Array(${type})}`);
  return {
    condition: `(${conditions.join(" OR ")})`,
    values: Object.fromEntries(names.map((name, at) => [name, parts[at] ?? []])),
  };
}

/** The pattern of LIKE for the fields that contain a text. It is sent as a parameter. */
export function containing(text: string): string {
  return `%${foldText(text).replace(/[\\%_]/g, "\\$&")}%`;
}
