import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import { mcpIdentity } from "../../contract/agents.js";
import { errorBody } from "../../contract/error.js";
import { textField } from "../../contract/field.js";
import { jsonSchemaOf } from "../../contract/json-schema.js";
import { parameterSchema } from "../../contract/openapi/openapi-reads.js";
import type { SnapshotView } from "../answer/content.js";
import { facts, getMethodology, searchSites } from "./directory-tools.js";
import { compareSites, getReport, preflight } from "./report-tools.js";
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

const TOOLS: readonly Tool[] = [
  ...[searchSites, getReport, preflight, compareSites],
  ...[facts, getMethodology],
];

const INSTRUCTIONS = `Use this server to learn how well crawlers and agents can read websites, before reading or citing them. preflight answers for up to 100 hosts at once; facts gives figures that can be cited. ${NOTICE.replace("What follows", "Every result")}`;

/** How long lists may be reused, in milliseconds: they change only with the program. */
const LISTS = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Made with the first list: schemas take milliseconds. */
let definitions: ReturnType<typeof definitionOf>[] | undefined;

function definitionOf({ name, title, description, parameters, output }: Tool) {
  const properties = Object.entries(parameters).map(([parameter, one]) => [
    parameter,
    { description: one.description, ...parameterSchema(one), examples: [one.example] },
  ]);
  const required = Object.entries(parameters).flatMap(([parameter, { isRequired }]) =>
    isRequired === true ? [parameter] : [],
  );
  return {
    ...{ name, title, description },
    inputSchema: {
      type: "object" as const,
      properties: Object.fromEntries(properties),
      ...{ required, additionalProperties: false },
    },
    outputSchema: answerSchema(output),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

function answerSchema(output: z.ZodObject): { type: "object" } {
  const noticed = output.extend({ notice: textField("Whose words the data is.", NOTICE) });
  const { $schema: _, ...schema } = jsonSchemaOf(noticed, "output", (one) => {
    // Answers may gain members. A model has no use for examples of what it will see.
    delete one.additionalProperties;
    delete one.examples;
  });
  return { ...schema, type: "object" };
}

/** Makes the handler of a snapshot's MCP requests. */
export function mcpHandlerOf(
  snapshot: SnapshotView,
  onDamage: (error: Error) => void,
): McpHttpHandler {
  const identity = mcpIdentity(snapshot.directory);
  const options = {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { "tools/list": LISTS, "resources/templates/list": LISTS },
  };
  const make = () => {
    const server = new Server(identity, options);
    server.setRequestHandler("tools/list", () => {
      definitions ??= TOOLS.map(definitionOf);
      return { tools: definitions };
    });
    server.setRequestHandler("tools/call", async ({ params }) => {
      const tool = TOOLS.find((one) => one.name === params.name);
      if (tool === undefined) {
        const names = TOOLS.map((one) => one.name).join(", ");
        throw invalidParams(`There is no such tool, only ${names}.`);
      }
      return toolResult(await undamaged(() => tool.call(params.arguments ?? {}, snapshot)));
    });
    server.setRequestHandler("resources/list", () => listResources(snapshot));
    server.setRequestHandler("resources/templates/list", () => resourceTemplates(snapshot));
    server.setRequestHandler("resources/read", async ({ params }) => {
      const read = await undamaged(() => readResource(params.uri, snapshot));
      if (read === null) throw invalidParams("There is no such resource.");
      return read;
    });
    return server;
  };
  const undamaged = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      onDamage(error as Error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The stored answer is not valid.");
    }
  };
  // Nothing is announced, so there is nothing to listen for.
  return createMcpHandler(make, { maxSubscriptions: 0, keepAliveMs: 0 });
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** A tool's answer as MCP sends it: as structured content, and again as text unless both together are too long. */
function toolResult(answer: ToolAnswer): CallToolResult {
  if ("error" in answer) {
    const { error, issues = [] } = answer;
    return refusedCall(JSON.stringify(errorBody(error, issues)));
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
