import { HOST_LISTS, type HostListName } from "./filters.js";
import { NoQuery, type ParameterTable, type QueryOf, SearchQuery } from "./query.js";
import type { Route } from "./routes.js";
import { namesOf } from "./tables.js";
import { CURSOR, HOST_TEXT, integer, pattern, SLUG } from "./values.js";

/*
 * The dump: all listings in search as files to download, with lists of hosts. A file is always of one snapshot, which
 * its address may name.
 */

/** The files that have all listings, with their media types (RFC 6838). */
export const DUMP_FILES = {
  "listings.parquet": "application/vnd.apache.parquet",
  "listings.ndjson.gz": "application/gzip",
  "listings.csv.gz": "application/gzip",
} as const;
export type DumpFile = keyof typeof DUMP_FILES;
export const DUMP_FILE_NAMES: readonly DumpFile[] = namesOf(DUMP_FILES);

/** Names of other files in the same folder: the descriptions of the dump, ours and the same as Croissant. */
export const DUMP_INDEX = "index.json";
export const CROISSANT = "croissant.json";
export const CROISSANT_TYPE = "application/ld+json";

export const ALL_HOSTS = "hosts.txt";

/** The name of the list of the hosts that a filter finds. */
export function hostListFile(name: HostListName, value: string): string {
  return `${name}-${value}.txt`;
}

/** The filter of a list of hosts; null if no list has this name. */
export function hostListNamed(file: string): { name: HostListName; value: string } | null {
  const [, name, value = ""] = /^([a-z]+)-(.+)\.txt$/.exec(file) ?? [];
  const found = HOST_LISTS.find((one) => one === name);
  return found === undefined || SLUG.read(value) === undefined ? null : { name: found, value };
}

/** GET /api/dump/{file}. */
export const DumpQuery = {
  content: {
    kind: pattern(/^[0-9a-f]{32}$/, "must be the `content` of a dump: 32 hexadecimal digits", {
      maxLength: 32,
    }),
    description:
      "The dump that is meant, by its `content`. Once another one has replaced it, the answer is a " +
      "410. Default: the latest.",
    example: "4f7c05433bf392a2d85464860ba54b23",
  },
} as const satisfies ParameterTable;
export type DumpQuery = QueryOf<typeof DumpQuery>;

/** The address of a file of the dump, relative to `/`. */
export function dumpAddress(file: string): string {
  return `api/dump/${file}`;
}

/**
 * An address beyond the contract. `"extensions": false` in directory.json switches all of them off.
 * `EXTENSION_BODIES` has the schemas of their answers.
 */
export interface Extension extends Omit<Route, "errors" | "document"> {
  /** The POST of the address. Absent: the address answers GET only. */
  readonly post?: ExtensionPosted;
  readonly errors: readonly (Route["errors"][number] | 410 | 413 | 415)[];
}

/** The POST of an address. `POSTED_BODIES` has the schemas of the bodies. */
interface ExtensionPosted {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  /** Whether the address answers no GET. */
  readonly isAlone?: boolean;
}

/** Bounds of requests beyond the contract, with their units. */
export const EXTENSION_LIMITS = {
  /** hosts per GET of `/api/batch` */
  batchMax: 100,
  /** hosts per POST of `/api/batch` */
  batchPostMax: 1_000,
  /** changes per answer of `/api/changes` */
  changesMax: 1_000,
  /** how far back a feed looks: changes, and days before the latest of them; and items of one answer */
  feedChangesMax: 10_000,
  feedDays: 30,
  feedItems: 100,
} as const;

/** GET /api/batch. */
export const BatchQuery = {
  host: {
    kind: HOST_TEXT,
    max: EXTENSION_LIMITS.batchMax,
    isRequired: true,
    description: "A host, or a web address whose host is meant.",
    example: ["birchclinic.example", "nowhere.example"],
  },
} as const satisfies ParameterTable;
export type BatchQuery = QueryOf<typeof BatchQuery>;

/** GET /api/trends. */
export const TrendsQuery = {
  category: {
    kind: SLUG,
    description: "Only the listings of this category. Default: all listings.",
    example: "health",
  },
  check: {
    kind: SLUG,
    description:
      "An achievement or a capability, whose share of passing sites each point then has.",
    example: "llms-txt",
  },
} as const satisfies ParameterTable;
export type TrendsQuery = QueryOf<typeof TrendsQuery>;
const JSON_TYPE = "application/json";

/** What the descriptions for agents share. */
const DISCOVERY = {
  query: null,
  contentType: JSON_TYPE,
  cache: "catalogue",
  errors: [502, 503],
} as const;

/** GET /api/changes. */
export const ChangesQuery = {
  since: {
    kind: CURSOR,
    description:
      "The number of a publication, or a cursor of an earlier answer: changes after it are answered. " +
      "Default: all that are known.",
    example: "12-5f0c3a9e",
  },
  limit: {
    kind: integer(1, EXTENSION_LIMITS.changesMax),
    absent: 100,
    description: "Changes per answer.",
    example: 500,
  },
} as const satisfies ParameterTable;
export type ChangesQuery = QueryOf<typeof ChangesQuery>;

/** GET /search-feed.xml and .json. */
export const SearchFeedQuery = {
  ...SearchQuery,
  before: {
    kind: CURSOR,
    description: "The cursor of an earlier answer, which leads on to older items.",
    example: "12-5f0c3a9e~example.org",
  },
} as const satisfies ParameterTable;
export type SearchFeedQuery = QueryOf<typeof SearchFeedQuery>;

/** What the two forms of a search's feed share. */
const SEARCH_FEED = {
  query: SearchFeedQuery,
  cache: "directory",
  errors: [400, 502, 503],
} as const;

export const EXTENSIONS = {
  changes: {
    id: "readChanges",
    path: "/api/changes",
    query: ChangesQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 410, 502, 503],
    example: "/api/changes?since=1&limit=2",
  },
  changesFile: {
    id: "readChangesFile",
    path: "/changes/{file}",
    query: null,
    contentType: "application/json",
    cache: "directory",
    errors: [404, 502, 503],
    example: "/changes/index.json",
  },
  searchFeed: {
    id: "readSearchFeed",
    path: "/search-feed.xml",
    contentType: "application/atom+xml; charset=utf-8",
    ...SEARCH_FEED,
    example: "/search-feed.xml?category=health",
  },
  searchJsonFeed: {
    id: "readSearchJsonFeed",
    path: "/search-feed.json",
    contentType: "application/feed+json; charset=utf-8",
    ...SEARCH_FEED,
    example: "/search-feed.json?category=health",
  },
  batch: {
    id: "readBatch",
    path: "/api/batch",
    query: BatchQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/batch?host=birchclinic.example&host=nowhere.example",
    post: {
      id: "readLargeBatch",
    },
  },
  mcp: {
    id: "callMcp",
    path: "/mcp",
    query: {},
    contentType: JSON_TYPE,
    cache: "polled",
    errors: [400, 502, 503],
    example: "/mcp",
    post: {
      id: "callMcp",
      isAlone: true,
    },
  },
  serverCard: {
    id: "getServerCard",
    path: "/mcp/server-card",
    ...DISCOVERY,
    contentType: "application/mcp-server-card+json",
    example: "/mcp/server-card",
  },
  ard: {
    id: "getAgentCatalog",
    path: "/.well-known/ard.json",
    ...DISCOVERY,
    example: "/.well-known/ard.json",
  },
  aiCatalog: {
    id: "getAiCatalog",
    path: "/.well-known/ai-catalog.json",
    ...DISCOVERY,
    contentType: "application/ai-catalog+json",
    example: "/.well-known/ai-catalog.json",
  },
  trends: {
    id: "getTrends",
    path: "/api/trends",
    query: TrendsQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/trends?category=health&check=llms-txt",
  },
  dump: {
    id: "getDump",
    path: "/api/dump/",
    query: NoQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/dump/",
  },
  dumpFile: {
    id: "getDumpFile",
    path: "/api/dump/{file}",
    query: DumpQuery,
    contentType: "application/octet-stream",
    cache: "directory",
    errors: [400, 404, 410, 502, 503],
    example: `/${dumpAddress("category-health.txt")}`,
  },
} as const satisfies Record<string, Extension>;

export type ExtensionName = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES: readonly ExtensionName[] = namesOf(EXTENSIONS);
