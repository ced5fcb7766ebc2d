import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished } from "vitest";

/** The eras of MCP: before 2026-07-28 with a handshake, since then without. */
export const ERAS = ["legacy", { pin: "2026-07-28" }] as const;

/** The official client, connected to a server. @param fetch sends its requests. Default: the global one */
export async function connected(
  url: string,
  mode: (typeof ERAS)[number],
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response> = globalThis.fetch,
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch }));
  onTestFinished(() => client.close());
  return client;
}

/** The structured content of a tool's answer, which the client has checked against the tool's schema. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  expect(isError, JSON.stringify(content)).toBeFalsy();
  return structuredContent as Record<string, unknown>;
}

/** What a tool says of wrong arguments. */
export async function refusedCall(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  expect(isError).toBe(true);
  const [first] = content as { text?: string }[];
  return first?.text ?? "";
}
