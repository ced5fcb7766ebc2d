import { isObject } from "../../contract/values.js";

/*
 * What an MCP client sends. The SDK checks all members of a message against its schemas, and describes each value that
 * does not fit. A list of zeros where it expects icons costs it seconds, and an answer of megabytes. So it gets a copy
 * of the message that has only the members that this server reads, each of a bounded size.
 */

/** A request as the SDK gets it. */
export interface McpRequest {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An error of JSON-RPC, without the message that it answers. */
export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** The answer to a message, which ends its exchange even if it is sent as a stream of events. */
export interface McpAnswer {
  readonly status: number;
  /** The media type; null if the answer has no body. */
  readonly type: string | null;
  readonly text: string;
}

export type McpMessage =
  | { readonly kind: "request"; readonly request: McpRequest }
  /** Nothing answers it: a notification, or the answer to a question that this server never asks. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "refused"; readonly id: string | number | null; readonly error: McpError };

/** The most characters of a text that the SDK gets: a method, a name, an address, a revision, a header. */
const TEXT_MAX = 1_000;
/** The most characters of a request's id, which its answer repeats. */
const ID_MAX = 200;
/** The most members of a call's arguments. No tool has as many parameters. */
const ARGUMENTS_MAX = 50;

/** The texts that this server reads from the parameters of a method; it needs each of them. */
const TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["initialize", ["protocolVersion"]],
  ["tools/call", ["name"]],
  ["resources/read", ["uri"]],
]);

/** The member of `_meta` that names the revision of MCP. */
export const REVISION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

export const CODES = {
  invalidRequest: -32_600,
  noMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** What the transport refuses: another type of answer, or an unknown revision in a header. */
  transport: -32_000,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const;

/** The headers that the SDK gets. */
const MCP_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Reads a posted message.
 * @param value the JSON of the body
 */
export function readMessage(value: unknown): McpMessage {
  // MCP allowed lists until 2025-06-18. A list would multiply the cost of a request.
  if (Array.isArray(value)) return invalid("A request must be one JSON object, not a list.");
  if (!isObject(value) || value.jsonrpc !== "2.0")
    return invalid("This is no JSON-RPC 2.0 message.");
  const { id, method, params } = value;
  if (method === undefined && ("result" in value || "error" in value)) return UNANSWERED;
  if (!isText(method)) return invalid(`method ${TEXT_RULE}`);
  if (id === undefined) return UNANSWERED;
  if (!isId(id)) {
    return invalid(`id must be an integer, or a text of at most ${ID_MAX} characters.`);
  }
  // Some clients write null for what they leave out.
  const read = paramsOf(method, params ?? {});
  if (typeof read === "string") return refusedMessage(CODES.invalidParams, read, id);
  return { kind: "request", request: { jsonrpc: "2.0", id, method, params: read } };
}

/** The parameters that the SDK needs; or what is wrong with them. */
function paramsOf(method: string, params: unknown): Record<string, unknown> | string {
  if (!isObject(params)) return "params must be an object.";
  const { arguments: given, _meta: meta } = params;
  const read: Record<string, unknown> = method === "initialize" ? { ...ANY_CLIENT } : {};
  for (const name of TEXTS.get(method) ?? []) {
    if (!isText(params[name])) return `params.${name} ${TEXT_RULE}`;
    read[name] = params[name];
  }
  if (method === "tools/call" && given != null) {
    if (!isObject(given) || Object.keys(given).length > ARGUMENTS_MAX) {
      return `params.arguments must be an object of at most ${ARGUMENTS_MAX} members.`;
    }
    read.arguments = given;
  }
  if (meta != null) {
    const about = metaOf(meta);
    if (typeof about === "string") return about;
    read._meta = about;
  }
  return read;
}

/**
 * The headers of a request for the SDK; or the error of one that is too long.
 * @param header returns a header by its name in lower case
 */
export function readHeaders(
  header: (name: string) => string | undefined,
): [string, string][] | McpError {
  const headers: [string, string][] = [];
  for (const name of MCP_HEADERS) {
    const given = header(name);
    if (given === undefined) continue;
    if (given.length > TEXT_MAX) {
      const message = `The header ${name} has more than ${TEXT_MAX} characters.`;
      return { code: CODES.transport, message };
    }
    headers.push([name, given]);
  }
  return headers;
}

const UNANSWERED = { kind: "unanswered" } as const;

/** The server treats all clients alike, so it does not look at what they say about themselves. */
const ANY_CLIENT = { capabilities: {}, clientInfo: { name: "client", version: "0" } };

const TEXT_RULE = `must be a text of 1 to ${TEXT_MAX} characters.`;

/** The members of `_meta` that the SDK needs; or what is wrong with them. */
function metaOf(meta: unknown): object | string {
  if (!isObject(meta)) return "params._meta must be an object.";
  const read: Record<string, unknown> = {};
  if (REVISION in meta) {
    if (!isText(meta[REVISION])) return `params._meta["${REVISION}"] ${TEXT_RULE}`;
    read[REVISION] = meta[REVISION];
  }
  if (CAPABILITIES in meta) {
    if (!isObject(meta[CAPABILITIES])) return `params._meta["${CAPABILITIES}"] must be an object.`;
    read[CAPABILITIES] = {};
  }
  return read;
}

function invalid(message: string): McpMessage {
  return refusedMessage(CODES.invalidRequest, message, null);
}

function refusedMessage(code: number, message: string, id: string | number | null): McpMessage {
  return { kind: "refused", id, error: { code, message } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= TEXT_MAX;
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" ? value.length <= ID_MAX : Number.isSafeInteger(value);
}
