import * as z from "zod";
import { BODIES, ErrorBody } from "../bodies.js";
import { ERROR_TEXTS, errorBody } from "../error.js";
import { EXTENSION_BODIES, POSTED_BODIES } from "../extension-bodies.js";
import { EXTENSION_NAMES, EXTENSIONS, type Extension, type ExtensionName } from "../extensions.js";
import { derivedExample } from "../field.js";
import { API_CATALOG_LINK } from "../headers.js";
import { jsonSchemaOf } from "../json-schema.js";
import { byCodeUnit } from "../order.js";
import { readQuery } from "../query.js";
import { CACHE_CONTROL, ROUTE_NAMES, ROUTES, type Route, type RouteName } from "../routes.js";
import { namesOf, tableOf } from "../tables.js";
import type { OpenApiSchema } from "../values.js";
import { ERROR_STATUSES, ERRORS, type ErrorStatus, EXTENSION_STATUSES } from "./openapi-reads.js";

const JSON_TYPE = "application/json";

/** The headers of answers, by the names of their components (docs/contract.md#8-http). */
export const HEADERS = {
  ETag: header(
    "Identifies the representation. Send it back as `If-None-Match` to get a 304 while nothing has changed.",
    '"4f7c05433bf392a2d85464860ba54b23"',
  ),
  Vary: header("The request headers that the representation depends on.", "Accept-Encoding"),
  CatalogueCacheControl: header("May be reused for a minute.", CACHE_CONTROL.catalogue),
  DirectoryCacheControl: header(
    "May be reused for a minute by shared caches that are purged when a listing is removed.",
    CACHE_CONTROL.directory,
  ),
  PolledCacheControl: header(
    "May be stored, but must be revalidated before each use.",
    CACHE_CONTROL.polled,
  ),
  ErrorCacheControl: header("Must not be stored.", CACHE_CONTROL.error),
  CatalogLink: header("The catalogue's address and its profile (RFC 9727).", API_CATALOG_LINK),
  Link: header(
    "Leads to this description and, from a report, to the report as Markdown (RFC 8288).",
    '<openapi.json>; rel="describedby"; type="application/json"',
  ),
  ReprDigest: {
    description:
      "The sha256 of the body (RFC 9530), if it is not compressed and if the body is stored.",
    required: false,
    schema: { type: "string" },
    example: "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
  },
  RetryAfter: {
    description: "Seconds to wait before the next request.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 2,
  },
} as const;

const CACHE_HEADER = {
  catalogue: "CatalogueCacheControl",
  directory: "DirectoryCacheControl",
  polled: "PolledCacheControl",
} as const satisfies Record<Route["cache"], keyof typeof HEADERS>;

/** The 200 and 304 answers of a route. */
export function successes(
  name: RouteName | ExtensionName,
  route: Route | Extension,
  example: unknown,
) {
  const headers = {
    ETag: toHeader("ETag"),
    "Cache-Control": toHeader(CACHE_HEADER[route.cache]),
    Vary: toHeader("Vary"),
    ...(name in ROUTES && { Link: toHeader(name === "catalog" ? "CatalogLink" : "Link") }),
  };
  return {
    200: {
      description: "The answer.",
      headers: { ...headers, "Repr-Digest": toHeader("ReprDigest") },
      content: { [route.contentType]: mediaOf(route, name, example) },
    },
    304: { description: "The client's copy is still current; there is no body.", headers },
  };
}

function mediaOf({ id }: Route | Extension, name: RouteName | ExtensionName, example: unknown) {
  if (name in EXTENSION_BODIES && EXTENSION_BODIES[name as ExtensionName] === null)
    return { schema: { type: "string" } };
  return { schema: refTo(answerName(id)), example };
}

/** The 200 of a POST, which no cache stores. */
export function postedSuccess(name: ExtensionName, extension: Extension, example: unknown) {
  const headers = { "Cache-Control": toHeader("ErrorCacheControl"), Vary: toHeader("Vary") };
  const content = { [JSON_TYPE]: mediaOf(extension, name, example) };
  return { 200: { description: "The answer.", headers, content } };
}

/** The body that the POST of an address takes. */
export function requestBody(name: ExtensionName) {
  const bodies: Readonly<Partial<Record<ExtensionName, z.ZodType>>> = POSTED_BODIES;
  const body = bodies[name] ?? z.unknown();
  const { $schema: _, ...schema } = schemaOf(body);
  return { required: true, content: { [JSON_TYPE]: { schema, example: derivedExample(body) } } };
}

/** A reference to the description of an error's answer. */
export function toError(status: ErrorStatus) {
  return { $ref: `#/components/responses/${ERRORS[status].name}` };
}

/**
 * The answers that are errors (docs/contract.md#7-errors), by the names of their components. @param extended with those
 * of extensions
 */
export function errorResponses(extended: boolean) {
  const statuses = [...ERROR_STATUSES, ...(extended ? EXTENSION_STATUSES : [])].sort(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses.map((status) => [
      ERRORS[status].name,
      {
        description: ERRORS[status].description,
        headers: {
          "Cache-Control": toHeader("ErrorCacheControl"),
          ...(status === 429 || status === 503 ? { "Retry-After": toHeader("RetryAfter") } : {}),
        },
        content: { [JSON_TYPE]: { schema: refTo("Error"), examples: EXAMPLES[status]() } },
      },
    ]),
  );
}

type Examples = Record<string, { readonly value: ErrorBody }>;

/** Examples of the errors' bodies, by status. */
const EXAMPLES: Readonly<Record<ErrorStatus, () => Examples>> = {
  400: badRequests,
  403: () => ({ history: { value: errorBody(ERROR_TEXTS.noHistory) } }),
  404: () => ({
    report: { value: errorBody(ERROR_TEXTS.noReport) },
    scan: { value: errorBody(ERROR_TEXTS.noScan) },
  }),
  410: () => ({ old: { value: errorBody(ERROR_TEXTS.gone) } }),
  413: () => ({ body: { value: errorBody(ERROR_TEXTS.bodyTooLarge) } }),
  415: () => ({ body: { value: errorBody(ERROR_TEXTS.badBody) } }),
  414: () => ({ target: { value: errorBody(ERROR_TEXTS.tooLong) } }),
  429: () => ({ rate: { value: errorBody(ERROR_TEXTS.tooManyRequests) } }),
  502: () => ({ damage: { value: errorBody(ERROR_TEXTS.damaged) } }),
  503: () => ({
    starting: { value: errorBody(ERROR_TEXTS.notLoaded) },
    away: { value: errorBody(ERROR_TEXTS.away) },
    dump: { value: errorBody(ERROR_TEXTS.dumpUnfinished) },
  }),
};

/** For each read that has a 400, the issues that a wrong request gets. `readQuery` itself produces them. */
function badRequests(): Examples {
  const wrong = {
    search: "minScore=80&maxScore=20&sort=best",
    suggestions: "q=w",
    facets: "category=Weather&limit=10",
    report: "scan=a.b",
    enrichment: "fresh=1",
  } as const satisfies Partial<Record<RouteName, string>>;
  return tableOf(namesOf(wrong), (name) => {
    const read = readQuery(ROUTES[name].query, wrong[name]);
    return { value: errorBody(ERROR_TEXTS.invalid, read.ok ? [] : read.issues) };
  });
}

function toHeader(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` };
}

function header(description: string, example: string) {
  return { description, required: true, schema: { type: "string" }, example } as const;
}

const COMPONENTS = "#/components/schemas/";

function refTo(component: string): OpenApiSchema {
  return { $ref: `${COMPONENTS}${component}` };
}

/** The name of the component that holds a route's body, such as `SearchSitesAnswer` for `searchSites`. */
export function answerName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Answer`;
}

/**
 * Every schema that answers need, by name: the bodies of answers, the error body, and each object of the contract
 * that has an id. Sorted, so that the order of imports has no effect.
 * @param extended with the answers of extensions
 */
export function componentSchemas(extended = false): Record<string, OpenApiSchema> {
  const reads = ROUTE_NAMES.map((name) => [answerName(ROUTES[name].id), BODIES[name]] as const);
  const more = extended ? EXTENSION_NAMES : [];
  const extensions = more.flatMap((name) => {
    const body: z.ZodType | null = EXTENSION_BODIES[name];
    return body === null ? [] : [[answerName(EXTENSIONS[name].id), body] as const];
  });
  const bodies = [...reads, ...extensions];
  const schema = schemaOf(z.object({ ...Object.fromEntries(bodies), Error: ErrorBody }));
  const properties = propertiesOf(schema);
  const answers = bodies.map(([name]) => [name, properties[name]] as const);
  const named = [...answers, ...Object.entries(schema.$defs ?? {})];
  return Object.fromEntries(named.sort(([a], [b]) => byCodeUnit(a, b))) as Schemas;
}

function schemaOf(type: z.ZodType): OpenApiSchema {
  const schema = jsonSchemaOf(type, "output", loosen);
  return Object(withReferences(schema));
}

/** The same JSON, in which references to definitions lead to the document's components. */
function withReferences(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^#\/\$defs\//, COMPONENTS);
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withReferences(member)]),
  );
}

type Schemas = Record<string, OpenApiSchema>;

/** The schemas of an object's properties. None of ours is a boolean. */
export function propertiesOf({ properties }: OpenApiSchema): Schemas {
  return properties as Schemas;
}

/** Removes the limits that zod adds and the contract does not have. */
function loosen(schema: OpenApiSchema): void {
  // Answers may gain fields. That is the default, which Orval turns into code that does not compile if it is stated.
  const { additionalProperties: more } = schema;
  const isDefault = schema.properties !== undefined && JSON.stringify(more) === "{}";
  if (more === false || isDefault) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // zod adds a pattern for the calendar; the format already covers it.
  if (schema.format === "date-time") delete schema.pattern;
}
