import { describe, expect, it } from "vitest";
import { BODIES } from "../../src/contract/bodies.js";
import { ROUTE_NAMES, ROUTES } from "../../src/contract/routes.js";
import { aFix, aListing, aPublishedDirectory, aScan, theStandards } from "../fixtures.js";
import { expectError, issuePaths, type Reply, type Sent, send, sharedService } from "./http.js";

const PLAN = { history: true, fixPrompts: 1, starterFiles: false, highlight: false };
const files = aPublishedDirectory({
  listings: [
    aListing({ host: "paid.com", name: "Paid news", category: "news", entitlements: PLAN }),
    aListing({ host: "free.com", name: "Free", tagline: "Weather for all", status: "claimed" }),
    aListing({ host: "gone.com", visibility: "removed" }),
    aListing({ host: "deleted.com", visibility: "deleted" }),
    aListing({ host: "blocked.com", visibility: "blocked", entitlements: PLAN }),
    aListing({ host: "held.com", publishedScan: "new", entitlements: PLAN, tagline: "x" }),
    aListing({ host: "out.com", visibility: "opted-out" }),
    aListing({ host: "moved.com" }),
    aListing({ host: "never.com" }),
    aListing({ host: "null.com", name: null }),
  ],
  scans: [
    aScan({ host: "paid.com", id: "old", finishedAt: "2026-01-01T00:00:00Z", score: 10 }),
    aScan({ host: "paid.com", id: "new", score: 90, fixes: [aFix(), aFix({ checkId: "https" })] }),
    aScan({ host: "free.com", id: "old", finishedAt: "2026-01-01T00:00:00Z" }),
    aScan({ host: "free.com", id: "new", score: 0 }),
    aScan({ host: "blocked.com", id: "old", finishedAt: "2026-01-01T00:00:00Z" }),
    aScan({ host: "held.com", id: "new", score: 50 }),
    aScan({ host: "held.com", id: "newer", finishedAt: "2026-09-01T00:00:00Z" }),
    ...["gone.com", "deleted.com", "blocked.com", "out.com"].map((host) => aScan({ host })),
    aScan({
      host: "moved.com",
      status: "moved",
      score: null,
      redirect: { host: "elsewhere.example", status: 301 },
    }),
    aScan({ host: "null.com", score: null, status: "failed" }),
  ],
});

const service = sharedService(files);

const get = (target: string, sent?: Sent): Promise<Reply> => send(service.server, target, sent);
const dataOf = async (target: string) =>
  (JSON.parse((await get(target)).text) as { data: never }).data;
const hostsOf = async (target: string) =>
  ((await dataOf(target)) as { host: string }[]).map(({ host }) => host);

describe("every read of section 4", () => {
  it.each(ROUTE_NAMES)("%s answers 200 in its type and shape", async (name) => {
    const route = ROUTES[name];
    const target = route.path.replace("{host}", "paid.com");
    const query = route.id === "suggestSites" ? "?q=pa" : "";
    const reply = await get(target + query);
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe(route.contentType);
    expect(reply.headers["content-length"]).toBe(String(reply.bytes.length));
    expect(() => BODIES[name].parse(JSON.parse(reply.text))).not.toThrow();
  });

  it("search has the listings in order, nulls last, and the pagination", async () => {
    const { text } = await get("/api/sites?limit=2&page=1");
    const { data, pagination } = JSON.parse(text) as {
      data: { host: string }[];
      pagination: object;
    };
    expect(data.map(({ host }) => host)).toEqual(["paid.com", "held.com"]);
    expect(pagination).toEqual({ page: 1, limit: 2, total: 4, totalPages: 2 });
    expect(await hostsOf("/api/sites?sort=score-asc")).toEqual([
      "free.com",
      "held.com",
      "paid.com",
      "null.com",
    ]);
  });

  it("an out-of-range page is empty and has the real total", async () => {
    const { text } = await get("/api/sites?page=10000");
    expect(JSON.parse(text)).toEqual({
      data: [],
      pagination: { page: 10000, limit: 24, total: 4, totalPages: 1 },
    });
  });

  it("minScore=0 leaves out unscored listings: a null score never means zero", async () => {
    expect(await hostsOf("/api/sites?minScore=0")).toEqual(["paid.com", "held.com", "free.com"]);
  });

  it("suggestions look at host and name, not at the tagline", async () => {
    expect(await hostsOf("/api/sites/suggestions?q=FREE")).toEqual(["free.com"]);
    expect(await hostsOf("/api/sites/suggestions?q=weather")).toEqual([]);
  });

  it.each(["removed", "deleted", "blocked", "out", "moved", "never"])(
    "%s listings are absent from search and suggestions (section 3, rule 4)",
    async (name) => {
      const host = name === "removed" ? "gone.com" : `${name}.com`;
      expect(await hostsOf(`/api/sites?q=${host}`)).toEqual([]);
      expect(await hostsOf(`/api/sites/suggestions?q=${host}`)).toEqual([]);
    },
  );

  it("blocked, opted-out and redirected reports can be read and have no score (section 1)", async () => {
    for (const host of ["blocked.com", "out.com", "moved.com"]) {
      const report = (await dataOf(`/api/sites/${host}/report`)) as { scan: object };
      expect(report.scan).toMatchObject({ score: null, band: null });
      expect(await dataOf(`/api/sites/${host}/enrichment`)).toBeNull();
    }
  });

  it("standards is the methodology as published", async () => {
    expect(await dataOf("/api/standards")).toEqual(theStandards());
  });

  it.each(["/api/standards", "/api/categories", "/api/tags"])(
    "%s ignores any query (section 7)",
    async (path) => {
      const plain = await get(path);
      for (const query of ["?a=1&a=2", "?%zz", "?=", "?category=X&%ff"]) {
        const reply = await get(path + query);
        expect([reply.status, reply.text]).toEqual([200, plain.text]);
      }
    },
  );
});

describe("historical reports (contract section 7, 403 and 404; decisions, Scans and history)", () => {
  it("are served if the plan includes history", async () => {
    const report = (await dataOf("/api/sites/paid.com/report?scan=old")) as { scan: object };
    expect(report.scan).toMatchObject({ id: "old", historical: true, score: 10 });
  });

  it("are a 403 if the plan does not include history", async () => {
    expectError(await get("/api/sites/free.com/report?scan=old"), 403);
  });

  it("do not include the published scan, whose id gives the latest report for every plan", async () => {
    for (const host of ["free.com", "paid.com", "blocked.com"]) {
      const id = host === "blocked.com" ? "scan_1" : "new";
      const latest = await get(`/api/sites/${host}/report`);
      const byId = await get(`/api/sites/${host}/report?scan=${id}`);
      expect([byId.status, byId.text, byId.headers.etag]).toEqual([
        200,
        latest.text,
        latest.headers.etag,
      ]);
    }
  });

  it("are a 404 for an unknown scan, and for another site's scan", async () => {
    expectError(await get("/api/sites/paid.com/report?scan=unknown"), 404);
    expectError(await get("/api/sites/paid.com/report?scan=scan_1"), 404);
  });

  it("are a 404 for a scan newer than the pinned one, whatever the plan", async () => {
    expect((await get("/api/sites/held.com/report?scan=new")).status).toBe(200);
    expectError(await get("/api/sites/held.com/report?scan=newer"), 404);
    expect((await get("/api/sites/held.com/report")).text).not.toContain("newer");
  });

  it("are a 404 for every other scan of a withheld report, even if the plan includes history", async () => {
    expectError(await get("/api/sites/blocked.com/report?scan=old"), 404);
  });
});

describe("errors (contract section 7)", () => {
  it.each(["gone.com", "deleted.com", "never.com", "unknown.com", "constructor.com"])(
    "%s has no report and no enrichment: 404",
    async (host) => {
      expectError(await get(`/api/sites/${host}/report`), 404);
      expectError(await get(`/api/sites/${host}/enrichment`), 404);
    },
  );

  it.each([
    "/index.html",
    "/api",
    "/api/",
    "/api/sites/",
    "/api/site",
    "/API/sites",
    "/api/sites/paid.com",
    "/api/sites/paid.com/report/",
    "/api/sites/paid.com/report.json",
    "/api/standards.json",
    "/api/standards/",
    "//api/standards",
    "/api/../api/standards",
    "/api/%2e%2e/standards",
    "/.well-known/api-catalog/x",
    "/manifest.json",
    "/current.json",
    "/%00",
    "/api/sites%2Ffacets",
  ])("%s is an unknown address: 404 with the error body", async (target) => {
    expectError(await get(target), 404);
  });

  it("reports every violation of a request at once", async () => {
    const target =
      "/api/sites?q=&category=A&category=news&category=&status=all&minScore=101&sort=x&page=0&limit=1&limit=1&what=1";
    expect(issuePaths(expectError(await get(target), 400))).toEqual([
      "category[0]",
      "category[2]",
      "limit",
      "minScore",
      "page",
      "q",
      "sort",
      "status",
      "what",
    ]);
  });

  it("minScore above maxScore is an issue of minScore", async () => {
    const body = expectError(await get("/api/sites/facets?minScore=51&maxScore=50"), 400);
    expect(issuePaths(body)).toEqual(["minScore"]);
  });

  it("facets accept neither sort, page nor limit", async () => {
    const body = expectError(await get("/api/sites/facets?sort=host&page=1&limit=2"), 400);
    expect(issuePaths(body)).toEqual(["limit", "page", "sort"]);
  });

  it.each([
    "Paid.com",
    "www.paid.com",
    "paid.com.",
    "paid.com:80",
    "https:%2F%2Fpaid.com",
    "127.0.0.1",
    "localhost",
    "paid_x.com",
    "%zz",
    "%FF",
    "paid.com%2F..",
    "%70aid%2Ecom%00",
    `${"a.".repeat(126)}com`,
  ])("the host %s is not canonical: 400 with the path host", async (host) => {
    const body = expectError(await get(`/api/sites/${host}/report?x=1`), 400);
    expect(issuePaths(body)).toEqual(["host", "x"]);
    expect(issuePaths(expectError(await get(`/api/sites/${host}/enrichment`), 400))).toEqual([
      "host",
    ]);
  });

  it("the path is percent-decoded once, and an encoded address is treated like the plain one", async () => {
    expect((await get("/api/sites/%70aid%2ecom/report")).status).toBe(200);
    const disguised = expectError(await get("/api/sites/paid.com/%72eport?bogus=1"), 400);
    expect(issuePaths(disguised)).toEqual(["bogus"]);
    expectError(await get("/api/sites/%2570aid.com/report"), 400);
  });

  it("enrichment accepts no query", async () => {
    const body = expectError(await get("/api/sites/paid.com/enrichment?scan=new"), 400);
    expect(issuePaths(body)).toEqual(["scan"]);
  });

  it("the suggestions' q is required, and has at least two characters", async () => {
    expect(issuePaths(expectError(await get("/api/sites/suggestions"), 400))).toEqual(["q"]);
    expect(issuePaths(expectError(await get("/api/sites/suggestions?q=+a+"), 400))).toEqual(["q"]);
  });

  it("a scan id has 1 to 128 letters, digits, _ and -", async () => {
    for (const scan of ["", "a b", "a.b", "x".repeat(129)]) {
      const target = `/api/sites/paid.com/report?scan=${encodeURIComponent(scan)}`;
      expect(issuePaths(expectError(await get(target), 400))).toEqual(["scan"]);
    }
    expectError(await get(`/api/sites/paid.com/report?scan=${"x".repeat(128)}`), 404);
  });
});

describe("health (decisions, HTTP)", () => {
  it("/healthz says that the process answers, /readyz which snapshot is loaded", async () => {
    expect((await get("/healthz")).status).toBe(200);
    const ready = JSON.parse((await get("/readyz")).text) as { ready: boolean; snapshot: string };
    expect(ready.ready).toBe(true);
    expect(ready.snapshot).toMatch(/^[0-9a-f]{32}$/);
  });
});
