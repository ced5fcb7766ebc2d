import { ERROR_TEXTS, type Issue } from "../contract/error.js";
import type { Extension } from "../contract/extensions.js";
import { currentQuery } from "../contract/former.js";
import { METHODS } from "../contract/headers.js";
import {
  canonicalQuery,
  FacetsQuery,
  type ParameterTable,
  pairsMaxOf,
  type QueryOf,
  type QueryReading,
  queryText,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../contract/query.js";
import { ROUTES, type RouteName } from "../contract/routes.js";
import type { AnswerEngine, Engine, Leaving, StoredSummary } from "../engine/answering.js";
import type { PageContext } from "../pages/kit/page-context.js";
import type { NamedRoute } from "../pages/kit/routes.js";
import { MalformedSnapshotError } from "../store/bad-snapshot.js";
import type { Addition, History, Manifest } from "../store/format.js";
import type { AnswerRef, ListingAnswers } from "../store/segments/directory.js";
import type { InflatedFile, SegmentReader } from "../store/snapshot-reader.js";
import type { Answer } from "./answer.js";
import { facetsBody, searchBody, suggestionsBody } from "./bodies.js";
import type { RequestBody } from "./request-body.js";

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
  /** Resolves once everything that a search needs is loaded. */
  readonly engine: Promise<Engine>;
  /** The sha256 of bytes, in hex. */
  sha256Of(bytes: Uint8Array): Promise<string>;
  /** The first 128 bits of the sha256 of bytes, or of a text's UTF-8, in hex. */
  digestOf(content: string | Uint8Array): Promise<string>;
  /** The listing of a host that has a report; undefined if the host has none. */
  listing(host: string): Promise<ListingAnswers | undefined>;
  /** For each host, the JSON of its listing's summary; undefined if the listing is not in search. */
  summariesOf(hosts: readonly string[]): Promise<readonly (StoredSummary | undefined)[]>;
  readAnswer(answer: AnswerRef): Promise<Uint8Array>;
  /** The manifest, as it was read. */
  readonly manifest: Manifest;
  /** Where the listings are, with all their answers. */
  readonly listings: Pick<SegmentReader, "find" | "directory">;
  /** The text of the manifest's signature; null if it is not signed. */
  signature(): Promise<string | null>;
  /**
   * Returns the facts of the public document at a path.
   * @throws if the snapshot has no document there
   */
  document(path: string): DocumentFacts;
  readDocument(path: string): Promise<Uint8Array>;
  /** The directory's name, rubric and other facts that pages show. */
  readonly directory: PageContext;
  readonly listingCount: number;
  /** Which publication this is. */
  readonly history: History;
  /** What an extra added to the snapshot; null if it added nothing. */
  addition(extra: string): Addition | null;
  /**
   * Reads a file that an extra added.
   * @param read makes a value of the inflated bytes, which stays in memory. @throws BadColumnsError
   */
  readAdded<T extends object>(file: InflatedFile, read: (bytes: Uint8Array) => T): Promise<T>;
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
  /** The time, in milliseconds since 1970; 0 in files, which are true until the next build. */
  now(): number;
  /**
   * Returns the view for one answer, whose deadline begins now. Absent: the engine is in memory, and no answer needs
   * one.
   */
  readonly during?: ((leaving?: Leaving) => SnapshotView) | undefined;
  /** In the view for one answer: the snapshot, which outlives it, and the answer's engine. */
  readonly answering?: Answering | undefined;
}

interface Answering {
  readonly snapshot: SnapshotView;
  readonly engine: AnswerEngine;
}

/**
 * Returns a function that makes a value of a snapshot once. Requests share the promise; if it rejects, the next one
 * tries again, unless a stored file is malformed, which reading it again would not mend. An answer waits no longer
 * than its deadline, while the work continues for later ones.
 */
export function madeOnce<K extends keyof SnapshotView, T>(
  make: (snapshot: Pick<SnapshotView, K>) => Promise<T>,
): (snapshot: Pick<SnapshotView, K | "answering">) => Promise<T> {
  const all = new WeakMap<object, Promise<T>>();
  return (view) => {
    const snapshot: Pick<SnapshotView, K> = view.answering?.snapshot ?? view;
    const made = all.get(snapshot) ?? make(snapshot);
    all.set(snapshot, made);
    made.catch((error) => {
      if (!(error instanceof MalformedSnapshotError)) all.delete(snapshot);
    });
    return view.answering?.engine.inTime(made) ?? made;
  };
}

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
  /** When the content stops being true, in milliseconds since 1970. Absent if it is true for the snapshot's life. */
  readonly until?: number;
  /** Given if the content has another type, or more headers, than its address. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  read(): Promise<Uint8Array>;
}

const encoder = new TextEncoder();

/** The content of bytes, or of a text, that already exist. */
export async function madeContent(
  made: string | Uint8Array,
  snapshot: Pick<SnapshotView, "digestOf">,
): Promise<Content> {
  const bytes = typeof made === "string" ? encoder.encode(made) : made;
  const digest = await snapshot.digestOf(bytes);
  return { digest, length: bytes.length, read: async () => bytes };
}

/** The reason why there is no content (docs/contract.md#7-errors). */
export interface Failure {
  readonly status: 400 | 403 | 404 | 405 | 410 | 503;
  readonly error: string;
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** In seconds. A new snapshot answers within about two seconds. */
export const RETRY_AFTER = { "Retry-After": "2" };

export function isFailure<T extends object>(content: T | Failure): content is Failure {
  return "error" in content;
}

/** A valid query of a read, with the content that answers it. */
export interface Asked {
  /** The query in a fixed order, without parameters that equal their defaults. */
  readonly text: string;
  /**
   * Finds the content in a snapshot.
   * @param parameter the path parameter as sent; "" if the address has none
   * @throws if a stored file is missing or damaged
   */
  contentIn(snapshot: SnapshotView, parameter: string): Promise<Content | Failure>;
}

/** One read, of the contract or beyond it. */
export interface Read {
  /** Reads a raw query, the text after the `?`. */
  ask(raw: string): QueryReading<Asked>;
  /** Answers a POST. Absent: the address has none. */
  readonly post?: ReadPost;
}

/** Answers the POST of an address: a read whose question is too long for a query. */
export interface ReadPost {
  /** The methods of the address, as `Allow` names them. */
  readonly methods: string;
  /** The names of the request headers that it reads, besides those of all reads. */
  readonly headers?: readonly string[];
  /** The most bytes of a body. */
  readonly bytesMax: number;
  /** The status for a longer body; 413 unless it is given. */
  readonly tooLarge?: 400 | 413;
  /**
   * Answers a body, or finds the content that does.
   * @param posted the body's JSON, and the request's headers
   * @param onDamage called for each stored file that is missing or damaged, where the answer itself reports that
   * @throws if a stored file is missing or damaged
   */
  answer(
    posted: { readonly value: unknown; readonly body: RequestBody },
    snapshot: SnapshotView,
    context: PostContext,
  ): Promise<Answer | Content | Failure>;
}

/** The most bytes of a posted list. A host has 253 characters; pasted addresses of ordinary length fit as well. */
const POSTED_HOSTS_BYTES_MAX = 256_000;

/** Answers the POST of a read about many hosts. @param contentOf finds the content for the body's JSON */
export function hostsPost(
  contentOf: (value: unknown, snapshot: SnapshotView) => Promise<Content | Failure>,
): ReadPost {
  return {
    methods: METHODS.replace("HEAD", "HEAD, POST"),
    bytesMax: POSTED_HOSTS_BYTES_MAX,
    answer: ({ value }, snapshot) => contentOf(value, snapshot),
  };
}

/** What the answer to a POST may need besides the snapshot. */
export interface PostContext {
  readonly onDamage: (error: Error) => void;
  /** The routes of all pages. */
  readonly pages: readonly NamedRoute[];
}

/** A read beyond the contract, as an extra adds it. */
export interface ExtraRead extends Extension {
  readonly read: Read;
}

/** Reads beyond the contract, by name. */
export type Extensions = Readonly<Record<string, ExtraRead>>;

/** All reads by route. Each route's query has its own type, which only the route's own function sees. */
export const READS: Readonly<Record<RouteName, Read>> = {
  search: computed("search", SearchQuery, async (query, engine) =>
    searchBody(query, await engine.search(query)),
  ),
  suggestions: computed("suggestions", SuggestionsQuery, async (query, engine) =>
    suggestionsBody(query, await engine.suggest(query.q, query.include !== "site")),
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
  const pairsMax = pairsMaxOf(table);
  const ask = (raw: string): QueryReading<Asked> => {
    const reading = readQuery(table, raw, pairsMax);
    if (!reading.ok) return reading;
    const query = arrange(reading.value);
    const contentIn: Asked["contentIn"] = (snapshot, parameter) => {
      const { former } = snapshot.directory;
      const current = former ? arrange(currentQuery(table, query, former)) : query;
      return contentFor(current, snapshot, parameter);
    };
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
