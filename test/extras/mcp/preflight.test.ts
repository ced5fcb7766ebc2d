import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { sharedService } from "../../server/http.js";
import { callTool, connected, ERAS, refusedCall } from "./mcp-client.js";

const url = "https://rules.com/robots.txt";
/** What robots.txt says to one crawler, for a purpose. */
const row = (id: string, token: string, state: "allowed" | "disallowed" | "mixed" | "unknown") => ({
  id,
  title: `For ${id}`,
  summary: "",
  findings: [
    {
      subjects: [token],
      state,
      explanation: "",
      source: "robots.txt",
      url,
      scope: "/",
      raw: [],
      checkIds: [],
    },
  ],
});
const accessPolicy = {
  version: 1 as const,
  url,
  summary: "",
  notes: [],
  identities: [],
  rows: [
    row("search", "SearchBot", "allowed"),
    row("training", "TrainBot", "disallowed"),
    row("people", "PageBot", "mixed"),
    row("others", "OddBot", "unknown"),
  ],
};
const service = sharedService(
  aPublishedDirectory({
    listings: [
      aListing({ host: "rules.com" }),
      aListing({ host: "out.com", visibility: "opted-out" }),
    ],
    scans: [
      aScan({ host: "rules.com", robotsVerdict: "contradictory", accessPolicy }),
      aScan({ host: "out.com", robotsVerdict: "contradictory", accessPolicy }),
    ],
  }),
);

it("a preflight tells what a site lets each crawler read, and of a withheld one that it is withheld", async () => {
  const client = await connected(service.server.url, ERAS[1]);
  const told = async (crawler?: string) => {
    const hosts = ["https://www.rules.com/a", "out.com", "nowhere.com"];
    const args = { hosts, ...(crawler !== undefined && { crawler }) };
    const { data } = await callTool(client, "preflight", args);
    return data as { known: string; mayRead: string; access: unknown; robotsVerdict: unknown }[];
  };
  const [rules, ...others] = await told();
  expect(rules).toMatchObject({
    host: "rules.com",
    asked: "https://www.rules.com/a",
    known: "listed",
    mayRead: "partly",
    robotsVerdict: "contradictory",
    latestScore: expect.any(Number),
  });
  expect(rules?.access).toHaveLength(4);
  expect(others).toMatchObject([
    { known: "withheld", mayRead: "unstated", latestScore: null, access: [], offers: [] },
    { known: "unknown", mayRead: "unstated", latestScore: null, lacks: [] },
  ]);
  for (const [crawler, mayRead, id] of [
    ["searchbot", "yes", "search"],
    ["TrainBot", "no", "training"],
    ["PageBot", "partly", "people"],
    ["OddBot", "unstated", "others"],
  ] as const) {
    const [site] = await told(crawler);
    expect([site?.mayRead, site?.access]).toEqual([
      mayRead,
      [
        {
          title: `For ${id}`,
          states: [accessPolicy.rows.find((one) => one.id === id)?.findings[0]?.state],
        },
      ],
    ]);
  }
  const nobody = { hosts: ["rules.com"], crawler: "Nobody" };
  expect(await refusedCall(client, "preflight", nobody)).toContain("is no crawler");
});

it("list_terms has the crawlers that only reports name, which the other tools take", async () => {
  const client = await connected(service.server.url, ERAS[1]);
  const { data } = await callTool(client, "list_terms", { kind: "crawler" });
  const slugs = (data as { kind: string; slug: string }[]).map(({ slug }) => slug);
  expect(slugs.slice(-4)).toEqual(["OddBot", "PageBot", "SearchBot", "TrainBot"]);
  expect(slugs).toContain("GPTBot");
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const crawler of slugs) {
    await callTool(client, "preflight", { hosts: ["rules.com"], crawler });
    await callTool(client, "crawler_access", { crawler });
  }
  const { total } = await callTool(client, "list_terms", { q: "oddbot" });
  expect(total).toBe(1);
});

it("crawler_access finds the sites that treat a crawler in a way, and counts all", async () => {
  const client = await connected(service.server.url, ERAS[1]);
  const site = {
    host: "rules.com",
    name: expect.any(String),
    latestScore: expect.any(Number),
    latestBand: expect.any(String),
    latestScoreVersion: expect.any(String),
    declared: "disallowed",
    served: "unknown",
  };
  const figures = {
    crawler: "TrainBot",
    n: 1,
    allowedButRefused: 0,
    disallowedButAnswered: 0,
    counts: [{ declared: "disallowed", served: "unknown", sites: 1 }],
  };
  const { notice: _, ...all } = await callTool(client, "crawler_access", { crawler: "trainbot" });
  expect(all).toEqual({ figures, sites: [site], total: 1 });
  for (const args of [{ declared: "disallowed" }, { served: "unknown" }])
    expect(
      await callTool(client, "crawler_access", { crawler: "TrainBot", ...args }),
    ).toMatchObject({ sites: [site], total: 1 });
  for (const args of [{ declared: "allowed" }, { served: "refused" }])
    expect(
      await callTool(client, "crawler_access", { crawler: "TrainBot", ...args }),
    ).toMatchObject({ figures, sites: [], total: 0 });
  const second = await callTool(client, "crawler_access", { crawler: "TrainBot", page: 2 });
  expect(second).toMatchObject({ sites: [], total: 1 });
  const refusal = await refusedCall(client, "crawler_access", { crawler: "TrianBot" });
  expect(refusal).toContain('did you mean \\"TrainBot\\"');
  expect(refusal).toContain("list_terms has all of kind");
});
