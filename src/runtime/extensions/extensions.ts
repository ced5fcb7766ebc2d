import { DumpQuery } from "../../contract/dump.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import {
  BatchQuery,
  ChangesQuery,
  SearchFeedQuery,
  TrendsQuery,
} from "../../contract/extensions.js";
import {
  NoQuery,
  type ParameterTable,
  type QueryOf,
  queryText,
  readQuery,
} from "../../contract/query.js";
import type { FeedForm } from "../../pages/kit/page-names.js";
import type { Failure, SnapshotView } from "../answer/content.js";
import type {
  AskedExtension,
  ExtensionContent,
  ExtensionRead,
  Extensions,
} from "../answer/extension-types.js";
import { batchBody, batchPost } from "./batch.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const changes = () => import("./changes.js");
const dump = () => import("./dump.js");
const feeds = () => import("./search-feed.js");
const trends = () => import("./trends.js");

/** The reads beyond the contract that need no more than a snapshot. */
export const EXTENSION_READS: Extensions = {
  batch: {
    ...extensionRead(BatchQuery, async ({ host }, snapshot) =>
      madeOf(await batchBody("host", host, snapshot), snapshot),
    ),
    post: batchPost,
  },
  trends: extensionRead(TrendsQuery, async (query, snapshot) =>
    madeOf(await (await trends()).trendsBody(query, snapshot), snapshot),
  ),
  dump: extensionRead(NoQuery, async (query, snapshot) =>
    (await dump()).dumpIndexContent(query, snapshot),
  ),
  dumpFile: extensionRead(DumpQuery, async (query, snapshot, file) =>
    (await dump()).dumpFileContent(query, snapshot, file),
  ),
  changes: extensionRead(ChangesQuery, async (query, snapshot) =>
    madeOf(await (await changes()).changesBody(query, snapshot), snapshot),
  ),
  changesFile: fileRead(async (snapshot, file) => {
    const body = await (await changes()).changesFileBody(file ?? "", snapshot);
    return madeOf(body ?? NO_FILE, snapshot);
  }),
  searchFeed: feedRead("xml"),
  searchJsonFeed: feedRead("json"),
};

const NO_FILE: Failure = { status: 404, error: ERROR_TEXTS.noAddress };

/** Content whose bytes are made already. */
async function madeOf(
  body: Uint8Array | Failure,
  snapshot: SnapshotView,
): Promise<ExtensionContent | Failure> {
  if ("error" in body) return body;
  return { digest: await snapshot.digestOf(body), length: body.length, read: async () => body };
}

type BodyFinder<Q> = (
  query: Q,
  snapshot: SnapshotView,
  parameter: string | null,
) => Promise<ExtensionContent | Failure>;

function extensionRead<P extends ParameterTable>(
  table: P,
  contentFor: BodyFinder<QueryOf<P>>,
): ExtensionRead {
  return {
    ask: (raw) => {
      const reading = readQuery(table, raw);
      if (!reading.ok) return reading;
      const query = reading.value;
      return {
        ok: true,
        value: {
          text: queryText(table, query),
          contentIn: (snapshot, parameter) => contentFor(query, snapshot, parameter),
        },
      };
    },
  };
}

function feedRead(form: FeedForm): ExtensionRead {
  return extensionRead(SearchFeedQuery, async (query, snapshot) =>
    madeOf(await (await feeds()).searchFeedBody(form, query, snapshot), snapshot),
  );
}

/** A read that ignores any query. */
function fileRead(contentIn: AskedExtension["contentIn"]): ExtensionRead {
  const asked = { ok: true, value: { text: "", contentIn } } as const;
  return { ask: () => asked };
}
