import type { Extra } from "../../extra.js";
import { mcpReads } from "./mcp.js";
import { MCP_OPTIONS } from "./options.js";
import { MCP_TREE } from "./tree.js";

/** Answers agents over the Model Context Protocol. The program that speaks it is loaded with its first request. */
export const mcp: Extra = {
  name: "mcp",
  needs: ["access", "changes"],
  reads: mcpReads(() => import("./mcp-server.js")),
  tree: MCP_TREE,
  options: MCP_OPTIONS,
  descriptions: async () => (await import("./bodies.js")).MCP_DESCRIPTIONS,
};
