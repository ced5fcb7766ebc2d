import type { Issue } from "../../contract/error.js";
import { BatchQuery, type ExtensionName } from "../../contract/extensions.js";
import { type ParameterTable, type QueryOf, queryText, readQuery } from "../../contract/query.js";
import type { Failure, SnapshotView } from "../answer/content.js";
import type { ExtensionContent, ExtensionRead, Extensions } from "../answer/extension-types.js";
import { batchBody, batchPost } from "./batch.js";
import { askedHosts } from "./hosts.js";

/** The reads beyond the contract that need no more than a snapshot. */
export const EXTENSION_READS: Extensions = {
  batch: {
    ...extensionRead(
      BatchQuery,
      computedBody("batch", ({ host }, snapshot) =>
        batchBody(askedHosts("host", host).hosts, snapshot),
      ),
      ({ host }) => askedHosts("host", host).issues,
    ),
    post: batchPost,
  },
};

type BodyFinder<Q> = (
  query: Q,
  snapshot: SnapshotView,
  parameter: string | null,
) => Promise<ExtensionContent | Failure>;

/**
 * A read beyond the contract.
 * @param check returns what is wrong with a query whose values are valid
 */
function extensionRead<P extends ParameterTable>(
  table: P,
  contentFor: BodyFinder<QueryOf<P>>,
  check: (query: QueryOf<P>) => readonly Issue[] = () => [],
): ExtensionRead {
  return {
    ask: (raw) => {
      const reading = readQuery(table, raw);
      if (!reading.ok) return reading;
      const query = reading.value;
      const issues = check(query);
      if (issues.length > 0) return { ok: false, issues };
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

/** Content that is computed from a query. */
function computedBody<Q extends object>(
  name: ExtensionName,
  bodyOf: (query: Q, snapshot: SnapshotView) => Promise<Uint8Array>,
): BodyFinder<Q> {
  return async (query, snapshot) => {
    const body = await bodyOf(query, snapshot);
    const digest = await snapshot.digestOf(JSON.stringify([snapshot.content, name, query]));
    return { digest, length: body.length, read: async () => body };
  };
}
