import { beforeAll, describe, expect, it } from "vitest";
import { isCanonicalHost } from "../../src/contract/host.js";
import type { Check } from "../../src/contract/report-parts.js";
import { type CheckDescription, Standards } from "../../src/contract/standards.js";
import type { Scan } from "../../src/published/checking/scan-schema.js";
import { repeated } from "../slow.js";
import CHECKS from "./generator/data/checks.json" with { type: "json" };
import NAMES from "./generator/data/names.json" with { type: "json" };
import DOCUMENT from "./generator/data/standards.json" with { type: "json" };
import { sampleIdentity } from "./generator/identity.js";
import { Random } from "./generator/random.js";
import { wholeOf } from "./records.js";

/* The sample's records say nothing that contradicts their methodology or themselves. */

const STANDARDS = Standards.parse(DOCUMENT);
const { rubric, checks, aiCrawlers, crawlerCatalogue } = STANDARDS;
const { older: OLDER } = CHECKS;
const LISTINGS = repeated(150, 800);

describe("the methodology", () => {
  const points = (some: (check: CheckDescription) => boolean) =>
    checks.filter(some).reduce((total, { maxPoints }) => total + maxPoints, 0);

  it("has blocks whose active achievements add up to them, and capabilities and experiments without points", () => {
    const active = (block: number) =>
      points((check) => {
        const { kind, lifecycle } = check;
        return kind === "achievement" && lifecycle === "active" && check.block === block;
      });
    expect([active(1), active(2)]).toEqual([rubric.block1Points, rubric.block2Points]);
    expect(active(1) + active(2)).toBe(100);
    const isPointless = ({ kind, lifecycle }: CheckDescription) =>
      kind === "capability" || lifecycle !== "active";
    expect([points(isPointless), points(({ kind }) => kind === "penalty")]).toEqual([0, 0]);
  });

  it("has every kind, class and lifecycle, ids once, and an outcome for each check", () => {
    for (const key of ["kind", "checkClass", "lifecycle"] as const) {
      expect(new Set(checks.map((check) => check[key])).size).toBe(3);
    }
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(CHECKS.checks).sort()).toEqual(ids.toSorted());
    expect(checks.flatMap(({ related }) => related).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("contract section 2: aiCrawlers is the projection of those that the scanner recognizes", () => {
    const recognized = crawlerCatalogue.filter(({ scanner }) => scanner.recognized);
    expect(aiCrawlers).toEqual(
      recognized.map(({ name, operator, purposes: [purpose] }) => ({ name, operator, purpose })),
    );
    expect(new Set(aiCrawlers.map(({ purpose }) => purpose)).size).toBe(5);
  });
});

describe("the hosts", () => {
  const FIRST_WORDS = NAMES.first.flatMap((line) => line.split(" "));
  const SECOND_WORDS = Object.values(NAMES.topics).flatMap(({ words }) => words.split(" "));
  const PAIRS = FIRST_WORDS.length * SECOND_WORDS.length;
  /** Reserved by RFC 2606, and by IANA for tests of internationalised names; nobody can register them. */
  const RESERVED = ["example", "испытание", "测试", "テスト", "테스트", "إختبار", "δοκιμή"];

  it("are canonical, unique without a list of used hosts, and in reserved domains: no finding is about a real site", () => {
    const starts = [0, 1, 2, 9].map((round) => round * PAIRS);
    const hosts = starts.flatMap((start) =>
      Array.from({ length: repeated(1_500, 5_000) }, (_, index) => {
        return sampleIdentity(1, start + index, new Random(1, start + index)).host;
      }),
    );
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.filter((host) => !isCanonicalHost(host))).toEqual([]);
    const domains = RESERVED.map((name) => new URL(`http://${name}`).hostname);
    expect([...new Set(hosts.map((host) => host.split(".").at(-1)))].sort()).toEqual(
      domains.sort(),
    );
  });
});

describe("the scans", () => {
  const scans: Scan[] = [];
  let scored: (Scan & { score: number })[] = [];
  beforeAll(() => {
    for (let index = 0; index < LISTINGS; index += 1) scans.push(...wholeOf(4, index).scans);
    scored = scans.filter((scan): scan is (typeof scored)[number] => scan.score !== null);
  });

  const sum = (own: readonly Check[], some: (check: Check) => boolean) =>
    own.filter(some).reduce((total, { points }) => total + points, 0);
  const clamped = (points: number) => Math.min(100, Math.max(0, Math.round(points)));
  const totalOf = ({ block1, block2, penalties }: Scan) =>
    (block1 ?? Number.NaN) + (block2 ?? Number.NaN) - (penalties ?? Number.NaN);

  it("have no score exactly if the homepage moved or failed", () => {
    for (const { status, score } of scans) {
      expect(score === null).toBe(status === "moved" || status === "failed");
    }
    expect(scored.length).toBeLessThan(scans.length);
  });

  it("have points that add up to the blocks and penalties, these to the score, and that to the band", () => {
    for (const scan of scored) {
      const { checks, block1, block2, penalties, score, band, scoreVersion } = scan;
      expect(sum(checks, ({ block }) => block === 1)).toBe(block1);
      expect(sum(checks, ({ block }) => block === 2)).toBe(block2);
      expect(0 - sum(checks, ({ kind }) => kind === "penalty")).toBe(penalties);
      expect(score).toBe(Math.min(clamped(totalOf(scan)), scan.cappedAt ?? 100));
      const isOlder = scoreVersion === OLDER.version;
      const bands = isOlder ? OLDER.bands : rubric.bands;
      const own = bands.find(({ min, max }) => min <= score && score <= max)?.band;
      expect(isOlder ? [own] : [own, null]).toContain(band);
    }
    expect(scored.some(({ cappedAt }) => cappedAt !== null)).toBe(true);
  });

  it("have fixes for what did not pass, most points first, with the score that each would give", () => {
    let count = 0;
    for (const scan of scored) {
      const recovered = scan.fixes.map(({ recoverablePoints }) => recoverablePoints);
      expect(recovered).toEqual(recovered.toSorted((a, b) => b - a));
      for (const { checkId, status, recoverablePoints, scoreAfter } of scan.fixes) {
        const judged = scan.checks.find((one) => one.checkId === checkId)!;
        expect([judged.status, ["pass", "na"].includes(status)]).toEqual([status, false]);
        const most = judged.kind === "penalty" ? 0 : judged.maxPoints;
        expect(recoverablePoints).toBe(most - judged.points);
        const ceiling = checkId === "server-rendered" ? 100 : (scan.cappedAt ?? 100);
        expect(scoreAfter).toBe(Math.min(ceiling, clamped(totalOf(scan) + recoverablePoints)));
      }
      count += scan.fixes.length;
    }
    expect(count).toBeGreaterThan(scored.length * 2);
  });

  it("have about 14 kB each, 10 to 18 kB on average", () => {
    const bytes = scans.map((scan) => Buffer.byteLength(JSON.stringify(scan)));
    const average = bytes.reduce((total, size) => total + size, 0) / bytes.length;
    expect(average).toBeGreaterThan(10_000);
    expect(average).toBeLessThan(18_000);
  });
});
