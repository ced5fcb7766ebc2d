import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf } from "../../src/compile/excerpt.js";
import type { Report } from "../../src/contract/report.js";
import { readDrawn } from "../../src/pages/report/excerpt.js";
import { reportMarkdown } from "../../src/pages/report/report-markdown.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { aCheck, aFix } from "../fixtures.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../pages/parsed.js";
import { aFullReport, CONTEXT } from "../pages/reports.js";
import { repeated } from "../slow.js";

const SIZE = 600_000;
/** Characters that a page may have: ten times those of an ordinary report of 15 kB. */
const PAGE_MAX = 420_000;

/** What a page reads of a report: the stored excerpt if there is one. */
const drawnOf = (report: Report) =>
  readDrawn(new TextEncoder().encode(JSON.stringify(excerptOf(report) ?? { data: report })));

function drawn(report: Report): { page: string; markdown: string } {
  const { report: excerpt, left } = drawnOf(report);
  return {
    page: reportPage(excerpt, CONTEXT, left),
    markdown: reportMarkdown(excerpt, CONTEXT, left),
  };
}

/** As many of an item as have 600 kB. */
function many<T>(item: T, size = SIZE): T[] {
  return Array.from({ length: Math.ceil(size / JSON.stringify(item).length) }, () => item);
}

function features(size = SIZE): Record<string, unknown> {
  const feature = { observed: true, evidence: ["https://example.com/a"], note: "A form." };
  return Object.fromEntries(many(feature, size).map((one, place) => [`feature ${place}`, one]));
}

const full = aFullReport();
const { accessPolicy, pages, history = [] } = full;
const [row] = accessPolicy!.rows;
const [finding] = row!.findings;
const [sampled] = pages!.pages;
const long = "Long & <i>loud</i>. ".repeat(SIZE / 20);
const withRows = (rows: NonNullable<typeof accessPolicy>["rows"]) => ({
  accessPolicy: { ...accessPolicy!, rows },
});
const withPages = (some: NonNullable<typeof pages>["pages"]) => ({
  pages: { ...pages!, pages: some },
});
const check = aCheck({ details: { said: "yes" } });

/** Everything in a report that can grow, grown to 600 kB. */
const LARGE: Record<string, Partial<Report>> = {
  "a profile of many features": { profile: features() },
  "a profile of one long list": { profile: { list: many(1) } },
  "a profile of one text": { profile: { text: long } },
  "a profile with a long key": { profile: { [long]: 1, other: 2 } },
  "starter files": { starterFiles: { files: many({ path: "/llms.txt", text: "A draft" }) } },
  checks: { checks: many(check) },
  "the details of one check": { checks: [aCheck({ details: features() }), check] },
  "the details of all checks": {
    checks: Array.from({ length: 60 }, () => aCheck({ details: features(50_000) })),
  },
  "a check's texts": { checks: [aCheck({ title: long, summary: long })] },
  observations: { observations: many(full.observations[0]!) },
  "an observation's address": {
    observations: [{ ...full.observations[0]!, url: `https://example.com/${long}` }],
  },
  "sampled pages": withPages(many(sampled!)),
  "an access policy's rows": withRows(many(row!)),
  "an access policy's findings": withRows([{ ...row!, findings: many(finding!) }]),
  "the lines of robots.txt": withRows([
    { ...row!, findings: [{ ...finding!, raw: many("Disallow: /a"), subjects: many("GPTBot") }] },
  ]),
  fixes: { fixes: { ...full.fixes, data: many(aFix()) } },
  "a fix's prompt": { fixes: { ...full.fixes, data: [aFix({ prompt: long })] } },
  history: { history: many(history[0]!) },
  "the scan's summary": { scan: { ...full.scan, summary: long } },
  "the site's description": { site: { ...full.site, description: long } },
  "all parts at once": {
    profile: features(SIZE / 8),
    starterFiles: features(SIZE / 8),
    checks: many(aCheck({ details: features(300) }), SIZE / 8),
    observations: many(full.observations[0]!, SIZE / 8),
    ...withPages(many(sampled!, SIZE / 8)),
    ...withRows(many(row!, SIZE / 8)),
    fixes: { ...full.fixes, data: many(aFix(), SIZE / 8) },
    history: many(history[0]!, SIZE / 8),
  },
};

describe("the excerpt of a report", () => {
  it("is the whole report if the report is ordinary", () => {
    expect(excerptOf(full)).toBeNull();
    expect(drawnOf(full)).toEqual({ report: full, left: {} });
  });

  it("is the whole report exactly until a part is too large", () => {
    const observation = full.observations[0]!;
    const isWhole = [40, 80, 120, 160, 200].map((count) => {
      const report = { ...full, observations: many(observation).slice(0, count) };
      const excerpt = excerptOf(report);
      expect([count, excerpt?.data.observations.length ?? count]).toEqual([
        count,
        count - (excerpt?.left.observations?.more ?? 0),
      ]);
      return excerpt === null;
    });
    expect(isWhole).toEqual([...isWhole].sort().reverse());
    expect(new Set(isWhole).size).toBe(2);
  });

  it.each(Object.entries(LARGE))(
    "limits %s, and both forms say where the rest is",
    (_, changes) => {
      const { page, markdown } = drawn({ ...full, ...changes });
      expect(page.length).toBeLessThan(PAGE_MAX);
      expect(markdown.length).toBeLessThan(PAGE_MAX);
      const json = "../api/sites/example.com/report";
      expect(page).toContain(`; the rest is in the <a href="${json}">JSON</a>.`);
      expect(markdown).toContain(
        "; the rest is in the [JSON](https://api.directory.example/api/sites/example.com/report).",
      );
    },
  );

  it("says how many entries are left out, and names the true number of scans and pages", () => {
    const scans = Array.from({ length: 5_000 }, (_, place) => ({
      ...history[0]!,
      id: `s${place}`,
    }));
    const sample = Array.from({ length: 3_000 }, () => sampled!);
    const { page, markdown } = drawn({ ...full, history: scans, ...withPages(sample) });
    const section = byId(parsedPage(page), "history")!;
    const rows = all(section, "tbody").flatMap((body) => all(body, "tr")).length;
    expect(rows).toBeGreaterThan(20);
    expect(textOf(section)).toContain("5,000 published scans.");
    expect(textOf(section)).toContain(`The latest ${rows} published scans as a table`);
    const left = (5_000 - rows).toLocaleString("en");
    expect(textOf(section)).toContain(`… and ${left} more entries; the rest is in the JSON.`);
    expect(markdown).toContain(`… and ${left} more entries; the rest is in the [JSON]`);
    expect(textOf(byId(parsedPage(page), "pages")!)).toContain("3,000 content pages sampled.");
    expect(markdown).toContain("3,000 content pages sampled.");
  });

  it("says within a free-form object or list how many of its entries are left out", () => {
    const list = Array.from({ length: 10_000 }, (_, place) => place);
    const { page, markdown } = drawn({
      ...full,
      profile: { "…": "a key", list, other: 1, last: 2 },
    });
    const section = byId(parsedPage(page), "profile")!;
    const shown = all(section, "li").length - 1;
    expect(shown).toBeGreaterThan(100);
    const left = (10_000 - shown).toLocaleString("en");
    expect(textOf(section)).toContain(`… and ${left} more`);
    expect(markdown).toContain(`… and ${left} more`);
    // The object's own rest: `other` and `last`, told below a key that it does not have.
    const terms = all(section, "dt").map(textOf);
    expect(terms).toEqual(["…", "List", "……"]);
    expect(all(section, "dd").map(textOf).at(-1)).toBe("and 2 more");
    const total = (10_000 - shown + 2).toLocaleString("en");
    expect(textOf(section)).toContain(`… and ${total} more entries; the rest is in the JSON.`);
  });

  it("shows some of each part, however large the others are, and no check without its result", () => {
    const page = parsedPage(drawn({ ...full, ...LARGE["all parts at once"] }).page);
    const count = (id: string, tag: string) => all(byId(page, id)!, tag).length;
    expect(count("profile", "dt")).toBeGreaterThan(50);
    expect(count("starter-files", "dt")).toBeGreaterThan(30);
    expect(count("checks", "li")).toBeGreaterThan(30);
    expect(count("fixes", "h3")).toBeGreaterThan(15);
    for (const id of ["pages", "observations", "history", "access"]) {
      expect([id, count(id, "tr") > 10]).toEqual([id, true]);
    }
    const lines = all(byId(page, "checks")!, "li").map((one) => attributeOf(one, "class"));
    expect(lines.every((one) => one === "pass")).toBe(true);
  });

  it("does not let one check's details hide another check or its details", () => {
    const checks = [features(), { said: "still here" }].map((details) =>
      aCheck({ status: "fail", details }),
    );
    const text = textOf(parsedPage(drawn({ ...full, checks }).page));
    expect(text).toContain("still here");
  });

  it("never links to a part of an address: an address that is too long is text", () => {
    const url = `https://example.com/${"a".repeat(5_000)}`;
    const [observation] = full.observations;
    for (const some of [1, 2_000]) {
      const observations = Array.from({ length: some }, () => ({ ...observation!, url }));
      const { page, markdown } = drawn({ ...full, observations });
      const links = all(parsedPage(page), "a").map((link) => attributeOf(link, "href") ?? "");
      expect(links.filter((link) => link.includes("aaaa"))).toEqual([]);
      expect(markdown).not.toContain("](https://example.com/aaaa");
      expect(page).toContain("https://example.com/aaaa");
    }
  });

  it("keeps the other values of a part with a text that is too long, and cuts the text", () => {
    const tooLong = "x".repeat(30_000);
    const limited = fc.jsonValue({ stringUnit: "binary", maxDepth: 3 });
    fc.assert(
      fc.property(limited, limited, (first, second) => {
        const profile = JSON.parse(JSON.stringify({ first, tooLong, second }));
        const cut = { ...profile, tooLong: `${tooLong.slice(0, 20_000)}…` };
        expect(excerptOf({ ...full, profile })).toEqual({
          data: { ...full, profile: cut },
          left: { profile: { more: 0 } },
        });
      }),
      { numRuns: repeated(3, 300) },
    );
  });

  it("cuts a text after a number of UTF-16 code units, never within a character", () => {
    const textOfProfile = (text: string) =>
      excerptOf({ ...full, profile: { text } })?.data.profile?.text;
    for (const [start, isWhole] of [
      ["", false],
      ["x", true],
    ] as const) {
      const text = start + "\u{1f600}".repeat(11_000);
      expect(textOfProfile(text)).toBe(`${text.slice(0, isWhole ? 20_001 : 20_000)}…`);
    }
  });
});
