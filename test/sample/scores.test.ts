import { beforeAll, describe, expect, it } from "vitest";
import type { Check } from "../../src/contract/report-parts.js";
import type { Scan } from "../../src/published/checking/scan-schema.js";
import { repeated } from "../slow.js";
import CHECKS from "./generator/data/checks.json" with { type: "json" };
import STANDARDS from "./generator/data/standards.json" with { type: "json" };
import { wholeOf } from "./records.js";

const LISTINGS = repeated(400, 800);
const { rubric } = STANDARDS;
const { older: OLDER } = CHECKS;
const OLDER_IDS = Object.entries(CHECKS.checks).flatMap(([id, check]) =>
  "olderPoints" in check ? [id] : [],
);
const scans: Scan[] = [];
let scored: (Scan & { score: number })[] = [];

beforeAll(() => {
  for (let index = 0; index < LISTINGS; index += 1) scans.push(...wholeOf(4, index).scans);
  scored = scans.filter((scan): scan is (typeof scored)[number] => scan.score !== null);
});

const sum = (checks: readonly Check[], some: (check: Check) => boolean) =>
  checks.filter(some).reduce((total, { points }) => total + points, 0);
const clamped = (points: number) => Math.min(100, Math.max(0, Math.round(points)));
const totalOf = ({ block1, block2, penalties }: Scan) =>
  (block1 ?? Number.NaN) + (block2 ?? Number.NaN) - (penalties ?? Number.NaN);

describe("a scan's figures agree with each other", () => {
  it("the score is missing exactly if the homepage moved or failed", () => {
    for (const { status, score } of scans) {
      expect(score === null).toBe(status === "moved" || status === "failed");
    }
    expect(scans.length - scored.length).toBeGreaterThan(30);
  });

  it("points of a block's checks add up to the block, and points of penalties to the penalties", () => {
    for (const { checks, block1, block2, penalties } of scored) {
      expect(sum(checks, ({ block }) => block === 1)).toBe(block1);
      expect(sum(checks, ({ block }) => block === 2)).toBe(block2);
      expect(0 - sum(checks, ({ kind }) => kind === "penalty")).toBe(penalties);
      expect(sum(checks, ({ kind }) => kind === "capability")).toBe(0);
    }
  });

  it("the score is the blocks minus the penalties, or the ceiling if that is lower", () => {
    for (const scan of scored) {
      const total = clamped(totalOf(scan));
      expect(scan.score).toBe(Math.min(total, scan.cappedAt ?? 100));
    }
  });

  it("contract section 2: cappedAt is set if blocks minus penalties add up to more than the score", () => {
    let capped = 0;
    for (const scan of scored) {
      const shell = scan.checks.find(({ checkId }) => checkId === "empty-shell");
      const over = clamped(totalOf(scan)) > 25;
      expect(scan.cappedAt).toBe(shell?.status === "fail" && over ? 25 : null);
      if (scan.cappedAt !== null) capped += 1;
    }
    expect(capped).toBeGreaterThan(20);
    expect(capped).toBeLessThan(scored.length / 5);
  });

  it("scores fill the whole range and every band", () => {
    const tens = new Set(scored.map(({ score }) => Math.floor(score / 10)));
    expect(tens.size).toBeGreaterThanOrEqual(9);
    for (const { min, max } of rubric.bands) {
      const inside = scored.filter(({ score }) => min <= score && score <= max);
      expect(inside.length).toBeGreaterThan(scored.length / 20);
    }
  });

  it("a band is the rubric's for the current version, and its own for the older version", () => {
    for (const { score, band, scoreVersion } of scored) {
      const older = scoreVersion === OLDER.version;
      expect([rubric.version, OLDER.version]).toContain(scoreVersion);
      const bands = older ? OLDER.bands : rubric.bands;
      const expected = bands.find(({ min, max }) => min <= score && score <= max)?.band;
      expect(older ? [expected] : [expected, null]).toContain(band);
    }
  });
});

describe("a scan's checks", () => {
  it("are the standards' checks of the scan's version, each once, with their texts and points", () => {
    const known = new Map(STANDARDS.checks.map((check) => [check.id, check]));
    const current = STANDARDS.checks.filter(({ lifecycle }) => lifecycle !== "deprecated");
    for (const { checks, scoreVersion } of scored) {
      const ids = checks.map(({ checkId }) => checkId);
      expect(new Set(ids).size).toBe(ids.length);
      const older = scoreVersion === OLDER.version;
      expect(ids).toEqual(
        older
          ? STANDARDS.checks.map(({ id }) => id).filter((id) => OLDER_IDS.includes(id))
          : current.map(({ id }) => id),
      );
      const shown = checks.map(({ checkId, title, label, kind, block }) => {
        return { id: checkId, title, name: label, kind, block };
      });
      expect(shown).toEqual(
        ids.map((id) => {
          const { title, name, kind, block } = known.get(id)!;
          return { id, title, name, kind, block };
        }),
      );
      if (older) continue;
      expect(checks.map(({ checkVersion, maxPoints }) => [checkVersion, maxPoints])).toEqual(
        current.map(({ version, maxPoints }) => [version, maxPoints]),
      );
    }
  });

  it("have all points for a pass, half for a warning, none for a failure", () => {
    const share = { pass: 1, na: 1, warn: 0.5, fail: 0 };
    for (const { checks } of scored) {
      const [penalties, others] = [true, false].map((wanted) =>
        checks.filter(({ kind }) => (kind === "penalty") === wanted),
      );
      const expected = others?.map(({ status, maxPoints }) => maxPoints * share[status]);
      expect(others?.map(({ points }) => points)).toEqual(expected);
      expect(penalties?.filter(({ points, maxPoints }) => points > 0 || maxPoints > 0)).toEqual([]);
    }
  });

  it("agree with the requests: a wall answers 403, and a file that was found 200", () => {
    for (const { checks, observations } of scored) {
      const status = (id: string) => checks.find(({ checkId }) => checkId === id)?.status;
      const answered = (key: string) => observations.find((one) => one.key === key)?.status;
      expect(answered("home")).toBe(status("status-codes") === "fail" ? 403 : 200);
      if (status("robots-txt") === "pass") expect(answered("robots")).toBe(200);
      if (status("llms-txt") === "fail") expect(answered("llms") ?? 404).toBe(404);
      if (status("sitemap") === "warn") expect(answered("sitemap") ?? 200).toBe(200);
    }
  });
});

describe("a scan's fixes", () => {
  it("recover the points that a check missed or a penalty took, most first", () => {
    let count = 0;
    for (const { checks, fixes } of scored) {
      const recovered = fixes.map(({ recoverablePoints }) => recoverablePoints);
      expect(recovered).toEqual(recovered.toSorted((a, b) => b - a));
      const judged = fixes.map(({ checkId }) => checks.find((one) => one.checkId === checkId)!);
      expect(fixes.map(({ status }) => status)).toEqual(judged.map(({ status }) => status));
      expect(judged.filter(({ status }) => status === "pass" || status === "na")).toEqual([]);
      expect(recovered).toEqual(
        judged.map(({ kind, points, maxPoints }) => (kind === "penalty" ? 0 : maxPoints) - points),
      );
      count += fixes.length;
    }
    expect(count).toBeGreaterThan(scored.length * 2);
  });

  it("have as scoreAfter the score with the fix, and text in the HTML lifts the ceiling (contract section 2)", () => {
    let lifted = 0;
    for (const scan of scored) {
      for (const { checkId, recoverablePoints, scoreAfter } of scan.fixes) {
        const lifts = checkId === "server-rendered";
        const ceiling = lifts ? 100 : (scan.cappedAt ?? 100);
        const after = Math.min(ceiling, clamped(totalOf(scan) + recoverablePoints));
        expect(scoreAfter).toBe(after);
        expect(scoreAfter).toBeGreaterThanOrEqual(scan.score);
        if (lifts && scan.cappedAt !== null && after > 25) lifted += 1;
      }
    }
    expect(lifted).toBeGreaterThan(10);
  });

  it("have no scoreAfter without a score, and a prompt exactly if it is archived", () => {
    for (const { score, fixes } of scans) {
      for (const { scoreAfter, prompt, promptStatus } of fixes) {
        expect(scoreAfter === null).toBe(score === null);
        expect(prompt === null).toBe(promptStatus === "unavailable");
        expect(prompt ?? "").not.toContain("{host}");
      }
    }
  });
});

describe("a scan's other parts", () => {
  it("include nextRetryAt exactly for delayed work, with a time after the scan", () => {
    let delayed = 0;
    for (const { enrichment, finishedAt } of scans) {
      for (const state of [enrichment?.copy, enrichment?.starterFiles]) {
        if (state === undefined || state === null) continue;
        expect(state.nextRetryAt !== null).toBe(state.state === "delayed");
        if (state.nextRetryAt === null) continue;
        expect(Date.parse(state.nextRetryAt)).toBeGreaterThan(Date.parse(finishedAt));
        delayed += 1;
      }
    }
    expect(delayed).toBeGreaterThan(10);
  });

  it("add up to about 14 kB, 10 to 18 kB on average", () => {
    const bytes = scans.map((scan) => Buffer.byteLength(JSON.stringify(scan)));
    const average = bytes.reduce((total, size) => total + size, 0) / bytes.length;
    expect(average).toBeGreaterThan(10_000);
    expect(average).toBeLessThan(18_000);
    expect(Math.max(...bytes)).toBeLessThan(40_000);
  });

  it("follow each other in time, and so do the ids", () => {
    for (let index = 0; index < 300; index += 1) {
      const own = wholeOf(4, index).scans;
      const ids = own.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted());
      const instants = own.map(({ finishedAt }) => Date.parse(finishedAt));
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    }
  });
});
