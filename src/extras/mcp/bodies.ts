import * as z from "zod";
import { field, textField } from "../../contract/field.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { AI_CATALOG, ARD, MCP, SERVER_CARD } from "./reads.js";

/* What the API's description says of the reads for agents: schemas of their bodies, and texts. */

const AgentCatalog = z.looseObject({
  specVersion: textField("Version of the format.", "1.0"),
  entries: field(
    z.array(
      z.looseObject({
        identifier: textField("Name of the resource.", "urn:air:api.example:mcp:directory"),
        type: textField("Media type of its description.", "application/mcp-server-card+json"),
        url: textField("Where its description is.", "https://api.example/mcp/server-card"),
      }),
    ),
    "What agents can use here.",
  ),
});

const VERSION = textField("Version of JSON-RPC: always `2.0`.", "2.0");

export const MCP_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: MCP,
    body: z.looseObject({ jsonrpc: VERSION }),
    posted: z.looseObject({ jsonrpc: VERSION, method: textField("What is asked.", "tools/list") }),
    texts: {
      summary: "Ask over the Model Context Protocol",
      description:
        "Streamable HTTP without sessions, for the revision 2026-07-28 and those from 2025. A request " +
        "has one JSON-RPC message. An older client gets its answer as one event of a stream. `/mcp/` is " +
        "the same address.",
    },
  },
  {
    route: SERVER_CARD,
    body: z.looseObject({
      name: textField("The server's name, in reverse DNS form.", "example.api/directory"),
      remotes: field(
        z.array(z.looseObject({ url: textField("Where it answers.", "https://api.example/mcp") })),
        "The server's addresses.",
      ),
    }),
    texts: {
      summary: "Read the card of the MCP server",
      description: "Its name, its address and the revisions that it speaks (SEP-2127).",
    },
  },
  {
    route: ARD,
    body: AgentCatalog,
    texts: {
      summary: "Read the catalogue for agents",
      description: "What agents can use here, as Agentic Resource Discovery describes it.",
    },
  },
  {
    route: AI_CATALOG,
    body: AgentCatalog,
    texts: {
      summary: "Read the catalogue for agents at its older address",
      description: "The same document as `/.well-known/ard.json`.",
    },
  },
];
