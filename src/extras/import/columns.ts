import { z } from "zod";
import { canonicalHostOf } from "../../contract/host.js";
import { LIMITS } from "../../contract/limits.js";
import { bareType } from "../../input/checking/breaches.js";
import {
  hiddenLosses,
  inexactNumber,
  isInexact,
  parseJsonText,
} from "../../input/checking/json.js";
import { type Finding, NO_FINDINGS, nearestOf } from "../../input/checking/problem.js";
import { Listing, Scan, TERM_LISTS, type TermList } from "../../input/checking/schemas.js";
import { RECORD_KINDS } from "../../input/locating/files.js";

/** What the rows of a table are. */
export type TableKind = "listings" | "scans";

/** A field that a column may hold. */
export interface ColumnField {
  /** Its path in the record, such as `entitlements.history`. */
  readonly name: string;
  /** Without its defaults. */
  readonly type: z.ZodType;
}

export const SCHEMAS = { listings: Listing, scans: Scan } as const;

const FIELDS: Readonly<Record<TableKind, readonly ColumnField[]>> = {
  listings: fieldsOf(Listing),
  scans: fieldsOf(Scan),
};

/** All fields, and those of objects one level below. */
function fieldsOf(schema: z.ZodObject, prefix = ""): ColumnField[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const { type } = bareType(field as z.ZodType);
    const own = { name: `${prefix}${key}`, type };
    const isFlat = prefix === "" && type instanceof z.ZodObject;
    return isFlat ? [own, ...fieldsOf(type, `${key}.`)] : [own];
  });
}

/** Names that other programs give to a field. They only lead to a hint: such a column may hold something else. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  domain: "host",
  site: "host",
  website: "host",
  hostname: "host",
  homepage: "url",
  link: "url",
  address: "url",
  title: "name",
  owner: "status",
  labels: "tags",
  topics: "tags",
  date: "finishedAt",
  scannedat: "finishedAt",
  scandate: "finishedAt",
  time: "finishedAt",
  points: "score",
  scanid: "id",
  logo: "logoUrl",
  image: "ogImageUrl",
  text: "description",
};

/** A column whose name matches no field. */
export interface UnusedColumn {
  /** As the table names it. */
  readonly column: string;
  /** The field that may have been meant; null if none is near. */
  readonly nearest: string | null;
}

/** How the columns of a table fit the fields of a kind of record. */
export interface FittedColumns {
  readonly kind: TableKind;
  /** By the name of the column. */
  readonly fields: ReadonlyMap<string, ColumnField>;
  readonly unused: readonly UnusedColumn[];
}

/** Finds the field of each column. `finished_at` and `Finished At` are `finishedAt`. */
export function fitColumns(columns: readonly string[], kind: TableKind): FittedColumns {
  const all = FIELDS[kind];
  const byName = new Map(all.map((field) => [plain(field.name), field]));
  const names = all.map(({ name }) => name);
  const fields = new Map<string, ColumnField>();
  const unused: UnusedColumn[] = [];
  for (const column of columns) {
    const field = byName.get(plain(column));
    if (field !== undefined) fields.set(column, field);
    else unused.push({ column, nearest: otherName(column, names) ?? nearestOf(column, names) });
  }
  return { kind, fields, unused };
}

/** The kind of record that more columns fit; in a tie, listings. */
export function kindOf(columns: readonly string[]): TableKind {
  const [listings, scans] = RECORD_KINDS.map((kind) => fitColumns(columns, kind).fields.size);
  return (scans ?? 0) > (listings ?? 0) ? "scans" : "listings";
}

function otherName(column: string, names: readonly string[]): string | null {
  const name = OTHER_NAMES[plain(column)];
  return name !== undefined && names.includes(name) ? name : null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]/g, "");
}

const TRUE = ["true", "t", "yes", "y", "1"];
const FALSE = ["false", "f", "no", "n", "0"];
/** A time as SQL writes it, perhaps without time of day, and its offset, perhaps without minutes. */
const SQL_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * The value of a cell in the form that the field has in JSON; undefined if the cell is empty. A value that does not fit
 * stays as it is, for the message of the check that follows.
 */
export function cellValue(field: ColumnField, cell: unknown): unknown {
  if (cell === null || cell === undefined) return undefined;
  const { name, type } = field;
  const list = termListOf(field);
  if (list !== undefined && isTerms(cell)) {
    const slugs = termsIn(list, cell).map((term) => slugOf(term) || term);
    return type instanceof z.ZodArray && slugs.length > 0 ? slugs : slugs[0];
  }
  if (typeof cell !== "string") return otherValue(type, cell);
  const text = cell.trim();
  return text === "" ? undefined : textValue(name, type, text);
}

function textValue(name: string, type: z.ZodType, text: string): unknown {
  if (name === "host") return canonicalHostOf(text) ?? text;
  if (name === "finishedAt") return dateTime(text);
  if (type instanceof z.ZodBoolean) {
    const word = text.toLowerCase();
    return TRUE.includes(word) || (FALSE.includes(word) ? false : text);
  }
  if (type instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return isTextType(type) ? text : jsonOr(text);
}

function isTextType(type: z.ZodType): boolean {
  return type instanceof z.ZodString || type instanceof z.ZodEnum;
}

/** SQL may export ids as numbers, and true and false as 1 and 0. */
function otherValue(type: z.ZodType, cell: unknown): unknown {
  if (type instanceof z.ZodString && typeof cell === "number") return String(cell);
  if (type instanceof z.ZodBoolean && (cell === 0 || cell === 1)) return cell === 1;
  return cell;
}

/** The list of taxonomy.json whose terms a field of listings holds; undefined for any other field. */
export function termListOf({ name }: ColumnField): TermList | undefined {
  return TERM_LISTS.find(({ key }) => key === name)?.list;
}

type TermCell = string | readonly string[];

export function isTerms(cell: unknown): cell is TermCell {
  const isText = (one: unknown) => typeof one === "string";
  return isText(cell) || (Array.isArray(cell) && cell.every(isText));
}

/** The terms in a cell, as people write them: one category, or a list with commas, semicolons or bars between. */
export function termsIn(list: TermList, cell: TermCell): string[] {
  const isJson = typeof cell === "string" && cell.trimStart().startsWith("[");
  const value = isJson ? jsonOr(cell) : cell;
  const parts = isTerms(value) && typeof value !== "string" ? value : [String(value)];
  const terms = list === "categories" ? parts : parts.flatMap((part) => part.split(/[,;|]/));
  return terms.map((term) => term.trim()).filter((term) => term !== "");
}

/** `Open data` becomes `open-data`. */
export function slugOf(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, LIMITS.slugMax).replace(/-$/, "");
}

/** A date-time with an offset. Without one, it is taken as UTC. */
function dateTime(text: string): string {
  const [, day, time = "00:00:00", zone = "Z"] = SQL_TIME.exec(text) ?? [];
  if (day === undefined) return text;
  const clock = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
  const digits = zone.replace(":", "");
  const offset = zone === "Z" ? zone : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  return `${day}T${clock}${offset}`;
}

function jsonOr(text: string): unknown {
  const json = parseJsonText(text);
  return "finding" in json ? text : json.value;
}

/** What reading a cell of CSV would round or drop. A field that is an object or a list may have JSON. */
export function lossesIn(field: ColumnField, cell: unknown): readonly Finding[] {
  const { name, type } = field;
  if (typeof cell !== "string" || isTextType(type)) return NO_FINDINGS;
  const text = cell.trim();
  const path = name.split(".");
  if (type instanceof z.ZodNumber) {
    return isInexact(text) ? [inexactNumber(path, text)] : NO_FINDINGS;
  }
  const json = parseJsonText(text);
  if ("finding" in json) return NO_FINDINGS;
  return hiddenLosses(json).map((one) => ({ ...one, path: [...path, ...one.path] }));
}
