import * as z from "zod";
import { BODIES, ErrorBody } from "./bodies.js";
import { ERROR_TEXTS, errorBody } from "./error.js";
import type { Extension } from "./extensions.js";
import { derivedExample, jsonSchemaOf } from "./field.js";
import { API_CATALOG_LINK } from "./headers.js";
import { byCodeUnit } from "./order.js";
import { contactAddress, licenseAddress } from "./publisher.js";
import { readQuery } from "./query.js";
import {
  ERROR_STATUSES,
  ERRORS,
  type ErrorStatus,
  EXTENSION_STATUSES,
  errorsOf,
  parametersOf,
  READ_TEXTS,
  type ReadTexts,
} from "./read-descriptions.js";
import { CACHE_CONTROL, ROUTE_NAMES, ROUTES, type Route, type RouteName } from "./routes.js";
import { namesOf, tableOf } from "./tables.js";
import type { OpenApiSchema } from "./values.js";

/** The publisher of a directory, as the API's description shows it. */
export interface Publisher {
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly description: string | null;
  /** An `http:`, `https:` or `mailto:` address. */
  readonly contact: string | null;
  /** The license of the published data: an SPDX identifier, an address, or a name. */
  readonly license: string | null;
  /** Whether the addresses beyond the contract are described. Default: true. */
  readonly extensions?: boolean | undefined;
}

const GENERAL =
  "Anonymous and read-only: you need no account and no key. Answers may gain fields; ignore fields " +
  "that you do not know. A score of null never means zero. Errors 502 and 503 are temporary: retry " +
  "with backoff.";

const TAGS = {
  directory: "Published listings: search, suggestions and counts.",
  reports: "The results of scans of one listing.",
  methodology: "The scoring methodology, categories and tags.",
  discovery: "Machine-readable descriptions of this API.",
} as const;

const EXTENSIONS_TAG = {
  extensions: "Beyond the contract: a publisher can switch these addresses off.",
} as const;

const TAG_OF: Record<RouteName, keyof typeof TAGS> = {
  search: "directory",
  suggestions: "directory",
  facets: "directory",
  report: "reports",
  enrichment: "reports",
  standards: "methodology",
  categories: "methodology",
  tags: "methodology",
  openapi: "discovery",
  catalog: "discovery",
};

/** What the document says of a read beyond the contract. */
export interface ExtensionDescription {
  readonly route: Extension;
  readonly texts: ReadTexts;
  /** The schema of the body of a 200. Null: the body is not JSON. */
  readonly body: z.ZodType | null;
  /** The schema of the body that is posted. */
  readonly posted?: z.ZodType;
  /** What it adds to the descriptions of errors, by status. */
  readonly errors?: Readonly<Partial<Record<ErrorStatus, ErrorAddition>>>;
}

/** What a read beyond the contract adds to the description of an error. */
interface ErrorAddition {
  /** In place of the general text. */
  readonly description?: string;
  readonly examples: Examples;
}

const NO_EXTENSIONS: readonly ExtensionDescription[] = [];

/** Made once for all publishers with the same extensions: they take longer than the rest of a small build. */
const schemas = new WeakMap<readonly ExtensionDescription[], Schemas>();

/**
 * Describes the API in OpenAPI 3.1, from the table of routes and the schemas that validate requests and answers
 * (docs/contract.md#1-the-nine-reads, docs/contract.md#11-versions). The same publisher always gets the same document.
 * @param described the reads beyond the contract, which are shown unless the publisher has switched them off
 */
export function openApiDocument(publisher: Publisher, described = NO_EXTENSIONS) {
  const extensions = publisher.extensions === false ? NO_EXTENSIONS : described;
  const components = schemas.get(extensions) ?? componentSchemas(extensions);
  schemas.set(extensions, components);
  const extended = extensions.length > 0;
  const tags = extended ? { ...TAGS, ...EXTENSIONS_TAG } : TAGS;
  const reads = ROUTE_NAMES.map((name) => {
    const { id, path } = ROUTES[name];
    const media = { schema: refTo(answerName(id)), example: answerExample(name, publisher) };
    const link = name === "catalog" ? "CatalogLink" : "Link";
    const shown = { tag: TAG_OF[name], texts: READ_TEXTS[name], media, link } as const;
    return [path, { get: operation(ROUTES[name], shown) }] as const;
  });
  const more = extensions.map((one) => [one.route.path, extensionOperations(one)] as const);
  return {
    openapi: "3.1.0",
    info: info(publisher),
    servers: [
      { url: basePath(publisher), description: "The server that this description comes from." },
      { url: publisher.baseUrl, description: "The directory's own address." },
    ],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries([...reads, ...more]),
    components: {
      schemas: components,
      responses: errorResponses(extensions),
      headers: HEADERS,
    },
  };
}

/** The path of the base address, which is relative to any server: `/` if the API is at the root. */
function basePath({ baseUrl }: Publisher): string {
  return new URL(baseUrl).pathname;
}

/** How the document shows a read. */
interface Shown {
  readonly tag: string;
  readonly texts: ReadTexts;
  /** The body of a 200. */
  readonly media: object;
  /** The header that leads to descriptions. Reads beyond the contract have none. */
  readonly link?: "Link" | "CatalogLink";
}

function extensionOperations({ route, texts, body, posted }: ExtensionDescription) {
  const media =
    body === null
      ? { schema: { type: "string" } }
      : { schema: refTo(answerName(route.id)), example: derivedExample(body) };
  const shown = { tag: "extensions", texts, media };
  const { post } = route;
  const get = { get: operation(route, shown) };
  if (post === undefined) return get;
  const { summary, description } = texts.post ?? texts;
  const errors = errorsOf({ errors: [...route.errors, 413, 415] });
  const operationOfPost = {
    operationId: post.id,
    tags: [shown.tag],
    summary,
    description,
    parameters: [],
    requestBody: requestBody(posted ?? z.unknown()),
    responses: {
      ...postedSuccess(media),
      ...Object.fromEntries(errors.map((status) => [status, toError(status)])),
    },
  };
  return post.isAlone === true ? { post: operationOfPost } : { ...get, post: operationOfPost };
}

function operation(route: Route | Extension, shown: Shown) {
  const { summary, description } = shown.texts;
  const ignored = route.query === null ? " Query parameters are ignored." : "";
  return {
    operationId: route.id,
    tags: [shown.tag],
    summary,
    description: description + ignored,
    parameters: parametersOf(route),
    responses: {
      ...successes(route, shown),
      ...Object.fromEntries(errorsOf(route).map((status) => [status, toError(status)])),
    },
  };
}

function answerExample(name: RouteName, publisher: Publisher): unknown {
  switch (name) {
    case "openapi": {
      const { title, version } = info(publisher);
      return { openapi: "3.1.0", info: { title, version }, paths: {} };
    }
    case "catalog":
      return apiCatalog(publisher);
    default:
      return derivedExample(BODIES[name]);
  }
}

function info({ name, description, contact, license }: Publisher) {
  return {
    title: name,
    version: "1.0.0",
    description: description === null ? GENERAL : `${description}\n\n${GENERAL}`,
    ...(contact === null ? {} : { contact: { name, ...contactAddress(contact) } }),
    ...(license === null ? {} : { license: { name: license, ...licenseAddress(license) } }),
  };
}

/**
 * The catalogue of the APIs published at an address; it lists this API alone
 * (docs/contract.md#18-description-and-catalogue; RFC 9727, with the relations of RFC 8631), as sets of links (RFC
 * 9264, section 4.2).
 * @param publisher.baseUrl the API's base address, without a trailing slash.
 */
export function apiCatalog({ baseUrl }: { readonly baseUrl: string }) {
  const { path, contentType } = ROUTES.openapi;
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api`,
        "service-desc": [{ href: `${baseUrl}${path}`, type: contentType }],
        "service-doc": [{ href: `${baseUrl}/api`, type: "text/html" }],
      },
    ],
  };
}

const JSON_TYPE = "application/json";

/** The headers of answers, by the names of their components (docs/contract.md#8-http). */
const HEADERS = {
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
function successes(route: Route | Extension, { media, link }: Shown) {
  const headers = {
    ETag: toHeader("ETag"),
    "Cache-Control": toHeader(CACHE_HEADER[route.cache]),
    Vary: toHeader("Vary"),
    ...(link !== undefined && { Link: toHeader(link) }),
  };
  return {
    200: {
      description: "The answer.",
      headers: { ...headers, "Repr-Digest": toHeader("ReprDigest") },
      content: { [route.contentType]: media },
    },
    304: { description: "The client's copy is still current; there is no body.", headers },
  };
}

/** The 200 of a POST, which no cache stores. */
function postedSuccess(media: object) {
  const headers = { "Cache-Control": toHeader("ErrorCacheControl"), Vary: toHeader("Vary") };
  return { 200: { description: "The answer.", headers, content: { [JSON_TYPE]: media } } };
}

/** The body that a POST takes. */
function requestBody(body: z.ZodType) {
  const { $schema: _, ...schema } = schemaOf(body);
  return { required: true, content: { [JSON_TYPE]: { schema, example: derivedExample(body) } } };
}

/** A reference to the description of an error's answer. */
function toError(status: ErrorStatus) {
  return { $ref: `#/components/responses/${ERRORS[status].name}` };
}

/**
 * The answers that are errors (docs/contract.md#7-errors), by the names of their components, with those of extensions.
 */
function errorResponses(extensions: readonly ExtensionDescription[]) {
  const statuses = [...ERROR_STATUSES, ...(extensions.length > 0 ? EXTENSION_STATUSES : [])].sort(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const added = extensions.flatMap(({ errors }) => errors?.[status] ?? []);
      const examples = [EXAMPLES[status](), ...added.map((one) => one.examples)];
      const response = {
        description:
          added.find(({ description }) => description !== undefined)?.description ??
          ERRORS[status].description,
        headers: {
          "Cache-Control": toHeader("ErrorCacheControl"),
          ...(status === 429 || status === 503 ? { "Retry-After": toHeader("RetryAfter") } : {}),
        },
        content: {
          [JSON_TYPE]: { schema: refTo("Error"), examples: Object.assign({}, ...examples) },
        },
      };
      return [ERRORS[status].name, response];
    }),
  );
}

type Examples = Readonly<Record<string, { readonly value: ErrorBody }>>;

/** Examples of the errors' bodies, by status. */
const EXAMPLES: Readonly<Record<ErrorStatus, () => Examples>> = {
  400: badRequests,
  403: () => ({ history: { value: errorBody(ERROR_TEXTS.noHistory) } }),
  404: () => ({
    report: { value: errorBody(ERROR_TEXTS.noReport) },
    scan: { value: errorBody(ERROR_TEXTS.noScan) },
  }),
  410: () => ({}),
  413: () => ({ body: { value: errorBody(ERROR_TEXTS.bodyTooLarge) } }),
  415: () => ({ body: { value: errorBody(ERROR_TEXTS.badBody) } }),
  414: () => ({ target: { value: errorBody(ERROR_TEXTS.tooLong) } }),
  429: () => ({ rate: { value: errorBody(ERROR_TEXTS.tooManyRequests) } }),
  502: () => ({ damage: { value: errorBody(ERROR_TEXTS.damaged) } }),
  503: () => ({
    starting: { value: errorBody(ERROR_TEXTS.notLoaded) },
    away: { value: errorBody(ERROR_TEXTS.away) },
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
 * @param extensions the reads beyond the contract whose answers are among them
 */
export function componentSchemas(extensions = NO_EXTENSIONS): Schemas {
  const reads = ROUTE_NAMES.map((name) => [answerName(ROUTES[name].id), BODIES[name]] as const);
  const more = extensions.flatMap(({ route, body }) =>
    body === null ? [] : [[answerName(route.id), body] as const],
  );
  const bodies = [...reads, ...more];
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
