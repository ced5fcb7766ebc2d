import { pagesOf } from "../answer/pages.js";
import { EXTENSION_READS } from "../extras/extensions.js";
import { type FetchHandler, type FetchHandlerOptions, makeHandler } from "./handler.js";

export type { ByteSource } from "../store/source.js";
export type { FetchHandler, FetchHandlerOptions, McpAnswers, RequestContext } from "./handler.js";
export { s3Store } from "./s3-store.js";
export { assetsStore, httpStore, r2Store } from "./store.js";

/** Makes a handler that answers requests from a store, for the API and for the pages. */
export function createFetchHandler(options: FetchHandlerOptions): Promise<FetchHandler> {
  const { cards, extras = [] } = options;
  const extra = extras.flatMap(({ pages: some = [] }) => some);
  const pages = pagesOf(loadAssets, { extra, drawCard: cards });
  const extensions = { ...EXTENSION_READS, ...options.mcp };
  return makeHandler(options, pages, extensions);
}

const loadAssets = () => import("#scripts/texts");
