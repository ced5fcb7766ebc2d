import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { type AgentFacts, agentCatalog, serverCard } from "../../contract/agents.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { COMMON_HEADERS, METHODS } from "../../contract/headers.js";
import { CACHE_CONTROL } from "../../contract/routes.js";
import type { Answer } from "../answer/answer.js";
import {
  type McpReads,
  madeContent,
  type Read,
  type ReadPost,
  type SnapshotView,
} from "../answer/content.js";
import { jsonAnswer } from "../answer/error-answers.js";
import { unqueriedRead } from "../answer/reads.js";

/** Loads the program that speaks MCP. It is 20 times as large as everything else that answers a request. */
type LoadMcp = () => Promise<Pick<typeof import("./mcp-server.js"), "mcpHandlerOf">>;

/** The most bytes of a request, with its arguments. */
const REQUEST_BYTES_MAX = 256_000;

const MCP_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

const encoder = new TextEncoder();

/** The answer to a list of calls, which MCP allowed until 2025-06-18: a list would multiply the cost of a request. */
const LIST_REFUSAL = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32600, message: "A request must be one JSON object, not a list." },
};

/** The reads of the MCP server, and of the documents that tell agents about it. */
export function mcpReads(load: LoadMcp): McpReads {
  const catalog = describedRead(agentCatalog);
  // A GET would open a stream of notifications, of which there are none.
  const error = ERROR_TEXTS.badMethod.replace(METHODS, POST_METHODS);
  const failure = { status: 405, error, headers: { Allow: POST_METHODS } } as const;
  return {
    mcp: { ...unqueriedRead(async () => failure), post: mcpPost(load) },
    serverCard: describedRead(serverCard),
    ...{ ard: catalog, aiCatalog: catalog },
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
  const handlers = new WeakMap<SnapshotView, McpHttpHandler>();
  return {
    methods: POST_METHODS,
    bytesMax: REQUEST_BYTES_MAX,
    answer: async ({ value, body }, snapshot, onDamage) => {
      if (Array.isArray(value)) return jsonAnswer(400, LIST_REFUSAL);
      const { mcpHandlerOf } = await load();
      const handler = handlers.get(snapshot) ?? mcpHandlerOf(snapshot, onDamage);
      handlers.set(snapshot, handler);
      const headers = MCP_HEADERS.flatMap((name): [string, string][] => {
        const given = body.header(name);
        return given === undefined ? [] : [[name, given]];
      });
      // The address does not matter: a snapshot has one MCP server.
      const request = new Request("http://localhost/mcp", { method: "POST", headers });
      return answerOf(await handler.fetch(request, { parsedBody: value }));
    },
  };
}

/** Each exchange ends with its answer, even if that is sent as a stream of events. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text === "" ? null : encoder.encode(text);
  const contentType = response.headers.get("content-type");
  return {
    status: response.status,
    headers: {
      ...COMMON_HEADERS,
      ...(contentType !== null && body !== null && { "Content-Type": contentType }),
      "Content-Length": String(body?.length ?? 0),
      "Cache-Control": CACHE_CONTROL.error,
    },
    body,
  };
}
