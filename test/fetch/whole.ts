import { installedExtras } from "../../src/extra.js";
import type { FetchHandlerOptions } from "../../src/fetch/handler.js";
import { createFetchHandler, type FetchHandler } from "../../src/fetch/index.js";
import { pages } from "../../src/fetch/pages.js";

/**
 * Makes a handler with the pages, all extras, and those of its options. It draws no pictures, as the servers of tests
 * do not.
 */
export function wholeHandler(options: FetchHandlerOptions): Promise<FetchHandler> {
  const extras = installedExtras().map(({ rasterize: _, ...extra }) => extra);
  return createFetchHandler({
    pages: pages(),
    ...options,
    extras: [...extras, ...(options.extras ?? [])],
  });
}
