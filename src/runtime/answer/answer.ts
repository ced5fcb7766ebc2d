import { PREFLIGHT_HEADERS, postPreflight } from "../../contract/headers.js";
import type { Leaving } from "../../engine/answering.js";
import { type Address, addressOf, isOfContract, READ_ROUTES, type ReadAddress } from "./address.js";
import { type Extensions, isFailure, type SnapshotView } from "./content.js";
import {
  type Failed,
  failureAnswer,
  healthAnswer,
  methodRefusal,
  NO_ADDRESS,
  type Readiness,
  refusal,
} from "./error-answers.js";
import type { PageMatch, Pages } from "./page-types.js";
import { partOf } from "./ranges.js";
import { type Coding, NOT_LOADED, represent, typedContent, undamaged } from "./represent.js";
import { posted, type RequestBody } from "./request-body.js";
import { originForm, pathIssues } from "./routing.js";

/** The parts of a request on which its answer depends. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as sent: path and query, still encoded. */
  readonly target: string;
  readonly acceptEncoding?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  /** Whether the client prefers a page as Markdown. */
  readonly wantsMarkdown?: boolean;
  /** Whether a person reads the answer, in a browser. */
  readonly isForPerson?: boolean;
  /** The body, which only a POST has. */
  readonly body?: RequestBody;
  /** Tells when the client has left. Default: it never does. */
  readonly leaving?: Leaving;
}

/** An answer, independent of how it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer has no body, for example to a HEAD request. */
  readonly body: Uint8Array | null;
  /** When the answer stops being true, in milliseconds since 1970. */
  readonly until?: number;
  /** The name of the requested address, whatever the status. Absent if the address does not exist. */
  readonly route?: string;
}

/** Everything except the request that an answer depends on. */
export interface AnswerContext {
  /** Null until the first snapshot is loaded. */
  readonly snapshot: SnapshotView | null;
  /** The pages beside the API. Null serves the API alone. */
  readonly pages: Pages | null;
  /** The reads beyond the contract. Default: none. */
  readonly extensions?: Extensions | undefined;
  /** The codings that `compress` can make, preferred ones first. Default: all. */
  readonly codings?: readonly Exclude<Coding, "identity">[];
  /** @param tag the entity tag of the compressed bytes; equal tags mean equal bytes */
  readonly compress: (
    bytes: Uint8Array,
    coding: Exclude<Coding, "identity">,
    tag: string,
  ) => Promise<Uint8Array>;
  /** Why no newer snapshot can be read at the moment. Absent if all is well. */
  readonly trouble?: string | undefined;
  /** Called for `/readyz` only. Absent at an edge: a store of bytes has no times. */
  readonly readiness?: () => Promise<Readiness>;
  /** Called for each stored file that is missing or damaged. */
  readonly onDamage: (error: Error) => void;
}

/**
 * Answers one request (docs/contract.md). Never rejects: a failure makes a 502 or a 503.
 * @param address the address of the target, if the caller has already read it
 */
export async function answer(
  facts: RequestFacts,
  context: AnswerContext,
  address = addressOf(facts.target, context.pages, context.extensions),
): Promise<Answer> {
  const { method, leaving } = facts;
  // The time of a POST begins once its body is read.
  const during = method === "POST" ? undefined : context.snapshot?.during;
  const own = during === undefined ? context : { ...context, snapshot: during(leaving) };
  const full = await answerInFull(facts, own, address);
  return facts.method === "HEAD" ? { ...full, body: null } : partOf(full, facts);
}

async function answerInFull(
  facts: RequestFacts,
  context: AnswerContext,
  address: Address,
): Promise<Answer> {
  if (address.kind === "none") {
    const moved = (await withoutSlash(facts, context)) ?? (await atPasted(facts, context));
    return moved ?? failedAt(null, address.failed, facts, context);
  }
  const route = address.name;
  if (isHidden(address, facts)) return failureAnswer(NO_ADDRESS);
  return { ...(await answerAt(address, facts, context)), route };
}

/**
 * The answer for a failure: a page where a person would read one, and a badge in place of a badge.
 * @param match the page's address; null if there is none
 */
async function failedAt(
  match: PageMatch | null,
  failed: Failed,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { pages, snapshot } = context;
  const isPage =
    match === null
      ? failed.status === 404 && facts.isForPerson === true
      : isReadAsPage(match, facts) || isMissingBadge(match, failed);
  if (!isPage || pages === null) return failureAnswer(failed);
  const page = (reason: Failed) => pages.failure(reason, match, facts.target, snapshot);
  return undamaged(context, () => page(failed), page);
}

/** Whether an address is a page that programs do not get, and a program asks for it. */
function isHidden(address: Address, { isForPerson }: RequestFacts): boolean {
  return address.kind === "page" && address.match.page.isForBrowsers === true && !isForPerson;
}

/** Whether there is no badge at its address, which other sites embed as an image. */
function isMissingBadge({ page }: PageMatch, { status }: Failed): boolean {
  return page.name === "badge" && status === 404;
}

/** Whether a person reads the answer at an address of pages as a page. */
function isReadAsPage({ page }: PageMatch, { isForPerson, wantsMarkdown }: RequestFacts): boolean {
  const isFile = page.hasApiErrors || (page.hasMarkdown && wantsMarkdown);
  return isForPerson === true && !isFile;
}

/**
 * Redirects a trailing slash to the page. Returns null if no such page exists.
 * The reads of the API have no such addresses (docs/contract.md#1-the-nine-reads).
 */
async function withoutSlash(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages } = context;
  const [, bare, last, query = ""] = SLASHED.exec(originForm(facts.target)) ?? [];
  if (pages === null || bare === undefined || !isGet(facts)) return null;
  const { isForPerson = false } = facts;
  const plain = { method: "GET", target: bare + query, isForPerson };
  const address = addressOf(plain.target, pages);
  if (address.kind !== "page" || isHidden(address, plain)) return null;
  const made = await answerAt(address, plain, context);
  if (made.status === 200)
    return pages.redirect(`../${last}${query}`, address.match.page.isForBrowsers);
  // Nobody knows whether the page exists while the store cannot be read.
  return made.status >= 500 ? made : null;
}

/** Redirects a URL pasted after `/sites/` to the report of its host. Returns null if there is none. */
async function atPasted(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages, snapshot } = context;
  if (pages === null || snapshot === null || !isGet(facts)) return null;
  return undamaged(context, () => pages.pasted(facts.target, snapshot));
}

/** A path that ends in one slash, without that slash; its last segment; the query. */
const SLASHED = /^(\/(?:[^?]*\/)?([^/?]+))\/(\?.*)?$/s;

async function answerAt(
  address: Exclude<Address, { readonly kind: "none" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  if (address.kind === "read" && isSwitchedOff(address, context)) return failureAnswer(NO_ADDRESS);
  const post = address.kind === "read" ? address.post : undefined;
  if (facts.method === "OPTIONS") {
    const headers = post === undefined ? PREFLIGHT_HEADERS : postPreflight(post.methods);
    return { status: 204, headers, body: null };
  }
  if (facts.method === "POST" && post !== undefined) return posted(post, facts, context);
  if (!isGet(facts)) return methodRefusal(post?.methods);
  if (address.kind === "health") return healthAnswer(address.name, context);
  return address.kind === "read"
    ? read(address, facts, context)
    : showPage(address, facts, context);
}

function isGet({ method }: RequestFacts): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the read is beyond the contract, and the publisher has switched such reads off. */
function isSwitchedOff({ name }: ReadAddress, { snapshot }: AnswerContext): boolean {
  return !isOfContract(name) && snapshot?.directory.extensions === false;
}

async function read(
  address: ReadAddress,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot, pages } = context;
  const { name, parameter, query } = address;
  // A host with a listing is canonical. Only a host without one needs the check.
  const issues = () => pathIssues(READ_ROUTES[name].path, parameter);
  if (!query.ok) return refusal([...issues(), ...query.issues]);
  return undamaged(context, async () => {
    if (snapshot === null) return failureAnswer(NOT_LOADED);
    const content = await query.value.contentIn(snapshot, parameter ?? "");
    if (!isFailure(content)) {
      return represent(typedContent(address, content, snapshot, pages !== null), facts, context);
    }
    const inPath = issues();
    return inPath.length > 0 ? refusal(inPath) : failureAnswer(content);
  });
}

/** Answers with a page or with a file that pages use. */
async function showPage(
  { match, query, pages }: Extract<Address, { readonly kind: "page" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot } = context;
  const { wantsMarkdown = false, target } = facts;
  const isPage = isReadAsPage(match, facts);
  const failed = (failure: Failed) => failedAt(match, failure, facts, context);
  if (snapshot === null) return query.ok || isPage ? failed(NOT_LOADED) : refusal(query.issues);
  const made = async () => {
    if (!query.ok) {
      const moved = await pages.misnamed(match, target, snapshot);
      if (!("error" in moved)) return moved;
      return isPage || isMissingBadge(match, moved) ? failed(moved) : refusal(query.issues);
    }
    const page = await pages.content(match, query.value, wantsMarkdown, snapshot);
    return isFailure(page) ? failed(page) : represent(page, facts, context);
  };
  return undamaged(context, made, failed);
}
