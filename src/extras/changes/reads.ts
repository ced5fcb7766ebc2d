import type { Extension } from "../../contract/extensions.js";
import { type ParameterTable, type QueryOf, SearchQuery } from "../../contract/query.js";
import { integer } from "../../contract/values.js";
import { CURSOR } from "./cursor.js";

/** Bounds of the reads of changes. */
export const CHANGES_LIMITS = {
  /** changes per answer of `/api/changes` */
  changesMax: 1_000,
  /** how far back a feed looks: changes, and days before the latest of them; and items of one answer */
  feedChangesMax: 10_000,
  feedDays: 30,
  feedItems: 100,
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
    kind: integer(1, CHANGES_LIMITS.changesMax),
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

/** The text of the error where changes are no longer known. */
export const GONE =
  "Changes this old are no longer kept; read the dump, then the changes after it.";

export const CHANGES = {
  id: "readChanges",
  path: "/api/changes",
  query: ChangesQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 410, 502, 503],
  example: "/api/changes?since=1&limit=2",
  purged: { after: "publication", api: "/api/changes*", pages: "/api/changes*" },
} as const satisfies Extension;

export const CHANGES_FILE = {
  id: "readChangesFile",
  path: "/changes/{file}",
  query: null,
  contentType: "application/json",
  cache: "directory",
  errors: [404, 502, 503],
  example: "/changes/index.json",
  purged: { after: "publication", pages: "/changes/*" },
} as const satisfies Extension;

/** What the two forms of a search's feed share. */
const BOTH_FORMS = {
  query: SearchFeedQuery,
  cache: "directory",
  errors: [400, 502, 503],
  purged: { after: "publication", pages: "/search-feed.*" },
} as const;

export const SEARCH_FEED = {
  id: "readSearchFeed",
  path: "/search-feed.xml",
  contentType: "application/atom+xml; charset=utf-8",
  ...BOTH_FORMS,
  example: "/search-feed.xml?category=health",
} as const satisfies Extension;

export const SEARCH_JSON_FEED = {
  id: "readSearchJsonFeed",
  path: "/search-feed.json",
  contentType: "application/feed+json; charset=utf-8",
  ...BOTH_FORMS,
  example: "/search-feed.json?category=health",
} as const satisfies Extension;
