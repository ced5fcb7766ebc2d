import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished } from "vitest";
import { compilerOfBothDrafts } from "../../contract/both-drafts.js";
import { connected, ERAS } from "./mcp-client.js";

/* Every tool, called by the clients of both generations of the official SDK. */

/** The names that calls need, from the directory that is asked. */
export interface Names {
  /** Two sites with reports. */
  readonly hosts: readonly [string, string];
  /** A site with an older scan that can be read, and the id of that scan. */
  readonly older: { readonly host: string; readonly scan: string };
  /** A check that is no penalty. */
  readonly check: string;
  readonly category: string;
}

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Calls that together use each parameter of each tool, and get each member that an answer can have. */
export function everyCall({ hosts, older, check, category }: Names): readonly Call[] {
  const [host] = hosts;
  const asked = ["nowhere.example", `https://www.${host}/x`];
  return [
    ["search_sites", {}],
    ["search_sites", { q: host.slice(0, 4), sort: "recent", page: 1, limit: 3 }],
    ["search_sites", { category: [category], capability: [check], minScore: 1, maxScore: 99 }],
    ["search_sites", { tag: ["no-tag"], platform: ["no-platform"], band: ["no-band"] }],
    ["search_sites", { q: "zzzzzz", status: "claimed" }],
    ["get_report", { host }],
    ["get_report", { ...older }],
    ["preflight", { hosts: asked }],
    ["preflight", { hosts: asked, crawler: "GPTBot" }],
    ["crawler_access", { crawler: "GPTBot", page: 1, limit: 3 }],
    ["crawler_access", { crawler: "gptbot", declared: "disallowed", served: "unknown" }],
    ["compare_sites", { hosts: [...hosts, "nowhere.example"] }],
    ["facts", { figure: "scores", by: "category" }],
    ["facts", { figure: "listed", category, limit: 0 }],
    ["facts", { figure: "passing", check, by: "category" }],
    ["recent_changes", {}],
    ["recent_changes", { host, category, limit: 2 }],
    ["get_methodology", {}],
    ["get_methodology", { check }],
    ["list_terms", {}],
    ["list_terms", { kind: "check", q: check.slice(0, 4), page: 1, limit: 3 }],
  ];
}

/** What both generations' clients have in common, as far as it is used here. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: object; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
}

/** A client of the first generation, which checks structured content by draft-07. */
async function firstGeneration(url: string): Promise<FirstClient> {
  const client = new FirstClient({ name: "test", version: "1" });
  const transport = new FirstTransport(new URL(`${url}/mcp`));
  await client.connect(transport as Parameters<FirstClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return client;
}

/** The clients that ask a server, by name. */
export const CLIENTS: Readonly<Record<string, (url: string) => Promise<AnyClient>>> = {
  "the SDK's first generation": firstGeneration,
  "its second one, before 2026-07-28": (url) => connected(url, ERAS[0]),
  "its second one, in 2026-07-28": (url) => connected(url, ERAS[1]),
};

/** Calls every tool. The client checks each answer against the tool's schema, and so do two dialects of JSON Schema. */
export async function expectEveryTool(client: AnyClient, names: Names): Promise<void> {
  const { tools } = await client.listTools();
  const calls = everyCall(names);
  // All calls come first: while a schema is compiled, the server in the same process lets connections go.
  const answers: Record<string, unknown>[] = [];
  for (const [name, args] of calls) {
    answers.push({ ...(await client.callTool({ name, arguments: { ...args } })) });
  }
  const compile = compilerOfBothDrafts();
  for (const tool of tools) {
    const own = calls.flatMap(([name, args], at) => (name === tool.name ? [{ args, at }] : []));
    expect(own.length, `${tool.name} is called`).toBeGreaterThan(0);
    const { properties = {} } = tool.inputSchema as { properties?: Record<string, object> };
    const used = own.flatMap(({ args }) => Object.keys(args));
    const unused = Object.keys(properties).filter((one) => !used.includes(one));
    expect(unused, `${tool.name} is called with each parameter`).toEqual([]);
    const checkInput = compile(tool.inputSchema as Record<string, unknown>);
    const checkOutput = compile(tool.outputSchema as Record<string, unknown>);
    for (const { args, at } of own) {
      const call = `${tool.name} ${JSON.stringify(args)}`;
      expect(checkInput(args), call).toEqual([]);
      const { isError = false, structuredContent } = answers[at] ?? {};
      expect(isError, `${call}: ${JSON.stringify(answers[at])}`).toBe(false);
      expect(checkOutput(structuredContent), call).toEqual([]);
    }
  }
}
