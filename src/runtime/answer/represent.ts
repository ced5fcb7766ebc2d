import { ERROR_TEXTS } from "../../contract/error.js";
import type { ExtensionName } from "../../contract/extensions.js";
import {
  API_CATALOG_LINK,
  GENERATION_HEADER,
  MARKDOWN_TYPE,
  READ_HEADERS,
  weightedValues,
} from "../../contract/headers.js";
import { CACHE_CONTROL, ROUTES, type RouteName } from "../../contract/routes.js";
import { namesOf, tableOf } from "../../contract/tables.js";
import { StoreAwayError } from "../../store/bad-snapshot.js";
import { isOfContract, READ_ROUTES, type ReadAddress } from "./address.js";
import type { Answer, AnswerContext, RequestFacts } from "./answer.js";
import type { Content, Failure, SnapshotView } from "./content.js";
import { type Failed, failureAnswer, RETRY_AFTER } from "./error-answers.js";

/* Makes answers from contents, and from failures to read them. */

export const NOT_LOADED: Failure = {
  status: 503,
  error: ERROR_TEXTS.notLoaded,
  headers: RETRY_AFTER,
};
const AWAY: Failed = { status: 503, error: ERROR_TEXTS.away, headers: RETRY_AFTER };
const DAMAGED: Failed = { status: 502, error: ERROR_TEXTS.damaged };

/** The answer that `make` resolves to. If it rejects, a 503 while the store cannot be reached, or else a 502. */
export async function undamaged<T extends Answer | null>(
  { onDamage }: AnswerContext,
  make: () => Promise<T>,
  failed = async (failure: Failed) => failureAnswer(failure),
): Promise<T | Answer> {
  try {
    return await make();
  } catch (error) {
    onDamage(error as Error);
    return failed(error instanceof StoreAwayError ? AWAY : DAMAGED);
  }
}

export type TypedContent = Content & Required<Pick<Content, "contentType" | "headers">>;

/** Chooses the representation of a 200, or answers 304 if the client already has that representation. */
export async function represent(
  { contentType, headers: own, ...content }: TypedContent,
  facts: RequestFacts,
  { compress, codings }: AnswerContext,
): Promise<Answer> {
  const isLong = content.length > COMPRESS_OVER && content.isCompressed !== true;
  const wanted = isLong ? codingFor(facts.acceptEncoding, codings) : "identity";
  const tag = entityTag(content.digest, wanted);
  const until = content.until === undefined ? {} : { until: content.until };
  if (namesTag(facts.ifNoneMatch, tag)) {
    return { status: 304, headers: { ...own, ETag: tag }, body: null, ...until };
  }
  const headers: Record<string, string> = { ...own, ETag: tag, "Content-Type": contentType };
  if (wanted !== "identity") headers["Content-Encoding"] = wanted;
  // The digest would be that of the compressed bytes, which is unknown until they are made.
  else if (content.sha256) headers["Repr-Digest"] = reprDigest(content.sha256);
  const plain = await content.read();
  const body = wanted === "identity" ? plain : await compress(plain, wanted, tag);
  headers["Content-Length"] = String(body.length);
  return { status: 200, headers, body, ...until };
}

/**
 * The content of a read with its type and headers, such as links to what describes it.
 * @param hasPages whether a report is a page, too: then a link leads to it as Markdown
 */
export function typedContent(
  { name, parameter, query }: ReadAddress,
  content: Content,
  snapshot: SnapshotView,
  hasPages: boolean,
): TypedContent {
  const { contentType, headers } = TRAITS[name];
  const text = query.ok && query.value.text !== "" ? `?${query.value.text}` : "";
  const markdown = `<${UP_TO_ROOT}sites/${parameter}/report.md${text}>; rel="alternate"; type="${MARKDOWN_TYPE}"`;
  return {
    contentType,
    ...content,
    headers: {
      ...headers,
      ...(name === "report" && hasPages && { Link: `${headers.Link}, ${markdown}` }),
      ...content.headers,
      ...generationHeader(snapshot),
    },
  };
}

/** The number of the publication, which is beyond the contract. */
export function generationHeader({ directory, history }: SnapshotView): Record<string, string> {
  return directory.extensions === false ? {} : { [GENERATION_HEADER]: `${history.generation}` };
}

/** The way up from an address to its first `kept` slashes. Relative links work under any base address. */
function upTo(path: string, kept: number): string {
  return "../".repeat(path.split("/").length - 1 - kept);
}

const UP_TO_ROOT = upTo(ROUTES.report.path, 1);

function linkHeaderOf(name: RouteName): string {
  if (name === "catalog") return API_CATALOG_LINK;
  const { path, contentType } = ROUTES.openapi;
  // Both are below `/api/`.
  const description = upTo(ROUTES[name].path, 2) + path.slice("/api/".length);
  return `<${description}>; rel="describedby"; type="${contentType}"`;
}

type Traits = { readonly contentType: string; readonly headers: Record<string, string> };
const TRAITS: Readonly<Record<RouteName | ExtensionName, Traits>> = tableOf(
  namesOf(READ_ROUTES),
  (name) => ({
    contentType: READ_ROUTES[name].contentType,
    headers: {
      ...READ_HEADERS,
      "Cache-Control": CACHE_CONTROL[READ_ROUTES[name].cache],
      ...(isOfContract(name) && { Link: linkHeaderOf(name) }),
    },
  }),
);

/** The codings that compress answers, preferred ones first. */
const CODINGS: readonly ("br" | "gzip")[] = ["br", "gzip"];
export type Coding = (typeof CODINGS)[number] | "identity";

/** Longer answers are compressed, in bytes (docs/contract.md#85-compression). */
const COMPRESS_OVER = 1024;

/** Codings by header. Clients send few different headers. Cleared once it holds `CACHED_MAX` headers. */
const cached = new Map<string, Coding>();
const CACHED_MAX = 256;
/** Longest header that is remembered, in characters. */
const CACHED_LENGTH_MAX = 100;

/**
 * `chooseCoding` with a cache.
 * @param codings the codings that the caller can make
 */
export function codingFor(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  if (acceptEncoding === undefined) return "identity";
  if (codings !== CODINGS || acceptEncoding.length > CACHED_LENGTH_MAX)
    return chooseCoding(acceptEncoding, codings);
  const found = cached.get(acceptEncoding);
  if (found !== undefined) return found;
  const coding = chooseCoding(acceptEncoding);
  if (cached.size >= CACHED_MAX) cached.clear();
  cached.set(acceptEncoding, coding);
  return coding;
}

/**
 * Returns the coding that an `Accept-Encoding` header asks for: the one with the highest q-value. On a tie, compression
 * wins over plain bytes. Without the header, or if it rejects every coding that we have, the answer is "identity".
 */
export function chooseCoding(acceptEncoding: string | undefined, codings = CODINGS): Coding {
  const weights = new Map<string, number>();
  for (const [coding, weight] of weightedValues(acceptEncoding ?? "")) {
    if (coding !== "") weights.set(coding.replace(/^x-gzip$/, "gzip"), weight);
  }
  let best: Coding = "identity";
  let highest = weights.get("identity") ?? 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight > 0 && (weight > highest || (best === "identity" && weight >= highest))) {
      best = coding;
      highest = weight;
    }
  }
  return best;
}

/** Returns a strong ETag for the bytes that `digest` identifies. Each coding gets its own tag. */
function entityTag(digest: string, coding: Coding): string {
  return coding === "identity" ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * Whether an `If-None-Match` header names the tag. The header may be a list or `*`. The comparison is weak, since a
 * cache in between may have weakened our tag. Our tags contain no comma and no space, so a match never spans two tags
 * of a list.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.includes(tag);
}

/** The header that states the sha256 of a body (RFC 9530). @param sha256 in hex */
function reprDigest(sha256: string): string {
  const bytes = Array.from({ length: sha256.length / 2 }, (_, at) =>
    Number.parseInt(sha256.slice(2 * at, 2 * at + 2), 16),
  );
  return `sha-256=:${btoa(String.fromCharCode(...bytes))}:`;
}
