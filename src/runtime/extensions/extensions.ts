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
import type { Failure, SnapshotView } from "../answer/content.js";
import type {
  AskedExtension,
  ExtensionContent,
  ExtensionRead,
  Extensions,
} from "../answer/extension-types.js";
import { batchBody, batchPost } from "./batch.js";
import { changesBody, changesFileBody } from "./changes.js";
import { dumpFileContent, dumpIndexContent } from "./dump.js";
import { searchFeedBody } from "./search-feed.js";
import { trendsBody } from "./trends.js";

/** The reads beyond the contract that need no more than a snapshot. */
export const EXTENSION_READS: Extensions = {
  batch: {
    ...extensionRead(BatchQuery, async ({ host }, snapshot) =>
      madeOf(await batchBody("host", host, snapshot), snapshot),
    ),
    post: batchPost,
  },
  trends: extensionRead(TrendsQuery, async (query, snapshot) =>
    madeOf(await trendsBody(query, snapshot), snapshot),
  ),
  dump: extensionRead(NoQuery, dumpIndexContent),
  dumpFile: extensionRead(DumpQuery, dumpFileContent),
  changes: extensionRead(ChangesQuery, async (query, snapshot) =>
    madeOf(await changesBody(query, snapshot), snapshot),
  ),
  changesFile: fileRead(async (snapshot, file) =>
    madeOf((await changesFileBody(file ?? "", snapshot)) ?? NO_FILE, snapshot),
  ),
  searchFeed: extensionRead(SearchFeedQuery, async (query, snapshot) =>
    madeOf(await searchFeedBody("xml", query, snapshot), snapshot),
  ),
  searchJsonFeed: extensionRead(SearchFeedQuery, async (query, snapshot) =>
    madeOf(await searchFeedBody("json", query, snapshot), snapshot),
  ),
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

/** A read that ignores any query. */
function fileRead(contentIn: AskedExtension["contentIn"]): ExtensionRead {
  const asked = { ok: true, value: { text: "", contentIn } } as const;
  return { ask: () => asked };
}
