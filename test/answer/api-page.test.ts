import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../pages/parsed.js";
import { expectError, send, sharedService } from "../server/http.js";

const HOSTS = ["open.example", "xn--bcher-kva.example", "blocked.example"];
/** So many that some come before the others in the store. */
const UNSCORED = Array.from({ length: 12 }, (_, n) => `unscored${n}.example`);
const service = sharedService(
  aPublishedDirectory({
    listings: [...HOSTS, ...UNSCORED].map((host) =>
      aListing({ host, ...(host === "blocked.example" && { visibility: "blocked" }) }),
    ),
    scans: [
      ...HOSTS.map((host) => aScan({ host, id: "new" })),
      ...UNSCORED.map((host) => aScan({ host, id: "new", score: null, band: null })),
    ],
  }),
);

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const get = (target: string, accept: string, encoding = "identity") =>
  send(service.server, target, { headers: { accept, "accept-encoding": encoding } });
const NOTHING = '{"error":"There is nothing at this address."}';

describe("the address /api", () => {
  it("is a page to a browser and no address to a program, whichever of them came first", async () => {
    for (const encoding of ["br", "identity"]) {
      for (let round = 0; round < 4; round += 1) {
        for (const target of ["/api", "/%61pi", "/api?x=1"]) {
          const page = await get(target, BROWSER, encoding);
          expect([page.status, page.headers["content-type"]]).toEqual([
            200,
            "text/html; charset=utf-8",
          ]);
          expect(page.headers.vary).toBe("Accept, Accept-Encoding");
          expect(page.headers["cache-control"]).toMatch(/^private,/);
          for (const accept of ["*/*", "application/json", ""]) {
            const { status, text } = await get(target, accept, encoding);
            expect([target, accept, status, text]).toEqual([target, accept, 404, NOTHING]);
          }
        }
      }
    }
  });

  it("shows only examples that work: every command answers 200, and every program runs", async () => {
    const page = parsedPage((await get("/api", BROWSER)).text);
    const lines = all(page, "pre", "data-copy").map(textOf);
    const curls = lines.filter((line) => line.startsWith("curl"));
    const snippets = lines.filter((line) => line.startsWith("import"));
    expect([curls.length, snippets.length]).toEqual([10, 10]);
    for (const curl of curls) {
      const [, address = ""] = /^curl "([^"]*)"$/.exec(curl) ?? [];
      const { pathname, search } = new URL(address);
      expect([curl, (await get(pathname + search, "*/*")).status]).toEqual([curl, 200]);
    }
    expect(curls.join()).toContain("/api/sites/open.example/report");
    for (const snippet of snippets) {
      const [imported = "", ...program] = snippet.split(";");
      expect(imported).toBe('import { createClient } from "crawldex/client"');
      const run = new Function("createClient", `return (async () => {${program.join(";")}})()`);
      await run(() => createClient({ baseUrl: service.server.url }));
    }
  });
});

describe("an address below /api that does not exist", () => {
  it.each(["/api/tags/", "/api/nowhere", "/api/a/b", "/api/tags/?x=/y", "/api/a/b/c/d"])(
    "%s is a page to a browser, whose links lead to the API's page and to files that exist",
    async (target) => {
      const { status, text, headers } = await get(target, BROWSER);
      expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
      const page = parsedPage(text);
      const links = [...all(page, "link", "href"), ...all(page, "a", "href")];
      const paths = links.map((link) => {
        const base = `http://host.example${target}`;
        return new URL(attributeOf(link, "href") ?? "", base).pathname;
      });
      expect(paths).toContain("/api");
      for (const path of paths) expect((await get(path, BROWSER)).status).toBe(200);
      expectError(await get(target, "*/*"), 404);
    },
  );

  it.each([
    ["a missing report", "/api/sites/nowhere.example/report", 404],
    ["a target that is too long", `/api/tags?${"x".repeat(9_000)}`, 414],
    ["far below /api, where a page's links would not be relative to it", "/api/a/b/c/d/e", 404],
  ])("%s is the JSON error to a browser too", async (_, target, status) => {
    expectError(await get(target, BROWSER), status);
  });
});

describe("an error names the address that was probably meant", () => {
  it.each([
    ["/api/sites/open.example", "/api/sites/open.example/report"],
    ["/api/sites/WWW.Open.example/", "/api/sites/open.example/report"],
    ["/api/sites/open.example/report.json", "/api/sites/open.example/report"],
    ["/API/Standards", "/api/standards"],
    ["//api//tags/", "/api/tags"],
    ["/api/openapi", null],
    ["/api/openapi.json/", "/api/openapi.json"],
    ["/Sites/open.example/", "/sites/open.example"],
    ["/standards.html", "/standards"],
    ["/index.html", "/"],
    ["/api/nowhere", null],
    ["/api/sites/localhost", null],
    ["/api/sites/%22%3E.example%0a%22", null],
    ["/api", null],
  ])("%s", async (target, meant) => {
    const { status, text } = await get(target, "*/*");
    const error =
      meant === null
        ? "There is nothing at this address."
        : `There is nothing at this address; did you mean "${meant}"?`;
    expect([status, JSON.parse(text)]).toEqual([404, { error }]);
  });

  it.each(["/api/sites/{}/report", "/api/sites/{}/enrichment", "/sites/{}"])(
    "%s names the canonical host in its one issue",
    async (path) => {
      const { issues = [] } = expectError(
        await get(path.replace("{}", "WWW.Nowhere.example."), "*/*"),
        400,
      ) as { issues?: { path: string; message: string }[] };
      expect(issues.map((issue) => issue.path)).toEqual(["host"]);
      expect(issues[0]?.message).toMatch(
        /^must be a canonical host: .*; did you mean "nowhere.example"\?$/,
      );
      const none = await get(path.replace("{}", "localhost"), "*/*");
      expect(none.text).not.toContain("did you mean");
    },
  );

  it("no error names a host that it would have to find in hundreds of characters", async () => {
    const hinted = async (path: string, length: number) => {
      const host = `https:%2F%2Fnowhere.example%2F${"a".repeat(length)}`;
      return (await get(path.replace("{}", host), "*/*")).text.includes("did you mean");
    };
    for (const path of ["/api/sites/{}/report", "/sites/{}", "/api/sites/{}", "/Sites/{}"]) {
      expect([path, await hinted(path, 100), await hinted(path, 600)]).toEqual([path, true, false]);
    }
  });

  it("the page of an unknown address names it in its text", async () => {
    const page = parsedPage((await get("/api/sites/open.example", BROWSER)).text);
    expect(textOf(page)).toContain('did you mean "/api/sites/open.example/report"?');
    expect(() => byId(page, "about")).toThrow();
  });
});
