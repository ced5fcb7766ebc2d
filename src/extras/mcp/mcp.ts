import { type Answer, jsonAnswer } from "../../answer/answer.js";
import {
  type Extensions,
  madeContent,
  type Read,
  type ReadPost,
  unqueriedRead,
} from "../../answer/content.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import { type AgentFacts, agentCatalog, serverCard } from "./agents.js";
import { type McpAnswer, type McpError, readHeaders, readMessage } from "./message.js";
import { AI_CATALOG, ARD, MCP, SERVER_CARD } from "./reads.js";

/** Loads the program that speaks MCP. It is 20 times as large as everything else that answers a request. */
type LoadMcp = () => Promise<Pick<typeof import("./mcp-server.js"), "mcpAnswer">>;

/** The most bytes of a request, with its arguments. */
const REQUEST_BYTES_MAX = 64_000;

/** The reads of the MCP server, and of the documents that tell agents about it. */
export function mcpReads(load: LoadMcp): Extensions {
  const catalog = describedRead(agentCatalog);
  // A GET would open a stream of notifications, of which there are none.
  const error = ERROR_TEXTS.badMethod.replace(METHODS, POST_METHODS);
  const failure = { status: 405, error, headers: { Allow: POST_METHODS } } as const;
  return {
    mcp: { ...MCP, read: { ...unqueriedRead(async () => failure), post: mcpPost(load) } },
    serverCard: { ...SERVER_CARD, read: describedRead(serverCard) },
    ard: { ...ARD, read: catalog },
    aiCatalog: { ...AI_CATALOG, read: catalog },
  };
}

/** A document made from the directory's name and addresses. */
function describedRead(make: (facts: AgentFacts) => object): Read {
  return unqueriedRead((snapshot) =>
    madeContent(JSON.stringify(make(snapshot.directory)), snapshot),
  );
}

const POST_METHODS = "POST, OPTIONS";

function mcpPost(load: LoadMcp): ReadPost {
  return {
    methods: POST_METHODS,
    headers: ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"],
    bytesMax: REQUEST_BYTES_MAX,
    // All bounds of a message have one status.
    tooLarge: 400,
    answer: async ({ value, body }, snapshot, context) => {
      const message = readMessage(value);
      if (message.kind === "refused") return refusedMessage(message.id, message.error);
      if (message.kind === "unanswered") return answerOf({ status: 202, type: null, text: "" });
      const { request } = message;
      const headers = readHeaders(body.header);
      if ("code" in headers) return refusedMessage(request.id, headers);
      const { mcpAnswer } = await load();
      return answerOf(await mcpAnswer(request, headers, snapshot, context));
    },
  };
}

function refusedMessage(id: string | number | null, error: McpError): Answer {
  return jsonAnswer(400, { jsonrpc: "2.0", id, error });
}

const encoder = new TextEncoder();

function answerOf({ status, type, text }: McpAnswer): Answer {
  const body = text === "" ? null : encoder.encode(text);
  return {
    status,
    headers: {
      ...COMMON_HEADERS,
      ...(type !== null && body !== null && { "Content-Type": type }),
      "Content-Length": String(body?.length ?? 0),
      "Cache-Control": CACHE_CONTROL.error,
    },
    body,
  };
}
