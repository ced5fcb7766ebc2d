import { createFetchHandler, type FetchHandler } from "../../src/fetch/api.js";
import { answerMcp } from "../../src/fetch/mcp.js";
import { folderStore } from "../../src/index.js";

/** What an edge answers from a store, with MCP. */
export function handlerOf(store: string): Promise<FetchHandler> {
  return createFetchHandler({ store: folderStore(store), mcp: answerMcp() });
}
