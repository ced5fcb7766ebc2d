import { DUMP_FILE_NAMES, DumpQuery, dumpAddress } from "./dump.js";
import { NoQuery, type ParameterTable, type QueryOf, SearchQuery } from "./query.js";
import type { Route } from "./routes.js";
import { namesOf } from "./tables.js";
import { CURSOR, integer, SLUG, searchText } from "./values.js";

/**
 * An address beyond the contract. `"extensions": false` in directory.json switches all of them off.
 * `EXTENSION_BODIES` has the schemas of their answers.
 */
export interface Extension extends Omit<Route, "errors" | "document"> {
  /** What a POST reads. Absent: the address answers GET alone. */
  readonly post?: ExtensionPosted;
  readonly errors: readonly (Route["errors"][number] | 410 | 413 | 415)[];
  /** The document of the store that answers. Absent if the body is computed. */
  readonly document?: string;
}

/** The POST of an address. `POSTED_BODIES` has the schemas of the bodies. */
interface ExtensionPosted {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Whether the address answers no GET. */
  readonly isAlone?: boolean;
}

/** Bounds of requests beyond the contract, with their units. */
export const EXTENSION_LIMITS = {
  /** hosts per GET of `/api/batch` */
  batchMax: 100,
  /** hosts per POST of `/api/batch` */
  batchPostMax: 1_000,
  /** code points of a pasted address */
  pastedMax: 500,
  /** changes per answer of `/api/changes` */
  changesMax: 1_000,
  /** changes that a feed looks at, and items of one answer */
  feedChangesMax: 10_000,
  feedItems: 100,
} as const;

/** GET /api/batch. */
export const BatchQuery = {
  host: {
    kind: searchText(1, EXTENSION_LIMITS.pastedMax),
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
      "The number of a publication, or a cursor of an earlier answer: changes after it are answered. Default: all that are known.",
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
  description: `Sites that entered, left or changed, the latest first, among the last ${EXTENSION_LIMITS.feedChangesMax} changes. It takes every search; order, page and limit have no effect. A site that was removed is named in the feed without filters alone.`,
  query: SearchFeedQuery,
  cache: "directory",
  errors: [400, 502, 503],
} as const;

export const EXTENSIONS = {
  changes: {
    id: "readChanges",
    path: "/api/changes",
    summary: "Read what changed since a publication",
    description:
      "The oldest first. A site that leaves search is named once, as removed, and is in no older change. 410 means that the changes are not known: begin again with all sites, and with the cursor in its issue.",
    query: ChangesQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 410, 502, 503],
    example: "/api/changes?since=1&limit=2",
  },
  changesFile: {
    id: "readChangesFile",
    path: "/changes/{file}",
    summary: "Read a file with changes, as exported trees have it",
    description:
      "`index.json` lists the other files. They have changes without the sites as they are now, and never change.",
    query: null,
    contentType: "application/json",
    cache: "directory",
    errors: [404, 502, 503],
    example: "/changes/index.json",
  },
  searchFeed: {
    id: "readSearchFeed",
    path: "/search-feed.xml",
    summary: "Follow a search with Atom",
    contentType: "application/atom+xml; charset=utf-8",
    ...SEARCH_FEED,
    example: "/search-feed.xml?category=health",
  },
  searchJsonFeed: {
    id: "readSearchJsonFeed",
    path: "/search-feed.json",
    summary: "Follow a search with JSON Feed",
    contentType: "application/feed+json; charset=utf-8",
    ...SEARCH_FEED,
    example: "/search-feed.json?category=health",
  },
  batch: {
    id: "readBatch",
    path: "/api/batch",
    summary: "Read the summaries of many hosts",
    description:
      "One item for each host, in the order of the request. A host that is not in search is said not to be listed. A host must not be given twice.",
    query: BatchQuery,
    contentType: JSON_TYPE,
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/batch?host=birchclinic.example&host=nowhere.example",
    post: {
      id: "readLargeBatch",
      summary: "Read the summaries of very many hosts",
      description: `The same for up to ${EXTENSION_LIMITS.batchPostMax} hosts, which the body names.`,
    },
  },
  mcp: {
    id: "callMcp",
    path: "/mcp",
    summary: "Ask over the Model Context Protocol",
    description:
      "Streamable HTTP without sessions, for the revision 2026-07-28 and those from 2025. A request has one JSON-RPC message.",
    query: {},
    contentType: JSON_TYPE,
    cache: "polled",
    errors: [400, 502, 503],
    example: "/mcp",
    post: {
      id: "callMcp",
      summary: "Ask over the Model Context Protocol",
      description:
        "Streamable HTTP without sessions, for the revision 2026-07-28 and those from 2025. A request has one JSON-RPC message. An older client gets its answer as one event of a stream.",
      isAlone: true,
    },
  },
  serverCard: {
    id: "getServerCard",
    path: "/mcp/server-card",
    summary: "Read the card of the MCP server",
    description: "Its name, its address and the revisions that it speaks (SEP-2127).",
    ...DISCOVERY,
    contentType: "application/mcp-server-card+json",
    example: "/mcp/server-card",
  },
  ard: {
    id: "getAgentCatalog",
    path: "/.well-known/ard.json",
    summary: "Read the catalogue for agents",
    description: "What agents can use here, as Agentic Resource Discovery describes it.",
    ...DISCOVERY,
    example: "/.well-known/ard.json",
  },
  aiCatalog: {
    id: "getAiCatalog",
    path: "/.well-known/ai-catalog.json",
    summary: "Read the catalogue for agents at its older address",
    description: "The same document as `/.well-known/ard.json`.",
    ...DISCOVERY,
    contentType: "application/ai-catalog+json",
    example: "/.well-known/ai-catalog.json",
  },
  trends: {
    id: "getTrends",
    path: "/api/trends",
    summary: "Read how the figures have changed",
    description:
      "A point for each publication, oldest first: for 90 days the last one of each day, before that of each week. Unknown but well-formed slugs match nothing.",
    query: TrendsQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/trends?category=health&check=llms-txt",
  },
  dump: {
    id: "getDump",
    path: "/api/dump/",
    summary: "Read which files have all listings",
    description: `All listings in search as files: ${DUMP_FILE_NAMES.join(", ")}, with the bytes and the sha256 of each, and lists of the hosts of each band, category and capability.`,
    query: NoQuery,
    contentType: "application/json",
    cache: "directory",
    errors: [400, 502, 503],
    example: "/api/dump/",
  },
  dumpFile: {
    id: "getDumpFile",
    path: "/api/dump/{file}",
    summary: "Download all listings, or a list of hosts",
    description:
      "A file that the dump's index names. The addresses there are of one publication: once another has replaced it, they answer 410. Files with all listings answer a `Range` with a 206 or a 416.",
    query: DumpQuery,
    contentType: "application/octet-stream",
    cache: "directory",
    errors: [400, 404, 410, 502, 503],
    example: `/${dumpAddress("category-health.txt")}`,
  },
} as const satisfies Record<string, Extension>;

export type ExtensionName = keyof typeof EXTENSIONS;
export const EXTENSION_NAMES: readonly ExtensionName[] = namesOf(EXTENSIONS);
