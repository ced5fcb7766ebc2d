import { describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.js";
import { BODIES } from "../../src/contract/bodies.js";
import { ROUTES, type RouteName } from "../../src/contract/routes.js";
import { aCheck, aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { sharedService } from "../server/http.js";
import { failureOf } from "./scripted.js";

const PLAN = { history: true, fixPrompts: null, starterFiles: false, highlight: false };
const service = sharedService(
  aPublishedDirectory({
    listings: [
      aListing({ host: "paid.com", name: "Paid & news", category: "news", entitlements: PLAN }),
      aListing({ host: "free.com", name: "Free", tagline: "100 % wetter + ähnlich" }),
      aListing({ host: "moorkitchen.example", name: "Moor Kitchen" }),
      aListing({ host: "owned.com", name: "Owned", status: "claimed", category: "weather" }),
    ],
    scans: [
      aScan({ host: "paid.com", id: "old", finishedAt: "2026-01-01T00:00:00Z", score: 10 }),
      aScan({ host: "paid.com", id: "new", score: 90 }),
      aScan({ host: "free.com", id: "old", finishedAt: "2026-01-01T00:00:00Z" }),
      aScan({ host: "free.com", id: "new", score: 0 }),
      aScan({ host: "owned.com", score: 50 }),
      aScan({ host: "moorkitchen.example", checks: [aCheck({ status: "fail", points: 0 })] }),
    ],
  }),
);

const client = (): Client => createClient({ baseUrl: service.server.url });

/** Each read of the contract as a caller asks for it, and where that must lead. */
const READS: { [N in RouteName]: [(client: Client) => Promise<object>, string] } = {
  search: [(c) => c.sites({ q: "paid" }), "/api/sites?q=paid"],
  suggestions: [(c) => c.suggestions({ q: "pa" }), "/api/sites/suggestions?q=pa"],
  facets: [(c) => c.facets({ minScore: 1 }), "/api/sites/facets?minScore=1"],
  report: [(c) => c.report("paid.com"), "/api/sites/paid.com/report"],
  enrichment: [(c) => c.enrichment("paid.com"), "/api/sites/paid.com/enrichment"],
  standards: [(c) => c.standards(), "/api/standards"],
  categories: [(c) => c.categories(), "/api/categories"],
  tags: [(c) => c.tags(), "/api/tags"],
  openapi: [(c) => c.openapi(), "/api/openapi.json"],
  catalog: [(c) => c.catalog(), "/.well-known/api-catalog"],
};

const hosts = async (answer: ReturnType<Client["sites"]>) =>
  (await answer).data.map(({ host }) => host);

describe("the client and a server", () => {
  it.each(Object.keys(ROUTES) as RouteName[])("read %s as it is served", async (name) => {
    const [ask, target] = READS[name];
    const body = await ask(client());
    expect(() => BODIES[name].parse(body)).not.toThrow();
    expect(body).toEqual(await (await fetch(service.server.url + target)).json());
  });

  it(
    "have one function for each read in the table of routes, one for all pages, one for changes, and " +
      "the watch",
    () => {
      const names = Object.keys(ROUTES).map((name) => (name === "search" ? "sites" : name));
      expect(Object.keys(client()).sort()).toEqual(
        [
          ...names,
          "access",
          "allSites",
          "batch",
          "changes",
          "dump",
          "preflight",
          "trends",
          "watchEnrichment",
        ].sort(),
      );
    },
  );

  it("find a text as it was typed, even if its characters mean something in an address", async () => {
    expect(await hosts(client().sites({ q: "Paid & n" }))).toEqual(["paid.com"]);
    expect(await hosts(client().sites({ q: "100 % WETTER + Ä" }))).toEqual(["free.com"]);
    expect(await hosts(client().sites({ q: "a=b" }))).toEqual([]);
  });

  it("give the issues of a bad request, and the requested address", async () => {
    const error = await failureOf(client().sites({ minScore: 90, maxScore: 10, category: ["A"] }));
    expect(error.name).toBe("CrawldexError");
    expect(error.status).toBe(400);
    expect(error.issues.map(({ path }) => path)).toEqual(["category[0]", "minScore"]);
    expect(error.url).toBe(`${service.server.url}/api/sites?category=A&maxScore=10&minScore=90`);
    expect(error.message).toContain(error.url);
    expect(error.message).toContain("The request is not valid");
  });

  it("reject unknown filters: they do not compile, and give a 400 if they are sent", async () => {
    const c = client();
    const wrong = [
      // @ts-expect-error no such filter
      c.sites({ colour: "red" }),
      // @ts-expect-error a repeated parameter is a list
      c.sites({ category: "No Slug" }),
      // @ts-expect-error a score is a number
      c.facets({ minScore: "high" }),
      // @ts-expect-error neither claimed nor unclaimed
      c.facets({ status: "owned" }),
      // @ts-expect-error no such order
      c.sites({ sort: "newest" }),
      // @ts-expect-error facets have no order
      c.facets({ sort: "host" }),
      // @ts-expect-error suggestions need a text
      c.suggestions({}),
      // @ts-expect-error a scan id is a text
      c.report("paid.com", { scan: ["old", "new"] }),
    ];
    for (const answer of wrong) expect((await failureOf(answer)).status).toBe(400);
  });
});
