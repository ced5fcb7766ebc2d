import { describe, expect, it } from "vitest";
import { prefersMarkdown } from "../../src/contract/headers.js";
import { llmsText, robotsText } from "../../src/pages/feeds/guides.js";
import {
  SITEMAP_MAX,
  sitemapCount,
  sitemapFiles,
  sitemapIndex,
  sitemapNames,
  sitemapOf,
} from "../../src/pages/feeds/sitemap.js";
import { oneLine } from "../../src/pages/kit/escape.js";
import { sitemapNamed } from "../../src/pages/kit/page-names.js";
import {
  counted,
  dayOf,
  durationOf,
  momentOf,
  numberOf,
  sizeText,
  titleOf,
  visible,
} from "../../src/pages/kit/words.js";
import { badge } from "../../src/pages/report/badge.js";
import { UNSEEN } from "./hostile.js";
import { all, attributeOf, elementsOf, parsedPiece, textOf } from "./parsed.js";
import { aFullReport, CONTEXT } from "./reports.js";

/** A badge's description, and its colours. */
function badgeOf(scan: object): { label: string | null; colours: (string | null)[] } {
  const report = aFullReport();
  const svg = badge({ scan: { ...report.scan, ...scan } }, CONTEXT);
  const [root] = elementsOf(parsedPiece(svg));
  const colours = all(root!, "rect").map((rect) => attributeOf(rect, "fill"));
  return { label: attributeOf(root!, "aria-label"), colours };
}

describe("a badge", () => {
  it("says the score and its band", () => {
    expect(badgeOf({}).label).toBe("crawler readiness: 63 of 100 · Open");
    expect(badgeOf({ score: 0 }).label).toBe("crawler readiness: 0 of 100 · Open");
  });

  it("without a score says so, in a colour that no score uses", () => {
    const none = badgeOf({ score: null, band: null });
    expect(none.label).toBe("crawler readiness: no score");
    const { bands, version: scoreVersion } = CONTEXT.rubric;
    const scored = bands.map(({ band, min: score }) =>
      badgeOf({ score, band, scoreVersion }).colours.at(-1),
    );
    expect(new Set(scored).size).toBe(bands.length);
    expect(scored).not.toContain(none.colours.at(-1));
  });

  it("is one valid drawing for any band's name, and leaves out a name that does not fit", () => {
    const hostile = "</svg><script>";
    const scan = { ...aFullReport().scan, band: hostile, scoreVersion: "old" };
    const piece = parsedPiece(badge({ scan }, CONTEXT));
    expect(elementsOf(piece).map(({ tagName }) => tagName)).not.toContain("script");
    expect(textOf(piece)).toContain("</svg><script>");
    expect(badgeOf({ band: "a".repeat(25), scoreVersion: "old" }).label).toBe(
      "crawler readiness: 63 of 100",
    );
  });
});

describe("sitemaps", () => {
  const entries = (count: number) =>
    Array.from({ length: count }, (_, place) => ({
      host: `host-${String(count - place).padStart(6, "0")}.example`,
      lastmod: place % 2 === 0 ? "2026-08-09T03:31:12Z" : null,
    }));

  it("escape the directory's address, which may have an ampersand", () => {
    const context = { ...CONTEXT, siteUrl: "https://directory.example/a&b'c" };
    const address = "https://directory.example/a&amp;b&#39;c";
    const [file] = sitemapFiles(3, entries(1), context);
    expect(file).toContain(`<loc>${address}/sites/`);
    expect(sitemapIndex(["0.xml"], context)).toContain(`<loc>${address}/sitemaps/0.xml</loc>`);
  });

  it("list pages by host, with the scan's date if it is known", () => {
    expect(sitemapFiles(3, entries(2), CONTEXT)).toEqual([
      `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://directory.example/sites/host-000001.example</loc></url>
<url><loc>https://directory.example/sites/host-000002.example</loc><lastmod>2026-08-09T03:31:12Z</lastmod></url>
</urlset>
`,
    ]);
  });

  it("have at most 50,000 pages per file, and each page once", () => {
    const counts = (count: number, sitemap = 3) =>
      sitemapFiles(sitemap, entries(count), CONTEXT).map((file) => file.split("<loc>").length - 1);
    expect(SITEMAP_MAX).toBe(50_000);
    expect(counts(0)).toEqual([0]);
    const others = 3 + CONTEXT.checkIds.length;
    expect([counts(0, 0), counts(50_001 - others, 0)]).toEqual([[others], [50_000, 1]]);
    expect(sitemapNames(0, 49_999, CONTEXT)).toEqual(["0.xml", "0-2.xml"]);
    expect(sitemapNames(3, 50_000, CONTEXT)).toEqual(["3.xml"]);
    expect(sitemapNames(3, 100_001, CONTEXT)).toEqual(["3.xml", "3-2.xml", "3-3.xml"]);
    expect(sitemapNames(0, 0, CONTEXT)).toEqual(["0.xml"]);
  });

  it("are as many as the listings need, a power of two, and share their hashes evenly", () => {
    const counts = [0, 1, 32_768, 32_769, 65_536, 1_000_000].map(sitemapCount);
    expect(counts).toEqual([1, 1, 1, 2, 2, 32]);
    // So that a sitemap is far from full.
    expect(1_000_000 / 32).toBeLessThan(SITEMAP_MAX);
    const hashes = [0, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 32 - 1];
    expect(hashes.map((hash) => sitemapOf(hash, 4))).toEqual([0, 0, 1, 2, 3]);
    expect(hashes.map((hash) => sitemapOf(hash, 1))).toEqual([0, 0, 0, 0, 0]);
  });

  it("are found by their own names, and by no other", () => {
    for (const sitemap of [0, 7, 31]) {
      for (const [file, name] of sitemapNames(sitemap, 120_000, CONTEXT).entries()) {
        expect(sitemapNamed(name)).toEqual({ sitemap, file });
      }
    }
    for (const name of [
      "",
      "x.xml",
      "00.xml",
      "-1.xml",
      "0-1.xml",
      "0-0.xml",
      "0-02.xml",
      "1e3.xml",
      "0.xml.gz",
      "0-2",
      "../0.xml",
    ]) {
      expect([name, sitemapNamed(name)]).toEqual([name, null]);
    }
  });
});

describe("the files for crawlers", () => {
  it("robots.txt allows everything and names the sitemap", () => {
    expect(robotsText(CONTEXT)).toBe(
      "User-agent: *\nAllow: /\n\nSitemap: https://directory.example/sitemap.xml\n",
    );
  });

  it("llms.txt has the directory's name, its addresses and its bands", () => {
    const text = llmsText({ ...CONTEXT, name: "A [directory](x)\n# of mine" });
    expect(text).toMatch(/^# A \\\[directory\\\]\(x\) # of mine\n\n> /);
    expect(text).toContain("`https://directory.example/sites/{host}/report.md`");
    expect(text).toContain("[/api/sites](https://api.directory.example/api/sites)");
    expect(text).toContain("- Closed: 0 to 49\n- Open: 50 to 100\n");
    expect(text).not.toContain("All listings");
    const downloads = [{ index: "api/all", formats: "CSV", files: [] }];
    expect(llmsText({ ...CONTEXT, downloads })).toContain(
      "- [All listings at once](https://api.directory.example/api/all): as CSV, with the sha256 of each file.\n",
    );
  });

  it.each<[string, boolean]>([
    ["", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
    ["*/*", false],
    ["application/json", false],
    ["text/markdown", true],
    ["Text/Markdown; q=1.0", true],
    ["text/markdown, text/html;q=0.9, */*;q=0.8", true],
    ["text/html, text/markdown", true],
    ["text/markdown, */*", true],
    ["text/html, text/markdown;q=0.5", false],
    ["text/markdown;q=0.5, */*;q=0.8", false],
    ["text/markdown;q=0.5, text/html;q=0.4", true],
    ["text/markdown;q=0", false],
    ["text/markdown;q=2", false],
    ["text/x-markdown", false],
  ])("Accept: %s asks for Markdown: %s", (accept, wants) => {
    expect(prefersMarkdown(accept)).toBe(wants);
  });
});

describe("values in words", () => {
  it("dates are shown in UTC for any offset, and a text that is not a date stays", () => {
    expect(momentOf("2026-08-09T01:31:12+02:00")).toBe("8 August 2026, 23:31 UTC");
    expect(dayOf("2026-12-31T23:59:60Z")).toMatch(/^(?:31 December 2026|2026-12-31T23:59:60Z)$/);
    expect(dayOf("not a date")).toBe("not a date");
  });

  it("numbers have separated thousands, at most one decimal, and no negative zero", () => {
    const numbers = [0, -0, -0.04, 0.05, 7, -12, 999, 1000, 1234567.89, 1e21, -1234.5];
    expect(numbers.map(numberOf)).toEqual([
      ..."0 0 0 0.1 7 −12 999 1,000 1,234,567.9 1e+21 −1,234.5".split(" "),
    ]);
    expect([999, 1000, 12_345, 3_100_000].map(sizeText)).toEqual([
      "999 B",
      "1 kB",
      "12.3 kB",
      "3.1 MB",
    ]);
    expect([12.34, 999, 4809].map(durationOf)).toEqual(["12.3 ms", "999 ms", "4.8 s"]);
  });

  it("ids are shown as words", () => {
    const ids = ["not-observed", "robotsTxt", "user_fetch", "hasLlmsTxt2", "h2", "apiKey", ""];
    expect(ids.map(titleOf)).toEqual([
      "Not observed",
      "Robots txt",
      "User fetch",
      "Has llms txt2",
      "H2",
      "API key",
      "—",
    ]);
  });

  it("a text that is not an id stays", () => {
    const texts = ["OK", "W3C Recommendation", "OpenAI", "GPTBot", "Google-Extended", "xAI", "a b"];
    expect(texts.map(titleOf)).toEqual(texts);
  });

  it("the singular depends on the number as it is shown", () => {
    const shown = [0, 1, 1.04, 0.96, 1.1, 2].map((count) => counted(count, "point"));
    expect(shown).toEqual(["0 points", "1 point", "1 point", "1 point", "1.1 points", "2 points"]);
  });

  it("a text without visible characters counts as missing", () => {
    for (const text of [...UNSEEN, null]) expect([text, visible(text)]).toEqual([text, null]);
    const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
    const flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}";
    const words = ["می\u200cخواهم", "ක්\u200dර", "co\u00adop", "\u200bx", "3\ufe0f\u20e3", "\u0600"];
    for (const text of [" x ", family, flag, "\u2764\ufe0f", "\u{1f3fb}", ...words]) {
      expect([text, visible(text), oneLine(text)]).toEqual([text, text, text.trim()]);
    }
  });
});
