import { readsOf } from "../extra.js";
import { mcp } from "../extras/mcp/edge.js";
import type { McpAnswers } from "./handler.js";

export type { McpAnswers } from "./handler.js";

/** Makes the reads that answer agents over the Model Context Protocol, for the option `mcp` of `createFetchHandler`. */
export function answerMcp(): McpAnswers {
  return readsOf([mcp()]);
}
