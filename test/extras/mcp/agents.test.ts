import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentCatalog, mcpIdentity, serverCard } from "../../../src/extras/mcp/agents.js";

const BASES = [
  "https://api.directory.example",
  "https://directory.example/api/v1",
  "http://[::1]:3000",
  "http://localhost:3000",
  "https://xn--bcher-kva.example",
  "http://192.168.0.1",
];

describe("what tells agents of a directory", () => {
  it("has the forms of SEP-2127 and of ARD, whatever the directory is called and wherever it is", () => {
    const names = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constant("  "));
    fc.assert(
      fc.property(names, fc.constantFrom(...BASES), (name, baseUrl) => {
        const facts = { name, baseUrl, siteUrl: "https://directory.example" };
        const card = serverCard(facts);
        expect(card.$schema).toMatch(
          /^https:\/\/static[.]modelcontextprotocol[.]io\/schemas\/v1\//,
        );
        expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
        expect(card.description.length).toBeLessThanOrEqual(100);
        expect(card.title.length).toBeGreaterThan(0);
        expect(card.title.length).toBeLessThanOrEqual(100);
        expect(card.title.isWellFormed()).toBe(true);
        expect(card).toMatchObject(mcpIdentity(facts));
        expect(card.remotes.map(({ url }) => url)).toEqual([`${baseUrl}/mcp`]);
        const { entries, host } = agentCatalog(facts);
        expect(host.displayName).toBe(card.title);
        for (const entry of entries) {
          expect(entry.identifier).toMatch(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/);
          expect(entry.url).toBe(`${card.remotes[0]?.url}/server-card`);
          expect(entry.representativeQueries.length).toBeGreaterThanOrEqual(2);
          expect(entry.representativeQueries.length).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});
