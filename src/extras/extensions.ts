import { type Extensions, readOf, unqueriedRead } from "../answer/content.js";
import {
  BatchQuery,
  ChangesQuery,
  DumpQuery,
  SearchFeedQuery,
  TrendsQuery,
} from "../contract/extensions.js";
import { METHODS } from "../contract/headers.js";
import { NoQuery } from "../contract/query.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const batch = () => import("./batch/batch.js");
const changes = () => import("./changes/changes.js");
const dump = () => import("./dumps/dump.js");
const feeds = () => import("./changes/search-feed.js");
const trends = () => import("./trends/trends.js");

/** The reads beyond the contract that need no more than a snapshot. */
export const EXTENSION_READS: Extensions = {
  batch: {
    ...readOf(BatchQuery, async ({ host }, snapshot) =>
      (await batch()).batchContent("host", host, snapshot),
    ),
    post: {
      methods: METHODS.replace("HEAD", "HEAD, POST"),
      // A host has 253 characters at most; pasted addresses of ordinary length fit as well.
      bytesMax: 256_000,
      answer: async ({ value }, snapshot) => (await batch()).postedBatchContent(value, snapshot),
    },
  },
  trends: readOf(TrendsQuery, async (query, snapshot) =>
    (await trends()).trendsContent(query, snapshot),
  ),
  dump: readOf(NoQuery, async (_, snapshot) => (await dump()).dumpIndexContent(snapshot)),
  dumpFile: readOf(DumpQuery, async (query, snapshot, file) =>
    (await dump()).dumpFileContent(query, snapshot, file),
  ),
  changes: readOf(ChangesQuery, async (query, snapshot) =>
    (await changes()).changesContent(query, snapshot),
  ),
  changesFile: unqueriedRead(async (snapshot, file) =>
    (await changes()).changesFileContent(snapshot, file),
  ),
  searchFeed: readOf(SearchFeedQuery, async (query, snapshot) =>
    (await feeds()).searchFeedContent("xml", query, snapshot),
  ),
  searchJsonFeed: readOf(SearchFeedQuery, async (query, snapshot) =>
    (await feeds()).searchFeedContent("json", query, snapshot),
  ),
};
