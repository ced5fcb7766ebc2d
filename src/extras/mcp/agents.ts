/*
 * How agents find the MCP server of a directory: its card (SEP-2127) and the catalogue of agentic resources (ARD, and
 * the older name of the same document). All are pure functions of the directory's name and addresses.
 */

/** What agents are told about a directory. */
export interface AgentFacts {
  readonly name: string;
  /** The API's base address, without a trailing slash. */
  readonly baseUrl: string;
  /** The address of the pages, without a trailing slash. */
  readonly siteUrl: string;
}

/** The version of the API, and so of its MCP server. */
const API_VERSION = "1.0.0";

/** Revisions of MCP that the server speaks, the newest first. */
export const MCP_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"] as const;

const ABOUT =
  "Asks how well crawlers and AI agents can read websites, before reading or citing them.";

/** Identity of the MCP server, as it names itself: a name in reverse DNS form, the directory's name, a version. */
export function mcpIdentity({ name, baseUrl }: Pick<AgentFacts, "name" | "baseUrl">) {
  const labels = publisherOf(baseUrl).split(".").reverse().join(".");
  return { name: `${labels}/directory`, title: shortened(name), version: API_VERSION };
}

/** The server card, which tells a client how to connect. */
export function serverCard(facts: AgentFacts) {
  const { baseUrl, siteUrl } = facts;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...mcpIdentity(facts),
    description: ABOUT,
    websiteUrl: `${siteUrl}/`,
    remotes: [
      {
        type: "streamable-http",
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: MCP_VERSIONS,
      },
    ],
  };
}

/** The catalogue of what agents can use here: the MCP server. */
export function agentCatalog({ name, baseUrl, siteUrl }: AgentFacts) {
  return {
    specVersion: "1.0",
    host: { displayName: shortened(name), documentationUrl: `${siteUrl}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${publisherOf(baseUrl)}:mcp:directory`,
        displayName: shortened(name),
        type: "application/mcp-server-card+json",
        url: `${baseUrl}/mcp/server-card`,
        description: ABOUT,
        capabilities: [
          "search_sites",
          "get_report",
          "preflight",
          "crawler_access",
          "compare_sites",
          "facts",
          "recent_changes",
          "get_methodology",
          "list_terms",
        ],
        representativeQueries: [
          "Which of these websites may an AI crawler read?",
          "How well can agents read example.com?",
          "What share of websites passes this check?",
          "Compare how readable two websites are to crawlers.",
        ],
      },
    ],
  };
}

/** Cuts a text to 100 characters, and replaces an empty one; a directory's name may be longer. */
function shortened(text: string): string {
  const trimmed = text.trim();
  return (trimmed === "" ? "Directory" : trimmed).slice(0, 100).toWellFormed();
}

/** The host of an address. One in brackets (IPv6) has characters that identifiers must not have. */
function publisherOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.startsWith("[") ? "localhost" : hostname;
}
