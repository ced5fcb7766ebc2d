import { ERROR_TEXTS } from "../../contract/error.js";
import { StoreAwayError } from "../../store/bad-snapshot.js";
import type { Answer, AnswerContext, RequestFacts } from "./answer.js";
import type { Content, Failure, Traits } from "./content.js";
import { type Failed, failureAnswer, RETRY_AFTER } from "./error-answers.js";
import { COMPRESS_OVER, codingFor, entityTag, namesTag, reprDigest } from "./representation.js";

/* Makes answers of contents, and of what went wrong on the way. */

export const NOT_LOADED: Failure = {
  ...{ status: 503, error: ERROR_TEXTS.notLoaded, headers: RETRY_AFTER },
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

/** Chooses the representation of a 200, or answers 304 if the client already has that representation. */
export async function represent(
  { contentType, headers: own }: Traits,
  content: Content,
  facts: RequestFacts,
  { compress, codings }: AnswerContext,
): Promise<Answer> {
  const isLong = content.length > COMPRESS_OVER && content.isCompressed !== true;
  const wanted = isLong ? codingFor(facts.acceptEncoding, codings) : "identity";
  const tag = entityTag(content.digest, wanted);
  if (namesTag(facts.ifNoneMatch, tag)) {
    return { status: 304, headers: { ...own, ETag: tag }, body: null };
  }
  const headers: Record<string, string> = { ...own, ETag: tag, "Content-Type": contentType };
  if (wanted !== "identity") headers["Content-Encoding"] = wanted;
  // The digest would be that of the compressed bytes, which nobody knows before they are made.
  else if (content.sha256) headers["Repr-Digest"] = reprDigest(content.sha256);
  const plain = await content.read();
  const body = wanted === "identity" ? plain : await compress(plain, wanted, tag);
  headers["Content-Length"] = String(body.length);
  return { status: 200, headers, body };
}
