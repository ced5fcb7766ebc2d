import type { StoredChange } from "../../contract/change-feed.js";
import type { PublicationChanges } from "../../contract/changes.js";
import type { DumpFile } from "../../contract/dump.js";
import { ERROR_TEXTS, type Issue } from "../../contract/error.js";
import { GENERATION_HEADER } from "../../contract/headers.js";
import {
  canonicalQuery,
  type ParameterTable,
  type QueryOf,
  type QueryReading,
  queryText,
  readQuery,
} from "../../contract/query.js";
import { ROUTES, type RouteName } from "../../contract/routes.js";
import type { Engine, Leaving } from "../../engine/answering.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import type { ChangesFile, History } from "../../store/format.js";
import type { AnswerPlace, PlacedAnswers } from "../../store/segments/answer-table.js";

/** A public document: its length in bytes, and its sha256 in hex. */
export interface DocumentFacts {
  readonly length: number;
  readonly sha256: string;
}

/**
 * A loaded snapshot as the answering code sees it, wherever its bytes are stored. Reading throws if the bytes are
 * missing or damaged.
 */
export interface SnapshotView {
  readonly id: string;
  /** Identifies everything that the snapshot serves: snapshots with the same content give the same answers. */
  readonly content: string;
  /** Resolves once all that a search needs is there. */
  readonly engine: Promise<Engine>;
  /** The sha256 of bytes, in hex. */
  sha256Of(bytes: Uint8Array): Promise<string>;
  /** The first 128 bits of the sha256 of bytes, or of a text's UTF-8, in hex. */
  digestOf(content: string | Uint8Array): Promise<string>;
  /** The listing of a host that has a report; undefined if the host has none. */
  listing(host: string): Promise<PlacedAnswers | undefined>;
  /** The JSON of a listing's summary; undefined if the listing is not in search. */
  summaryOf(host: string): Promise<Uint8Array | undefined>;
  readAnswer(answer: AnswerPlace): Promise<Uint8Array>;
  /**
   * Returns the facts of the public document at a path.
   * @throws if the snapshot has no document there
   */
  document(path: string): DocumentFacts;
  readDocument(path: string): Promise<Uint8Array>;
  /** The directory's name, rubric and other facts that pages show. */
  readonly directory: PageContext;
  /** The number of listings that have a report. */
  readonly listingCount: number;
  /** The publications up to this one, and the files with their changes. */
  readonly history: History;
  /** The changes in a file of the history, oldest first, then by host. */
  changesIn(file: ChangesFile): Promise<readonly StoredChange[]>;
  /** What changed since earlier publications, the latest first; null where these are not known. */
  changes(): Promise<readonly PublicationChanges[] | null>;
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
  /** Makes a file of the dump while other requests are answered, if the platform has a way to. */
  readonly makeDump?: MakeDump | undefined;
}

/**
 * Makes the bytes of a file with all listings.
 * @param rows bodies of a search for all listings, sorted by host: each becomes a gzip member, or a row group
 */
export type MakeDump = (file: DumpFile, rows: AsyncIterable<Uint8Array>) => Promise<Uint8Array>;

/** The content of a 200, before its representation is chosen. */
export interface Content {
  /**
   * Identifies the bytes: a digest of the stored answer or page itself, or of snapshot, route and query if the answer
   * is computed.
   */
  readonly digest: string;
  /** In bytes. */
  readonly length: number;
  /** The sha256 of the bytes in hex, if it is known. */
  readonly sha256?: string;
  /** Whether the bytes are compressed already, as those of an image are. */
  readonly isCompressed?: boolean;
  read(): Promise<Uint8Array>;
}

/** The headers of an address's answers, except those that depend on the representation. */
export interface Traits {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The traits of an answer of the API, with the number of the publication, which is beyond the contract, too. */
export function numbered(traits: Traits, { directory, history }: SnapshotView): Traits {
  if (directory.extensions === false) return traits;
  const headers = { ...traits.headers, [GENERATION_HEADER]: String(history.generation) };
  return { ...traits, headers };
}

/** The reason why there is no content (contract section 7). */
export interface Failure {
  readonly status: 400 | 403 | 404 | 405 | 410 | 503;
  readonly error: string;
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function isFailure<T extends object>(content: T | Failure): content is Failure {
  return "error" in content;
}

/** A valid query of a read, with the content that answers it. */
export interface Asked {
  /** The query in a fixed order, without parameters that equal their defaults. */
  readonly text: string;
  /**
   * Finds the content in a snapshot.
   * @param host the host in the path as sent; "" if the route has none
   * @param leaving tells when nobody waits for the content any more (engine/answering.ts)
   */
  contentIn(snapshot: SnapshotView, host: string, leaving?: Leaving): Promise<Content | Failure>;
}

/** One read of the contract: it reads a raw query, the text after the `?`. */
interface Read {
  ask(raw: string): QueryReading<Asked>;
}

/** All reads by route. Each route's query has its own type, which only the route's own function sees. */
export const READS: Readonly<Record<RouteName, Read>> = {
  search: readOf(
    ROUTES.search.query,
    computed("search", (query, { engine, leaving }) => engine.search(query, leaving)),
  ),
  suggestions: readOf(
    ROUTES.suggestions.query,
    computed("suggestions", (query, { engine, leaving }) => engine.suggest(query, leaving)),
  ),
  facets: readOf(
    ROUTES.facets.query,
    computed("facets", (query, { engine, leaving, snapshot }) =>
      engine.facets(query, query.include && snapshot.directory.rubric, leaving),
    ),
  ),
  report: readOf(ROUTES.report.query, ({ scan }, snapshot, host) =>
    reportContent(snapshot, host, scan),
  ),
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
  host: string,
  leaving: Leaving | undefined,
) => Promise<Content | Failure>;

/** A read with query parameters. */
function readOf<P extends ParameterTable>(table: P, contentFor: ContentFor<QueryOf<P>>): Read {
  const ask = (raw: string): QueryReading<Asked> => {
    const reading = readQuery(table, raw);
    if (!reading.ok) return reading;
    const query = canonicalQuery(reading.value);
    const contentIn: Asked["contentIn"] = (snapshot, host, leaving) =>
      contentFor(query, snapshot, host, leaving);
    return { ok: true, value: { text: queryText(table, query), contentIn } };
  };
  // Most requests have no query.
  const withoutQuery = ask("");
  return { ask: (raw) => (raw === "" ? withoutQuery : ask(raw)) };
}

/** A read of a public document, which ignores any query. */
function documentRead(path: string): Read {
  const value: Asked = { text: "", contentIn: async (snapshot) => documentContent(snapshot, path) };
  const asked = { ok: true, value } as const;
  return { ask: () => asked };
}

const NO_REPORT: Failure = { status: 404, error: ERROR_TEXTS.noReport };
const NO_SCAN: Failure = { status: 404, error: ERROR_TEXTS.noScan };
const NO_HISTORY: Failure = {
  status: 403,
  error: ERROR_TEXTS.noHistory,
};

/** Finds a host's stored report: the latest one, or the one of the given scan. */
export async function reportContent(
  snapshot: SnapshotView,
  host: string,
  scan: string | undefined,
): Promise<Content | Failure> {
  const listing = await snapshot.listing(host);
  return listing === undefined ? NO_REPORT : scanReport(listing, scan, snapshot);
}

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
  listing: PlacedAnswers,
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

function stored(snapshot: SnapshotView, answer: AnswerPlace): Content {
  const { sha256, length } = answer;
  return { digest: sha256.slice(0, 32), sha256, length, read: () => snapshot.readAnswer(answer) };
}

/** What computes content from a query, and for whom. */
interface Computing {
  readonly engine: Engine;
  readonly snapshot: SnapshotView;
  readonly leaving: Leaving | undefined;
}

/** Content that the engine computes from a query. */
function computed<Q extends object>(
  name: RouteName,
  answer: (query: Q, computing: Computing) => Promise<Uint8Array>,
): ContentFor<Q> {
  return async (query, snapshot, _host, leaving) => {
    const engine = await snapshot.engine;
    const body = await answer(query, { engine, snapshot, leaving });
    const digest = await snapshot.digestOf(JSON.stringify([snapshot.content, name, query]));
    return { digest, length: body.length, read: async () => body };
  };
}

export function documentContent(snapshot: SnapshotView, path: string): Content {
  const { length, sha256 } = snapshot.document(path);
  return { digest: sha256.slice(0, 32), sha256, length, read: () => snapshot.readDocument(path) };
}

const decoder = new TextDecoder();

/** Parses JSON that a build or the engine made: its shape is not checked again. */
export function madeJson<T>(bytes: Uint8Array): T {
  return JSON.parse(decoder.decode(bytes));
}
