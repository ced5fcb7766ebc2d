import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FetchHandler } from "../../../src/fetch/index.js";
import { folderStore } from "../../../src/index.js";
import { build } from "../../../src/publish/build.js";
import { serve } from "../../../src/server/serve.js";
import type { RunningServer } from "../../../src/server/server.js";
import { wholeHandler } from "../../fetch/whole.js";
import { temporaryFolder } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { REAL } from "../../real.js";
import { callTool, connected, ERAS, refusedCall } from "./mcp-client.js";

/* The official client asks about the real directory: a server in one era of the protocol, an edge in the other. */

let server: RunningServer;
let edge: FetchHandler;
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const store = join(folder, "store");
  await build(REAL.folder, { store, keep: 1 });
  server = await serve(store, { port: 0, ...NO_PICTURES });
  edge = await wholeHandler({ store: folderStore(store) });
  return async () => {
    await server.close();
    for (const cleanUp of cleanUps) await cleanUp();
  };
}, 60_000);

/** What the API answers. */
async function read(path: string) {
  return JSON.parse(await (await fetch(server.url + path)).text());
}

const CASES = [
  ["server", ERAS[0]],
  ["edge", ERAS[1]],
] as const;

function clientAt(where: (typeof CASES)[number][0], era: (typeof ERAS)[number]) {
  const atEdge = (url: string | URL, init?: RequestInit) => edge(new Request(url, init));
  return connected(server.url, era, where === "edge" ? atEdge : undefined);
}

describe.each(CASES)("the official MCP client, at a %s, in the era %j", (where, era) => {
  it("finds which sites of a category score best", async () => {
    const client = await clientAt(where, era);
    const found = await callTool(client, "search_sites", { category: ["weather"], limit: 5 });
    const { data, pagination } = await read("/api/sites?category=weather&limit=5");
    expect(found).toMatchObject({ data, pagination });
    expect(data.length).toBeGreaterThan(1);
  });

  it("learns of a pasted address how well its site reads, and where the evidence is", async () => {
    const client = await clientAt(where, era);
    const { data: sites } = await read("/api/sites?minScore=1&maxScore=60&limit=1");
    const { host } = sites[0];
    const asked = { host: `https://WWW.${host}/about?x=1` };
    const { content, structuredContent } = await client.callTool({
      name: "get_report",
      arguments: asked,
    });
    const { data } = await read(`/api/sites/${host}/report`);
    const { data: digest } = structuredContent as { data: typeof data };
    expect(digest.scan).toEqual(data.scan);
    const shown = ({ checkId, status }: { checkId: string; status: string }) => [checkId, status];
    expect(digest.checks.map(shown)).toEqual(data.checks.map(shown));
    const [, link] = content as { uri?: string }[];
    expect(link?.uri).toBe(data.links.markdown);
    const { contents } = await client.readResource({ uri: link?.uri ?? "" });
    const markdown = await (await fetch(`${server.url}/sites/${host}/report.md`)).text();
    const [resource] = contents as { text?: string }[];
    expect(resource?.text).toContain(markdown.trimEnd());
  });

  it("checks a hundred hosts before it reads them", async () => {
    const client = await clientAt(where, era);
    const { data: sites } = await read("/api/sites?sort=host&limit=99");
    const hosts = [...sites.map(({ host }: { host: string }) => host), "nowhere.example"];
    const { data } = await callTool(client, "preflight", { hosts, crawler: "GPTBot" });
    const told = data as { host: string; known: string; latestScore: number | null }[];
    expect(told.map(({ host, latestScore }) => [host, latestScore])).toEqual([
      ...sites.map((site: { host: string; latestScore: number }) => [site.host, site.latestScore]),
      ["nowhere.example", null],
    ]);
    expect(told.map(({ known }) => known)).toEqual([...Array(99).fill("listed"), "unknown"]);
    expect(await refusedCall(client, "preflight", { hosts: [...hosts, "a.com"] })).toContain("100");
  });

  it("compares two sites, with their greatest difference first", async () => {
    const client = await clientAt(where, era);
    const [best, worst] = await Promise.all(
      ["score", "score-asc"].map(
        async (sort) => (await read(`/api/sites?sort=${sort}&limit=1`)).data[0],
      ),
    );
    const hosts = [best.host, worst.host, "nowhere.example"];
    const { sites, unknown, checks } = await callTool(client, "compare_sites", { hosts });
    expect((sites as { score: number }[]).map(({ score }) => score)).toEqual([
      best.latestScore,
      worst.latestScore,
    ]);
    expect(unknown).toEqual(["nowhere.example"]);
    const spreads = (checks as { results: { points: number; status: string }[] }[]).map(
      ({ results: [a, b] }) => Math.abs((a?.points ?? 0) - (b?.points ?? 0)),
    );
    expect(spreads[0]).toBe(Math.max(...spreads));
    expect(spreads[0]).toBeGreaterThan(0);
  });

  it("gets a share with the number it rests on and the sites behind it", async () => {
    const client = await clientAt(where, era);
    const args = { figure: "passing", check: "https", limit: 7 };
    const fact = await callTool(client, "facts", args);
    const { data: facets } = await read("/api/sites/facets");
    const passing = facets.signals.find(({ id }: { id: string }) => id === "https").count;
    expect(fact).toMatchObject({ count: passing, hostsTotal: passing, unit: "percent" });
    expect(fact.value).toBe(Math.round((100 * passing) / Number(fact.n)));
    const { pathname, search } = new URL(String(fact.search));
    const { data, pagination } = await read(`${pathname}${search}&limit=7`);
    expect(pagination.total).toBe(passing);
    expect(fact.hosts).toEqual(data.map(({ host }: { host: string }) => host));
    const figures = await read("/figures.json");
    const median = await callTool(client, "facts", { figure: "scores", category: "weather" });
    expect(median).toMatchObject({ count: figures.categories.weather.scored, unit: "points" });
    const bare = await callTool(client, "facts", { ...args, limit: 0 });
    expect(bare).toMatchObject({ hosts: [], hostsTotal: passing });
    const none = await refusedCall(client, "facts", { figure: "listed", category: "constructor" });
    expect(none).toContain("is no category");
  });

  it("reads the methodology, and one check of it", async () => {
    const client = await clientAt(where, era);
    const { data } = await read("/api/standards");
    const all = await callTool(client, "get_methodology", {});
    expect(all).toMatchObject({ rubric: data.rubric, check: null });
    const one = await callTool(client, "get_methodology", { check: data.checks[0].id });
    expect(one.check).toEqual(data.checks[0]);
  });
});
