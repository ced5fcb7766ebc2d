import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan, theTaxonomy } from "../../fixtures.js";
import { send, sharedService } from "../../server/http.js";
import { callTool, connected, ERAS, refusedCall } from "./mcp-client.js";

const CATEGORY = "weather";
const hosts = ["a.com", "b.com", "c.com", "d.com", "e.com", "f.com"];
const taxonomy = theTaxonomy();
const empty = { slug: "empty", name: "Nothing", group: "topic", order: 9, active: true };
const service = sharedService(
  aPublishedDirectory({
    taxonomy: { ...taxonomy, categories: [...taxonomy.categories, empty] },
    listings: hosts.map((host) =>
      aListing({ host, category: host === "f.com" ? "news" : CATEGORY }),
    ),
    scans: hosts.map((host) => aScan({ host })),
  }),
);

async function asked<T>(path: string): Promise<T> {
  return JSON.parse((await send(service.server, path)).text).data;
}
const client = () => connected(service.server.url, ERAS[0]);
const call = async (name: string, args: Record<string, unknown>) =>
  callTool(await client(), name, args);
const refused = async (name: string, args: Record<string, unknown>) =>
  refusedCall(await client(), name, args);

describe("list_terms", () => {
  it("lists the slugs that tools take, and finds them by text", async () => {
    const terms = await call("list_terms", {});
    const data = terms.data as { kind: string; slug: string; name: string }[];
    const slugs = (kind: string) => data.filter((one) => one.kind === kind).map((one) => one.slug);
    const slugsAt = async (path: string) =>
      (await asked<{ slug: string }[]>(path)).map(({ slug }) => slug);
    const standards = await asked<{
      checks: { id: string }[];
      rubric: { bands: { band: string }[] };
      aiCrawlers: { name: string }[];
      crawlerCatalogue: { name: string; robotsToken: string | null }[];
    }>("/api/standards");
    expect(slugs("category")).toEqual(await slugsAt("/api/categories"));
    expect(slugs("tag")).toEqual(await slugsAt("/api/tags"));
    const { platforms } = await asked<{ platforms: { slug: string }[] }>("/api/sites/facets");
    expect(slugs("platform")).toEqual(platforms.map(({ slug }) => slug));
    expect(slugs("check")).toEqual(standards.checks.map(({ id }) => id));
    expect(slugs("band")).toEqual(standards.rubric.bands.map(({ band }) => band));
    for (const { name, robotsToken } of standards.crawlerCatalogue) {
      expect(slugs("crawler")).toContain(robotsToken ?? name);
    }
    for (const { name } of standards.aiCrawlers) expect(slugs("crawler")).toContain(name);
    expect(terms.total).toBe(data.length);
    const [first, second] = data.filter(({ kind }) => kind === "check");
    const found = await call("list_terms", { kind: "check", q: first?.name.toUpperCase() });
    expect(found.data).toContainEqual(first);
    const page = await call("list_terms", { kind: "check", limit: 1, page: 2 });
    expect(page).toMatchObject({ data: [second], total: slugs("check").length });
  });
});

describe("an unknown word", () => {
  it("of facts is an error that names near ones, and no figure", async () => {
    for (const category of [`${CATEGORY}x`, CATEGORY.slice(1), `${CATEGORY}-sites`]) {
      const text = await refused("facts", { figure: "listed", category });
      expect(JSON.parse(text).issues).toEqual([
        {
          path: "category",
          message: expect.stringContaining(
            `"${category}" is no category of this directory; did you mean`,
          ),
        },
      ]);
      expect(text).toContain(`\\"${CATEGORY}\\"`);
    }
    const none = await refused("facts", { figure: "listed", category: "constructor" });
    expect(none).toContain('list_terms has all of kind \\"category\\"');
    expect(await refused("facts", { figure: "passing", check: "htps" })).toContain('\\"https\\"');
    expect(await refused("get_methodology", { check: "htps" })).toContain('\\"https\\"');
  });

  it("of a search is named beside the answer", async () => {
    const unknown = { category: ["nowhere"], tag: ["x-tag"], platform: ["wordpres"] };
    const more = { capability: ["htps"], band: ["good"] };
    const answer = await call("search_sites", { ...unknown, ...more });
    expect(answer.data).toEqual([]);
    expect((answer.unknown as { path: string }[]).map(({ path }) => path)).toEqual([
      "category[0]",
      "tag[0]",
      "platform[0]",
      "capability[0]",
      "band[0]",
    ]);
    expect(JSON.stringify(answer.unknown)).toContain('\\"htps\\" is no check');
    const all = await call("search_sites", {});
    expect(all.unknown).toEqual([]);
  });

  it("of a preflight is an error that names near crawlers", async () => {
    const text = await refused("preflight", { hosts: ["a.com"], crawler: "GTPBot" });
    expect(JSON.parse(text).issues[0]).toMatchObject({ path: "crawler" });
    expect(text).toContain('\\"GPTBot\\"');
    const known = await call("preflight", { hosts: ["nowhere.com"], crawler: "gptbot" });
    expect(known.data).toMatchObject([{ known: "unknown", mayRead: "unstated" }]);
  });

  it("of a choice is an error that names all", async () => {
    expect(await refused("search_sites", { sort: "best" })).toContain("score, score-asc, host");
    expect(await refused("facts", { figure: "mean" })).toContain("passing, scores, listed");
    expect(await refused("list_terms", { kind: "colour" })).toContain("category, tag, platform");
    expect(await refused("search_sites", { Sort: "host" })).toContain('did you mean \\"sort\\"');
  });
});

it("each sentence of facts names what it counts", async () => {
  const said = async (args: Record<string, unknown>) => (await call("facts", args)).statement;
  expect(await said({ figure: "listed" })).toBe("6 sites in the directory are listed.");
  expect(await said({ figure: "listed", category: CATEGORY })).toBe(
    "5 sites in the category WEATHER (weather) are listed.",
  );
  expect(await said({ figure: "listed", category: "news" })).toBe(
    "1 site in the category NEWS (news) is listed.",
  );
  expect(await said({ figure: "listed", category: "empty" })).toBe(
    "0 sites in the category Nothing (empty) are listed.",
  );
  for (const [figure, more] of [
    ["passing", { check: "https" }],
    ["scores", {}],
  ] as const) {
    const all = await said({ figure, ...more });
    expect(all).toMatch(/6 sites in the directory .*(?:https applies|with a current score)/);
    const some = await said({ figure, ...more, category: CATEGORY });
    expect(some).toMatch(/5 sites in the category WEATHER \(weather\) /);
    const none = await said({ figure, ...more, category: "empty" });
    expect(none).toMatch(/[Nn]o site in the category Nothing \(empty\)/);
  }
  const { scores } = await call("facts", { figure: "scores" });
  expect(scores).toEqual([{ score: expect.any(Number), sites: 6 }]);
});

it("null and blank texts in optional arguments count as absent, but not in required ones", async () => {
  const blank = {
    q: "",
    category: null,
    tag: [""],
    sort: "  ",
    limit: null,
    band: [null],
    page: "",
  };
  expect(await call("search_sites", blank)).toEqual(await call("search_sites", {}));
  expect(await call("facts", { figure: "listed", category: "", check: null })).toEqual(
    await call("facts", { figure: "listed" }),
  );
  const hosts = { hosts: ["a.com"], crawler: null };
  expect(await call("preflight", hosts)).toEqual(await call("preflight", { hosts: ["a.com"] }));
  expect(await refused("get_report", { host: null })).toContain("is required");
  expect(await refused("get_report", { host: " " })).toContain('"path":"host"');
  expect(await refused("preflight", { hosts: ["a.com", ""] })).toContain('"path":"hosts[1]"');
  expect(await refused("preflight", { hosts: null })).toContain("is required");
});

it("a text that cannot be a host is an error of each tool, and never an unknown host", async () => {
  for (const host of ['["a.com"]', "localhost", "no host", "user@", "x".repeat(600), "1.2.3.4"]) {
    expect(await refused("get_report", { host }), host).toContain("must be a host");
    expect(await refused("preflight", { hosts: ["a.com", host] }), host).toContain("hosts[1]");
    expect(await refused("compare_sites", { hosts: [host, "a.com"] }), host).toContain("hosts[0]");
  }
  expect(await refused("get_report", { host: "nowhere.com" })).toContain("No report");
});
