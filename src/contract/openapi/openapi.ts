import type { z } from "zod";
import { BODIES } from "../bodies.js";
import { EXTENSION_BODIES } from "../extension-bodies.js";
import { EXTENSION_NAMES, EXTENSIONS, type Extension, type ExtensionName } from "../extensions.js";
import { derivedExample } from "../field.js";
import { contactAddress, licenseAddress } from "../publisher.js";
import { ROUTE_NAMES, ROUTES, type Route, type RouteName } from "../routes.js";
import type { OpenApiSchema } from "../values.js";
import { errorsOf, parametersOf } from "./openapi-reads.js";
import {
  componentSchemas,
  errorResponses,
  HEADERS,
  postedSuccess,
  requestBody,
  successes,
  toError,
} from "./openapi-responses.js";
import { READ_TEXTS } from "./texts.js";

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

/** Made once for all publishers, with and without extensions: they take longer than the rest of a small build. */
const schemas: { [extended: string]: Record<string, OpenApiSchema> } = {};

/**
 * Describes the API in OpenAPI 3.1, from the table of routes and the schemas that validate requests and answers
 * (docs/contract.md#1-the-nine-reads, docs/contract.md#11-versions). The same publisher always gets the same document.
 */
export function openApiDocument(publisher: Publisher) {
  const extended = publisher.extensions !== false;
  schemas[`${extended}`] ??= componentSchemas(extended);
  const tags = extended ? { ...TAGS, ...EXTENSIONS_TAG } : TAGS;
  const reads = ROUTE_NAMES.map((name) => {
    const shown = { tag: TAG_OF[name], example: answerExample(name, publisher) };
    return [ROUTES[name].path, { get: operation(name, ROUTES[name], shown) }] as const;
  });
  const extensions = (extended ? EXTENSION_NAMES : []).map(
    (name) => [EXTENSIONS[name].path, extensionOperations(name)] as const,
  );
  return {
    openapi: "3.1.0",
    info: info(publisher),
    servers: [
      { url: basePath(publisher), description: "The server that this description comes from." },
      { url: publisher.baseUrl, description: "The directory's own address." },
    ],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries([...reads, ...extensions]),
    components: {
      schemas: schemas[`${extended}`] ?? {},
      responses: errorResponses(extended),
      headers: HEADERS,
    },
  };
}

/** The path of the base address, which is relative to any server: `/` if the API is at the root. */
function basePath({ baseUrl }: Publisher): string {
  return new URL(baseUrl).pathname;
}

function extensionOperations(name: ExtensionName) {
  const extension: Extension = EXTENSIONS[name];
  const body: z.ZodType | null = EXTENSION_BODIES[name];
  const shown = { tag: "extensions", example: body === null ? "" : derivedExample(body) };
  const { post } = extension;
  const get = { get: operation(name, extension, shown) };
  if (post === undefined) return get;
  const { summary, description } = READ_TEXTS[name].post ?? READ_TEXTS[name];
  const errors = errorsOf({ errors: [...extension.errors, 413, 415] });
  const posted = {
    operationId: post.id,
    tags: [shown.tag],
    summary,
    description,
    parameters: [],
    requestBody: requestBody(name),
    responses: {
      ...postedSuccess(name, extension, shown.example),
      ...Object.fromEntries(errors.map((status) => [status, toError(status)])),
    },
  };
  return post.isAlone === true ? { post: posted } : { ...get, post: posted };
}

function operation(
  name: RouteName | ExtensionName,
  route: Route | Extension,
  { tag, example }: { readonly tag: string; readonly example: unknown },
) {
  const { summary, description } = READ_TEXTS[name];
  const ignored = route.query === null ? " Query parameters are ignored." : "";
  return {
    operationId: route.id,
    tags: [tag],
    summary,
    description: description + ignored,
    parameters: parametersOf(route),
    responses: {
      ...successes(name, route, example),
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
