import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Figures } from "../../../src/contract/figures.js";
import type { Report } from "../../../src/contract/report.js";
import type { Scan } from "../../../src/input/checking/schemas.js";
import { NOTHING_LEFT_OUT } from "../../../src/pages/report/excerpt.js";
import { fixableOf, scoreWith } from "../../../src/pages/report/fixing.js";
import { outlookOf } from "../../../src/pages/report/outlook.js";
import { placeText } from "../../../src/pages/report/surroundings.js";
import { writeSample } from "../../../src/sample/sample.js";
import { aCheck, aFix } from "../../fixtures.js";
import { all, attributeOf, byId } from "../parsed.js";
import { pageOf, reportsOf } from "../reports.js";

const fixableIn = (report: Report) =>
  fixableOf(report, outlookOf(report, NOTHING_LEFT_OUT), NOTHING_LEFT_OUT);

/** The reports of a published directory, of the current methodology. */
let reports: { readonly report: Report; readonly scan: Scan }[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fixing-"));
  const written = join(folder, "sample");
  await writeSample(written, { listings: 200 });
  const files = await readdir(join(written, "scans"), { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((one) => one.isFile())
      .map((one) => readFile(join(one.parentPath, one.name), "utf8")),
  );
  const scans = texts.flatMap((text) =>
    text.trimStart().startsWith("{\n")
      ? [JSON.parse(text)]
      : text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
  ) as Scan[];
  reports = scans
    .filter(({ score }) => score !== null)
    .map((scan) => {
      const plan = {
        entitlements: { history: true, fixPrompts: null, starterFiles: false, highlight: false },
      };
      return {
        scan,
        report: reportsOf({ ...plan, host: scan.host, url: `https://${scan.host}/` }, scan).latest,
      };
    });
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * The score of a scan whose checks of these ids pass, counted from all checks in twentieths of a point. A cap falls if
 * the homepage has a text without scripts.
 */
function scoreOfPassing(scan: Scan, ids: readonly string[]): number {
  let twentieths = 0;
  for (const { checkId, kind, points, maxPoints } of scan.checks) {
    const passes = ids.includes(checkId);
    if (kind === "penalty") twentieths -= passes ? 0 : Math.round(20 * Math.abs(points));
    if (kind === "achievement") twentieths += Math.round(20 * (passes ? maxPoints : points));
  }
  const rounded = Math.trunc((Math.max(0, Math.min(2_000, twentieths)) + 10) / 20);
  const isCapped = scan.cappedAt !== null && !ids.includes("server-rendered");
  return isCapped ? Math.min(rounded, scan.cappedAt ?? 100) : rounded;
}

/** All sets of the first six fixes, and all fixes. */
function setsOf<T>(fixes: readonly T[]): (readonly T[])[] {
  if (fixes.length === 0) return [];
  const first = fixes.slice(0, 6);
  const sets = Array.from({ length: 2 ** first.length }, (_, bits) =>
    first.filter((_, at) => ((bits >> at) & 1) === 1),
  );
  return [...sets, fixes];
}

describe("the score with some fixes", () => {
  it("is what all checks add up to if theirs pass, for every set of fixes, and with and without a cap", () => {
    const seen = { capped: 0, lifted: 0, penalty: 0, half: 0, uncapped: 0 };
    for (const { report, scan } of reports) {
      const fixable = fixableIn(report);
      for (const made of setsOf(fixable?.fixes ?? [])) {
        const ids = made.map(({ id }) => id);
        const score = scoreWith(fixable!, made);
        expect([scan.host, ids, score]).toEqual([scan.host, ids, scoreOfPassing(scan, ids)]);
        const isLifted = made.some((one) => one.isLifting);
        seen[scan.cappedAt === null ? "uncapped" : isLifted ? "lifted" : "capped"] += 1;
        seen.half += Number(made.some(({ points }) => points % 1 !== 0));
        seen.penalty += Number(
          scan.checks.some((one) => one.kind === "penalty" && ids.includes(one.checkId)),
        );
      }
    }
    for (const [kind, count] of Object.entries(seen))
      expect([kind, count > 20]).toEqual([kind, true]);
  });

  it("can be asked for wherever a fix of a check that costs points is shown", () => {
    for (const { report, scan } of reports) {
      const costly = scan.checks.filter(({ kind, status, points, maxPoints, lifecycle }) => {
        const isUnmet = status === "fail" || status === "warn";
        const cost = kind === "penalty" ? -points : maxPoints - points;
        return isUnmet && kind !== "capability" && lifecycle !== "experimental" && cost > 0;
      });
      const shown = costly.filter(({ checkId }) =>
        report.fixes.data.some((fix) => fix.checkId === checkId),
      );
      const ids = fixableIn(report)?.fixes.map(({ id }) => id) ?? [];
      expect([scan.host, ids.toSorted()]).toEqual([
        scan.host,
        shown.map(({ checkId }) => checkId).toSorted(),
      ]);
    }
  });

  it("rounds half a point up, also where decimals do not add up exactly", () => {
    const points = [0.1, 0.2, 0.7, 0.5].map((one, at) => ({
      id: `${at}`,
      points: one,
      isLifting: false,
    }));
    expect(scoreWith({ points: 50, cap: null }, points)).toBe(52);
    expect(scoreWith({ points: 49.4, cap: null }, points.slice(0, 1))).toBe(50);
    expect(scoreWith({ points: -30.5, cap: null }, points)).toBe(0);
    expect(scoreWith({ points: 99.9, cap: null }, points)).toBe(100);
  });
});

const LOST = aCheck({ checkId: "sitemap", status: "fail", points: 0, maxPoints: 10 });
const EARNED = aCheck({ points: 60, maxPoints: 60 });
const reportWith = (...fixes: Partial<Parameters<typeof aFix>[0]>[]) =>
  reportsOf(
    { entitlements: { history: false, fixPrompts: 1, starterFiles: false, highlight: false } },
    {
      checks: [EARNED, LOST],
      fixes: fixes.map((one) => aFix({ checkId: "sitemap", scoreAfter: 70, ...one })),
    },
  );

describe("the boxes of a report", () => {
  const boxesOf = (report: Report) =>
    all(pageOf(report), "input").flatMap((one) =>
      attributeOf(one, "type") === "checkbox" ? [attributeOf(one, "value")] : [],
    );

  it("are those of fixes that the plan shows", () => {
    expect(boxesOf(reportWith({}).latest)).toEqual(["sitemap"]);
    const page = pageOf(reportWith({}).latest);
    expect(JSON.parse(attributeOf(byId(page, "fixing"), "data-known") ?? "")).toMatchObject({
      score: 60,
      points: 60,
      cap: null,
    });
    // The plan shows the first fix alone, which is another one.
    expect(boxesOf(reportWith({ checkId: "https", status: "na" }, {}).latest)).toEqual([]);
  });

  it.each([
    ["its score is not what its parts add up to", { score: 61 }, {}],
    ["a fix promises another score", {}, { scoreAfter: 71 }],
    ["its parts are not known", { block1: null }, {}],
  ])("are left out if %s: several fixes could not be added up", (_, scan, fix) => {
    const { latest } = reportWith(fix);
    expect(boxesOf({ ...latest, scan: { ...latest.scan, ...scan } })).toEqual([]);
  });

  it("are left out of historical reports, and of those whose checks are not all there", () => {
    const { latest } = reportWith({});
    const scan = { ...latest.scan, historical: true };
    expect(boxesOf({ ...latest, scan })).toEqual([]);
    const left = { checks: { more: 1 } };
    expect(fixableOf(latest, outlookOf(latest, left), left)).toBeNull();
  });
});

describe("the place with another score", () => {
  const category = { slug: "maps", name: "Maps" };
  const SCORES = [10, 20, 20, 40, 40, 40, 70, 90, 100, 100, 100, 100, 100];

  it("is found by counting all others", () => {
    const scores = [...new Set(SCORES)].map((one): [number, number] => [
      one,
      SCORES.filter((score) => score === one).length,
    ]);
    const group = { listed: 13, scored: 13, scores, passed: {}, exempt: {} };
    const figures: Figures = { lastScannedAt: null, all: group, categories: { maps: group } };
    for (const score of new Set(SCORES)) {
      for (let after = 0; after <= 100; after += 5) {
        const others = SCORES.toSpliced(SCORES.indexOf(score), 1);
        const place = others.filter((one) => one > after).length + 1;
        const now = others.filter((one) => one > score).length + 1;
        const tied = others.filter((one) => one === after).length;
        const text = placeText(figures, { score, category }, after);
        const [, found, of, ties = "0", before] =
          /^Would be (\d+)(?:st|nd|rd|th) of (\d+) in Maps(?:, with (\d+) others?)?; now (\d+)(?:st|nd|rd|th)$/.exec(
            text,
          ) ?? [];
        expect([text, found, of, ties, before]).toEqual([
          text,
          `${place}`,
          "13",
          `${tied}`,
          `${now}`,
        ]);
      }
    }
  });

  it("is among all sites if the category has few, and is not said of few sites", () => {
    const scores: [number, number][] = [
      [1, 111],
      [50, 1],
    ];
    const all112 = { listed: 112, scored: 112, scores, passed: {}, exempt: {} };
    const few = {
      listed: 4,
      scored: 4,
      scores: [[50, 4]] as [number, number][],
      passed: {},
      exempt: {},
    };
    const figures: Figures = { lastScannedAt: null, all: all112, categories: { maps: few } };
    expect(placeText(figures, { score: 1, category }, 0)).toBe(
      "Would be 112th of 112 in all sites; now 2nd",
    );
    expect(placeText({ ...figures, all: few }, { score: 50, category }, 60)).toBe("");
  });
});
