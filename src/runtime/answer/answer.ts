import { ERROR_TEXTS } from "../../contract/error.js";
import { PREFLIGHT_HEADERS, READ_HEADERS } from "../../contract/headers.js";
import { API_CATALOG_LINK } from "../../contract/openapi/api-catalog.js";
import { CACHE_CONTROL, ROUTE_NAMES, ROUTES, type RouteName } from "../../contract/routes.js";
import { tableOf } from "../../contract/tables.js";
import { andThen, type Soon } from "../../engine/soon.js";
import type { PageName } from "../../pages/kit/routes.js";
import { type Address, addressOf } from "./address.js";
import {
  type Content,
  type Failure,
  isFailure,
  type SnapshotView,
  type Traits,
} from "./content.js";
import { type Failed, failureAnswer, jsonAnswer, methodRefusal, refusal } from "./error-answers.js";
import type { PageContent, Pages } from "./pages.js";
import { COMPRESS_OVER, type Coding, codingFor, entityTag, namesTag } from "./representation.js";
import { type HealthPath, originForm, pathIssues } from "./routing.js";

/** The parts of a request on which its answer depends. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as sent: path and query, still encoded. */
  readonly target: string;
  readonly acceptEncoding?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Whether the client prefers a page as Markdown. */
  readonly wantsMarkdown?: boolean;
  /** Whether a person reads the answer, in a browser. */
  readonly isForPerson?: boolean;
}

/** An answer, independent of how it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer has no body, for example to a HEAD request. */
  readonly body: Uint8Array | null;
  /** The name of the requested address, whatever the status. Absent if the address does not exist. */
  readonly route?: string;
}

/** Everything except the request that an answer depends on. */
export interface AnswerContext {
  /** Null until the first snapshot is loaded. */
  readonly snapshot: SnapshotView | null;
  /** The pages beside the API. Null serves the API alone. */
  readonly pages: Pages | null;
  /** The codings that `compress` can make, preferred ones first. Default: all. */
  readonly codings?: readonly Exclude<Coding, "identity">[];
  /** @param tag the entity tag of the compressed bytes; equal tags mean equal bytes */
  readonly compress: (
    bytes: Uint8Array,
    coding: Exclude<Coding, "identity">,
    tag: string,
  ) => Promise<Uint8Array>;
  /** The generation of the remote store that the snapshot came with. Absent if it was built here. */
  readonly generation?: number | undefined;
  /** Why no newer snapshot can be read at the moment. Absent if all is well. */
  readonly trouble?: string | undefined;
  /** Called for each stored file that is missing or damaged. */
  readonly onDamage: (error: Error) => void;
}

/** In seconds. A new snapshot answers within about two seconds. */
const RETRY_AFTER = { "Retry-After": "2" };

/**
 * Answers one request as sections 4 and 7 of the contract say. Returns the answer itself, or a promise if it has to
 * wait for something. Never throws or rejects: a failure makes a 502.
 * @param address the address of the target, if the caller has already read it
 */
export function answer(
  facts: RequestFacts,
  context: AnswerContext,
  address = addressOf(facts.target, context.pages),
): Soon<Answer> {
  const full = answerInFull(facts, context, address);
  return facts.method === "HEAD" ? andThen(full, (made) => ({ ...made, body: null })) : full;
}

function answerInFull(facts: RequestFacts, context: AnswerContext, address: Address): Soon<Answer> {
  if (address.kind === "none") {
    const moved = withoutSlash(facts, context);
    return andThen(moved, (found) => found ?? nothingAt(address.failed, facts, context));
  }
  if (address.name === "apiPage" && facts.isForPerson !== true) return failureAnswer(NO_ADDRESS);
  const route = address.name;
  return andThen(answerAt(address, facts, context), (made) => ({ ...made, route }));
}

/** The answer at an address that does not exist: a page to a person. */
function nothingAt(failed: Failed, facts: RequestFacts, context: AnswerContext): Soon<Answer> {
  const { pages, snapshot } = context;
  if (failed.status !== 404 || facts.isForPerson !== true || pages === null) {
    return failureAnswer(failed);
  }
  const shown = (failure: Failed) => pages.lost(failure, facts.target, snapshot);
  return undamaged(context, () => shown(failed), shown);
}

/**
 * Redirects a trailing slash to the page. Returns null if no such page exists.
 * The reads of the API have no such addresses (contract section 4).
 */
function withoutSlash(facts: RequestFacts, context: AnswerContext): Soon<Answer | null> {
  const { pages } = context;
  const [, bare, last, query = ""] = SLASHED.exec(originForm(facts.target)) ?? [];
  if (pages === null || bare === undefined || (facts.method !== "GET" && facts.method !== "HEAD"))
    return null;
  const { isForPerson = false } = facts;
  const plain = { method: "GET", target: bare + query, isForPerson };
  const address = addressOf(plain.target, pages);
  if (address.kind !== "page" || (address.name === "apiPage" && !isForPerson)) return null;
  return andThen(answerAt(address, plain, context), (made) => {
    if (made.status === 200)
      return pages.redirect(`../${last}${query}`, address.name === "apiPage");
    // Nobody knows whether the page exists while the store cannot be read.
    return made.status >= 500 ? made : null;
  });
}

/** A path that ends in one slash, without that slash; its last segment; the query. */
const SLASHED = /^(\/(?:[^?]*\/)?([^/?]+))\/(\?.*)?$/s;

function answerAt(
  address: Exclude<Address, { readonly kind: "none" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  if (facts.method === "OPTIONS") return preflight();
  if (facts.method !== "GET" && facts.method !== "HEAD") return methodRefusal();
  if (address.kind === "health") return healthAnswer(address.name, context);
  return address.kind === "read"
    ? read(address, facts, context)
    : showPage(address, facts, context);
}

const NO_ADDRESS: Failure = { status: 404, error: ERROR_TEXTS.noAddress };
const NOT_LOADED: Failure = { status: 503, error: ERROR_TEXTS.notLoaded, headers: RETRY_AFTER };

/** Answers a read of the contract. */
function read(
  { match, query }: Extract<Address, { readonly kind: "read" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  const { snapshot } = context;
  if (!query.ok) return refusal([...pathIssues(match), ...query.issues]);
  return undamaged(context, () => {
    const found =
      snapshot === null ? NOT_LOADED : query.value.contentIn(snapshot, match.host ?? "");
    return andThen(found, (content) => {
      if (!isFailure(content)) return represent(TRAITS[match.name], content, facts, context);
      // A host with a listing is canonical. Only a host without one needs the check.
      const issues = pathIssues(match);
      return issues.length > 0 ? refusal(issues) : failureAnswer(content);
    });
  });
}

/** Answers with a page or with a file that pages use. */
function showPage(
  { match, query, pages }: Extract<Address, { readonly kind: "page" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  const { snapshot } = context;
  const { wantsMarkdown = false, target } = facts;
  const isHtml = facts.isForPerson === true && !isForPrograms(match.name, wantsMarkdown);
  const failed = (failure: Failed): Soon<Answer> => {
    if (!isHtml) return failureAnswer(failure);
    const page = (reason: Failed) => pages.failure(reason, match, target, snapshot);
    return undamaged(context, () => page(failure), page);
  };
  if (!query.ok) return isHtml ? failed(pages.notValid) : refusal(query.issues);
  if (snapshot === null) return failed(NOT_LOADED);
  const made = () => pages.content(match, query.value, wantsMarkdown, snapshot);
  const answered = (page: PageContent | Failure) =>
    isFailure(page) ? failed(page) : represent(page, page, facts, context);
  return undamaged(context, () => andThen(made(), answered), failed);
}

/** Whether an error at an address is the API's, whoever asks: at files of a listing, and at a page as Markdown. */
function isForPrograms(name: PageName, wantsMarkdown: boolean): boolean {
  return name === "page" ? wantsMarkdown : ["markdown", "badge", "card"].includes(name);
}

/** Returns the answer that `make` returns, or a 502 if `make` throws or rejects. */
function undamaged(
  { onDamage }: AnswerContext,
  make: () => Soon<Answer>,
  failed: (failure: Failed) => Soon<Answer> = failureAnswer,
): Soon<Answer> {
  const damaged = (error: unknown) => {
    onDamage(error as Error);
    return failed({ status: 502, error: ERROR_TEXTS.damaged });
  };
  try {
    const made = make();
    return made instanceof Promise ? made.catch(damaged) : made;
  } catch (error) {
    return damaged(error);
  }
}

const TRAITS: Readonly<Record<RouteName, Traits>> = tableOf(ROUTE_NAMES, (name) => {
  const { cache, contentType } = ROUTES[name];
  const link = name === "catalog" && { Link: API_CATALOG_LINK };
  return {
    contentType,
    headers: { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL[cache], ...link },
  };
});

/** Chooses the representation of a 200, or answers 304 if the client already has that representation. */
function represent(
  traits: Traits,
  content: Content,
  facts: RequestFacts,
  context: AnswerContext,
): Soon<Answer> {
  const isLong = content.length > COMPRESS_OVER && content.isImage !== true;
  const wanted = isLong ? codingFor(facts.acceptEncoding, context.codings) : "identity";
  return andThen(content.digest, (digest) =>
    representAs(wanted, entityTag(digest, wanted), traits, content, facts, context),
  );
}

function representAs(
  wanted: Coding,
  tag: string,
  { contentType, headers: own }: Traits,
  content: Content,
  facts: RequestFacts,
  { compress }: AnswerContext,
): Soon<Answer> {
  if (namesTag(facts.ifNoneMatch, tag)) {
    return { status: 304, headers: { ...own, ETag: tag }, body: null };
  }
  const headers: Record<string, string> = { ...own, ETag: tag, "Content-Type": contentType };
  if (wanted !== "identity") headers["Content-Encoding"] = wanted;
  const coded = andThen(content.read(), (plain) =>
    wanted === "identity" ? plain : compress(plain, wanted, tag),
  );
  return andThen(coded, (body) => {
    headers["Content-Length"] = String(body.length);
    return { status: 200, headers, body };
  });
}

/** Reports the health of the process (decisions, HTTP): that it answers, or which snapshot it has loaded. */
function healthAnswer(path: HealthPath, { snapshot, generation, trouble }: AnswerContext): Answer {
  if (path === "healthz") return jsonAnswer(200, { ok: true });
  if (snapshot === null) return jsonAnswer(503, { ready: false, trouble }, RETRY_AFTER);
  return jsonAnswer(200, { ready: true, snapshot: snapshot.id, generation, trouble });
}

function preflight(): Answer {
  return { status: 204, headers: PREFLIGHT_HEADERS, body: null };
}
