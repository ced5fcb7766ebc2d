import { readsOf } from "../answer/extra.js";
import { type FetchHandler, type FetchHandlerOptions, makeHandler } from "./handler.js";

export type { AnswerExtra } from "../answer/extra.js";
export type { ByteSource } from "../store/source.js";
export type { FetchHandler, FetchHandlerOptions, MakePages, RequestContext } from "./handler.js";
export { s3Store } from "./s3-store.js";
export { assetsStore, httpStore, r2Store } from "./store.js";

/** Makes a handler that answers requests from a store: the API, and what its options name besides. */
export function createFetchHandler(options: FetchHandlerOptions): Promise<FetchHandler> {
  const { pages, extras = [] } = options;
  return makeHandler(options, pages?.(extras) ?? null, readsOf(extras));
}
