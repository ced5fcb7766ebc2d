import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { PostContext, SnapshotView } from "../../answer/content.js";
import { errorBody, ISSUES_MAX } from "../../contract/error.js";
import { jsonSchemaOf, textField } from "../../contract/field.js";
import { parameterSchema } from "../../contract/read-descriptions.js";
import { crawlerAccess, preflight } from "./access-tools.js";
import { MCP_VERSIONS, mcpIdentity } from "./agents.js";
import { recentChanges } from "./change-tools.js";
import { facts, getMethodology, searchSites } from "./directory-tools.js";
import { listTerms } from "./list-terms.js";
import { CODES, type McpAnswer, type McpError, type McpRequest, REVISION } from "./message.js";
import { compareSites, getReport } from "./report-tools.js";
import {
  cleaned,
  fencedJson,
  listResources,
  NOTICE,
  readResource,
  resourceTemplates,
} from "./resources.js";
import type { Tool, ToolAnswer } from "./tool.js";

/* The directory as an MCP server without sessions, for both eras of the protocol. Each request has its own server. */

/** The most bytes of a call's answer, as text. */
const ANSWER_BYTES_MAX = 256_000;

/**
 * The most characters of a message. A call's answer repeats its text as structured content, and escaping doubles each
 * quotation mark.
 */
const MESSAGE_CHARS_MAX = 1_000_000;
const NO_ANSWER = "The server has no answer that it can send.";

const TOOLS: readonly Tool[] = [
  searchSites,
  getReport,
  preflight,
  crawlerAccess,
  compareSites,
  facts,
  recentChanges,
  getMethodology,
  listTerms,
];

const INSTRUCTIONS =
  "Use this server to learn how well crawlers and agents can read websites, before reading or " +
  "citing them. preflight answers for up to 100 hosts at once; crawler_access finds the sites that " +
  "refuse a crawler; facts gives figures that can be cited; recent_changes tells what changed; " +
  "list_terms has the slugs that tools take. " +
  `${NOTICE.replace("What follows", "Every result")}`;

/** How long lists may be reused, in milliseconds: they change only with the program. */
const LISTS = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Made with the first list: schemas take milliseconds. */
let definitions: ReturnType<typeof definitionOf>[] | undefined;

function definitionOf({ name, title, description, parameters, output }: Tool) {
  const properties = Object.entries(parameters).map(([parameter, one]) => {
    const { items, ...schema } = parameterSchema(one);
    const { examples: _, ...each } = Object(items);
    const { description, example } = one;
    const shown = { description, ...schema, ...(items !== undefined && { items: each }) };
    return [parameter, { ...shown, examples: [example] }];
  });
  const required = Object.entries(parameters).flatMap(([parameter, { isRequired }]) =>
    isRequired === true ? [parameter] : [],
  );
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(properties),
      required,
      additionalProperties: false,
    },
    outputSchema: answerSchema(output),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

function answerSchema(output: z.ZodObject): { type: "object" } {
  const noticed = output.extend({ notice: textField("Whose words the data is.", NOTICE) });
  const { $schema: _, ...schema } = jsonSchemaOf(noticed, "output", (one) => {
    // Answers may gain members. A model has no use for examples and forms of what it will see.
    delete one.additionalProperties;
    delete one.examples;
    delete one.pattern;
    if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
  });
  return { ...schema, type: "object" };
}

const NO_TOOL = `There is no such tool, only ${TOOLS.map(({ name }) => name).join(", ")}.`;
const NO_RESOURCE = "There is no such resource.";
const DAMAGED = "The stored answer is not valid.";

/** The texts of our own errors. The SDK's texts quote what they refuse, so none of them is passed on. */
const OWN_ERRORS: ReadonlySet<string> = new Set([NO_TOOL, NO_RESOURCE, DAMAGED]);

/** What stands in place of the SDK's texts, by code. */
const SDK_ERRORS: ReadonlyMap<number, string> = new Map([
  [CODES.invalidRequest, "This is no JSON-RPC 2.0 message."],
  [CODES.noMethod, "There is no such method."],
  [
    CODES.invalidParams,
    "params._meta must name the revision that the header MCP-Protocol-Version names, and the client's capabilities.",
  ],
  [
    CODES.transport,
    "Accept must name application/json and text/event-stream, and MCP-Protocol-Version one of " +
      `${MCP_VERSIONS.join(", ")}.`,
  ],
  [
    CODES.headerMismatch,
    "One of the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name is missing, or differs from the body.",
  ],
  [CODES.unsupportedRevision, `The server speaks only ${MCP_VERSIONS.join(", ")}.`],
]);

/** Answers a request that `readMessage` and `readHeaders` have read. */
export async function mcpAnswer(
  request: McpRequest,
  headers: [string, string][],
  snapshot: SnapshotView,
  context: PostContext,
): Promise<McpAnswer> {
  // Nothing is announced, so there is nothing to listen for.
  const options = { maxSubscriptions: 0, keepAliveMs: 0 };
  const handler = createMcpHandler(() => serverOf(snapshot, context), options);
  // The address does not matter: a snapshot has one MCP server.
  const sent = new Request("http://localhost/mcp", { method: "POST", headers });
  const response = await handler.fetch(sent, { parsedBody: request });
  const { status } = response;
  const type = response.headers.get("content-type");
  const text = await response.text();
  const [, start = "", json = ""] = /^(event: message\ndata: )?([^\n]*)/.exec(text) ?? [];
  if (json.startsWith('{"result":') && text.length <= MESSAGE_CHARS_MAX)
    return { status, type, text };
  const error = { jsonrpc: "2.0", id: request.id, error: errorOf(json, request) };
  return { status, type, text: `${start}${JSON.stringify(error)}${start === "" ? "" : "\n\n"}` };
}

/** The error of an answer that is no result, in our words. */
function errorOf(json: string, { params }: McpRequest): McpError {
  let code: number = CODES.internal;
  let text = "";
  try {
    const { error } = JSON.parse(json);
    code = Number(error.code);
    text = String(error.message);
  } catch {
    // A result that is too long, or no answer of JSON-RPC.
  }
  const message = OWN_ERRORS.has(text) ? text : (SDK_ERRORS.get(code) ?? NO_ANSWER);
  if (code !== CODES.unsupportedRevision) return { code, message };
  const requested = String(Object(params._meta)[REVISION]).slice(0, 100).toWellFormed();
  return { code, message, data: { supported: MCP_VERSIONS.slice(0, 1), requested } };
}

function serverOf(snapshot: SnapshotView, { onDamage, pages }: PostContext): Server {
  const server = new Server(mcpIdentity(snapshot.directory), {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { "tools/list": LISTS, "resources/templates/list": LISTS },
  });
  const undamaged = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      onDamage(error as Error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, DAMAGED);
    }
  };
  server.setRequestHandler("tools/list", () => {
    definitions ??= TOOLS.map(definitionOf);
    return { tools: definitions };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = TOOLS.find((one) => one.name === params.name);
    if (tool === undefined) throw invalidParams(NO_TOOL);
    return toolResult(await undamaged(() => tool.call(params.arguments ?? {}, snapshot)));
  });
  server.setRequestHandler("resources/list", () => listResources(snapshot));
  server.setRequestHandler("resources/templates/list", () => resourceTemplates(snapshot));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const read = await undamaged(() => readResource(params.uri, snapshot, pages));
    if (read === null) throw invalidParams(NO_RESOURCE);
    return read;
  });
  return server;
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** A tool's answer as MCP sends it: as structured content, and again as text unless both together are too long. */
function toolResult(answer: ToolAnswer): CallToolResult {
  if ("error" in answer) {
    const { error, issues = [] } = answer;
    return refusedCall(JSON.stringify(errorBody(error, issues.slice(0, ISSUES_MAX))));
  }
  const structuredContent = { notice: NOTICE, ...Object(cleaned(answer.content)) };
  const text = fencedJson(structuredContent);
  // In UTF-8 a UTF-16 unit takes at most three bytes; a text that is mostly ASCII has about one.
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > ANSWER_BYTES_MAX)
    return refusedCall(`The answer has more than ${ANSWER_BYTES_MAX} bytes.`);
  const links = (answer.links ?? []).map(
    ({ uri, name }) => ({ type: "resource_link", uri, name, mimeType: "text/markdown" }) as const,
  );
  const shown = 2 * bytes > ANSWER_BYTES_MAX ? `${NOTICE} The structured content has it.` : text;
  return { content: [{ type: "text", text: shown }, ...links], structuredContent };
}

function refusedCall(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
