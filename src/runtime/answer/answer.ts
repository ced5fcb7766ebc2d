import type { Leaving } from "../../engine/answering.js";
import type { PageName } from "../../pages/kit/routes.js";
import { type Address, addressOf } from "./address.js";
import { isFailure, numbered, type SnapshotView } from "./content.js";
import {
  type Failed,
  failureAnswer,
  healthAnswer,
  methodRefusal,
  NO_ADDRESS,
  type Readiness,
  refusal,
} from "./error-answers.js";
import { extend, posted, preflight } from "./extension-answers.js";
import type { Extensions } from "./extension-types.js";
import type { Pages } from "./page-types.js";
import { partOf } from "./ranges.js";
import { readTraits } from "./read-traits.js";
import { NOT_LOADED, represent, undamaged } from "./represent.js";
import type { Coding } from "./representation.js";
import type { RequestBody } from "./request-body.js";
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
  /** The generation of the remote store that the snapshot came with. Absent if it was built here. */
  readonly generation?: number | undefined;
  /** Why no newer snapshot can be read at the moment. Absent if all is well. */
  readonly trouble?: string | undefined;
  /** Asked at `/readyz` alone. Absent at an edge: a store of bytes has no times. */
  readonly readiness?: () => Promise<Readiness>;
  /** Called for each stored file that is missing or damaged. */
  readonly onDamage: (error: Error) => void;
}

/**
 * Answers one request as sections 4 and 7 of the contract say. Never rejects: a failure makes a 502 or a 503.
 * @param address the address of the target, if the caller has already read it
 */
export async function answer(
  facts: RequestFacts,
  context: AnswerContext,
  address = addressOf(facts.target, context.pages, context.extensions),
): Promise<Answer> {
  const full = await answerInFull(facts, context, address);
  return facts.method === "HEAD" ? { ...full, body: null } : partOf(full, facts);
}

async function answerInFull(
  facts: RequestFacts,
  context: AnswerContext,
  address: Address,
): Promise<Answer> {
  if (address.kind === "none") {
    const moved = (await withoutSlash(facts, context)) ?? (await atPasted(facts, context));
    return moved ?? nothingAt(address.failed, facts, context);
  }
  const route = address.name;
  if (route === "apiPage" && facts.isForPerson !== true) return failureAnswer(NO_ADDRESS);
  return { ...(await answerAt(address, facts, context)), route };
}

/** The answer at an address that does not exist: a page to a person. */
async function nothingAt(
  failed: Failed,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
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
async function withoutSlash(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages } = context;
  const [, bare, last, query = ""] = SLASHED.exec(originForm(facts.target)) ?? [];
  if (pages === null || bare === undefined || (facts.method !== "GET" && facts.method !== "HEAD"))
    return null;
  const { isForPerson = false } = facts;
  const plain = { method: "GET", target: bare + query, isForPerson };
  const address = addressOf(plain.target, pages);
  if (address.kind !== "page" || (address.name === "apiPage" && !isForPerson)) return null;
  const made = await answerAt(address, plain, context);
  if (made.status === 200) return pages.redirect(`../${last}${query}`, address.name === "apiPage");
  // Nobody knows whether the page exists while the store cannot be read.
  return made.status >= 500 ? made : null;
}

/** Redirects an address of the web below `/sites/` to the report of its host. Returns null if there is none. */
async function atPasted(facts: RequestFacts, context: AnswerContext): Promise<Answer | null> {
  const { pages, snapshot } = context;
  if (pages === null || snapshot === null || !/^(?:GET|HEAD)$/.test(facts.method)) return null;
  return undamaged(context, () => pages.pasted(facts.target, snapshot));
}

/** A path that ends in one slash, without that slash; its last segment; the query. */
const SLASHED = /^(\/(?:[^?]*\/)?([^/?]+))\/(\?.*)?$/s;

async function answerAt(
  address: Exclude<Address, { readonly kind: "none" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot } = context;
  const isExtension = address.kind === "extension";
  if (isExtension && snapshot?.directory.extensions === false) return failureAnswer(NO_ADDRESS);
  const post = isExtension ? address.post : undefined;
  if (facts.method === "OPTIONS") return preflight(post);
  if (facts.method === "POST" && post !== undefined) return posted(post, facts, context);
  if (facts.method !== "GET" && facts.method !== "HEAD") return methodRefusal(post?.methods);
  if (address.kind === "health") return healthAnswer(address.name, context);
  if (isExtension) return extend(address, facts, context);
  return address.kind === "read"
    ? read(address, facts, context)
    : showPage(address, facts, context);
}

/** Answers a read of the contract. */
async function read(
  { match, query }: Extract<Address, { readonly kind: "read" }>,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot } = context;
  if (!query.ok) return refusal([...pathIssues(match), ...query.issues]);
  return undamaged(context, async () => {
    if (snapshot === null) return failureAnswer(NOT_LOADED);
    const content = await query.value.contentIn(snapshot, match.host ?? "", facts.leaving);
    if (!isFailure(content)) {
      const traits = readTraits(match, query.value.text, context.pages !== null);
      return represent(numbered(traits, snapshot), content, facts, context);
    }
    // A host with a listing is canonical. Only a host without one needs the check.
    const issues = pathIssues(match);
    return issues.length > 0 ? refusal(issues) : failureAnswer(content);
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
  const isHtml = facts.isForPerson === true && !isForPrograms(match.name, wantsMarkdown);
  const failed = async (failure: Failed): Promise<Answer> => {
    if (!isHtml) return failureAnswer(failure);
    const page = (reason: Failed) => pages.failure(reason, match, target, snapshot);
    return undamaged(context, () => page(failure), page);
  };
  if (snapshot === null) return query.ok || isHtml ? failed(NOT_LOADED) : refusal(query.issues);
  if (!query.ok) {
    const { issues } = query;
    const moved = async () => {
      const misnamed = await pages.misnamed(match, target, snapshot);
      if (!isFailed(misnamed)) return misnamed;
      return isHtml ? failed(misnamed) : refusal(issues);
    };
    return undamaged(context, moved, failed);
  }
  const made = async () => {
    const page = await pages.content(match, query.value, wantsMarkdown, snapshot);
    return isFailure(page) ? failed(page) : represent(page, page, facts, context);
  };
  return undamaged(context, made, failed);
}

function isFailed(answer: Answer | Failed): answer is Failed {
  return "error" in answer;
}

/** Whether people get the API's error body at an address, too: at files of a listing, and at a page as Markdown. */
function isForPrograms(name: PageName, wantsMarkdown: boolean): boolean {
  return name === "page" ? wantsMarkdown : ["markdown", "task", "badge", "card"].includes(name);
}
