import { LIMITS } from "../../contract/limits.js";
import type { TaxonomyEntry } from "../../contract/listing.js";
import { foldText } from "../../contract/order.js";
import { namesOf } from "../../contract/tables.js";
import type { StoredSummary } from "../../engine/answering.js";
import { MalformedSnapshotError } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { COLUMNS, type ColumnName } from "../../store/segments/table.js";
import { storedJson } from "../../store/stored-json.js";
import { withTexts } from "./common-texts.js";
import { BLOCK_ROWS, SEARCH_FILES, type StoredRow } from "./format.js";

/* The rows of listings: each is a list of the values of a summary. */

/** The texts of a listing that are searched, folded. */
export interface RowTexts {
  readonly host: string;
  readonly name: string | null;
  readonly tagline: string | null;
}

/** The JSON of categories and of tags, by slug. */
export type TermsJson = Readonly<Partial<Record<ColumnName, ReadonlyMap<string, string>>>>;

const NAMES = namesOf(COLUMNS);
const encoder = new TextEncoder();

/** @param texts the common ones @throws BadColumnsError */
export function readBlock(
  bytes: Uint8Array,
  texts: readonly string[],
  terms: TermsJson,
): ListingRow[] {
  const rows = parsed<readonly StoredRow[]>(bytes);
  if (!Array.isArray(rows) || !rows.every(Array.isArray) || rows.length > BLOCK_ROWS) {
    throw new BadColumnsError("it is no block of rows");
  }
  return rows.map((row) => new ListingRow(withTexts(row, texts), terms));
}

/** A listing. Its members throw BadSnapshotError if the row has values of other types. */
export class ListingRow {
  readonly #values: StoredRow;
  readonly #terms: TermsJson;

  constructor(values: StoredRow, terms: TermsJson) {
    this.#values = values;
    this.#terms = terms;
  }

  get host(): string {
    const host = this.#value("host");
    if (typeof host !== "string") throw badRow();
    return host;
  }

  get texts(): RowTexts {
    const host = foldText(this.host);
    return { host, name: this.#folded("name"), tagline: this.#folded("tagline") };
  }

  get summary(): StoredSummary {
    const members = NAMES.filter((name) => name !== "exempt");
    const json = members.map((name) => `"${name}":${this.#json(name)}`);
    return encoder.encode(`{${json.join(",")}}`);
  }

  /** The checks that do not apply. */
  get exempt(): readonly string[] {
    return textsIn(this.#value("exempt"));
  }

  #folded(name: ColumnName): string | null {
    const text = this.#value(name);
    if (text === null) return null;
    if (typeof text !== "string") throw badRow();
    return foldText(text);
  }

  /** The JSON of a member. */
  #json(name: ColumnName): string {
    const { kind, isNullable = false } = COLUMNS[name];
    const value = this.#value(name);
    if (value === null && isNullable) return "null";
    if (kind === "texts") return JSON.stringify(textsIn(value));
    if (kind === "term") return this.#term(name, value);
    if (kind === "terms") {
      return `[${textsIn(value)
        .map((slug) => this.#term(name, slug))
        .join(",")}]`;
    }
    const isRight = kind === "number" ? isScore(value) : typeof value === JSON_TYPES[kind];
    if (!isRight) throw badRow();
    return JSON.stringify(value);
  }

  #term(name: ColumnName, slug: unknown): string {
    const json = typeof slug === "string" ? this.#terms[name]?.get(slug) : undefined;
    if (json === undefined) throw badRow();
    return json;
  }

  #value(name: ColumnName): unknown {
    return this.#values[NAMES.indexOf(name)];
  }
}

const JSON_TYPES = { text: "string", flag: "boolean" } as const;

function isScore(value: unknown): boolean {
  const score = Number.isInteger(value) ? Number(value) : -1;
  return score >= LIMITS.scoreMin && score <= LIMITS.scoreMax;
}

/** @throws BadSnapshotError */
function textsIn(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) throw badRow();
  return value;
}

export function jsonBySlug(entries: readonly TaxonomyEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [entry.slug, JSON.stringify(entry)]));
}

export function badRow(): MalformedSnapshotError {
  return new MalformedSnapshotError(`${SEARCH_FILES}: a row is not that of a listing`);
}

/** Parses the JSON of an object or a list. @throws BadColumnsError */
export function parsed<T extends object>(bytes: Uint8Array): T {
  let value: unknown;
  try {
    value = storedJson(bytes);
  } catch (error) {
    throw new BadColumnsError("it is not JSON", { cause: error });
  }
  if (!isObject<T>(value)) throw new BadColumnsError("it is not the JSON of an object");
  return value;
}

function isObject<T extends object>(value: unknown): value is T {
  return typeof value === "object" && value !== null;
}
