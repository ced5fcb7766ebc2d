import type { Extension } from "./extensions.js";
import { LIMITS } from "./limits.js";
import type { Parameter } from "./query.js";
import { PATH_PARAMETERS, type Route, type RouteName } from "./routes.js";
import type { OpenApiSchema } from "./values.js";

export type ErrorStatus = Extension["errors"][number] | (typeof ANY_READ)[number];

/** Errors of all reads: any request target may be too long, and a proxy in front of the server may limit the rate. */
const ANY_READ = [414, 429] as const;

/** The errors of reads, by status: the name of the OpenAPI component, and when the error occurs. */
export const ERRORS: Readonly<
  Record<ErrorStatus, { readonly name: string; readonly description: string }>
> = {
  400: {
    name: "BadRequest",
    description:
      "An invalid parameter value, an unknown parameter name, or a scalar parameter given more than " +
      "once. `issues` names each of them.",
  },
  403: {
    name: "Forbidden",
    description: "A historical scan is requested, but the listing's plan does not include history.",
  },
  404: {
    name: "NotFound",
    description:
      "There is no such report, because the listing is missing, removed, deleted or was never " +
      "published, or the report has no such scan.",
  },
  410: { name: "Gone", description: "What the request names is no longer kept." },
  413: { name: "ContentTooLarge", description: "The body of the request is too large." },
  414: { name: "UriTooLong", description: "The request target is too long." },
  415: {
    name: "UnsupportedMediaType",
    description: "The body of the request is not JSON in UTF-8.",
  },
  429: {
    name: "TooManyRequests",
    description:
      "The client has sent too many requests in a short time, and a proxy in front of the API limits " +
      "them. This is temporary: wait as long as `Retry-After` says.",
  },
  502: {
    name: "BadGateway",
    description: "The stored answer is not valid. This is temporary: retry with backoff.",
  },
  503: {
    name: "ServiceUnavailable",
    description: "The API is temporarily unavailable: retry with backoff.",
  },
};

/** In ascending order, without those that only extensions have. */
export const ERROR_STATUSES: readonly ErrorStatus[] = [400, 403, 404, ...ANY_READ, 502, 503];
export const EXTENSION_STATUSES: readonly ErrorStatus[] = [410, 413, 415];

/** The errors of a read: those of docs/contract.md#7-errors, and those of all reads. */
export function errorsOf({ errors }: Pick<Extension, "errors">): ErrorStatus[] {
  return [...errors, ...ANY_READ].sort((a, b) => a - b);
}

/** A parameter of a read, as OpenAPI describes it. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly description: string;
  readonly schema: OpenApiSchema;
  readonly example: Parameter["example"];
}

/** The parameters of a read: those of its path, then those of its query. */
export function parametersOf({ path, query }: Pick<Route, "path" | "query">): OpenApiParameter[] {
  const inPath = Object.entries(PATH_PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  return [
    ...inPath.map(([name, parameter]) => described("path", name, parameter)),
    ...Object.entries(query ?? {}).map(([name, parameter]) => described("query", name, parameter)),
  ];
}

function described(
  location: OpenApiParameter["in"],
  name: string,
  parameter: Parameter,
): OpenApiParameter {
  return {
    name,
    in: location,
    required: parameter.isRequired === true,
    ...(parameter.max !== undefined && { style: "form", explode: true }),
    description: parameter.description,
    schema: parameterSchema(parameter),
    example: parameter.example,
  };
}

/** The schema of the values that a parameter accepts. */
export function parameterSchema({ kind, max, absent }: Parameter): OpenApiSchema {
  const { schema } = kind;
  return {
    ...(absent !== undefined && { default: absent }),
    ...(max === undefined ? schema : { type: "array", items: schema, minItems: 1, maxItems: max }),
  };
}

/** The texts about a read in the description of the API and on the page about it. */
export interface ReadTexts {
  readonly summary: string;
  readonly description: string;
  /** The same for its POST, if that is described beside a GET. */
  readonly post?: Omit<ReadTexts, "post">;
}

/** By the names of the reads. No answer needs them, so an edge worker does not load them. */
export const READ_TEXTS: Readonly<Record<RouteName, ReadTexts>> = {
  search: {
    summary: "Search published listings",
    description:
      "Filters combine with AND; repeated category, tag, platform and band values with OR; repeated " +
      "capability values with AND. An out-of-range page is empty and has the real total.",
  },
  suggestions: {
    summary: "Suggest listings",
    description:
      `At most ${LIMITS.suggestionsMax} listings: exact hosts, then exact names, then prefixes, then ` +
      "substrings; ties by host. Scores and payments do not affect the order.",
  },
  facets: {
    summary: "Count listings by category, signal and platform",
    description:
      "Category counts ignore the selected category, platform counts the selected platform; signal " +
      "counts keep every filter and add the candidate signal.",
  },
  report: {
    summary: "Read a listing's report",
    description:
      "The latest published report, or a historical one by its scan id if the listing's plan includes " +
      "history. Blocked, opted-out and redirected reports show only that the host is known.",
  },
  enrichment: {
    summary: "Read the state of a report's enrichment",
    description:
      "Null for unscored reports. Poll only while a state is queued, generating or delayed, and back off on errors.",
  },
  standards: {
    summary: "Read the scoring methodology",
    description:
      "Rubric, bands, checks and crawlers. Historical reports keep the scoring version they were scored with.",
  },
  categories: {
    summary: "List the active categories",
    description: "Empty categories are included. The order is by `order`, then by slug.",
  },
  tags: {
    summary: "List the active tags",
    description: "Unused tags are included. The order is by `order`, then by slug.",
  },
  openapi: {
    summary: "Read this description",
    description: "The OpenAPI 3.1 description of this API.",
  },
  catalog: {
    summary: "Read the API catalogue",
    description: "An RFC 9264 linkset of the APIs published here, found at RFC 9727's address.",
  },
};
