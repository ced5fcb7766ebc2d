import { EXTENSION_NAMES, EXTENSIONS, type ExtensionName } from "../../contract/extensions.js";
import { PREFLIGHT_HEADERS, postPreflight, READ_HEADERS } from "../../contract/headers.js";
import { readQuery } from "../../contract/query.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { tableOf } from "../../contract/tables.js";
import type { Address } from "./address.js";
import type { Answer, AnswerContext, RequestFacts } from "./answer.js";
import { isFailure, numbered, type Traits } from "./content.js";
import { failureAnswer, refusal } from "./error-answers.js";
import type { ExtensionPost } from "./extension-types.js";
import { NOT_LOADED, represent, undamaged } from "./represent.js";
import { jsonBody } from "./request-body.js";
import { originForm } from "./routing.js";

/* Answers of addresses beyond the contract. */

type ExtensionAddress = Extract<Address, { readonly kind: "extension" }>;

/** Answers a read beyond the contract. */
export async function extend(
  { match, query }: ExtensionAddress,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot } = context;
  if (!query.ok) return refusal(query.issues);
  if (snapshot === null) return failureAnswer(NOT_LOADED);
  return undamaged(context, async () => {
    const content = await query.value.contentIn(snapshot, match.parameter);
    if (isFailure(content)) return failureAnswer(content);
    const { contentType, headers } = TRAITS[match.name];
    const traits = {
      contentType: content.contentType ?? contentType,
      headers: { ...headers, ...content.headers },
    };
    return represent(numbered(traits, snapshot), content, facts, context);
  });
}

/** Answers a POST, which asks with its body and has no query. Caches do not store the answer. */
export async function posted(
  post: ExtensionPost,
  facts: RequestFacts,
  context: AnswerContext,
): Promise<Answer> {
  const { snapshot, onDamage } = context;
  const { body, acceptEncoding } = facts;
  if (snapshot === null) return failureAnswer(NOT_LOADED);
  const [, query = ""] = originForm(facts.target).split("?", 2);
  const reading = readQuery({}, query);
  if (!reading.ok) return refusal(reading.issues);
  if (body === undefined) return refusal([{ path: "body", message: "is required" }]);
  const json = await jsonBody(body, post.bytesMax);
  if ("error" in json) return failureAnswer(json);
  return undamaged(context, async () => {
    const made = await post.answer({ value: json.value, body }, snapshot, onDamage);
    if (!("digest" in made)) return made;
    const traits = { contentType: JSON_TYPE, headers: POSTED_HEADERS };
    const asked = { method: "POST", target: facts.target, acceptEncoding };
    const { headers, ...answer } = await represent(
      numbered(traits, snapshot),
      made,
      asked,
      context,
    );
    // Nothing can be read again by the tag of an answer to a POST.
    const { ETag: _, ...rest } = headers;
    return { ...answer, headers: rest };
  });
}

const JSON_TYPE = EXTENSIONS.batch.contentType;
const POSTED_HEADERS = { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL.error };

const TRAITS: Readonly<Record<ExtensionName, Traits>> = tableOf(EXTENSION_NAMES, (name) => {
  const { cache, contentType } = EXTENSIONS[name];
  return { contentType, headers: { ...READ_HEADERS, "Cache-Control": CACHE_CONTROL[cache] } };
});

/** The answer to a browser's preflight request for another origin. @param post what answers a POST there, if anything does */
export function preflight(post: ExtensionPost | undefined): Answer {
  const headers = post === undefined ? PREFLIGHT_HEADERS : postPreflight(post.methods);
  return { status: 204, headers, body: null };
}
