import { describe, expect, it } from "vitest";
import { BODIES } from "../../src/contract/bodies.js";
import { ROUTE_NAMES, ROUTES } from "../../src/contract/routes.js";
import { aListing, aPublishedDirectory, aScan, theStandards } from "../fixtures.js";
import { expectError, issuePaths, type Reply, type Sent, send, sharedService } from "./http.js";

const files = aPublishedDirectory({
  listings: [
    aListing({ host: "paid.com", name: "Paid news", category: "news" }),
    aListing({ host: "free.com" }),
    aListing({ host: "gone.com", visibility: "removed" }),
  ],
  scans: [
    aScan({ host: "paid.com" }),
    aScan({ host: "free.com", id: "old", finishedAt: "2026-01-01T00:00:00Z" }),
    aScan({ host: "free.com", id: "new" }),
    aScan({ host: "gone.com" }),
  ],
});

const service = sharedService(files);

const get = (target: string, sent?: Sent): Promise<Reply> => send(service.server, target, sent);
const dataOf = async (target: string) =>
  (JSON.parse((await get(target)).text) as { data: never }).data;

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

describe("errors (contract section 7; test/oracle/query.test.ts has the requests that are refused)", () => {
  it.each([
    ["/api/sites/gone.com/report", 404],
    ["/api/sites/gone.com/enrichment", 404],
    ["/api/sites/paid.com/report?scan=unknown", 404],
    ["/api/sites/free.com/report?scan=old", 403],
    ["/index.html", 404],
    ["/api/sites/paid.com/report/", 404],
    ["/api/../api/standards", 404],
    ["/api/%2e%2e/standards", 404],
    ["/.well-known/api-catalog/x", 404],
    ["/manifest.json", 404],
    ["/current.json", 404],
    ["/%00", 404],
  ])("%s is answered with %i and the one error body", async (target, status) => {
    expectError(await get(target), status);
  });

  it("name every violation of a request at once, the host's too", async () => {
    const search =
      "q=&category=A&category=news&category=&minScore=101&page=0&limit=1&limit=1&what=1";
    expect(issuePaths(expectError(await get(`/api/sites?${search}`), 400))).toEqual([
      ..."category[0] category[2] limit minScore page q what".split(" "),
    ]);
    const body = expectError(await get("/api/sites/www.paid.com/report?x=1"), 400);
    expect(issuePaths(body)).toEqual(["host", "x"]);
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
