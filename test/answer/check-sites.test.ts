import { describe, expect, it } from "vitest";
import { aCheck, aListing, aPublishedDirectory, aScan, theStandards } from "../fixtures.js";
import { all, parsedPage, textOf } from "../pages/parsed.js";
import { expectError, send, sharedService } from "../server/http.js";

const CHECK = theStandards().checks.find(({ kind }) => kind === "achievement")!;
type Status = "pass" | "warn" | "fail" | "na";

const SITES: [host: string, status: Status, score: number, listing?: object, scan?: object][] = [
  ["best.example", "pass", 95],
  ["next.example", "pass", 90],
  ["part.example", "warn", 85],
  ["fails.example", "fail", 20],
  ["exempt.example", "na", 80],
  ["blocked.example", "fail", 70, { visibility: "blocked" }],
  ["older.example", "fail", 60, {}, { scoreVersion: "2020.1" }],
];
const files = aPublishedDirectory({
  listings: SITES.map(([host, , , listing]) => aListing({ host, name: null, ...listing })),
  scans: SITES.map(([host, status, score, , scan]) =>
    aScan({
      host,
      score,
      checks: [aCheck({ checkId: CHECK.id, kind: CHECK.kind, status })],
      ...scan,
    }),
  ),
});
const service = sharedService(files);
const page = async (id: string) => send(service.server, `/checks/${id}`);

describe("a check's page over HTTP", () => {
  it("names the sites that pass and those that do not, but none that is exempt, withheld or older", async () => {
    const lists = all(parsedPage((await page(CHECK.id)).text), "ol");
    expect(lists.map((list) => all(list, "a").map(textOf))).toEqual([
      ["best.example", "next.example"],
      ["part.example", "fails.example"],
    ]);
  });

  it("is a page with a page's headers, and a 404 for a check that there is not", async () => {
    const reply = await page(CHECK.id);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.headers["content-security-policy"]).toContain("script-src 'self'");
    expectError(await page("no-such-check"), 404);
  });

  it("is linked from the methodology and the sitemap", async () => {
    for (const target of ["/standards", "/sitemaps/0.xml"])
      expect((await send(service.server, target)).text).toContain(`checks/${CHECK.id}`);
  });
});
