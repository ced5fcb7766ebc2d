import { describe, expect, it } from "vitest";
import { BAR_COLOURS } from "../../../src/pages/kit/colours.js";
import { STYLESHEET } from "../../../src/pages/kit/style.js";
import { type CardShown, cardSvg, cardText } from "../../../src/pages/report/card.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { HOSTILE_TOGETHER } from "../hostile.js";
import { all, attributeOf, elementsOf, parsedPage, parsedPiece, textOf } from "../parsed.js";
import { aFullReport, CONTEXT } from "../reports.js";

const { site, scan } = aFullReport();
/** A card of the full report with some of its facts changed. */
function aCard(changes: object = {}, name: string | null = null): CardShown {
  return { site: { ...site, name }, scan: { ...scan, ...changes } };
}
const drawn = (card: CardShown, context = CONTEXT) => parsedPiece(cardSvg(card, context));
const texts = (card: CardShown, context = CONTEXT) => all(drawn(card, context), "text").map(textOf);

describe("a card", () => {
  it("says whose report it is, the score with its band, the directory and the day", () => {
    const said = texts(aCard({ finishedAt: "2026-08-09T03:31:00Z" }, "A site")).join("\n");
    for (const text of [
      "A directory",
      site.host,
      "A site",
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
          attributeOf(rect, "height") === "40" &&
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
    expect(texts(card).join(" ")).not.toMatch(/of 100|\b0\b|63/);
    expect(all(drawn(card), "rect")).toHaveLength(1);
    expect(cardText(card, CONTEXT)).toBe(`${site.host}: no score`);
  });

  it("shows a score of an older scoring version without the bands of the current one", () => {
    const card = aCard({ scoreVersion: "old", band: "fine" });
    expect(all(drawn(card), "rect")).toHaveLength(4);
    expect(texts(card).join(" ")).toContain("Fine");
  });

  it("leaves out a name of letters that its font lacks, and names the directory by its host then", () => {
    expect(texts(aCard({}, "Сайт"))).toEqual(texts(aCard()));
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

  it("keeps the longest host on the card: in smaller letters, then cut", () => {
    for (const length of [10, 30, 60, 253]) {
      const host = `${"a".repeat(length - 4)}.com`;
      const [line] = all(drawn({ ...aCard(), site: { host, name: null } }), "text").slice(1);
      const size = Number(attributeOf(line!, "font-size"));
      expect(size).toBeGreaterThanOrEqual(31);
      expect(textOf(line!).length * size * 0.6).toBeLessThanOrEqual(1_040);
    }
  });

  it("has the colours of the pages", () => {
    const [light = ""] = STYLESHEET.split("@media");
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
    const context = { ...CONTEXT, hasCards: true };
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
