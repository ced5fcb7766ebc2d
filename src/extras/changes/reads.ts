import type { Extension } from "../../contract/extensions.js";
import {
  hostsParameter,
  type ParameterTable,
  type QueryOf,
  SearchQuery,
} from "../../contract/query.js";
import { integer } from "../../contract/values.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { CURSOR } from "./cursor.js";

/** Bounds of the reads of changes. */
export const CHANGES_LIMITS = {
  /** changes per answer of `/api/changes` */
  changesMax: 1_000,
  /** how far back a feed looks: changes, and days before the latest of them; and items of one answer */
  feedChangesMax: 10_000,
  feedDays: 30,
  feedItems: 100,
  /** hosts of a watch list */
  watchMax: 100,
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

/** The position from which a feed continues. */
const BEFORE = {
  kind: CURSOR,
  description: "The cursor of an earlier answer, which leads on to older items.",
  example: "12-5f0c3a9e~example.org",
} as const;

/** GET /search-feed.xml and .json. */
export const SearchFeedQuery = {
  ...SearchQuery,
  before: BEFORE,
} as const satisfies ParameterTable;
export type SearchFeedQuery = QueryOf<typeof SearchFeedQuery>;

/** GET /watch.xml and .json. */
export const WatchQuery = {
  host: hostsParameter(CHANGES_LIMITS.watchMax),
  before: BEFORE,
} as const satisfies ParameterTable;
export type WatchQuery = QueryOf<typeof WatchQuery>;

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

const ATOM = "application/atom+xml; charset=utf-8";
const JSON_FEED = "application/feed+json; charset=utf-8";

/** What the two forms of a search's feed share. */
const SEARCH_FORMS = {
  query: SearchFeedQuery,
  cache: "directory",
  errors: [400, 502, 503],
  purged: { after: "publication", pages: "/search-feed.*" },
} as const;

export const SEARCH_FEED = {
  id: "readSearchFeed",
  path: "/search-feed.xml",
  contentType: ATOM,
  ...SEARCH_FORMS,
  example: "/search-feed.xml?category=health",
} as const satisfies Extension;

export const SEARCH_JSON_FEED = {
  id: "readSearchJsonFeed",
  path: "/search-feed.json",
  contentType: JSON_FEED,
  ...SEARCH_FORMS,
  example: "/search-feed.json?category=health",
} as const satisfies Extension;

/** What the two forms of a watch list's feed share. */
const WATCH_FORMS = {
  ...SEARCH_FORMS,
  query: WatchQuery,
  purged: { after: "publication", pages: "/watch.*" },
} as const;

export const WATCH_FEED = {
  id: "readWatchFeed",
  path: "/watch.xml",
  contentType: ATOM,
  ...WATCH_FORMS,
  example: "/watch.xml?host=birchclinic.example&host=nowhere.example",
} as const satisfies Extension;

export const WATCH_JSON_FEED = {
  id: "readWatchJsonFeed",
  path: "/watch.json",
  contentType: JSON_FEED,
  ...WATCH_FORMS,
  example: "/watch.json?host=birchclinic.example&host=nowhere.example",
} as const satisfies Extension;

/** What the two forms of a site's feed share. */
const SITE_FORMS = {
  query: null,
  cache: "directory",
  errors: [400, 404, 502, 503],
  purged: { after: "listings", pages: "/sites/{host}/feed.*" },
} as const;

export const SITE_FEED = {
  id: "readSiteFeed",
  path: "/sites/{host}/feed.xml",
  contentType: ATOM,
  ...SITE_FORMS,
  example: "/sites/birchclinic.example/feed.xml",
} as const satisfies Extension;

export const SITE_JSON_FEED = {
  id: "readSiteJsonFeed",
  path: "/sites/{host}/feed.json",
  contentType: JSON_FEED,
  ...SITE_FORMS,
  example: "/sites/birchclinic.example/feed.json",
} as const satisfies Extension;

/** The address of a site's feed, relative to `/`. */
export function siteFeedAddress(host: string, form: FeedForm): string {
  return `sites/${host}/feed.${form}`;
}

/** The query of a watch list, without `?`. @param hosts canonical ones */
export function watchQuery(hosts: readonly string[]): string {
  return hosts.map((host) => `host=${host}`).join("&");
}
