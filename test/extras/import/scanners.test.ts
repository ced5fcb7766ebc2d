import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ImportUsageError } from "../../../src/extras/import/columns.js";
import { FORMATS } from "../../../src/extras/import/formats.js";
import { importTables } from "../../../src/extras/import/import.js";
import type { ImportOptions } from "../../../src/extras/import/options.js";
import { BadInputError } from "../../../src/input/checking/problem.js";
import { StandardsRecord } from "../../../src/input/checking/schemas.js";
import { build } from "../../../src/publish/build.js";
import { initPublished } from "../../../src/sample/sample.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  temporaryFolder,
  writePublished,
} from "../../fixtures.js";
import { aService, send } from "../../server/http.js";
import { numbersOf } from "./numbers.js";

const SAMPLES = import.meta.dirname;

// biome-ignore lint/suspicious/noExplicitAny: tests read and change any part of a document
type Json = Record<string, any>;

/** What a scanner printed, as a value that tests may change. */
function sampleOf(name: string): Json {
  return JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), "utf8"));
}

/** A folder in which scanners' files are imported into `published`. */
async function aFolder() {
  const folder = await temporaryFolder();
  const published = join(folder, "published");
  let files = 0;
  const given = async (
    name: string,
    documents: readonly unknown[],
    options: ImportOptions = {},
  ) => {
    const paths = documents.map((_, at) => join(folder, `${files + at}.json`));
    files += paths.length;
    for (const [at, path] of paths.entries()) await writeFile(path, JSON.stringify(documents[at]));
    return numbersOf(await importTables(paths, { published, from: name, ...options }));
  };
  const lines = async (file: string): Promise<Json[]> => {
    const text = await readFile(join(published, file), "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const served = async () => {
    const store = join(folder, "store");
    const { warnings } = await build(published, { store, jobs: 1 });
    const { server } = await aService(null, onTestFinished, { store });
    const data = async (target: string) => JSON.parse((await send(server, target)).text).data;
    const page = async (target: string) =>
      (await send(server, target, { headers: { accept: "text/html" } })).text;
    return { warnings, data, page };
  };
  return { folder, published, given, lines, served };
}

async function refusal(work: Promise<unknown>): Promise<string[]> {
  const error = await work.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(BadInputError);
  return (error as BadInputError).problems.map(
    ({ line, path, message }) => `${line} ${path} ${message}`,
  );
}

describe("a scanner's file becomes a directory in one command:", () => {
  it.each([
    ["lighthouse", "lighthouse-llms-txt", "lighthouse-13", 67, "needs-improvement", "Lighthouse"],
    ["afdocs", "afdocs-llms-txt-exists", "afdocs-0", 59, "f", "afdocs"],
    ["a14y", "a14y-llms-txt-exists", "a14y-0.2.0", 50, "fair", "a14y"],
    ["cloudflare", "cloudflare-robots-txt", null, null, null, "Cloudflare URL Scanner"],
  ])(
    "%s, from the file to search and report",
    async (name, passed, version, score, band, scanner) => {
      const { given, served } = await aFolder();
      const result = await given(name, [sampleOf(name)]);
      expect(result).toMatchObject({ scans: { added: 1 }, listings: { added: 1 } });
      const { warnings, data, page } = await served();
      // The name and the address of the directory are still the template's.
      expect(warnings).toHaveLength(1);
      const [site] = await data("/api/sites");
      expect(site).toMatchObject({
        host: "peas.example",
        url: "https://peas.example/",
        latestScore: score,
        latestBand: band,
        latestScoreVersion: version,
      });
      const report = await data("/api/sites/peas.example/report");
      expect(report.profile).toMatchObject({ scanner, url: "https://peas.example/" });
      const check = report.checks.find(({ checkId }: { checkId: string }) => checkId === passed);
      expect(check).toMatchObject({ status: "pass" });
      expect(await page("/sites/peas.example")).toContain(check.label);
      const { checks } = await data("/api/standards");
      const known = new Set(checks.map(({ id }: { id: string }) => id));
      expect(
        report.checks.filter(({ checkId }: { checkId: string }) => !known.has(checkId)),
      ).toEqual([]);
    },
  );

  it.each(FORMATS)(
    "$name explains all of its checks, in bands without a gap",
    ({ name, standards }) => {
      const { checks, rubric } = StandardsRecord.parse(standards);
      for (const {
        id,
        overview,
        whyItMatters,
        whatWeCheck,
        results,
        limitations,
        sources,
      } of checks) {
        expect(id.startsWith(`${name}-`)).toBe(true);
        const texts = [overview, whyItMatters, whatWeCheck, results, limitations];
        expect(
          texts.map((text) => text.endsWith(".")),
          id,
        ).not.toContain(false);
        expect(sources.length, id).toBeGreaterThan(0);
      }
      const sum = checks.reduce((all, { maxPoints }) => all + maxPoints, 0);
      expect(Math.round(sum)).toBe(rubric.block1Points);
    },
  );
});

describe("what a scanner says", () => {
  const scanOf = async (name: string, change: (sample: Json) => void) => {
    const { given, published } = await aFolder();
    const sample = sampleOf(name);
    change(sample);
    const result = await given(name, [sample]);
    const [day = ""] = await readdir(join(published, "scans"));
    const scan = JSON.parse(await readFile(join(published, "scans", day), "utf8"));
    const statuses = Object.fromEntries(
      scan.checks.map(({ checkId, status }: Record<string, string>) => [
        checkId?.slice(name.length + 1),
        status,
      ]),
    );
    return { result, scan, statuses, day };
  };

  it("keeps Lighthouse's version, time and weights; audits without a score do not apply", async () => {
    const { scan, statuses, day } = await scanOf("lighthouse", () => {});
    expect(day).toBe("lighthouse-2026-06-14.ndjson");
    expect(scan).toMatchObject({
      id: "lighthouse-2026-06-14T05-55-28-408Z",
      finishedAt: "2026-06-14T05:55:28.408Z",
      score: 67,
      block1: 66.67,
      profile: { scanner: "Lighthouse", scannerVersion: "13.5.0" },
    });
    expect(statuses).toEqual({
      "agent-accessibility-tree": "fail",
      "webmcp-form-coverage": "na",
      "webmcp-registered-tools": "na",
      "webmcp-schema-validity": "na",
      "cumulative-layout-shift": "pass",
      "llms-txt": "pass",
      "ard-schema": "na",
    });
    const points = scan.checks.map(({ maxPoints }: { maxPoints: number }) => maxPoints);
    expect(points).toEqual([33.33, 0, 0, 0, 33.33, 33.33, 0]);
  });

  it("counts an audit of Lighthouse in part between its colours, and leaves informative ones out", async () => {
    const { statuses } = await scanOf("lighthouse", ({ audits }) => {
      audits["cumulative-layout-shift"].score = 0.5;
      audits["llms-txt"].score = 0.49;
      audits["ard-schema"].scoreDisplayMode = "informative";
    });
    expect(statuses).toMatchObject({ "cumulative-layout-shift": "warn", "llms-txt": "fail" });
    expect(statuses).not.toHaveProperty("ard-schema");
  });

  it("takes 0.9 of Lighthouse for a pass, as its colours do", async () => {
    const { statuses } = await scanOf("lighthouse", ({ audits }) => {
      audits["cumulative-layout-shift"].score = 0.9;
      audits["llms-txt"].score = 0.89;
    });
    expect(statuses).toMatchObject({ "cumulative-layout-shift": "pass", "llms-txt": "warn" });
  });

  it("gives no points to checks that afdocs did not count", async () => {
    const { scan } = await scanOf("afdocs", () => {});
    const points = (id: string) => scan.checks.find((one: Json) => one.checkId === id).maxPoints;
    expect(points("afdocs-rendering-strategy")).toBe(0);
    // 10 of the 46 points of the checks that count.
    expect(points("afdocs-llms-txt-exists")).toBe(21.74);
  });

  it("gives no score where the scanner gave none", async () => {
    const { scan } = await scanOf("afdocs", (sample) => delete sample.scoring);
    expect(scan).toMatchObject({ score: null, scoreVersion: null, fixes: [] });
    expect(scan.checks.map(({ maxPoints }: { maxPoints: number }) => maxPoints)).not.toContain(1);
    const { scan: empty } = await scanOf("lighthouse", ({ categories }) => {
      categories["agentic-browsing"].score = null;
    });
    expect(empty).toMatchObject({ score: null, scoreVersion: null });
  });

  it("says that a score of afdocs is capped, and how to fix its checks", async () => {
    const { scan, statuses } = await scanOf("afdocs", () => {});
    expect(scan.summary).toContain("Grade F. The score is capped at 59: Too few pages");
    expect(statuses).toMatchObject({
      "auth-alternative-access": "na",
      "llms-txt-coverage": "fail",
    });
    const fix = scan.fixes.find((one: Json) => one.checkId === "afdocs-llms-txt-links-markdown");
    expect(fix).toMatchObject({ status: "warn", promptStatus: "unavailable" });
    expect(fix.recoverablePoints).toBeGreaterThan(0);
  });

  it("sums up what a check of a14y gave on each page", async () => {
    const { scan, statuses } = await scanOf("a14y", () => {});
    expect(statuses).toMatchObject({
      "llms-txt-content-type": "warn",
      "sitemap-md-has-structure": "na",
      "http-status-200": "pass",
      "html-lang-attribute": "warn",
      "markdown-content-negotiation": "na",
    });
    expect(scan.block1).toBe(50);
    const language = scan.checks.find((one: Json) => one.checkId === "a14y-html-lang-attribute");
    expect(language).toMatchObject({
      points: 10,
      maxPoints: 20,
      summary: "Passes on 1 of 2 pages.",
    });
  });

  it("counts each check once under the other methodology of a14y", async () => {
    const { scan } = await scanOf("a14y", (sample) => {
      sample.scoringMethodology = "per-check-mean-v1";
    });
    const language = scan.checks.find((one: Json) => one.checkId === "a14y-html-lang-attribute");
    expect(language).toMatchObject({ points: 7.14, maxPoints: 14.29 });
  });

  it("names the level of URL Scanner", async () => {
    const { scan } = await scanOf("cloudflare", () => {});
    expect(scan).toMatchObject({
      id: "cloudflare-3f0f7d3c-0d0c-4a58-9b07-9f6c0a8d6a11",
      status: "complete",
      summary: "Level 2: Bot-Aware.",
      profile: { level: 2, isCommerce: false },
    });
  });

  it("gives a site that redirects to another one no score", async () => {
    const { scan, result } = await scanOf("lighthouse", (sample) => {
      sample.finalDisplayedUrl = "https://beans.example/";
    });
    expect(scan).toMatchObject({ status: "moved", score: null, checks: [] });
    expect(scan.redirect).toEqual({ host: "beans.example", status: null });
    expect(result.warnings.join()).toContain("peas.example redirects to beans.example");
  });

  it("adds a check that we do not know yet to the standards", async () => {
    const { result, scan } = await scanOf("lighthouse", ({ audits, categories }) => {
      audits.future = { title: "Future", score: 1, scoreDisplayMode: "binary" };
      categories["agentic-browsing"].auditRefs.push({ id: "future", weight: 1 });
    });
    expect(result.checks).toEqual(["lighthouse-future"]);
    expect(scan.checks.at(-1)).toMatchObject({ label: "Future", kind: "achievement", block: 1 });
  });
});

describe("a file that is none of the scanner's", () => {
  it.each([
    ["lighthouse", {}, "1 $.lighthouseVersion is missing, expected a string"],
    ["afdocs", sampleOf("lighthouse"), "1 $.url is missing, expected a string"],
    ["a14y", [sampleOf("a14y")], "1 $ has runs under several scorecards"],
    ["cloudflare", sampleOf("a14y"), "1 $.meta is missing, expected an object"],
    ["lighthouse", { ...sampleOf("lighthouse"), categories: {} }, "has no agentic-browsing; run"],
    [
      "lighthouse",
      { ...sampleOf("lighthouse"), requestedUrl: "http://localhost:8080/" },
      'found "http://localhost:8080/", expected the address of a public website',
    ],
  ])(
    "of %s is refused with place and remedy, and nothing is written",
    async (name, file, message) => {
      const { given, published } = await aFolder();
      expect((await refusal(given(name, [file]))).join("\n")).toContain(message);
      expect(existsSync(published)).toBe(false);
    },
  );

  it("shows the mistakes of all files, and changes no byte of a directory", async () => {
    const { given, published } = await aFolder();
    await given("lighthouse", [sampleOf("lighthouse")]);
    const before = await readdir(published, { recursive: true });
    const later = { ...sampleOf("lighthouse"), fetchTime: "2026-06-15T05:55:28.408Z" };
    expect(await refusal(given("lighthouse", [later, {}, []]))).toHaveLength(6);
    expect(await readdir(published, { recursive: true })).toEqual(before);
  });

  it("is left out with a warning if the scanner itself failed, unless all did", async () => {
    const { given } = await aFolder();
    const runtimeError = { code: "NO_FCP", message: "The page did not paint anything." };
    const failed = { ...sampleOf("lighthouse"), runtimeError };
    expect((await refusal(given("lighthouse", [failed]))).join()).toContain("NO_FCP");
    const { scans, warnings } = await given("lighthouse", [failed, sampleOf("lighthouse")]);
    expect(scans.added).toBe(1);
    expect(warnings.join()).toContain(
      "is left out, because it has no result: NO_FCP: The page did",
    );
  });
});

describe("a second import", () => {
  it("of the same file changes nothing, and that of a later run adds to the history", async () => {
    const { given, lines, served } = await aFolder();
    const first = sampleOf("lighthouse");
    await given("lighthouse", [first]);
    const again = await given("lighthouse", [first, first]);
    expect(again).toMatchObject({ scans: { added: 0 }, listings: { added: 0, updated: 0 } });
    const later = { ...first, fetchTime: "2026-06-21T05:55:28.408Z" };
    expect((await given("lighthouse", [later])).scans).toMatchObject({ added: 1, updated: 0 });
    expect(await lines("scans/lighthouse-2026-06-21.ndjson")).toHaveLength(1);
    const { data } = await served();
    expect((await data("/api/sites"))[0].latestScannedAt).toBe(later.fetchTime);
  });

  it("of a run with other content is refused unless --update says that it replaces the scan", async () => {
    const { given, lines } = await aFolder();
    await given("lighthouse", [sampleOf("lighthouse")]);
    const other = { ...sampleOf("lighthouse"), lighthouseVersion: "13.6.0" };
    expect((await refusal(given("lighthouse", [other]))).join()).toMatch(/--update/);
    const { scans } = await given("lighthouse", [other], { update: true });
    expect(scans).toEqual({ added: 0, updated: 1, unchanged: 0 });
    const [scan, ...rest] = await lines("scans/lighthouse-2026-06-14.ndjson");
    expect(scan?.profile.scannerVersion).toBe("13.6.0");
    expect(rest).toEqual([]);
  });
});

describe("a directory with two scanners", () => {
  const later = () => ({ ...sampleOf("lighthouse"), fetchTime: "2026-06-20T00:00:00.000Z" });

  it("asks which counts, and writes nothing before the publisher has said it", async () => {
    const { given, published, lines } = await aFolder();
    await given("afdocs", [sampleOf("afdocs")]);
    const undecided = given("lighthouse", [later()]);
    await expect(undecided).rejects.toThrow(ImportUsageError);
    await expect(undecided).rejects.toThrow(/other checks than those of Lighthouse.*--counts yes/);
    expect(existsSync(join(published, "scans/lighthouse-2026-06-20.ndjson"))).toBe(false);
    expect((await lines("listings/afdocs.ndjson"))[0]).not.toHaveProperty("publishedScan");
  });

  it("--counts no keeps the other's newest scan published, then and later", async () => {
    const { given, lines, served } = await aFolder();
    await given("afdocs", [sampleOf("afdocs")]);
    const second = await given("lighthouse", [later()], { counts: false });
    expect(second).toMatchObject({ listings: { added: 0, updated: 1 } });
    expect(second.checks).toHaveLength(7);
    const newer = { ...sampleOf("afdocs"), timestamp: "2026-06-18T00:00:00.000Z" };
    expect(await given("afdocs", [newer])).toMatchObject({ listings: { updated: 1 } });
    const last = { ...later(), fetchTime: "2026-06-25T00:00:00.000Z" };
    expect(await given("lighthouse", [last])).toMatchObject({
      listings: { updated: 0 },
    });
    const [listing] = await lines("listings/afdocs.ndjson");
    expect(listing?.publishedScan).toBe("afdocs-2026-06-18T00-00-00-000Z");
    const { data } = await served();
    expect((await data("/api/sites"))[0]).toMatchObject({ latestScore: 59, latestBand: "f" });
  });

  it("--counts yes publishes the scanner's scans with its rubric, and averages nothing", async () => {
    const { given, served } = await aFolder();
    await given("afdocs", [sampleOf("afdocs")]);
    const second = await given("lighthouse", [later()], { counts: true });
    expect(second).toMatchObject({ listings: { updated: 1 } });
    const { data } = await served();
    expect((await data("/api/sites"))[0]).toMatchObject({
      latestScore: 67,
      latestBand: "needs-improvement",
    });
    const newer = { ...sampleOf("afdocs"), timestamp: "2026-06-28T00:00:00.000Z" };
    expect(await given("afdocs", [newer])).toMatchObject({
      listings: { updated: 0 },
    });
    await expect(given("lighthouse", [later()], { counts: false })).rejects.toThrow(
      /lighthouse-13/,
    );
  });

  it("and a third one publishes those of the scanner whose rubric it has", async () => {
    const { given, lines } = await aFolder();
    await given("lighthouse", [sampleOf("lighthouse")]);
    await given("afdocs", [sampleOf("afdocs")], { counts: false });
    await given("a14y", [sampleOf("a14y")], { counts: false });
    await given("lighthouse", [{ ...later(), fetchTime: "2026-06-01T00:00:00.000Z" }]);
    const [listing] = await lines("listings/lighthouse.ndjson");
    expect(listing?.publishedScan).toBe("lighthouse-2026-06-14T05-55-28-408Z");
  });

  it("and a rubric of the publisher's own publishes the publisher's scans", async () => {
    const { folder, given, lines } = await aFolder();
    const own = aPublishedDirectory({
      listings: [aListing({ host: "peas.example" })],
      scans: [aScan({ host: "peas.example", finishedAt: "2026-05-01T00:00:00Z" })],
    });
    await writePublished(join(folder, "published"), own);
    await given("afdocs", [sampleOf("afdocs")], { counts: false });
    await given("lighthouse", [later()], { counts: false });
    await given("afdocs", [{ ...sampleOf("afdocs"), timestamp: "2026-06-28T00:00:00.000Z" }]);
    const [listing] = await lines("listings/all.ndjson");
    expect(listing?.publishedScan).toBe(aScan().id);
  });

  it("--counts yes keeps the bands of scans under the former rubrics, each of which is stated once", async () => {
    const { published, given, served } = await aFolder();
    const of = (host: string) =>
      JSON.parse(JSON.stringify(sampleOf("afdocs")).replaceAll("peas.example", host));
    await given("afdocs", [sampleOf("afdocs"), of("beans.example")]);
    const rubrics = async () => {
      const text = await readFile(join(published, "standards.json"), "utf8");
      const { rubric, formerRubrics }: Json = JSON.parse(text);
      return [rubric.version, formerRubrics?.map(({ version }: Json) => version)];
    };
    expect(await rubrics()).toEqual(["afdocs-0", undefined]);
    await given("lighthouse", [later()], { counts: true });
    expect(await rubrics()).toEqual(["lighthouse-13", ["afdocs-0"]]);
    const { data } = await served();
    const bands = (await data("/api/sites")).map((site: Json) => [site.host, site.latestBand]);
    expect(Object.fromEntries(bands)).toEqual({
      "beans.example": "f",
      "peas.example": "needs-improvement",
    });
    const again = { ...sampleOf("afdocs"), timestamp: "2026-06-28T00:00:00.000Z" };
    await given("afdocs", [again], { counts: true });
    expect(await rubrics()).toEqual(["afdocs-0", ["lighthouse-13"]]);
  });

  it("takes the template of crawldex init for no standards, but not one that was changed", async () => {
    const { published, given } = await aFolder();
    await initPublished(published);
    const path = join(published, "standards.json");
    const template: Json = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...template, checks: template.checks.slice(1) }));
    await expect(given("lighthouse", [later()])).rejects.toThrow(ImportUsageError);
    await writeFile(
      path,
      JSON.stringify({ ...template, rubric: { ...template.rubric, version: "2" } }),
    );
    await expect(given("lighthouse", [later()])).rejects.toThrow(ImportUsageError);
    await writeFile(path, JSON.stringify(template));
    await given("lighthouse", [later()]);
    const { rubric, checks } = JSON.parse(await readFile(path, "utf8"));
    expect([rubric.version, checks.length]).toEqual(["lighthouse-13", 7]);
  });

  it("keeps a publisher's own scans, checks and records as they are", async () => {
    const { folder, given, lines } = await aFolder();
    const own = aPublishedDirectory({
      listings: [aListing({ host: "peas.example" }), aListing({ host: "b.example" })],
      scans: [aScan({ host: "peas.example" }), aScan({ host: "b.example", id: "other" })],
    });
    const published = await writePublished(join(folder, "published"), own);
    const before = await readFile(join(published, "scans/all.ndjson"), "utf8");
    const [, untouched] = (await readFile(join(published, "listings/all.ndjson"), "utf8")).split(
      "\n",
    );
    await expect(given("lighthouse", [later()])).rejects.toThrow(ImportUsageError);
    const { checks } = await given("lighthouse", [later()], { counts: false });
    expect(checks).toHaveLength(7);
    expect(await readFile(join(published, "scans/all.ndjson"), "utf8")).toBe(before);
    const [listing, second] = await lines("listings/all.ndjson");
    expect(listing).toMatchObject({ publishedScan: aScan().id });
    expect(JSON.stringify(second)).toBe(untouched);
  });
});
