import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build } from "../../../src/publish/build.js";
import { aListing, aPublishedDirectory, aScan, temporaryFolder } from "../../fixtures.js";
import { publishedScanOf, searchableOf } from "../../oracle/derive.js";
import { loadRecords, type Records } from "../../oracle/records.js";
import { REAL } from "../../real.js";
import { writeSample } from "../../sample/larger.js";
import { aService } from "../../server/http.js";
import { slowIt, someOf } from "../../slow.js";
import { all, attributeOf, byClass, type Element, parsedPage, textOf } from "../parsed.js";

/*
 * The numbers on the pages of categories and checks, compared with those that the second implementation has from the
 * published records.
 */

/** The number of links that are followed. */
const LINKS = 25;

interface Site {
  readonly host: string;
  readonly category: string | null;
  /** Null without a score of the current version. */
  readonly score: number | null;
  readonly passed: readonly string[];
  /** The ids of the checks that apply to the site. */
  readonly applying: readonly string[];
}

function sitesOf(records: Records): Site[] {
  const { version } = records.standards.rubric;
  return searchableOf(records).map(({ summary }) => {
    const scan = publishedScanOf(records, records.listings.get(summary.host)!)!;
    const isCurrent = summary.latestScoreVersion === version;
    const applying = scan.checks.filter(({ status }) => status !== "na");
    return {
      host: summary.host,
      category: summary.category?.slug ?? null,
      score: isCurrent ? summary.latestScore : null,
      passed: summary.capabilities,
      applying: applying.map(({ checkId }) => checkId),
    };
  });
}

const countedText = (count: number, of: number) =>
  `${count.toLocaleString("en")} of ${of.toLocaleString("en")}`;

/** What a row of the list should say, except for names of checks. */
function expectedRow(sites: readonly Site[], records: Records) {
  const scores = sites
    .flatMap(({ score }) => (score === null ? [] : [score]))
    .sort((a, b) => a - b);
  const top = records.standards.rubric.bands.reduce((a, b) => (a.max > b.max ? a : b));
  const exemplary = scores.filter((score) => score >= top.min).length;
  const worst = records.standards.checks
    .filter(({ kind, lifecycle }) => kind === "achievement" && lifecycle === "active")
    .map(({ id }) => {
      const subject = sites.filter(({ applying }) => applying.includes(id));
      const failing = subject.filter(({ passed }) => !passed.includes(id)).length;
      return { failing, subject: subject.length };
    })
    .filter(({ failing, subject }) => failing > 0 && subject >= 5)
    .reduce((most, { failing, subject }) => Math.max(most, failing / subject), 0);
  return {
    sites: sites.length,
    scored: scores.length,
    exemplary,
    median: scores.length < 5 ? "—" : String(scores[Math.ceil(scores.length / 2) - 1]),
    worst,
  };
}

function shownRow(group: Element) {
  const text = (name: string) => textOf(byClass(group, name)[0]!);
  const [, exemplary = ""] =
    /\d ([\d,]+) sites?/.exec(textOf(byClass(group, "key")[0] ?? group)) ?? [];
  const [, scored = ""] = /([\d,]+) of [\d,]+ sites have a current score/.exec(textOf(group)) ?? [];
  const numberIn = (one: string) => Number(one.replaceAll(",", ""));
  const [, failing, subject] = /([\d,]+) of ([\d,]+)/.exec(text("by-failed")) ?? [];
  const share = /(\d+)%/.exec(text("by-failed"))?.[1];
  return {
    name: textOf(all(group, "th")[0]!),
    sites: numberIn(text("by-sites").replace(/ sites?/, "")),
    scored: numberIn(scored),
    exemplary: numberIn(exemplary),
    share: /(\d+)%/.exec(text("by-share"))?.[1] ?? null,
    median: text("by-median"),
    worst: share === undefined ? 0 : numberIn(failing!) / numberIn(subject!),
    worstShare: share === undefined ? null : Number(share),
  };
}

async function opened(published: string) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  await build(published, { store, jobs: 1, keep: 1 });
  const { server } = await aService(null, onTestFinished, { store });
  const records = loadRecords(published);
  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  return { records, sites: sitesOf(records), get };
}

/** Compares a group of the list with the records. @returns the links to searches, with the numbers that they name */
function compared(group: Element, sites: readonly Site[], records: Records): [string, number][] {
  const slug = slugIn(all(group, "a")[0]!, "categories/");
  const own = slug === null ? sites : sites.filter(({ category }) => category === slug);
  const { name, share, worstShare, ...shown } = shownRow(group);
  expect([name, shown]).toEqual([name, expectedRow(own, records)]);
  if (share !== null)
    expect(Math.abs(Number(share) - (100 * shown.exemplary) / shown.scored)).toBeLessThan(1);
  if (worstShare !== null) expect(Math.abs(worstShare - 100 * shown.worst)).toBeLessThan(1);
  return all(group, "a").flatMap((one) => {
    // The parts of a bar name their band, too.
    const [, count] = /([\d,]+) sites?$/.exec(textOf(one)) ?? [];
    const query = slugIn(one, "./");
    return count === undefined || query === null
      ? []
      : [[query, Number(count.replaceAll(",", ""))]];
  });
}

/** The rest of a link that begins with a text; null for another link. */
function slugIn(link: Element, start: string): string | null {
  const href = attributeOf(link, "href") ?? "";
  return href.startsWith(start) ? href.slice(start.length) : null;
}

/** Compares a line of a check's page with the records. @returns as `compared` */
function comparedLine(line: Element, sites: readonly Site[], id: string): [string, number][] {
  const [category, passing] = all(line, "a");
  const slug = slugIn(category!, "../categories/");
  const subject = sites.filter((one) => one.category === slug && one.applying.includes(id));
  const passed = subject.filter((one) => one.passed.includes(id)).length;
  expect(textOf(line)).toContain(countedText(passed, subject.length));
  return passing === undefined ? [] : [[slugIn(passing, "../") ?? "", passed]];
}

it("no number of a band leads to sites that are scored by another version", async () => {
  const listings = ["a", "b", "c"].map((name) =>
    aListing({ host: `${name}.example`, category: name === "c" ? "weather" : "news" }),
  );
  const scans = listings.map(({ host }) =>
    aScan({ host, score: 90, band: "open", ...(host === "b.example" && { scoreVersion: "old" }) }),
  );
  const { server } = await aService(aPublishedDirectory({ listings, scans }));
  const linksOf = async (path: string) => {
    const page = parsedPage(await (await fetch(server.url + path)).text());
    const links = all(page, "a").map((one) => attributeOf(one, "href") ?? "");
    return [...new Set(links.filter((link) => link.includes("band=")))];
  };
  expect(await linksOf("/categories")).toEqual(["./?category=weather&band=open"]);
  expect(await linksOf("/categories/weather")).toEqual(["../?category=weather&band=open"]);
  expect(await linksOf("/categories/news")).toEqual([]);
});

/** Expects the pages of a directory to have the numbers of its records, and links that find exactly so many sites. */
async function expectNumbers(published: string): Promise<void> {
  const { records, sites, get } = await opened(published);
  const groups = all(parsedPage(await get("/categories")), "tbody");
  const slugs = new Set(sites.flatMap(({ category }) => category ?? []));
  expect(groups).toHaveLength(slugs.size + 1);
  const { id } = records.standards.checks[0]!;
  const page = parsedPage(await get(`/checks/${id}`));
  const lines = byClass(page, "by-category").flatMap((list) => all(list, "li"));
  expect(lines.length).toBeGreaterThan(slugs.size / 2);
  const links = [
    ...groups.flatMap((group) => compared(group, sites, records)),
    ...lines.flatMap((line) => comparedLine(line, sites, id)),
  ];
  expect(links.length).toBeGreaterThan(slugs.size);
  for (const [query, count] of someOf(links, LINKS)) {
    const { pagination } = JSON.parse(await get(`/api/sites${query}`));
    expect([query, pagination.total]).toEqual([query, count]);
  }
}

it("pages of categories and checks have the numbers of the records, and links to exactly so many sites", async () => {
  const folder = join(await temporaryFolder(), "published");
  await writeSample(folder, { listings: 200, seed: 3 });
  await expectNumbers(folder);
});

slowIt("the same is true of the real directory", () => expectNumbers(REAL.folder));
