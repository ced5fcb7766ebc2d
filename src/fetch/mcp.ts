import { mcpReads } from "../extras/mcp/mcp.js";
import { mcpAnswer } from "../extras/mcp/mcp-server.js";
import type { McpAnswers } from "./handler.js";

export type { McpAnswers } from "./handler.js";

/** Makes the reads that answer agents over the Model Context Protocol, for the option `mcp` of `createFetchHandler`. */
export function answerMcp(): McpAnswers {
  return mcpReads(async () => ({ mcpAnswer }));
}
