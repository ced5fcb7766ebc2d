import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { excerptOf } from "../../src/compile/excerpt.js";
import type { Report } from "../../src/contract/report.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import { reportMarkdown } from "../../src/pages/report/report-markdown.js";
import { reportPage } from "../../src/pages/report/report-page.js";
import { build } from "../../src/publish/build.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { StoredSnapshot } from "../../src/store/reader.js";
import { answerRef } from "../../src/store/segments/directory.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/larger.js";
import { repeated } from "../slow.js";
import { all, attributeOf, elementsOf, parsedPage, textOf } from "./parsed.js";
import { CONTEXT } from "./reports.js";

/** One in so many of the real reports, which are much alike. */
const REAL_STEP = Math.ceil(REAL.listings / repeated(50, 200));
const SAMPLE = { listings: repeated(40, 120), seed: 9 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crawldex-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** All reports of a published directory, latest and historical, one in so many of them. */
async function reportsIn(
  published: string,
  step: number,
): Promise<{ context: PageContext; reports: Report[] }> {
  const store = await mkdtemp(join(folder, "store-"));
  await build(published, { store, jobs: 1, keep: 1 });
  const snapshot = await StoredSnapshot.openManifest(store, await requireCurrent(store));
  const context = { ...CONTEXT, ...(await snapshot.readDirectoryFacts()) };
  const reports: Report[] = [];
  let place = 0;
  for await (const { segment, report, historical } of snapshot.listings.allEntries()) {
    for (const location of [report, ...historical.map((one) => one.report)]) {
      place += 1;
      if (place % step !== 0) continue;
      const body = await snapshot.readAnswer(answerRef(segment, location));
      const report = (JSON.parse(new TextDecoder().decode(body)) as { data: Report }).data;
      expect(excerptOf(report)).toBeNull();
      reports.push(report);
    }
  }
  snapshot.close();
  return { context, reports };
}

/** What must be true of every page. */
function expectPage(report: Report, context: PageContext): void {
  const { host } = report.site;
  const page = parsedPage(reportPage(report, context));
  const text = textOf(page);
  expect([host, /\b(?:undefined|NaN|null)\b|\[object/.exec(text)?.[0]]).toEqual([host, undefined]);
  const ids = new Set(elementsOf(page).flatMap((one) => attributeOf(one, "id") ?? []));
  for (const link of all(page, "a")) {
    const address = attributeOf(link, "href") ?? "";
    const isOurs =
      address.startsWith(`${host}/report.md`) ||
      [`${host}/badge.svg`, `${host}/fix.md`].includes(address) ||
      address === host ||
      address === `../compare?sites=${host}` ||
      /^\.\.\/(?:$|\?q=[a-z0-9.-]+$|api|categories|compare|standards|trends|feeds|changes|checks\/[a-z0-9-]+)?$/.test(
        address,
      ) ||
      address === `../compare?sites=${host}` ||
      /^[^/]*\?scan=[\w-]+$/.test(address) ||
      address.startsWith(`../api/sites/${host}/report`) ||
      (address.startsWith("#") && ids.has(address.slice(1)));
    // The publisher's own contact is in the footer.
    if (!isOurs && address !== context.publisher?.contact)
      expect([host, new URL(address).protocol]).toEqual([host, expect.stringMatching(/^https?:$/)]);
  }
  for (const table of all(page, "table")) {
    expect(all(table, "th").length).toBeGreaterThan(0);
    expect(all(table, "th").filter((th) => attributeOf(th, "scope") === null)).toEqual([]);
  }
  const { score } = report.scan;
  expect([host, text.includes("No score") || text.includes("no score")]).toEqual([
    host,
    score === null || (report.history ?? []).some((one) => one.score === null),
  ]);
  const markdown = reportMarkdown(report, context);
  expect(markdown).toContain(score === null ? ": no score\n" : `: ${score} of 100\n`);
  expect(markdown).not.toMatch(/\bundefined\b|\bNaN\b|\[object|\n{4}/);
  for (const { label } of report.checks) {
    expect(text).toContain(label.replace(/\s+/g, " ").trim());
  }
}

describe("the pages of whole directories", () => {
  it("of real listings are well-formed, complete and without gaps", async () => {
    const { context, reports } = await reportsIn(REAL.folder, REAL_STEP);
    expect(reports.length).toBeGreaterThan(repeated(25, 100));
    for (const report of reports) expectPage(report, context);
  });

  it("of a sample's listings are too, in every state", async () => {
    await writeSample(join(folder, "sample"), SAMPLE);
    const { context, reports } = await reportsIn(join(folder, "sample"), 1);
    const states = reports.map(
      ({ scan }) => `${scan.status} ${scan.score === null} ${scan.historical}`,
    );
    expect(new Set(states).size).toBeGreaterThan(4);
    for (const report of reports) expectPage(report, context);
  });
});
