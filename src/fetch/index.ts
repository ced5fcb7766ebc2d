import { readsOf } from "../answer/extra.js";
import { pageOptionsOf, pagesOf } from "../answer/pages.js";
import { EDGE_EXTRAS } from "../extras/edge.js";
import { type FetchHandler, type FetchHandlerOptions, makeHandler } from "./handler.js";

export type { ByteSource } from "../store/source.js";
export type { FetchHandler, FetchHandlerOptions, McpAnswers, RequestContext } from "./handler.js";
export { s3Store } from "./s3-store.js";
export { assetsStore, httpStore, r2Store } from "./store.js";

/** Makes a handler that answers requests from a store, for the API and for the pages. */
export function createFetchHandler(options: FetchHandlerOptions): Promise<FetchHandler> {
  const { cards, extras: given = [] } = options;
  const extras = [...EDGE_EXTRAS, ...given, ...(cards === undefined ? [] : [cards])];
  const pages = pagesOf(loadAssets, pageOptionsOf(extras));
  const extensions = { ...readsOf(extras), ...options.mcp };
  return makeHandler(options, pages, extensions);
}

const loadAssets = () => import("#scripts/texts");
