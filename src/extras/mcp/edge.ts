import type { AnswerExtra } from "../../answer/extra.js";
import { mcpReads } from "./mcp.js";
import { mcpAnswer } from "./mcp-server.js";

/** Answers agents over the Model Context Protocol at `/mcp`. */
export function mcp(): AnswerExtra {
  return { name: "mcp", reads: mcpReads(async () => ({ mcpAnswer })) };
}
