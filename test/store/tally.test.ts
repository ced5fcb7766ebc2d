import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FIGURES_DOCUMENT, type Figures } from "../../src/contract/figures.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import type { Report } from "../../src/contract/report.js";
import { build } from "../../src/publish/build.js";
import { Tally } from "../../src/store/tally.js";
import {
  aCheck,
  type PublishedFiles,
  temporaryFolder,
  theStandards,
  theTaxonomy,
  writePublished,
} from "../fixtures.js";
import { answersIn } from "./answers.js";
import { FOUR, manyListings } from "./trees.js";

const SCIENCE = theTaxonomy().categories[0]!.slug;

/** A listing in search: its summary, and the checks that its report has with a result other than `na`. */
interface Site extends SiteSummary {
  readonly subject: readonly string[];
}

const CHECKS = theStandards()
  .checks.filter(({ kind }) => kind !== "penalty")
  .map(({ id }) => id)
  .sort();

/** The figures by a naive count of all summaries and reports. */
function counted(summaries: readonly Site[], version: string): Figures {
  const groupOf = (sites: readonly Site[]) => {
    const scored = sites.filter(
      (one) => one.latestScore !== null && one.latestScoreVersion === version,
    );
    const scores = [...new Set(scored.map((one) => one.latestScore!))].sort((a, b) => a - b);
    const ids = [...new Set(sites.flatMap((one) => one.capabilities))].sort();
    const countOf = (id: string) => sites.filter((one) => one.capabilities.includes(id)).length;
    return {
      listed: sites.length,
      scored: scored.length,
      scores: scores.map(
        (score) => [score, scored.filter((one) => one.latestScore === score).length] as const,
      ),
      passed: Object.fromEntries(ids.map((id) => [id, countOf(id)])),
      exempt: Object.fromEntries(
        CHECKS.map((id) => [
          id,
          sites.filter(({ subject }) => !subject.includes(id)).length,
        ]).filter(([, count]) => count !== 0),
      ) as Record<string, number>,
    };
  };
  const slugs = [...new Set(summaries.flatMap(({ category }) => category?.slug ?? []))].sort();
  const inCategory = (slug: string) => summaries.filter(({ category }) => category?.slug === slug);
  const others = summaries.filter(
    ({ latestScore, latestScoreVersion }) => latestScore !== null && latestScoreVersion !== version,
  );
  const versions = [...new Set(others.map((one) => one.latestScoreVersion ?? ""))].sort();
  const otherVersion = (name: string) => {
    const sites = others.filter((one) => (one.latestScoreVersion ?? "") === name);
    const unbanded = sites.filter(({ latestBand }) => latestBand === null).length;
    return [name, { scored: sites.length, unbanded }] as const;
  };
  return {
    lastScannedAt:
      summaries
        .map((one) => one.latestScannedAt!)
        .sort()
        .at(-1) ?? null,
    all: groupOf(summaries),
    categories: Object.fromEntries(slugs.map((slug) => [slug, groupOf(inCategory(slug))])),
    ...(others.length > 0 && { otherVersions: Object.fromEntries(versions.map(otherVersion)) }),
  };
}

async function sitesIn(store: string, id: string): Promise<Site[]> {
  return Object.values(await answersIn(store, id)).flatMap(({ search, report }) => {
    if (search === null) return [];
    const { data } = JSON.parse(report) as { data: Report };
    const subject = data.checks.filter(({ status }) => status !== "na");
    return [{ ...search.summary, subject: subject.map(({ checkId }) => checkId) }];
  });
}

describe("the figures of a snapshot", () => {
  it("are those of a naive count of all summaries, after a full build and after each change", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const many = manyListings();
    const other = { scoreVersion: "2025.1", band: "open" };
    const checks = [
      aCheck({ checkId: "sitemap", kind: "capability" }),
      aCheck({ checkId: "mcp", status: "fail" }),
      aCheck({ status: "na" }),
    ];
    const unusual = [
      other,
      { ...other, band: null },
      { ...other, scoreVersion: "2025.0" },
      { score: null },
      { score: 0, checks },
      { finishedAt: "2026-08-02T01:00:00+02:00" },
    ];
    const files = {
      ...many,
      listings: many.listings.with(9, { ...many.listings[9]!, visibility: "opted-out" }),
      scans: many.scans.map((scan, n) => ({ ...scan, ...(n % 2 === 0 ? unusual[n / 2] : {}) })),
    };
    const publish = async (changed: PublishedFiles, full = false) => {
      const published = await writePublished(join(folder, "published"), changed);
      return build(published, { store, ...FOUR, full, maxRemoved: "100%" });
    };
    const documentOf = (id: string) =>
      readFile(join(store, id, "public", FIGURES_DOCUMENT), "utf8");
    const changes: ((files: PublishedFiles) => PublishedFiles)[] = [
      (same) => same,
      ({ listings: [first, ...others], ...rest }) => ({
        ...rest,
        listings: [{ ...first!, category: SCIENCE }, ...others],
      }),
      ({ scans, ...rest }) => ({
        ...rest,
        scans: scans.map((scan, n) =>
          n === 4 ? { ...scan, score: 99, finishedAt: "2026-10-01T00:00:00Z" } : scan,
        ),
      }),
      ({ listings, ...rest }) => ({ ...rest, listings: listings.slice(0, -1) }),
    ];
    let now = files;
    for (const change of changes) {
      now = change(now);
      const { id, kept } = await publish(now);
      if (now !== files) expect(kept).toBeGreaterThan(0);
      const document = await documentOf(id);
      const expected = counted(await sitesIn(store, id), "2026.1");
      expect(JSON.parse(document)).toEqual(expected);
      expect(document).toBe(JSON.stringify(expected));
      const again = await publish(now, true);
      expect(await documentOf(again.id)).toBe(document);
    }
  });
});

describe("figures, added up and taken away", () => {
  const figures = (last: string | null, slug: string, score: number): Figures => {
    const tally = new Tally();
    const category = { ...theTaxonomy().categories[0]!, slug };
    const listing = (changes: Partial<SiteSummary>) => {
      const summary = {
        latestScore: null,
        latestScoreVersion: null,
        latestScannedAt: last,
        category: null,
        capabilities: ["https"],
        ...changes,
      } as SiteSummary;
      return { search: { summary, recent: "" }, exempt: [`not-${slug}`] };
    };
    const scored = { category, latestScore: score, latestScoreVersion: "1" };
    tally.addListing(listing({ ...scored, capabilities: [slug] }), "1");
    for (let n = 0; n < 2; n += 1) tally.addListing(listing({}), "1");
    return tally.figures();
  };
  const joined = (parts: readonly Figures[]): Figures => {
    const tally = new Tally();
    for (const part of parts) tally.addFigures(part);
    return tally.figures();
  };

  it("keep the latest scan by its instant, not by its text", () => {
    const parts = [
      figures("2026-08-01T09:00:00+09:00", "arts", 1),
      figures("2026-08-01T01:00:00Z", "arts", 1),
      figures("2026-08-01T00:30:00Z", "arts", 1),
    ];
    expect(joined(parts).lastScannedAt).toBe("2026-08-01T01:00:00Z");
  });
});
