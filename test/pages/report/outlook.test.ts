import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check, Report } from "../../../src/contract/report.js";
import { reportMarkdown } from "../../../src/pages/report/report-markdown.js";
import { fixTask } from "../../../src/pages/report/to-do.js";
import { all, attributeOf, byClass, byId, textOf } from "../parsed.js";
import { CONTEXT, pageOf } from "../reports.js";
import { expectBoth, lost, reportOf, scoreOf, textsOf } from "./outlook-reports.js";

const NO_FIXES = { data: [], total: 0, limit: 0, hidden: 0 };

describe("a capped report", () => {
  const shell: Partial<Check> = {
    label: "Empty shell",
    kind: "penalty",
    block: null,
    status: "fail",
    points: 0,
    maxPoints: 0,
  };
  const checks = [
    { points: 66, maxPoints: 66 },
    lost("Headings", 0, 7),
    shell,
    lost("Text in the HTML", 0, 24),
    lost("Caching", 1.5, 3),
  ];
  const fixes = [
    { checkId: "check-1", title: "Mark up", recoverablePoints: 7, scoreAfter: 25, status: "fail" },
    { checkId: "check-3", title: "Send it", recoverablePoints: 24, scoreAfter: 92, status: "fail" },
  ];
  const report = reportOf(checks, fixes, 25);

  it("has the cap first, with the points that it holds back, then what is behind it", () => {
    expectBoth(
      report,
      "An empty shell limits this score to 25. Fix this first: 42.5 points are held back.",
    );
    const page = pageOf(report);
    const labels = all(byId(page, "fixes"), "h3").map(textOf);
    expect(labels).toEqual(["Empty shell", "Text in the HTML", "Headings", "Caching"]);
    expect(textOf(byClass(page, "card")[0]!)).toContain("An empty shell limits this score to 25.");
    expectBoth(report, "+67 points (alone: 92 of 100)");
  });

  it("says what other faults are worth once the cap is gone, and promises nothing before", () => {
    expectBoth(
      report,
      "2 other things to improve are worth up to 8.5 points once the cap is gone.",
    );
    expectBoth(report, "7 points once the cap is gone");
    for (const text of textsOf(report)) expect(text).not.toMatch(/\+7 points|to 25 of 100/);
  });

  it("does not say how much is held back where the parts of the score do not say", () => {
    const { scan } = report;
    const unknown = { ...report, scan: { ...scan, block1: null } };
    expectBoth(unknown, "An empty shell limits this score to 25. Fix this first. The homepage");
  });
});

describe("points that a site could not earn", () => {
  const na = (label: string, maxPoints: number, summary: string | null = null): Partial<Check> => ({
    label,
    maxPoints,
    summary,
    points: 0,
    status: "na",
  });

  it("are named with their check and the reason, and so is the score that the site can reach", () => {
    const report = reportOf([
      { points: 60, maxPoints: 60 },
      na("Hreflang", 40, "The site has one language"),
    ]);
    expectBoth(
      report,
      "40 points belong to Hreflang, which does not apply to this site: The site has one language. " +
        "This score is the highest that a site of this kind can reach.",
    );
    expectBoth(report, "Nothing costs this site points.");
    const page = pageOf(report);
    expect(textOf(byId(page, "score"))).toContain("Of checks that do not apply: 40 points");
    expect(textOf(byId(page, "score"))).not.toContain("Not earned");
  });

  it("are named together, beside what the site can still win", () => {
    const report = reportOf([
      { points: 50, maxPoints: 50 },
      lost("Sitemap", 0, 9),
      na("Hreflang", 40),
      na("Image texts", 1),
    ]);
    expectBoth(
      report,
      "40 points belong to Hreflang and 1 to Image texts, which do not apply to this site. A site of " +
        "this kind can reach 59 of 100.",
    );
    expectBoth(report, "1 thing to improve, worth up to 9 points.");
  });

  it("are no reason to say what a site can reach if no check applies to it", () => {
    const report = reportOf([na("HTTPS", 60), na("Hreflang", 40)]);
    expect(report.scan.score).toBe(0);
    for (const text of textsOf(report)) {
      expect(text).toContain("60 points belong to HTTPS and 40 to Hreflang");
      expect(text).not.toMatch(/reach/);
    }
  });

  it("make no promise of what is omitted from an excerpt", () => {
    const report = reportOf([{ points: 60, maxPoints: 60 }, na("Hreflang", 40)]);
    for (const text of textsOf(report, { checks: { more: 3, of: 5 } })) {
      expect(text).toContain("40 points belong to Hreflang");
      expect(text).not.toMatch(/reach|Nothing costs/);
      expect(text).toContain("None of the checks shown here costs this site points.");
    }
  });

  it("are not promised by a fix of their check", () => {
    const fix = { checkId: "check-1", status: "na", recoverablePoints: 40, scoreAfter: 100 };
    const report = reportOf([{ points: 60, maxPoints: 60 }, na("Hreflang", 40)], [fix]);
    for (const text of textsOf(report)) expect(text).not.toMatch(/\+40|100 of 100/);
  });

  it("are nothing to do: a fix of their check, or of no check, is neither shown nor counted", () => {
    const fix = { status: "na", prompt: "Make this pass.", recoverablePoints: 0, scoreAfter: null };
    const report = reportOf(
      [{ points: 40, maxPoints: 40 }, na("Hreflang", 40), lost("Sitemap", 0, 20)],
      [
        { ...fix, checkId: "check-1" },
        { ...fix, checkId: "former-check" },
        { checkId: "check-2", status: "fail", recoverablePoints: 20, scoreAfter: 60 },
      ],
    );
    expectBoth(report, "1 thing to improve, worth up to 20 points.");
    expectBoth(report, "+20 points, to 60 of 100");
    for (const text of [...textsOf(report), fixTask(report, CONTEXT)])
      expect(text).not.toMatch(/Make this pass|Optional/);
    const page = pageOf(report);
    expect(byClass(page, "fix")).toHaveLength(1);
    const folded = all(byId(page, "checks"), "details").map(textOf);
    expect(folded[1]).toContain("1 check does not applyHreflang");
  });
});

describe("points that add up", () => {
  const rounded = reportOf([{ points: 50, maxPoints: 50 }, lost("Text in the HTML", 26.5, 50)]);
  const scoreRow = (report: Report) => {
    const rows = all(byId(pageOf(report), "score"), "tr").map(textOf);
    return [
      rows.at(-1),
      /\*\*Score\*\* \| \*\*(.*?)\*\*/.exec(reportMarkdown(report, CONTEXT))?.[1],
    ];
  };

  it("have their sum beside the score that it is rounded to", () => {
    expect(rounded.scan.score).toBe(77);
    expect(scoreRow(rounded)).toEqual(["Score 76.5, rounded to 77 100", "76.5, rounded to 77"]);
    expectBoth(rounded, "worth up to 23.5 points");
    expectBoth(rounded, "−23.5 points");
  });

  it("are capped, held at an end of the scale, or the score itself", () => {
    const scan = { ...rounded.scan, score: 30, cappedAt: 30 };
    expect(scoreRow({ ...rounded, scan })[1]).toBe("76.5, capped at 30");
    const low = { ...rounded.scan, score: 0, block1: 3, block2: 0, penalties: 8 };
    expect(scoreRow({ ...rounded, scan: low })[1]).toBe("−5, held at 0");
    const other = { ...rounded.scan, score: 12 };
    expect(scoreRow({ ...rounded, scan: other })[1]).toBe("12");
    expect(scoreRow(reportOf([{ points: 60, maxPoints: 60 }]))[1]).toBe("60");
  });

  it("are no table of dashes if the report has none", () => {
    const scan = { ...rounded.scan, block1: null, block2: null, penalties: null };
    const page = pageOf({ ...rounded, scan });
    const ids = all(page, "section").map((one) => attributeOf(one, "id"));
    expect(ids).not.toContain("score");
    expect(ids).toContain("fixes");
    expect(reportMarkdown({ ...rounded, scan }, CONTEXT)).not.toMatch(/## Score|\| — \|/);
  });

  it("are missing without a reason where no check says why", () => {
    const report = reportOf([{ points: 60, maxPoints: 60 }]);
    expectBoth(report, "No check of this report says why the score is below 100.");
    expectBoth(reportOf([{ points: 100, maxPoints: 100 }]), "Nothing costs this site points.");
  });
});

describe("the result of a check", () => {
  it("is not said twice", () => {
    const check: Partial<Check> = { kind: "penalty", block: null, points: 0, maxPoints: 0 };
    const report = reportOf([
      { ...check, label: "Bot wall", title: "No bot wall", summary: "Not found." },
      { ...check, label: "Soft 404", title: "Real 404s", summary: "Answers 404." },
    ]);
    const lines = byClass(pageOf(report), "pass").map(textOf);
    expect(lines).toContain("Bot wall Not found No bot wall");
    expect(lines).toContain("Soft 404 Not found Answers 404.");
    expect(reportMarkdown(report, CONTEXT)).not.toMatch(/Not found\. .*Not found/);
  });
});

describe("what a fix brings", () => {
  const checks = [{ points: 7, maxPoints: 7 }, lost("HTTPS", 0, 45), lost("Described", 0, 8)];
  const fixes = [
    { checkId: "check-1", status: "fail", recoverablePoints: 45, scoreAfter: 52 },
    { checkId: "check-2", status: "fail", recoverablePoints: 8, scoreAfter: 15 },
  ];

  it("is said to be of this fix alone where there are several", () => {
    const report = reportOf(checks, fixes);
    for (const text of ["+45 points (alone: 52 of 100)", "+8 points (alone: 15 of 100)"]) {
      expectBoth(report, text);
      expect(fixTask(report, CONTEXT)).toContain(`${text}.`);
    }
    expectBoth(reportOf(checks, fixes.slice(1)), "+8 points, to 15 of 100");
  });
});

describe("checks worth nothing", () => {
  const report = reportOf(
    [
      { points: 100, maxPoints: 100 },
      { ...lost("llms.txt", 0, 0), lifecycle: "experimental" },
      lost("Link headers", 0, 0),
    ],
    [{ checkId: "check-1", recoverablePoints: 0, scoreAfter: 100, status: "fail" }],
  );
  const page = pageOf(report);

  it("never look failed, and a 100 begins with the news that nothing costs points", () => {
    expect(textsOf(report)[0]).toMatch(/^What to do Nothing costs this site points\./);
    expect(textsOf(report)[1]).toMatch(/^ Nothing costs this site points\./);
    for (const name of ["status-fail", "fail", "status-warn", "warn"]) {
      expect([name, byClass(page, name).length]).toEqual([name, 0]);
    }
    expect(textOf(byId(page, "report"))).not.toMatch(/failed/i);
    expect(reportMarkdown(report, CONTEXT)).not.toMatch(/failed/i);
    expect(textOf(byClass(page, "strip")[0]!)).toMatch(
      /^Scored checks: 1 passed\. Optional checks: 2 not met\. /,
    );
  });

  it("keep their fixes, below a heading, and are folded otherwise", () => {
    expectBoth(report, "Optional: these bring no points");
    expect(textOf(byId(page, "fixes"))).toContain("llms.txt Not met");
    const folded = all(byId(page, "checks"), "details").map(textOf);
    expect(folded[1]).toContain("1 optional check not met, which brings no pointsLink headers");
  });
});

describe("every promise of points", () => {
  const anyCheck = fc
    .record({
      kind: fc.constantFrom<Check["kind"]>("achievement", "achievement", "penalty", "capability"),
      status: fc.constantFrom<Check["status"]>("pass", "warn", "fail", "na"),
      maxPoints: fc.integer({ min: 0, max: 16 }),
      share: fc.constantFrom(0, 0.5),
      isExperimental: fc.boolean(),
    })
    .map(({ kind, status, maxPoints, share, isExperimental }): Partial<Check> => {
      if (kind === "capability" || (isExperimental && kind !== "penalty")) {
        const lifecycle = isExperimental ? "experimental" : "active";
        return { kind, status, points: 0, maxPoints: 0, lifecycle };
      }
      if (kind === "penalty") {
        const isFound = status === "fail" || status === "warn";
        return { kind, status, block: null, points: isFound ? -maxPoints : 0, maxPoints: 0 };
      }
      return { kind, status, points: status === "pass" ? maxPoints : share * maxPoints, maxPoints };
    });
  const anyReport = fc
    .record({
      checks: fc.array(anyCheck, { maxLength: 14 }),
      cappedAt: fc.option(fc.integer({ min: 0, max: 60 })),
      fixed: fc.array(fc.nat({ max: 13 }), { maxLength: 6 }),
      isOfScore: fc.boolean(),
      hasBlocks: fc.boolean(),
    })
    .map(({ checks, cappedAt, fixed, isOfScore, hasBlocks }) => {
      const base = reportOf(checks, [], cappedAt);
      const { block1, penalties } = base.scan;
      const raw = (block1 ?? 0) - (penalties ?? 0);
      const fixes = [...new Set(fixed)].flatMap((index) => {
        const check = base.checks[index];
        if (check === undefined) return [];
        const cost = costIn(check);
        const isLifted = check.kind === "achievement" && cost > 10;
        const scoreAfter = scoreOf(raw + cost, isLifted ? null : cappedAt);
        const fix = { checkId: check.checkId, status: check.status, recoverablePoints: cost };
        return [{ ...fix, scoreAfter: isOfScore ? scoreAfter : null }];
      });
      const report = reportOf(checks, fixes, cappedAt);
      const scan = hasBlocks ? report.scan : { ...report.scan, block1: null };
      return { report: { ...report, scan }, raw };
    });

  /** What the score loses by a check, counted anew. */
  function costIn({ kind, status, points, maxPoints, lifecycle }: Check): number {
    if (kind === "capability" || lifecycle === "experimental") return 0;
    if (status !== "fail" && status !== "warn") return 0;
    return kind === "penalty" ? -points : maxPoints - points;
  }

  const within = (value: number) => Math.min(100, Math.max(0, value));

  /** Expects a text to promise no more than the points that the score would gain. */
  function expectHonest(text: string, report: Report, raw: number): void {
    const score = report.scan.score!;
    const costs = report.checks.map(costIn);
    const most = within(raw + costs.reduce((sum, cost) => sum + cost, 0)) - score;
    const found = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, ...numbers]) => numbers.map(Number));
    for (const [gain] of found(/(?:worth up to |\+)([\d.]+) point/g)) {
      // The score is whole, its parts have halves.
      expect(gain).toBeLessThanOrEqual(most + 0.5);
      expect(gain).toBeGreaterThan(0);
    }
    for (const [gain, after] of found(/\+([\d.]+) points?(?:, to| \(alone:) (\d+) of 100/g)) {
      expect(after! - score).toBe(gain);
    }
    for (const [held] of found(/first: ([\d.]+) points? (?:is|are) held/g)) {
      expect(score + held!).toBe(within(raw));
    }
    for (const [gain] of found(/([\d.]+) points? once the cap/g)) {
      expect(report.scan.cappedAt).not.toBeNull();
      expect(gain).toBeLessThanOrEqual(100 - within(raw));
    }
    if (text.includes("Nothing costs")) expect(costs.every((cost) => cost === 0)).toBe(true);
  }

  it("is no more than what the score would gain", () => {
    fc.assert(
      fc.property(anyReport, ({ report, raw }) => {
        for (const text of textsOf(report)) expectHonest(text, report, raw);
      }),
      { numRuns: 60 },
    );
  });

  it("is missing where there is no score", () => {
    const fix = { checkId: "check-0", recoverablePoints: 7, scoreAfter: null, status: "fail" };
    const report = reportOf([lost("Sitemap", 0, 7)], [fix]);
    const { scan } = report;
    const none = {
      ...report,
      scan: { ...scan, score: null, band: null, scoreVersion: null, block1: null, block2: null },
    };
    for (const text of textsOf(none)) {
      expect(text).toContain("1 thing to improve.");
      expect(text).not.toMatch(/\d points?/);
    }
    expect(textsOf({ ...none, checks: [], fixes: NO_FIXES })).toEqual(["", ""]);
  });
});
