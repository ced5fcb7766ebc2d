import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { bareType } from "../../input/checking/breaches.js";
import { didYouMean, excerpt, nearestOf } from "../../input/checking/problem.js";
import {
  innerType,
  Listing,
  Scan,
  StandardsRecord,
  Taxonomy,
  type TermList,
} from "../../input/checking/schemas.js";
import type { DocumentName } from "./documents.js";
import { stemOf } from "./files.js";
import type { TableKind } from "./options.js";
import type { ImportWork } from "./placing.js";
import { refuse, type Table } from "./table.js";

/** A field that a column may hold. */
export interface Field {
  /** Its path in the record, such as `entitlements.history`; `check.<id>` for the result of a check. */
  readonly name: string;
  /** Without its defaults. */
  readonly type: z.ZodType;
  readonly isNullable: boolean;
  /** The fields of an object, by their keys. Those of objects in it are none of a table. */
  readonly members: ReadonlyMap<string, Field>;
}

function fieldsOf(schema: z.ZodType, prefix = ""): Map<string, Field> {
  const { type: object } = bareType(schema);
  const shape = object instanceof z.ZodObject ? Object.entries<z.ZodType>(object.shape) : [];
  return new Map(
    shape.map(([key, inner]) => {
      const { type, nullable } = bareType(innerType(inner));
      const name = `${prefix}${key}`;
      const members = prefix === "" ? fieldsOf(type, `${key}.`) : new Map<string, Field>();
      return [key, { name, type, isNullable: nullable, members }];
    }),
  );
}

/** What the rows of a kind of table are. */
interface Kind {
  readonly schema: z.ZodType;
  /** By their names in lower case, those of objects included. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields that tell a record from others, and those that a table must have. */
  readonly keys: readonly string[];
  readonly required: readonly string[];
  /** The document that has the entries in a list; null for records. */
  readonly document: DocumentName | null;
}

function kindOf(
  schema: z.ZodType,
  keys: readonly string[],
  required: readonly string[],
  document: DocumentName | null,
): Kind {
  const own = [...fieldsOf(schema).values()];
  const all = own.flatMap((field) => [field, ...field.members.values()]);
  const fields = new Map(all.map((field) => [plain(field.name), field]));
  return { schema, fields, keys, required, document };
}

function elementOf(list: z.ZodType): z.ZodType {
  const { type } = bareType(list);
  if (type instanceof z.ZodArray) return innerType(type.element);
  throw new TypeError("the schema is not one of a list");
}

function termsOf(list: TermList): Kind {
  return kindOf(elementOf(Taxonomy.shape[list]), ["slug"], ["slug", "name"], "taxonomy.json");
}

export const KINDS: Readonly<Record<TableKind, Kind>> = {
  listings: kindOf(Listing, ["host"], ["host"], null),
  scans: kindOf(Scan, ["host", "id"], ["host", "finishedAt"], null),
  categories: termsOf("categories"),
  tags: termsOf("tags"),
  platforms: termsOf("platforms"),
  checks: kindOf(elementOf(StandardsRecord.shape.checks), ["id"], ["id", "name"], "standards.json"),
};

/** What a column has to begin with whose cells are results of a check. */
const CHECK = "check.";

/** The id of the check whose results a field holds; undefined for any other field. */
export function checkOf(name: string): string | undefined {
  return name.startsWith(CHECK) ? name.slice(CHECK.length) : undefined;
}

/** Names that other programs give to a host, and to the address of a site, from which the host can be read. */
const HOST_NAMES = ["domain", "hostname"];
const ADDRESS_NAMES = ["url", "link", "website", "homepage", "address", "site"];

/** Names that other programs give to other fields. They only lead to a hint: such a column may hold something else. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(HOST_NAMES.map((name) => [name, "host"])),
  ...Object.fromEntries(ADDRESS_NAMES.map((name) => [name, "url"])),
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

/** What became of the records of a table. */
export interface Tally {
  added: number;
  updated: number;
  unchanged: number;
  /** The files of the published directory that have them. */
  readonly paths: Set<string>;
}

export function newTally(): Tally {
  return { added: 0, updated: 0, unchanged: 0, paths: new Set() };
}

/** A table whose columns fit the fields of a kind. */
export interface FittedTable extends Table {
  /** The name of its file. */
  readonly name: string;
  readonly kind: TableKind;
  /** By the name of the column. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly unused: readonly UnusedColumn[];
  /** The file of the published directory that gets its new records. */
  readonly target: string;
  readonly tally: Tally;
}

/** The command or the call is wrong: a column or a field that it names does not exist. */
export class ImportUsageError extends Error {
  override readonly name = "ImportUsageError";
}

/** @throws ImportUsageError if a column that the map names is in no table */
export function requireMappedColumns(
  columns: readonly string[],
  map: ReadonlyMap<string, string>,
): void {
  const missing = [...map.keys()].find((column) => !columns.includes(column));
  if (missing === undefined) return;
  const named = `there is no column ${JSON.stringify(missing)}${didYouMean(missing, columns)}`;
  throw new ImportUsageError(`--map: ${named}`);
}

/**
 * Finds out what a table is, and which fields its columns have: `finished_at` and `Finished At` are `finishedAt`.
 * @param map the fields of columns that the caller has named; "" for one to leave out
 * @throws TableSyntaxError if it lacks a column, or has two for one field; ImportUsageError
 */
export function fittedTable(
  work: ImportWork,
  path: string,
  table: Table,
  map: ReadonlyMap<string, string>,
): FittedTable {
  const { columns } = table;
  const scans = fieldsIn(columns, "scans", map);
  const listings = fieldsIn(columns, "listings", map);
  const kind = work.as ?? (scans.size > listings.size ? "scans" : "listings");
  const fields = fieldsIn(columns, kind, map);
  const unused = columns.flatMap((column) => {
    if (fields.has(column)) return [];
    const field = map.get(column);
    const nearest = nearestField(field ?? column, kind);
    if (field === undefined) return [{ column, nearest }];
    if (field === "") return [];
    const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
    throw new ImportUsageError(`--map: ${kind} have no field ${JSON.stringify(field)}${hint}`);
  });
  requireFields(table, kind, fields, unused);
  const target = targetOf(work, path, kind);
  return { ...table, name: basename(path), kind, fields, unused, target, tally: newTally() };
}

/** The fields of columns. One that is none may have the host, or an address that has it. */
function fieldsIn(
  columns: readonly string[],
  kind: TableKind,
  map: ReadonlyMap<string, string>,
): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const column of columns) {
    const field = fieldNamed(map.get(column) ?? column, kind);
    if (field !== undefined) fields.set(column, field);
  }
  const has = (name: string) => [...fields.values()].some((field) => field.name === name);
  if (has("host")) return fields;
  const named = (names: readonly string[]) =>
    columns.filter((one) => !fields.has(one) && !map.has(one) && names.includes(plain(one)));
  const hosts = named(HOST_NAMES);
  const addresses = has("url") ? [] : named(ADDRESS_NAMES);
  const field = fieldNamed(hosts.length > 0 || kind === "scans" ? "host" : "url", kind);
  for (const column of hosts.length > 0 ? hosts : addresses) {
    if (field !== undefined) fields.set(column, field);
  }
  return fields;
}

function fieldNamed(name: string, kind: TableKind): Field | undefined {
  if (kind !== "scans" || checkOf(name.toLowerCase()) === undefined) {
    return KINDS[kind].fields.get(plain(name));
  }
  const result = { type: z.string(), isNullable: false, members: new Map() };
  return { name: `${CHECK}${name.slice(CHECK.length)}`, ...result };
}

/** Whether a name is one of those from which the host of a record is read. */
export function namesHost(name: string): boolean {
  return ["host", ...HOST_NAMES, ...ADDRESS_NAMES].includes(plain(name));
}

function nearestField(column: string, kind: TableKind): string | null {
  const names = [...KINDS[kind].fields.values()].map(({ name }) => name);
  const other = OTHER_NAMES[plain(column)] ?? "";
  return names.includes(other) ? other : nearestOf(column, names);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]/g, "");
}

/** How many columns a message names. */
const COLUMNS_NAMED = 20;

/** Refuses a table that has two columns for one field, or none for a required one. */
function requireFields(
  { line, columns }: Table,
  kind: TableKind,
  fields: ReadonlyMap<string, Field>,
  unused: readonly UnusedColumn[],
): void {
  const found = new Map<string, string>();
  for (const [column, { name }] of fields) {
    const other = found.get(name);
    if (other !== undefined) {
      const remedy = `leave one out with --map ${JSON.stringify(`${column}=`)}`;
      refuse(line, `has two columns for ${name}: ${other} and ${column}; ${remedy}`);
    }
    found.set(name, column);
  }
  // Hosts are read from the address of a site if there is no other column of them.
  const missing = KINDS[kind].required.find(
    (name) => !found.has(name) && !(name === "host" && found.has("url")),
  );
  if (missing === undefined) return;
  const words = columns.map((column) => column.toLowerCase());
  const hint = unused.find(({ nearest }) => nearest === missing)?.column;
  const more = columns.length - COLUMNS_NAMED;
  const named = columns.slice(0, COLUMNS_NAMED).map(excerpt).join(", ");
  const remedy =
    missing === "host" && ["slug", "name"].every((name) => words.includes(name))
      ? "if it is a table of terms, import it with --as categories, tags or platforms"
      : hint === undefined
        ? `its columns are ${named}${more > 0 ? ` and ${more} more` : ""}`
        : `if ${hint} is the one, say so with --map ${JSON.stringify(`${hint}=${missing}`)}`;
  refuse(line, `has no column ${missing}, which ${kind} need: ${remedy}`);
}

/** The most bytes of a table's name. File systems allow 255, and an unfinished file has a longer name. */
const NAME_MAX = 200;

/** The file for a table's new records, relative to the published directory. */
function targetOf(work: ImportWork, path: string, kind: TableKind): string {
  const { published, update, replace } = work;
  const { document } = KINDS[kind];
  if (document !== null) return document;
  const stem = stemOf(path);
  // A build reads no file whose name begins with a dot.
  if (/^\.|^$/.test(stem) || Buffer.byteLength(stem) > NAME_MAX) {
    refuse(1, `has a name that begins with a dot, or has over ${NAME_MAX} bytes; rename it`);
  }
  const file = `${kind}/${stem}.ndjson`;
  if (!update && !replace && existsSync(join(published, file))) {
    refuse(1, `${file} exists already; --update changes its records, --replace replaces them`);
  }
  return file;
}
