import { installedExtras } from "../../src/extra.js";
import type { FetchHandlerOptions } from "../../src/fetch/handler.js";
import { createFetchHandler, type FetchHandler } from "../../src/fetch/index.js";
import { pages } from "../../src/fetch/pages.js";

/** Makes a handler with the pages and with all extras. */
export function wholeHandler(options: FetchHandlerOptions): Promise<FetchHandler> {
  return createFetchHandler({ pages: pages(), extras: installedExtras(), ...options });
}
