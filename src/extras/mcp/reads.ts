import type { Extension } from "../../contract/extensions.js";

const JSON_TYPE = "application/json";

export const MCP = {
  id: "callMcp",
  path: "/mcp",
  query: {},
  contentType: JSON_TYPE,
  cache: "polled",
  errors: [400, 502, 503],
  example: "/mcp",
  post: { id: "callMcp", isAlone: true },
  // Clients are often given the address of the server with a slash at its end.
  hasSlashedForm: true,
} as const satisfies Extension;

/** What the descriptions for agents share. */
const DISCOVERY = {
  query: null,
  contentType: JSON_TYPE,
  cache: "catalogue",
  errors: [502, 503],
} as const;

export const SERVER_CARD = {
  id: "getServerCard",
  path: "/mcp/server-card",
  ...DISCOVERY,
  contentType: "application/mcp-server-card+json",
  example: "/mcp/server-card",
  purged: { after: "directory", api: "/mcp/server-card" },
} as const satisfies Extension;

const ARD_PATH = "/.well-known/ard.json";

export const ARD = {
  id: "getAgentCatalog",
  path: ARD_PATH,
  ...DISCOVERY,
  example: ARD_PATH,
  purged: { after: "directory", api: ARD_PATH, pages: ARD_PATH },
} as const satisfies Extension;

const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";

export const AI_CATALOG = {
  id: "getAiCatalog",
  path: AI_CATALOG_PATH,
  ...DISCOVERY,
  contentType: "application/ai-catalog+json",
  example: AI_CATALOG_PATH,
  purged: { after: "directory", api: AI_CATALOG_PATH, pages: AI_CATALOG_PATH },
} as const satisfies Extension;
