import { z } from "zod";
import { bareType } from "../../input/checking/breaches.js";
import { nearestOf } from "../../input/checking/problem.js";
import {
  innerType,
  Listing,
  Scan,
  StandardsRecord,
  Taxonomy,
} from "../../input/checking/schemas.js";
import type { TableKind } from "./options.js";

/** A field that a column may hold. */
export interface ColumnField {
  /** Its path in the record, such as `entitlements.history`; `check.<id>` for the result of a check. */
  readonly name: string;
  /** Without its defaults. */
  readonly type: z.ZodType;
}

/** What the rows of each kind of table are. */
export const SCHEMAS: Readonly<Record<TableKind, z.ZodObject>> = {
  listings: Listing,
  scans: Scan,
  categories: elementOf(Taxonomy.shape.categories),
  tags: elementOf(Taxonomy.shape.tags),
  platforms: elementOf(Taxonomy.shape.platforms),
  checks: elementOf(StandardsRecord.shape.checks),
};

function elementOf(list: z.ZodType): z.ZodObject {
  const { type } = bareType(list);
  const element = type instanceof z.ZodArray ? innerType(type.element) : null;
  if (element instanceof z.ZodObject) return element;
  throw new TypeError("the schema is not one of a list of objects");
}

/** All fields, and those of objects one level below. */
function fieldsOf(schema: z.ZodObject, prefix = ""): ColumnField[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const { type } = bareType(innerType(field));
    const own = { name: `${prefix}${key}`, type };
    const isFlat = prefix === "" && type instanceof z.ZodObject;
    return isFlat ? [own, ...fieldsOf(type, `${key}.`)] : [own];
  });
}

/** A field of a kind. @throws TypeError if there is none, which is a bug */
export function fieldNamed(kind: TableKind, name: string): ColumnField {
  const found = fieldsOf(SCHEMAS[kind]).find((field) => field.name === name);
  if (found === undefined) throw new TypeError(`${kind} have no field ${name}`);
  return found;
}

/** What a column has to begin with whose cells are results of a check. */
export const CHECK = "check.";
const CHECK_RESULT = z.string();

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

/** How the columns of a table fit the fields of a kind. */
export interface FittedColumns {
  readonly kind: TableKind;
  /** By the name of the column. */
  readonly fields: ReadonlyMap<string, ColumnField>;
  /** Whether hosts are read from the column of `url`. */
  readonly isHostInUrl: boolean;
  readonly unused: readonly UnusedColumn[];
}

/** The command or the call is wrong: a column or a field that it names does not exist. */
export class ImportUsageError extends Error {
  override readonly name = "ImportUsageError";
}

/**
 * Finds the field of each column. `finished_at` and `Finished At` are `finishedAt`.
 * @param map the fields of columns that the caller has named; "" for one to leave out
 * @throws ImportUsageError if the map names a field that the kind does not have
 */
export function fitColumns(
  columns: readonly string[],
  kind: TableKind,
  map: ReadonlyMap<string, string>,
): FittedColumns {
  const all = fieldsOf(SCHEMAS[kind]);
  const byName = new Map(all.map((field) => [plain(field.name), field]));
  const names = all.map(({ name }) => name);
  const fieldOf = (name: string): ColumnField | undefined =>
    kind === "scans" && name.toLowerCase().startsWith(CHECK)
      ? { name: `${CHECK}${name.slice(CHECK.length)}`, type: CHECK_RESULT }
      : byName.get(plain(name));
  const fields = new Map<string, ColumnField>();
  for (const column of columns) {
    const field = fieldOf(map.get(column) ?? column);
    if (field !== undefined) fields.set(column, field);
  }
  const rest = () => columns.filter((column) => !fields.has(column) && !map.has(column));
  const has = (name: string) => [...fields.values()].some((field) => field.name === name);
  let isHostInUrl = false;
  if (byName.has("host") && !has("host")) {
    const hosts = rest().filter((column) => HOST_NAMES.includes(plain(column)));
    const urls = rest().filter((column) => ADDRESS_NAMES.includes(plain(column)));
    const named = hosts.length > 0 ? hosts : has("url") ? [] : urls;
    const field = fieldOf(hosts.length > 0 || kind === "scans" ? "host" : "url");
    if (field !== undefined) for (const column of named) fields.set(column, field);
    isHostInUrl = !has("host") && has("url");
  }
  const unused = rest().map((column) => {
    return { column, nearest: otherName(column, names) ?? nearestOf(column, names) };
  });
  return { kind, fields, isHostInUrl, unused };
}

/**
 * Checks that the fields of a map exist. @param columns those that the table has
 * @throws ImportUsageError
 */
export function requireMappedFields(
  columns: readonly string[],
  { kind, fields }: FittedColumns,
  map: ReadonlyMap<string, string>,
): void {
  for (const column of columns) {
    const field = map.get(column);
    if (!field || fields.has(column)) continue;
    const names = fieldsOf(SCHEMAS[kind]).map(({ name }) => name);
    const nearest = otherName(field, names) ?? nearestOf(field, names);
    const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
    throw new ImportUsageError(`--map: ${kind} have no field ${JSON.stringify(field)}${hint}`);
  }
}

/** The kind of record that more columns fit; in a tie, listings. */
export function kindOf(columns: readonly string[], map: ReadonlyMap<string, string>): TableKind {
  const fitting = (kind: TableKind) => fitColumns(columns, kind, map).fields.size;
  return fitting("scans") > fitting("listings") ? "scans" : "listings";
}

/** Whether a name is one of those from which the host of a record is read. */
export function namesHost(name: string): boolean {
  return ["host", ...HOST_NAMES, ...ADDRESS_NAMES].includes(plain(name));
}

function otherName(column: string, names: readonly string[]): string | null {
  const name = OTHER_NAMES[plain(column)];
  return name !== undefined && names.includes(name) ? name : null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]/g, "");
}
