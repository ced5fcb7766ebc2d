import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { all, attributeOf, parsedPage, textOf } from "../../pages/parsed.js";
import { expectError, type Reply, send, sharedService } from "../../server/http.js";

const scores: Record<string, number | null> = { a: 90, b: 60, c: 60, d: null };
const check = (id: string, status: "pass" | "warn" | "fail" | "na") => ({
  ...aScan({}).checks[0]!,
  checkId: id,
  status,
  points: { pass: 6, warn: 3, fail: 0, na: 0 }[status],
});
const HTTPS: Record<string, "pass" | "warn"> = { a: "pass", c: "warn" };
const files = aPublishedDirectory({
  listings: [
    ...Object.keys(scores).map((name) => aListing({ host: `${name}.example`, category: "news" })),
    aListing({ host: "blocked.example", category: "news", visibility: "blocked" }),
  ],
  scans: [...Object.entries(scores), ["blocked", 10] as const].map(([name, score]) =>
    aScan({
      host: `${name}.example`,
      ...(score === null ? { status: "failed" } : {}),
      score,
      checks: [check("https", HTTPS[name] ?? "fail"), check("sitemap", "na")],
    }),
  ),
});

const service = sharedService(files);
const get = (target: string): Promise<Reply> => send(service.server, target);

/** A CSV of plain words, as objects. */
function tableOf({ text }: Reply): Record<string, string>[] {
  const [head = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
}

describe("the pages of a category over HTTP", () => {
  it("share ranks, and leave out sites that are not in search", async () => {
    const rows = tableOf(await get("/tables/news.csv"));
    expect(rows.map(({ host, rank }) => [host, rank])).toEqual([
      ["a.example", "1"],
      ["b.example", "2"],
      ["c.example", "2"],
      ["d.example", ""],
    ]);
    const page = textOf(parsedPage((await get("/categories/news")).text));
    expect(page).toContain("Rank 2 of 3, shared by 2");
  });

  it("tell without reports what passes, in full or in part, what does not, and what does not apply", async () => {
    const rows = tableOf(await get("/tables/news.csv"));
    // What a scan lacks was not checked.
    expect(rows.slice(0, 3)).toMatchObject([
      { https: "pass", sitemap: "does not apply", mcp: "does not apply" },
      { https: "not passed", sitemap: "does not apply", mcp: "does not apply" },
      { https: "passed in part", sitemap: "does not apply", mcp: "does not apply" },
    ]);
    const page = parsedPage((await get("/matrix/news?sort=https")).text);
    const marks = all(page, "tr", "data-host").map((row) => textOf(all(row, "td")[2]!));
    expect(marks).toEqual(["no", "no", "in part", "yes"]);
  });

  it("are addresses of the first pages alone, with their types", async () => {
    for (const target of ["/matrix/news--2", "/matrix/none", "/tables/news--2.csv", "/tables/news"])
      expectError(await get(target), 404);
    const types = ["/categories", "/matrix/news", "/tables/news.csv"].map(async (target) => {
      const { status, headers } = await get(target);
      return [status, headers["content-type"], headers["x-robots-tag"]];
    });
    const html = "text/html; charset=utf-8";
    expect(await Promise.all(types)).toEqual([
      [200, html, undefined],
      [200, html, undefined],
      [200, "text/csv; charset=utf-8", undefined],
    ]);
    const chosen = await get("/matrix/news?fails=https&utm_source=x");
    expect(chosen.headers["x-robots-tag"]).toBe("noindex");
    const shown = all(parsedPage(chosen.text), "tr", "data-host").filter(
      (row) => attributeOf(row, "hidden") === null,
    );
    expect(shown.length).toBe(3);
  });
});

describe("the charts over HTTP", () => {
  it("are of the directory and of categories with sites, as pictures and as tables", async () => {
    for (const name of ["scores", "news--checks"]) {
      const types = await Promise.all(
        ["svg", "csv"].map(async (form) => {
          const { status, headers } = await get(`/figures/${name}.${form}`);
          return [status, headers["content-type"]];
        }),
      );
      expect(types).toEqual([
        [200, "image/svg+xml"],
        [200, "text/csv; charset=utf-8"],
      ]);
    }
    expect((await get("/figures/news--scores.csv")).text).toBe(
      "\ufeffscore,sites\r\n60,2\r\n90,1\r\n",
    );
    for (const name of ["none--scores.svg", "constructor--scores.csv", "scores.png", "else.svg"])
      expectError(await get(`/figures/${name}`), 404);
  });
});

describe("a comparison over HTTP", () => {
  it("has the reports of the sites, in the order of the address", async () => {
    const { text, headers } = await get("/compare?sites=b.example,a.example,nowhere.example");
    const page = parsedPage(text);
    const [scores] = all(page, "tr").slice(1);
    expect(all(scores!, "td").map(textOf)).toEqual(["60", "90"]);
    expect(textOf(page)).toContain("nowhere.example has no report here.");
    expect(headers["x-robots-tag"]).toBe("noindex");
    expect((await get("/compare")).headers["x-robots-tag"]).toBeUndefined();
  });

  it("of one site offers to add those of its category with the highest scores", async () => {
    const offered = async (sites: string) => {
      const page = parsedPage((await get(`/compare?sites=${sites}`)).text);
      const [line] = all(page, "p").filter((one) => textOf(one).startsWith("Add sites"));
      return line && [textOf(line), ...all(line, "a").map((one) => attributeOf(one, "href"))];
    };
    expect(await offered("b.example")).toEqual([
      "Add sites with the highest scores in NEWS: Example, Example or all 2.",
      "compare?sites=b.example,a.example",
      "compare?sites=b.example,c.example",
      "compare?sites=b.example,a.example,c.example",
    ]);
    for (const sites of ["a.example,b.example", "nowhere.example", "blocked.example", ""])
      expect(await offered(sites)).toBeUndefined();
  });

  it("shows no more of a withheld site than its report does", async () => {
    const rows = tableOf(await get("/compare.csv?sites=a.example,blocked.example"));
    expect(rows[0]).toMatchObject({ check: "score", "a.example": "90", "blocked.example": "" });
    expect(rows.map((row) => row["blocked.example"]).filter((text) => text === "pass")).toEqual([]);
  });

  it("is one answer for all spellings of the same sites", async () => {
    const etags = [
      "sites=a.example,b.example",
      "sites=www.a.example&sites=http://b.example/x&y=1",
    ].map(async (query) => (await get(`/compare?${query}`)).headers.etag);
    const [one, other] = await Promise.all(etags);
    expect([typeof one, one]).toEqual(["string", other]);
  });
});
