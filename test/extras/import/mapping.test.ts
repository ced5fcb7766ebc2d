import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importTables } from "../../../src/extras/import/import.js";
import { BadInputError } from "../../../src/input/checking/problem.js";
import { validate } from "../../../src/publish/build.js";
import {
  aCheckDescription,
  aPublishedDirectory,
  temporaryFolder,
  theStandards,
  writePublished,
} from "../../fixtures.js";
import { numbersOf } from "./numbers.js";

const MAPPING = {
  scanner: "House Scanner",
  rows: "results",
  url: "site.url",
  finishedAt: "finished",
  version: "$.tool.version",
  score: "score",
  scoreOf: 1,
  round: true,
  checks: {
    at: "checks",
    id: "name",
    status: "result",
    statuses: { ok: "pass", partly: "warn", bad: "fail" } as Record<string, string>,
  },
};

const ROW = {
  site: { url: "https://www.peas.example/about" },
  finished: "2026-06-14T08:00:00Z",
  score: 0.725,
  checks: [
    { name: "Robots_OK", result: "ok" },
    { name: "sitemap", result: "bad" },
  ],
};

/** A document as the mapping says, with other rows. */
function documentOf(...rows: readonly object[]) {
  return { tool: { version: "2.1" }, results: rows };
}

async function aFolder() {
  const folder = await temporaryFolder();
  const published = join(folder, "published");
  const given = async (mapping: unknown, document: unknown) => {
    const from = join(folder, "mapping.json");
    const file = join(folder, "scan.json");
    await writeFile(from, JSON.stringify(mapping));
    await writeFile(file, typeof document === "string" ? document : JSON.stringify(document));
    return numbersOf(await importTables([file], { published, from }));
  };
  const recordIn = async (file: string) =>
    JSON.parse(await readFile(join(published, file), "utf8"));
  return { folder, published, given, recordIn };
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(BadInputError);
  const { problems } = error as BadInputError;
  return problems.map(({ line, path, message }) => `${line} ${path} ${message}`).join("\n");
}

describe("a mapping", () => {
  it("rounds no score unless it says so, and takes the times that tables may have", async () => {
    const { given, recordIn } = await aFolder();
    const exact = { ...MAPPING, round: false };
    expect(await refusal(given(exact, documentOf(ROW)))).toContain(
      "$.results[0].score found 0.725, but a score has no decimals from 0 to 100",
    );
    const row = { ...ROW, score: 0.29, finished: "2026-06-14 08:00 UTC" };
    await given(exact, documentOf(row));
    expect(await recordIn("scans/house-scanner-2026-06-14.ndjson")).toMatchObject({
      score: 29,
      finishedAt: "2026-06-14T08:00:00Z",
    });
  });

  it("makes scans, listings and drafted standards of any JSON", async () => {
    const { published, given, recordIn } = await aFolder();
    const result = await given(MAPPING, documentOf(ROW));
    expect(result).toMatchObject({ scans: { added: 1 } });
    expect(result.checks).toEqual(["robots-ok", "sitemap"]);
    expect(await recordIn("listings/house-scanner.ndjson")).toEqual({
      host: "peas.example",
      url: "https://www.peas.example/",
      status: "unclaimed",
    });
    expect(await recordIn("scans/house-scanner-2026-06-14.ndjson")).toMatchObject({
      id: "house-scanner-2026-06-14T08-00-00Z",
      score: 73,
      scoreVersion: "1",
      profile: { scanner: "House Scanner", scannerVersion: "2.1" },
      checks: [
        { checkId: "robots-ok", label: "Robots_OK", status: "pass", kind: "capability" },
        { checkId: "sitemap", status: "fail" },
      ],
    });
    expect((await validate(published)).warnings).toHaveLength(2);
  });

  it("takes checks as an object of words, and a document that is one row", async () => {
    const { given, recordIn } = await aFolder();
    const { checks, rows: _, ...mapping } = MAPPING;
    const { at, statuses } = checks;
    const row = { ...ROW, checks: { https: "ok", feeds: "partly" } };
    await given({ ...mapping, checks: { at, statuses } }, row);
    const scan = await recordIn("scans/house-scanner-2026-06-14.ndjson");
    expect(
      scan.checks.map(({ checkId, status }: Record<string, string>) => [checkId, status]),
    ).toEqual([
      ["https", "pass"],
      ["feeds", "warn"],
    ]);
    expect(scan.profile.scannerVersion).toBeNull();
  });

  it("uses the checks and the rubric that standards.json has", async () => {
    const { folder, given, recordIn } = await aFolder();
    const own = ["robots-ok", "sitemap"].map((id) => aCheckDescription({ id, name: `Our ${id}` }));
    const standards = { ...theStandards(), checks: own };
    const files = aPublishedDirectory({ standards, listings: [], scans: [] });
    const published = await writePublished(join(folder, "published"), files);
    const before = await readFile(join(published, "standards.json"), "utf8");
    expect((await given(MAPPING, documentOf(ROW))).checks).toEqual([]);
    expect(await readFile(join(published, "standards.json"), "utf8")).toBe(before);
    const scan = await recordIn("scans/house-scanner-2026-06-14.ndjson");
    expect(scan.scoreVersion).toBe(standards.rubric.version);
    expect(scan.checks[0]).toMatchObject({ label: "Our robots-ok", kind: own[0]?.kind });
  });

  it.each([
    [{ ...MAPPING, skore: "x" }, '1 $.skore is not a known key; did you mean "score"?'],
    [{ ...MAPPING, url: undefined }, "1 $.url is missing, expected a path, such as site.host"],
    [{ ...MAPPING, scoreOf: 10 }, "1 $.scoreOf found 10, expected one of 1, 100"],
    [
      { ...MAPPING, checks: { ...MAPPING.checks, statuses: { ok: "passed" } } },
      '1 $.checks.statuses.ok found "passed", expected one of "pass", "warn", "fail", "na"',
    ],
  ])("is refused with the place of its mistake", async (mapping, message) => {
    const { published, given } = await aFolder();
    expect(await refusal(given(mapping, documentOf(ROW)))).toContain(message);
    expect(existsSync(published)).toBe(false);
  });

  it.each([
    [documentOf({ ...ROW, finished: "yesterday" }), '$.results[0].finished found "yesterday"'],
    [
      documentOf(ROW, { ...ROW, site: {} }),
      "$.results[1].site.url is missing, but the mapping names it",
    ],
    [
      documentOf({ ...ROW, score: 72 }),
      "$.results[0].score found 72, expected a number from 0 to 1",
    ],
    [
      documentOf({ ...ROW, checks: [{ name: "a", result: "OK" }] }),
      '$.results[0].checks[0].result found "OK", which the mapping\'s statuses lack: they are ok, partly, bad',
    ],
    [
      documentOf({ ...ROW, checks: [{ name: "a" }] }),
      "$.results[0].checks[0].result is missing, but",
    ],
    [documentOf(), "$.results has no row"],
    [
      documentOf({ ...ROW, checks: [ROW.checks[0], { name: "robots-ok", result: "bad" }] }),
      'found "robots-ok" a second time',
    ],
    ['{"results": [{"id": 12345678901234567890}]}', "which would be rounded"],
  ])("says where a document does not fit it", async (document, message) => {
    const { given } = await aFolder();
    expect(await refusal(given(MAPPING, document))).toContain(message);
  });

  it("that does not exist is refused with the names of the known scanners", async () => {
    const work = importTables([import.meta.filename], { from: "lighthose", published: "nowhere" });
    await expect(work).rejects.toThrow(
      '"lighthose" is neither a scanner (lighthouse, afdocs, a14y, cloudflare) nor the file of a mapping; did you',
    );
  });
});
