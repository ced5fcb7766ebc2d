/**
 * Tables of fields for the documentation, made from the same schemas as the checks, the OpenAPI document and the
 * declarations. A page names a table by a pair of comments, between which it lies:
 *
 *     <!-- fields: listing -->
 *     <!-- end -->
 *
 *     npm run docs     # writes all tables again
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CANONICAL_HOST } from "../src/contract/host.js";
import { componentSchemas, openApiDocument, propertiesOf } from "../src/contract/openapi.js";
import { parametersOf } from "../src/contract/read-descriptions.js";
import { ROUTES } from "../src/contract/routes.js";
import { type OpenApiSchema, SCAN_ID, SLUG } from "../src/contract/values.js";
import { installExtras, installedDescriptions, readsOf } from "../src/extra.js";
import { EXTRAS } from "../src/extras/index.js";
import { publishedSchema } from "../src/input/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../src/input/locating/files.js";

const DOCS = join(import.meta.dirname, "../docs");
const TABLE = /(<!-- fields: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;

installExtras(EXTRAS);
const EXTENSIONS = await installedDescriptions();

/** Returns a page with each of its tables as the schemas have it now. @throws if it names a table that there is not */
export function withTables(page: string): string {
  return page.replace(TABLE, (_, begin: string, name: string, end: string) => {
    return `${begin}${fieldTable(name)}${end}`;
  });
}

/** @param name a published record or `record.field` of it, an object of the answers, or a route's name with `?` */
function fieldTable(name: string): string {
  const [record = "", ...path] = name.split(".");
  if (record.endsWith("?")) {
    const extensions = Object.entries(readsOf(EXTRAS));
    const [, route] =
      [...Object.entries(ROUTES), ...extensions].find(([name]) => `${name}?` === record) ?? [];
    if (!route?.query) throw new TypeError(`there is no read with parameters named ${record}`);
    const rows = parametersOf(route)
      .filter((parameter) => parameter.in === "query")
      .map(({ name, description, schema }) => [name, { ...schema, description }] as const);
    return rowsOf(Object.fromEntries(rows), [], "parameter");
  }
  const isPublished = PUBLISHED_RECORDS.some((kind) => kind === record);
  const kind = PUBLISHED_RECORDS.find((each) => each === record);
  const root: OpenApiSchema | undefined = kind
    ? publishedSchema(kind)
    : componentSchemas(EXTENSIONS)[record];
  const object = path.reduce(
    (schema, key) => objectIn(schema && propertiesOf(schema)[key], root),
    root,
  );
  if (object?.properties === undefined)
    throw new TypeError(`there are no fields of the name ${name}`);
  const { $schema: _, ...fields } = propertiesOf(object);
  return rowsOf(fields, isPublished ? (object.required ?? []) : null, "field");
}

/** @param required null if all fields are always there, as in answers */
function rowsOf(
  fields: Readonly<Record<string, OpenApiSchema>>,
  required: readonly string[] | null,
  title: string,
): string {
  const head = ["", title, "type", ...(required === null ? [] : ["if left out"]), "meaning", ""];
  // A published field without a default gets its value from others; its meaning names them.
  const missing = title === "field" ? "derived" : "";
  const rows = Object.entries(fields).map(([field, schema]) => [
    "",
    `\`${field}\``,
    typeOf(schema),
    ...(required === null ? [] : [leftOut(schema, required.includes(field)) ?? missing]),
    schema.description ?? "",
    "",
  ]);
  const line = ["", ...head.slice(1, -1).map(() => "---"), ""];
  return `${[head, line, ...rows].map((cells) => cells.join(" | ").trim()).join("\n")}\n`;
}

/** @returns undefined if the schema does not say */
function leftOut(schema: OpenApiSchema, isRequired: boolean): string | undefined {
  if (isRequired) return "required";
  if (schema.default === undefined) return undefined;
  const text = JSON.stringify(schema.default);
  return text === "{}" ? "all defaults" : `\`${text}\``;
}

function typeOf(schema: OpenApiSchema): string {
  const choices = alternativesOf(schema);
  const [bare = schema] = choices.filter(({ type }) => type !== "null");
  const isNullable = choices.length > 1;
  return `${bareType(bare)}${isNullable ? " or null" : ""}`;
}

/** The types of a field that may be null, or the field's only one. */
function alternativesOf(schema: OpenApiSchema): readonly OpenApiSchema[] {
  if (schema.anyOf) return schema.anyOf as OpenApiSchema[];
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ type })) : [schema];
}

/** A field with more words than these is described as a text; its meaning says where they are. */
const CHOICES_SHOWN = 12;

function bareType(schema: OpenApiSchema): string {
  if (schema.enum && schema.enum.length <= CHOICES_SHOWN)
    return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.type === "array") return `list of ${bareType(schema.items as OpenApiSchema)}`;
  if (schema.type === "integer") return `whole number${rangeOf(schema)}`;
  if (schema.type === "string") return textType(schema);
  return schema.type === "boolean" ? "true or false" : String(schema.type);
}

function textType({ pattern, format }: OpenApiSchema): string {
  if (format === "date-time") return "date-time";
  if (pattern === CANONICAL_HOST.source) return "host";
  if (pattern === SLUG.schema.pattern) return "slug";
  if (pattern === SCAN_ID.schema.pattern) return "scan id";
  return pattern?.includes("[Tt]{2}") ? "URL" : "text";
}

function rangeOf({ minimum, maximum }: OpenApiSchema): string {
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return "";
  return isOpen ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`;
}

function nameOf(reference: string): string {
  return reference.replace(/^.*\/(?:Published)?/, "");
}

/** The object that a field holds, alone or in a list. */
function objectIn(
  schema: OpenApiSchema | undefined,
  root: OpenApiSchema | undefined,
): OpenApiSchema | undefined {
  if (schema?.$ref) {
    const definitions = (root?.$defs ?? {}) as Record<string, OpenApiSchema>;
    return definitions[schema.$ref.replace("#/$defs/", "")];
  }
  if (schema?.type === "array") return objectIn(schema.items as OpenApiSchema, root);
  const choices = (schema?.anyOf ?? []) as readonly OpenApiSchema[];
  const [object] = choices.filter(({ type }) => type !== "null");
  return object ? objectIn(object, root) : schema;
}

/** The documentation's pages, by their paths. */
export function pages(): Map<string, string> {
  const names = readdirSync(DOCS).filter((name) => name.endsWith(".md"));
  const paths = [...names.map((name) => join(DOCS, name)), join(DOCS, "../SKILL.md")];
  return new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

const NOBODY = {
  name: "",
  baseUrl: "http://127.0.0.1:3000",
  description: null,
  contact: null,
  license: null,
};

/** A row for each read of the API, those of extras included. */
export function readRows(): string {
  const { paths } = openApiDocument(NOBODY, EXTENSIONS);
  const rows = Object.entries(paths).map(([path, { get, post }]: [string, Operations]) => {
    const methods = [get && "GET", post && "POST"].filter((method) => method).join(", ");
    return `| \`${path}\` | ${methods} | ${(get ?? post)?.summary ?? ""} |\n`;
  });
  return `| read | methods | what it answers |\n| --- | --- | --- |\n${rows.join("")}`;
}

interface Operations {
  readonly get?: { readonly summary: string };
  readonly post?: { readonly summary: string };
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, page] of pages()) writeFileSync(path, withTables(page));
}
