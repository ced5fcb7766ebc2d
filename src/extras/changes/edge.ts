import { readOf, unqueriedRead } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import { PAGES } from "./pages.js";
import { CHANGES, CHANGES_FILE, SEARCH_FEED, SEARCH_JSON_FEED } from "./reads.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const loadChanges = () => import("./changes.js");
const loadFeeds = () => import("./search-feed.js");

const feedRead = (form: FeedForm) =>
  readOf(SEARCH_FEED.query, async (query, snapshot) =>
    (await loadFeeds()).searchFeedContent(form, query, snapshot),
  );

/** What has changed from publication to publication: as a read, as files, and as feeds of searches. */
export function changes(): AnswerExtra {
  return {
    name: "changes",
    pages: PAGES,
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
    },
  };
}
