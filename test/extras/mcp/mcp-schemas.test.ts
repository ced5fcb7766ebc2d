import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { sharedService } from "../../server/http.js";
import { callTool, connected, ERAS } from "./mcp-client.js";

/* Clients of the SDK's first generation check answers with the dialect of draft-07, newer ones with that of 2020-12. */

const hosts = ["a.com", "b.com", "c.com", "d.com", "e.com", "f.com"];
const service = sharedService(
  aPublishedDirectory({
    listings: hosts.map((host) => aListing({ host })),
    scans: hosts.map((host) => aScan({ host })),
  }),
);

/** Calls of each tool, which together answer with all members that an answer can have. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["search_sites", {}],
  ["search_sites", { category: ["nothing"], q: "zzzzzz" }],
  ["get_report", { host: "a.com" }],
  ["preflight", { hosts: ["https://www.a.com/x", "nowhere.com"] }],
  ["compare_sites", { hosts: ["a.com", "nowhere.com"] }],
  ["facts", { figure: "scores" }],
  ["facts", { figure: "listed" }],
  ["facts", { figure: "passing", check: "https" }],
  ["get_methodology", {}],
  ["get_methodology", { check: "https" }],
  ["list_terms", {}],
];

const DIALECTS = [
  ["draft-07", Ajv],
  ["2020-12", Ajv2020],
] as const;

describe.each(DIALECTS)("in the dialect of %s", (_, Dialect) => {
  it.each(ERAS)(
    "all schemas of tools hold, and their answers fulfil them, in the era %j",
    async (era) => {
      const client = await connected(service.server.url, era);
      const { tools } = await client.listTools();
      expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(tools.map(({ name }) => name)));
      const answers: unknown[] = [];
      for (const [name, args] of CALLS) answers.push(await callTool(client, name, args));
      // Strict: a keyword that only the other dialect knows is an error.
      const ajv = new Dialect({ strict: true, allowUnionTypes: true });
      addFormats.default(ajv);
      for (const [index, [name, args]] of CALLS.entries()) {
        const { inputSchema, outputSchema } = tools.find((tool) => tool.name === name) ?? {};
        const isInput = ajv.compile(Object(inputSchema));
        expect(isInput(args), JSON.stringify(isInput.errors)).toBe(true);
        const isOutput = ajv.compile(Object(outputSchema));
        const isFulfilled = isOutput(answers[index]);
        expect(isFulfilled, `${name}: ${JSON.stringify(isOutput.errors)}`).toBe(true);
      }
      expect(JSON.stringify(tools)).not.toContain("prefixItems");
    },
  );
});
