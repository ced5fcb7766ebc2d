import { ERROR_TEXTS } from "../../contract/error.js";
import type {
  ListingFilters,
  ReportQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../contract/query.js";
import type { Engine } from "../../engine/engine.js";
import type { PageContext } from "../../pages/report/reading.js";
import type { AnswerPlace, HostAnswers } from "../../store/columns/answers.js";
import type { RouteMatch } from "./routing.js";
import type { Sitemaps } from "./sitemaps.js";
import type { Soon } from "./soon.js";

/** A public document: its length in bytes, and the first 128 bits of its sha256 in hex. */
export interface DocumentFacts {
  readonly length: number;
  readonly digest: string;
}

/**
 * A loaded snapshot as the answering code sees it, wherever its bytes are stored. Reading throws if the bytes are
 * missing or damaged.
 */
export interface SnapshotView {
  readonly id: string;
  readonly engine: Engine;
  /** Returns the first 128 bits of a text's sha256 in hex. */
  digestOf(text: string): Soon<string>;
  /** The hosts that have a report, in the order of the store. */
  readonly hosts: () => Iterable<string>;
  /** Returns the listing of a host that has a report, or undefined if the host has none. */
  listing(host: string): HostAnswers | undefined;
  /** @param host the host that the answer is about */
  readAnswer(host: string, answer: AnswerPlace): Soon<Uint8Array>;
  /**
   * Returns the facts of the public document at a path.
   * @throws if the snapshot has no document there
   */
  document(path: string): DocumentFacts;
  readDocument(path: string): Promise<Uint8Array>;
  /** @throws if the document's file is missing or its bytes are not those of the snapshot */
  checkDocument(path: string): Promise<void>;
  /** The directory's name, rubric and other facts that pages show. */
  readonly directory: PageContext;
  readonly sitemaps: Pick<Sitemaps, "index" | "file">;
}

/** The content of a 200, before its representation is chosen. */
export interface Content {
  /**
   * Identifies the bytes: a digest of the stored answer or page itself, or of snapshot, route and query if the answer
   * is computed.
   */
  readonly digest: Soon<string>;
  /** In bytes. */
  readonly length: number;
  read(): Soon<Uint8Array>;
  /** Set if the content is a public document. After `check` resolves, it may also be sent from its file. */
  readonly document?: { readonly path: string; check(): Promise<void> };
}

/** The headers of an address's answers, except those that depend on the representation. */
export interface Traits {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The reason why there is no content (contract section 7). */
export interface Failure {
  readonly status: 403 | 404 | 503;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isFailure<T extends object>(content: T | Failure): content is Failure {
  return "error" in content;
}

/**
 * Finds the content of a valid request.
 * @param query the route's query as its schema parsed it
 */
export function contentOf(
  match: RouteMatch,
  query: object,
  snapshot: SnapshotView,
): Content | Failure {
  const made = (ask: (engine: Engine) => Uint8Array) =>
    computed(match, query, snapshot, ask(snapshot.engine));
  switch (match.name) {
    case "search":
      return made((engine) => engine.search(query as SearchQuery));
    case "suggestions":
      return made((engine) => engine.suggest(query as SuggestionsQuery));
    case "facets":
      return made((engine) => engine.facets(query as ListingFilters));
    case "report":
      return reportContent(snapshot, match.host ?? "", (query as ReportQuery).scan);
    case "enrichment": {
      const listing = snapshot.listing(match.host ?? "");
      return listing ? stored(snapshot, listing, listing.enrichment) : NO_REPORT;
    }
    default:
      return documentContent(snapshot, match.route.document ?? "");
  }
}

const NO_REPORT: Failure = { status: 404, error: ERROR_TEXTS.noReport };
const NO_SCAN: Failure = { status: 404, error: ERROR_TEXTS.noScan };
const NO_HISTORY: Failure = {
  status: 403,
  error: ERROR_TEXTS.noHistory,
};

/** Finds a host's stored report: the latest one, or the one of the given scan. */
export function reportContent(
  snapshot: SnapshotView,
  host: string,
  scan: string | undefined,
): Content | Failure {
  const listing = snapshot.listing(host);
  if (listing === undefined) return NO_REPORT;
  if (scan === undefined) return stored(snapshot, listing, listing.report);
  const { publishedScan, historical, locked } = listing;
  if (scan === publishedScan) return stored(snapshot, listing, listing.report);
  const older = historical.find((one) => one.scan === scan);
  if (older !== undefined) return stored(snapshot, listing, older.report);
  return locked.includes(scan) ? NO_HISTORY : NO_SCAN;
}

function stored(snapshot: SnapshotView, { host }: HostAnswers, answer: AnswerPlace): Content {
  const { digest, length } = answer;
  return { digest, length, read: () => snapshot.readAnswer(host, answer) };
}

function computed(
  { name }: RouteMatch,
  query: object,
  snapshot: SnapshotView,
  body: Uint8Array,
): Content {
  const digest = snapshot.digestOf(JSON.stringify([snapshot.id, name, query]));
  return { digest, length: body.length, read: () => body };
}

function documentContent(snapshot: SnapshotView, path: string): Content {
  const { length, digest } = snapshot.document(path);
  return {
    digest,
    length,
    document: { path, check: () => snapshot.checkDocument(path) },
    read: () => snapshot.readDocument(path),
  };
}
