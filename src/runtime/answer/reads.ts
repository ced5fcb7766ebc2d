import { ERROR_TEXTS } from "../../contract/error.js";
import {
  canonicalQuery,
  FacetsQuery,
  type ParameterTable,
  type QueryOf,
  type QueryReading,
  queryText,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../contract/query.js";
import { ROUTES, type RouteName } from "../../contract/routes.js";
import type { Engine } from "../../engine/answering.js";
import type { AnswerRef, ListingAnswers } from "../../store/segments/directory.js";
import { facetsBody, searchBody, suggestionsBody } from "./bodies.js";
import type { Asked, Content, Failure, Read, SnapshotView } from "./content.js";

/** All reads by route. Each route's query has its own type, which only the route's own function sees. */
export const READS: Readonly<Record<RouteName, Read>> = {
  search: computed("search", SearchQuery, async (query, engine) =>
    searchBody(query, await engine.search(query)),
  ),
  suggestions: computed("suggestions", SuggestionsQuery, async (query, engine) =>
    suggestionsBody(query, await engine.suggest(query.q)),
  ),
  facets: computed("facets", FacetsQuery, async (query, engine, { directory }) =>
    facetsBody(await engine.facets(query, query.include && directory.rubric)),
  ),
  report: readOf(ROUTES.report.query, async ({ scan }, snapshot, host) => {
    const listing = await snapshot.listing(host);
    return listing === undefined ? NO_REPORT : scanReport(listing, scan, snapshot);
  }),
  enrichment: readOf(ROUTES.enrichment.query, async (_, snapshot, host) => {
    const listing = await snapshot.listing(host);
    return listing === undefined ? NO_REPORT : stored(snapshot, listing.enrichment);
  }),
  standards: documentRead(ROUTES.standards.document),
  categories: documentRead(ROUTES.categories.document),
  tags: documentRead(ROUTES.tags.document),
  openapi: documentRead(ROUTES.openapi.document),
  catalog: documentRead(ROUTES.catalog.document),
};

type ContentFor<Q> = (
  query: Q,
  snapshot: SnapshotView,
  parameter: string,
) => Promise<Content | Failure>;

/** A read with query parameters. @param arrange gives all equivalent queries one form */
export function readOf<P extends ParameterTable>(
  table: P,
  contentFor: ContentFor<QueryOf<P>>,
  arrange = (query: QueryOf<P>) => query,
): Read {
  const ask = (raw: string): QueryReading<Asked> => {
    const reading = readQuery(table, raw);
    if (!reading.ok) return reading;
    const query = arrange(reading.value);
    const contentIn: Asked["contentIn"] = (...where) => contentFor(query, ...where);
    return { ok: true, value: { text: queryText(table, query), contentIn } };
  };
  // Most requests have no query.
  const withoutQuery = ask("");
  return { ask: (raw) => (raw === "" ? withoutQuery : ask(raw)) };
}

/** A read that ignores any query. */
export function unqueriedRead(contentIn: Asked["contentIn"]): Read {
  const asked = { ok: true, value: { text: "", contentIn } } as const;
  return { ask: () => asked };
}

function documentRead(path: string): Read {
  return unqueriedRead(async (snapshot) => documentContent(snapshot, path));
}

const NO_REPORT: Failure = { status: 404, error: ERROR_TEXTS.noReport };
const NO_SCAN: Failure = { status: 404, error: ERROR_TEXTS.noScan };
const NO_HISTORY: Failure = { status: 403, error: ERROR_TEXTS.noHistory };

/** Finds what pages draw of a host's report: its excerpt if the report is too large, otherwise the report. */
export async function drawnContent(
  snapshot: SnapshotView,
  host: string,
  scan: string | undefined,
): Promise<Content | Failure> {
  const listing = await snapshot.listing(host);
  if (listing === undefined) return NO_REPORT;
  const { excerpts, publishedScan } = listing;
  const excerpt = excerpts?.find((one) => one.scan === (scan ?? publishedScan));
  return excerpt ? stored(snapshot, excerpt.report) : scanReport(listing, scan, snapshot);
}

function scanReport(
  listing: ListingAnswers,
  scan: string | undefined,
  snapshot: SnapshotView,
): Content | Failure {
  if (scan === undefined) return stored(snapshot, listing.report);
  const { publishedScan, historical, locked } = listing;
  if (scan === publishedScan) return stored(snapshot, listing.report);
  const older = historical.find((one) => one.scan === scan);
  if (older !== undefined) return stored(snapshot, older.report);
  return locked.includes(scan) ? NO_HISTORY : NO_SCAN;
}

function stored(snapshot: SnapshotView, answer: AnswerRef): Content {
  const { sha256, length } = answer;
  return { digest: sha256.slice(0, 32), sha256, length, read: () => snapshot.readAnswer(answer) };
}

/** A read that the engine computes from a query. */
function computed<P extends ParameterTable>(
  name: RouteName,
  table: P,
  answer: (query: QueryOf<P>, engine: Engine, snapshot: SnapshotView) => Promise<Uint8Array>,
): Read {
  return readOf(
    table,
    async (query, snapshot) => {
      const body = await answer(query, await snapshot.engine, snapshot);
      const digest = await snapshot.digestOf(JSON.stringify([snapshot.content, name, query]));
      return { digest, length: body.length, read: async () => body };
    },
    canonicalQuery,
  );
}

export function documentContent(snapshot: SnapshotView, path: string): Content {
  const { length, sha256 } = snapshot.document(path);
  return { digest: sha256.slice(0, 32), sha256, length, read: () => snapshot.readDocument(path) };
}
