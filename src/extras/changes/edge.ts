import { readOf, unqueriedRead } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { PAGES, WATCH_BADGE, WATCH_PAGE } from "./pages.js";
import {
  CHANGES,
  CHANGES_FILE,
  SEARCH_FEED,
  SEARCH_JSON_FEED,
  SITE_FEED,
  SITE_JSON_FEED,
  WATCH_FEED,
  WATCH_JSON_FEED,
  WatchQuery,
} from "./reads.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const loadChanges = () => import("./changes.js");
const loadFeeds = () => import("./search-feed.js");
const loadHostFeeds = () => import("./host-feeds.js");

const feedRead = (form: FeedForm) =>
  readOf(SEARCH_FEED.query, async (query, snapshot) =>
    (await loadFeeds()).searchFeedContent(form, query, snapshot),
  );

const siteRead = (form: FeedForm) =>
  unqueriedRead(async (snapshot, host) =>
    (await loadHostFeeds()).siteFeedContent(form, host, snapshot),
  );

const watchRead = (form: FeedForm) =>
  readOf(WatchQuery, async (query, snapshot) =>
    (await loadHostFeeds()).watchFeedContent(form, query, snapshot),
  );

/**
 * What has changed from publication to publication: as a read, as files, and as feeds of searches, sites and lists of
 * sites.
 */
export function changes(): AnswerExtra {
  return {
    name: "changes",
    pages: [...PAGES, WATCH_PAGE, WATCH_BADGE],
    reads: {
      changes: {
        ...CHANGES,
        read: readOf(CHANGES.query, async (query, snapshot) =>
          (await loadChanges()).changesContent(query, snapshot),
        ),
      },
      changesFile: {
        ...CHANGES_FILE,
        read: unqueriedRead(async (snapshot, file) =>
          (await loadChanges()).changesFileContent(snapshot, file),
        ),
      },
      searchFeed: { ...SEARCH_FEED, read: feedRead("xml") },
      searchJsonFeed: { ...SEARCH_JSON_FEED, read: feedRead("json") },
      siteFeed: { ...SITE_FEED, read: siteRead("xml") },
      siteJsonFeed: { ...SITE_JSON_FEED, read: siteRead("json") },
      watchFeed: { ...WATCH_FEED, read: watchRead("xml") },
      watchJsonFeed: { ...WATCH_JSON_FEED, read: watchRead("json") },
    },
  };
}
