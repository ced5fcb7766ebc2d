import { expect, it } from "vitest";
import { compilerOfBothDrafts } from "../../contract/both-drafts.js";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { send, sharedService } from "../../server/http.js";
import { CLIENTS, expectEveryTool } from "./every-tool.js";
import { connected, ERAS } from "./mcp-client.js";

const hosts = ["a.com", "b.com", "c.com", "d.com", "e.com", "f.com"];
const service = sharedService(
  aPublishedDirectory({
    listings: hosts.map((host) => aListing({ host, entitlements: { history: true } })),
    scans: hosts.flatMap((host) => [
      aScan({ host, id: "now" }),
      aScan({ host, id: "before", finishedAt: "2025-01-01T00:00:00Z" }),
    ]),
  }),
);

it.each(Object.keys(CLIENTS))("every tool answers by its schema, to %s", async (client) => {
  await expectEveryTool(await CLIENTS[client]!(service.server.url), {
    hosts: ["a.com", "b.com"],
    older: { host: "c.com", scan: "before" },
    check: "https",
    category: "weather",
  });
});

interface Parameter {
  readonly description: string;
  readonly examples: readonly unknown[];
}

it("the examples of parameters are valid, and no schema is read in two ways", async () => {
  const { tools } = await (await connected(service.server.url, ERAS[1])).listTools();
  expect(tools.length).toBeGreaterThan(7);
  for (const { name, inputSchema, outputSchema } of tools) {
    const properties = Object(inputSchema.properties) as Record<string, Parameter>;
    const examples = Object.entries(properties).map(([parameter, one]) => {
      expect(one.description, `${name} ${parameter}`).toMatch(/^[A-Z].+[.]$/s);
      return [parameter, one.examples[0]];
    });
    expect(compilerOfBothDrafts()(inputSchema)(Object.fromEntries(examples)), name).toEqual([]);
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain("prefixItems");
  }
});

it("the catalogue names all tools", async () => {
  const { tools } = await (await connected(service.server.url, ERAS[1])).listTools();
  const { entries } = JSON.parse((await send(service.server, "/.well-known/ard.json")).text);
  expect(entries[0].capabilities).toEqual(tools.map(({ name }) => name));
});
