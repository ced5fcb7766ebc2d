import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CardData, cardSvg, directoryCardSvg } from "../../../src/extras/cards/card.js";
import { cardOf, cardText } from "../../../src/extras/cards/social-image.js";
import { BAR_COLOURS } from "../../../src/pages/kit/words.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { ROOT } from "../../house/sources.js";
import { HOSTILE_TOGETHER } from "../../pages/hostile.js";
import {
  all,
  attributeOf,
  elementsOf,
  parsedPage,
  parsedPiece,
  textOf,
} from "../../pages/parsed.js";
import { aFullReport, CONTEXT } from "../../pages/reports.js";

const { site, scan } = aFullReport();
/** A card of the full report with some of its facts changed. */
function aCard(changes: object = {}, name: string | null = null): CardData {
  return { site: { ...site, name }, scan: { ...scan, ...changes } };
}
const drawn = (card: CardData, context = CONTEXT) => parsedPiece(cardSvg(card, context));
const texts = (card: CardData, context = CONTEXT) => all(drawn(card, context), "text").map(textOf);

describe("a card", () => {
  it("says whose report it is, the score with its band, the directory and the day", () => {
    const said = texts(aCard({ finishedAt: "2026-08-09T03:31:00Z" }, "A site")).join("\n");
    for (const text of [
      "A directory",
      site.host,
      "A site",
      "Readable to AI crawlers",
      "63",
      "of 100",
      "Open",
      "9 August 2026",
    ]) {
      expect(said).toContain(text);
    }
    expect(cardText(aCard(), CONTEXT)).toBe(`${site.host}: 63 of 100, Open`);
  });

  it("has the bar as long as the score, on a track of all bands", () => {
    for (const score of [0, 50, 100]) {
      const bars = all(drawn(aCard({ score })), "rect").filter(
        (rect) =>
          attributeOf(rect, "height") === "36" &&
          attributeOf(rect, "rx") === null &&
          attributeOf(rect, "width") !== "4",
      );
      expect(bars).toHaveLength(CONTEXT.rubric.bands.length + 1);
      expect(attributeOf(bars.at(-1)!, "width")).toBe(String((1_040 * score) / 100));
    }
  });

  it("without a score says so: it has no number, no track and no bar", () => {
    const card = aCard({ score: null, band: null });
    expect(texts(card)).toContain("No score");
    expect(texts(card).join(" ")).not.toMatch(/of 100|\b0\b|63|Readable/);
    expect(all(drawn(card), "rect")).toHaveLength(1);
    expect(cardText(card, CONTEXT)).toBe(`${site.host}: no score`);
  });

  it("shows a score of an older scoring version without the bands of the current one", () => {
    const card = aCard({ scoreVersion: "old", band: "fine" });
    expect(all(drawn(card), "rect")).toHaveLength(4);
    expect(texts(card).join(" ")).toContain("Fine");
  });

  it("leaves out a name of letters that its fonts lack, and names the directory by its host then", () => {
    expect(texts(aCard({}, "网站 Site"))).toEqual(texts(aCard()));
    for (const name of ["Сайт о погоде", "Łódź, Ελλάδα, Tiếng Việt"]) {
      expect(texts(aCard({}, name.normalize("NFD")))).toContain(name);
    }
    expect(texts(aCard(), { ...CONTEXT, name: "目录" })[0]).toBe("directory.example");
    expect(texts(aCard({}, "Café – “München”")).join()).toContain("Café – “München”");
  });

  it.each(HOSTILE_TOGETHER)("is one drawing of its own elements with hostile texts", (text) => {
    const card = aCard({ band: text, scoreVersion: "old" }, text);
    const names = new Set(
      elementsOf(drawn(card, { ...CONTEXT, name: text })).map((one) => one.tagName),
    );
    expect([...names].sort()).toEqual(
      ["clippath", "g", "path", "rect", "svg", "text", "tspan"]
        .sort()
        .map((name) => (name === "clippath" ? "clipPath" : name))
        .sort(),
    );
  });

  it("has a long host or name on two lines, broken where it has a mark, and then cut", () => {
    const long = {
      host: `${"a".repeat(20)}.${"b".repeat(20)}.com`,
      name: "word ".repeat(30).trim(),
    };
    const lines = all(drawn({ ...aCard(), site: long }), "text").slice(1, 5);
    const [first, second, third, fourth] = lines.map(textOf);
    expect([first, second]).toEqual([`${"a".repeat(20)}.`, `${"b".repeat(20)}.com`]);
    expect([third, fourth]).toEqual([expect.stringMatching(/word$/), expect.stringMatching(/…$/)]);
    const one = { host: `${"a".repeat(249)}.com`, name: null };
    for (const line of [...lines, ...all(drawn({ ...aCard(), site: one }), "text").slice(1, 3)]) {
      const size = Number(attributeOf(line, "font-size"));
      expect(textOf(line).length * size * 0.6).toBeLessThanOrEqual(1_040);
      expect(Number(attributeOf(line, "y"))).toBeLessThan(380);
    }
  });

  it("has a host in its own script, with Punycode beneath it", () => {
    const host = "xn--e1afmkfd.xn--80akhbyknj4f";
    const shown = { ...aCard(), site: { host, name: "Name" } };
    expect(texts(shown).slice(1, 3)).toEqual(["пример.испытание", `Name · ${host}`]);
    const other = { ...aCard(), site: { host: "xn--fsqu00a.example", name: null } };
    expect(texts(other)).toContain("xn--fsqu00a.example");
  });

  it("of the directory has its sites, their median and each band as long as its share", () => {
    const { bands } = CONTEXT.rubric;
    const scores = bands.map(({ min }, index) => [min, index + 1] as const);
    const scored = scores.reduce((sum, [, count]) => sum + count, 0);
    const group = { listed: 40, scored, scores, passed: {}, exempt: {} };
    const card = parsedPiece(directoryCardSvg(group, CONTEXT));
    const bars = all(card, "rect").slice(1);
    const widths = bars.map((bar) => Math.round(Number(attributeOf(bar, "width"))));
    expect(widths).toEqual(scores.map(([, count]) => Math.round((1_040 * count) / scored)));
    expect(all(card, "text").map(textOf).join("\n")).toMatch(
      /AI crawlers.*40 sites, median score/s,
    );
    const empty = { listed: 0, scored: 0, scores: [], passed: {}, exempt: {} };
    expect(directoryCardSvg(empty, CONTEXT)).not.toMatch(/NaN|median/);
  });

  it("has the colours of the pages", () => {
    const stylesheet = readFileSync(join(ROOT, "src/pages/assets/pages.css"), "utf8");
    const [light = ""] = stylesheet.split("@media");
    for (const [level, [bar, ground]] of Object.entries(BAR_COLOURS)) {
      expect(light).toContain(`--level-${level}: ${bar};`);
      expect(light).toContain(`--level-${level}-back: ${ground};`);
    }
  });
});

describe("a report's page", () => {
  const metaOf = (page: string) =>
    Object.fromEntries(
      all(parsedPage(page), "meta", "property").map((meta) => [
        attributeOf(meta, "property"),
        attributeOf(meta, "content"),
      ]),
    );

  it("names the card of its latest scan, where there are cards", () => {
    const context = { ...CONTEXT, hasPictures: true, socialImage: cardOf };
    const report = aFullReport();
    const latest = { ...report, scan: { ...report.scan, historical: false } };
    expect(metaOf(reportPage(latest, context))).toMatchObject({
      "og:image": `https://directory.example/sites/${site.host}/card.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": `${site.host}: 63 of 100, Open`,
    });
    expect(reportPage(latest, context)).toContain("summary_large_image");
    const older = { ...report, scan: { ...report.scan, historical: true } };
    for (const page of [reportPage(latest, CONTEXT), reportPage(older, context)]) {
      expect(metaOf(page)["og:image"]).toBeUndefined();
      expect(page).toContain('content="summary"');
    }
  });
});
