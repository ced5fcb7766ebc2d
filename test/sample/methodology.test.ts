import { describe, expect, it } from "vitest";
import { type CheckDescription, Standards } from "../../src/contract/standards.js";
import CHECKS from "./generator/data/checks.json" with { type: "json" };
import DOCUMENT from "./generator/data/standards.json" with { type: "json" };
import TAXONOMY from "./generator/data/taxonomy.json" with { type: "json" };

const STANDARDS = Standards.parse(DOCUMENT);
const OUTCOMES = Object.entries(CHECKS.checks);
const OLDER_POINTS = OUTCOMES.flatMap(([id, check]) =>
  "olderPoints" in check ? [[id, check.olderPoints] as const] : [],
);
const { rubric, badgeExamples, checks, aiCrawlers, crawlerCatalogue } = STANDARDS;
const ids = checks.map(({ id }) => id);

function sum(some: (check: CheckDescription) => boolean): number {
  return checks.filter(some).reduce((total, { maxPoints }) => total + maxPoints, 0);
}

describe("standards.json of the sample", () => {
  it("contract section 2, Standards: it has exactly the contract's shape", () => {
    expect(STANDARDS).toEqual(DOCUMENT);
  });

  it("active achievements of a block add up to the block's points", () => {
    const active = ({ kind, lifecycle }: CheckDescription) =>
      kind === "achievement" && lifecycle === "active";
    expect(sum((check) => active(check) && check.block === 1)).toBe(rubric.block1Points);
    expect(sum((check) => active(check) && check.block === 2)).toBe(rubric.block2Points);
    expect(rubric.block1Points + rubric.block2Points).toBe(100);
  });

  it("contract section 4, standards: capabilities and experimental checks add no points", () => {
    const pointless = checks.filter(
      ({ kind, lifecycle }) => kind === "capability" || lifecycle !== "active",
    );
    expect(pointless.length).toBeGreaterThan(5);
    for (const { weight, maxPoints } of pointless) expect([weight, maxPoints]).toEqual([0, 0]);
  });

  it("penalties take points and add none", () => {
    const penalties = checks.filter(({ kind }) => kind === "penalty");
    expect(penalties.map(({ id, weight }) => [id, weight])).toEqual([
      ["blocks-ai-crawlers", 10],
      ["edge-block", 8],
      ["bot-wall", 12],
      ["soft-404", 5],
      ["empty-shell", 0],
    ]);
    for (const { maxPoints, block } of penalties) expect([maxPoints, block]).toEqual([0, null]);
  });

  it("every kind, class and lifecycle of the contract occurs", () => {
    expect(new Set(checks.map(({ kind }) => kind)).size).toBe(3);
    expect(new Set(checks.map(({ checkClass }) => checkClass)).size).toBe(3);
    expect(new Set(checks.map(({ lifecycle }) => lifecycle)).size).toBe(3);
    expect(checks.length).toBeGreaterThan(25);
  });

  it("ids are unique, and related names other checks", () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, related } of checks) {
      expect(related.length).toBeGreaterThan(0);
      for (const other of related) {
        expect(ids).toContain(other);
        expect(other).not.toBe(id);
      }
    }
  });

  it("every text is unique, with sources", () => {
    const keys = ["title", "overview", "whyItMatters", "whatWeCheck", "results"] as const;
    for (const key of keys) {
      const texts = checks.map((check) => check[key]);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(text.length).toBeGreaterThan(12);
    }
    for (const { sources } of checks) {
      expect(sources.length).toBeGreaterThan(0);
      for (const { url } of sources) expect(url).toMatch(/^https:\/\//);
    }
  });

  it("badge examples show each band by a score that lies in it", () => {
    expect(badgeExamples.map(({ band }) => band)).toEqual(rubric.bands.map(({ band }) => band));
    for (const { score, min, max } of badgeExamples) {
      expect(min <= score && score <= max).toBe(true);
    }
  });

  it("the older scoring version has points for known checks only, 60 and 40, and bands of its own", () => {
    const entries = OLDER_POINTS;
    const inBlock = (block: number) =>
      entries
        .filter(([id]) => {
          const check = checks.find((known) => known.id === id);
          return check?.kind === "achievement" && check.block === block;
        })
        .reduce((total, [, points]) => total + points, 0);
    expect(entries.filter(([id]) => !ids.includes(id))).toEqual([]);
    expect([inBlock(1), inBlock(2)]).toEqual([60, 40]);
    const current = rubric.bands.map(({ band }) => band);
    for (const { band } of CHECKS.older.bands) expect(current).not.toContain(band);
  });

  it("every check has outcomes, and every check that adds points has a fix", () => {
    expect(OUTCOMES.map(([id]) => id).sort()).toEqual(ids.toSorted());
    const scored = checks.filter(({ weight }) => weight > 0).map(({ id }) => id);
    const fixed = new Set(OUTCOMES.flatMap(([id, check]) => ("fix" in check ? [id] : [])));
    expect(scored.filter((id) => !fixed.has(id))).toEqual([]);
  });

  it("badge examples have their band's label and limits", () => {
    for (const { band, label, min, max } of badgeExamples) {
      expect(rubric.bands).toContainEqual({ band, label, min, max });
    }
  });
});

describe("the crawlers of the sample", () => {
  it("include the well-known ones, with their operators", () => {
    const known = new Map(crawlerCatalogue.map(({ name, operator }) => [name, operator]));
    expect(known.get("GPTBot")).toBe("OpenAI");
    expect(known.get("ClaudeBot")).toBe("Anthropic");
    expect(known.get("PerplexityBot")).toBe("Perplexity");
    expect(known.get("Google-Extended")).toBe("Google");
    expect(known.get("Meta-ExternalAgent")).toBe("Meta");
    expect(known.get("CCBot")).toBe("Common Crawl");
    expect(known.get("Bytespider")).toBe("ByteDance");
    expect(known.size).toBe(crawlerCatalogue.length);
    expect(known.size).toBeGreaterThan(25);
  });

  it("contract section 2: aiCrawlers is the projection of those that the scanner recognizes", () => {
    const recognized = crawlerCatalogue.filter(({ scanner }) => scanner.recognized);
    expect(aiCrawlers).toEqual(
      recognized.map(({ name, operator, purposes: [purpose] }) => ({ name, operator, purpose })),
    );
    expect(new Set(aiCrawlers.map(({ purpose }) => purpose)).size).toBe(5);
  });

  it("send no requests if they are only names in robots.txt, and have no token if they sign their requests", () => {
    const byName = new Map(crawlerCatalogue.map((record) => [record.name, record]));
    expect(byName.get("Google-Extended")).toMatchObject({
      httpIdentity: "",
      kind: "control-token",
    });
    expect(byName.get("ChatGPT agent")).toMatchObject({
      robotsToken: null,
      verification: "signature",
    });
    for (const { id, sources } of crawlerCatalogue) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      for (const url of sources) expect(new URL(url).protocol).toBe("https:");
    }
  });
});

describe("taxonomy.json of the sample", () => {
  it("has inactive entries, an equal order for some, and unique slugs", () => {
    const { categories, tags, platforms } = TAXONOMY;
    for (const list of [categories, tags]) {
      expect(list.filter((entry) => "active" in entry && !entry.active)).toHaveLength(1);
      expect(new Set(list.map(({ order }) => order)).size).toBeLessThan(list.length);
    }
    for (const list of [categories, tags, platforms]) {
      expect(new Set(list.map(({ slug }) => slug)).size).toBe(list.length);
      expect(list.length).toBeGreaterThan(24);
    }
  });
});
