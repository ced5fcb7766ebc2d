import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { build } from "../../../src/publish/build.js";
import {
  aPublishedDirectory,
  temporaryFolder,
  theStandards,
  writePublished,
} from "../../fixtures.js";
import { all, attributeOf, byClass, parsedPage, textOf } from "../../pages/parsed.js";
import { directoryOf, PASSES, type Row, served } from "../../store/rows.js";

afterEach(() => vi.unstubAllEnvs());

type Rows = readonly Row[];
interface Publication {
  readonly day: number;
  readonly rows: Rows;
  readonly version?: string;
}

/** Publishes each on its day of September 2026, and returns what reads the last one. */
async function published(publications: readonly Publication[]) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  for (const { day, rows, version = "2026.1" } of publications) {
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Date.UTC(2026, 8, day, 12) / 1_000}`);
    const named = Object.fromEntries(rows.map((row, at) => [`site-${at}`, row]));
    const standards = theStandards();
    const files = directoryOf(named);
    const input = await writePublished(join(folder, "published"), {
      ...aPublishedDirectory(files),
      standards: { ...standards, rubric: { ...standards.rubric, version } },
      scans: files.scans.map((scan) => ({ ...scan, scoreVersion: version })),
    });
    await build(input, { store, jobs: 1, maxRemoved: "100%" });
  }
  return served(store);
}

const PUBLICATIONS: readonly Publication[] = [
  { day: 1, rows: [10, 20, 30, 60, 70, 80].map((score): Row => [score, "+-", {}, 1]) },
  {
    day: 3,
    rows: [10, 40, 52, 60, 70, 80, 90].map(
      (score, at): Row => [score, at < 3 ? "++" : "+-", {}, 2],
    ),
  },
  { day: 11, rows: [55, 56, 57, 58, 59].map((score): Row => [score, "-+", {}, 3]) },
];
/** The first publication of a store has no time, so the charts begin with the second one. */
const DATED = PUBLICATIONS.slice(1);
const DAYS = ["3 September 2026", "11 September 2026"];

const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)}%`;

/** What the rows themselves say of each publication: median, share of the upper band, sites. */
function figuresOf({ rows }: Publication): [string, string, string] {
  const scores = rows.map(([score]) => score ?? 0).sort((a, b) => a - b);
  const median = scores[Math.ceil(scores.length / 2) - 1]!;
  const open = scores.filter((score) => score >= 50).length;
  return [`${median}`, percent(open, scores.length), `${rows.length}`];
}

it("shows the figures of each dated publication, in charts, a table and files", async () => {
  const read = await published(PUBLICATIONS);
  const page = parsedPage((await read("/trends")).text);
  const figures = DATED.map(figuresOf);
  const table = all(page, "table").find((one) => textOf(one).startsWith("The numbers"))!;
  expect(all(table, "tr").slice(1).map(textOf).toReversed()).toEqual(
    figures.map((values, at) => [DAYS[at], ...values, "2026.1"].join(" ")),
  );
  expect(byClass(page, "trend-now").map(textOf)).toEqual([
    "57 ▼down 3",
    "100.0% ▲up 28.6 points",
    "5 ▼down 2",
  ]);
  const charts = byClass(page, "trend-chart");
  expect(charts.map((chart) => attributeOf(chart, "role"))).toEqual(["img", "img", "img"]);
  expect(attributeOf(charts[0]!, "aria-label")).toBe(
    "Median score: 60 on 3 September 2026, 57 on 11 September 2026. Lowest 57, highest 60, " +
      "in 2 publications.",
  );
  const quotes = all(page, "pre").map(textOf);
  expect(quotes[0]).toContain(
    "The median score of the 5 scored sites in A directory was 57 of 100 on 11 September 2026, " +
      "after 60 for 7 on 3 September 2026. (n = 5, scans up to 3 August 2026)",
  );
  expect(quotes[1]).toContain(
    "had 100.0% of the 5 scored sites in A directory on 11 September 2026, after 71.4% of 7 on 3 September 2026.",
  );
  expect(byClass(page, "trend-since").map(textOf)).toEqual([
    "since 3 September 2026 (7 scored sites)",
    "since 3 September 2026 (7 scored sites)",
    "since 3 September 2026",
  ]);
  const files = all(page, "a", "download").map((one) => attributeOf(one, "href")!);
  expect(files).toHaveLength(6);
  const csv = (await read("/charts/top-band.csv")).text.split("\r\n").slice(1, -1);
  expect(csv.map((line) => `${Number(line.split(",")[3]).toFixed(1)}%`)).toEqual(
    figures.map(([, share]) => share),
  );
  expect((await read("/charts/median.svg")).text).toContain("n = 5, scans up to 3 August 2026");
  for (const file of files) {
    const { status, headers, text } = await read(`/${file}`);
    expect([status, headers["Content-Type"]]).toEqual([
      200,
      file.endsWith(".csv") ? "text/csv; charset=utf-8" : "image/svg+xml",
    ]);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  }
  expect((await read("/charts/other.svg")).status).toBe(404);
});

it("shows the checks whose share has changed, before and after", async () => {
  const read = await published(PUBLICATIONS);
  const page = parsedPage((await read("/trends")).text);
  const table = all(page, "table").find((one) => textOf(one).startsWith("Checks, before"))!;
  const [head, ...rows] = all(table, "tr").map(textOf);
  // The second publication is eight days before the third, and no publication with a time is older.
  expect(head).toBe("Check 3 September 2026 Now Since 3 September 2026 Sites now");
  const names = new Map(theStandards().checks.map(({ id, name }) => [id, name]));
  expect(rows).toEqual([
    `${names.get(PASSES.first)} 100.0% 0.0% ▼down 100.0 0 of 5`,
    `${names.get(PASSES.second)} 42.9% 100.0% ▲up 57.1 5 of 5`,
  ]);
});

it("values by another version of the methodology are neither joined nor compared", async () => {
  const [first, second, last] = PUBLICATIONS;
  const read = await published([first!, second!, { ...last!, version: "2026.2" }]);
  const page = parsedPage((await read("/trends")).text);
  expect(byClass(page, "trend-now").map(textOf)).toEqual(["57", "100.0%", "5 ▼down 2"]);
  const [median, , sites] = byClass(page, "trend-chart");
  expect(attributeOf(median!, "aria-label")).toContain(
    "Version 2026.2 of the methodology counts on 11 September 2026.",
  );
  expect(byClass(median!, "boundary")).toHaveLength(1);
  expect(textOf(median!)).toContain("2026.2");
  const pathOf = (chart: typeof median) => attributeOf(byClass(chart!, "line")[0]!, "d")!;
  expect([pathOf(median).match(/M/g)?.length, pathOf(sites).match(/M/g)?.length]).toEqual([2, 1]);
  const table = all(page, "table").find((one) => textOf(one).startsWith("Checks, before"));
  expect(table).toBeUndefined();
  expect(textOf(page)).not.toContain("Unchanged");
});

it("with one publication it says what there is, and nothing of what there is not", async () => {
  const read = await published(PUBLICATIONS.slice(0, 1));
  const page = parsedPage((await read("/trends")).text);
  expect(byClass(page, "trend-now").map(textOf)).toEqual(["30", "50.0%", "6"]);
  expect(byClass(page, "trend-chart")).toEqual([]);
  expect(textOf(page)).toContain("There has been one publication so far");
  expect(textOf(page)).not.toContain("Checks, before");
});

it("with a second publication it draws the first one, too, and does not say when that was", async () => {
  const read = await published(PUBLICATIONS.slice(0, 2));
  const page = parsedPage((await read("/trends")).text);
  expect(byClass(page, "trend-now").map(textOf)[0]).toBe("60 ▲up 30");
  expect(byClass(page, "trend-since").map(textOf)[0]).toBe(
    "since the first publication (6 scored sites)",
  );
  expect(all(page, "pre").map(textOf)[0]).toContain(
    "was 60 of 100 on 3 September 2026, after 30 for 6 in the first publication.",
  );
  expect(textOf(page)).not.toContain("August 2026 to");
  const table = all(page, "table").find((one) => textOf(one).startsWith("Checks, before"))!;
  expect(textOf(all(table, "tr")[0]!)).toBe(
    "Check First publication Now Since the first publication Sites now",
  );
  expect((await read("/charts/median.csv")).text.split("\r\n")[1]).toBe(",2026.1,6,30");
});

it("lists the checks whose share has not changed", async () => {
  const [first, second] = PUBLICATIONS;
  const same = { ...second!, rows: [...first!.rows, ...first!.rows] };
  const page = parsedPage((await (await published([first!, same]))("/trends")).text);
  const names = new Map(theStandards().checks.map(({ id, name }) => [id, name]));
  expect(textOf(page)).toContain(`Unchanged: ${names.get(PASSES.first)} (100.0%)`);
  expect(all(page, "table").some((one) => textOf(one).startsWith("Checks, before"))).toBe(false);
});

it("tells the list of categories the shares of the publication before, of enough sites", async () => {
  const categories = async (publications: readonly Publication[]) => {
    const inOne = publications.map((one) => ({
      ...one,
      rows: one.rows.map(
        ([score, checks, , scan = 1]): Row => [score, checks, { category: "news" }, scan],
      ),
    }));
    return parsedPage((await (await published(inOne))("/categories")).text);
  };
  const shares = async (publications: readonly Publication[]) =>
    byClass(await categories(publications), "by-change")
      .slice(1)
      .map(textOf);
  // All sites, then the one category: 3 of 6 at first, 5 of 7 then, 5 of 5 last.
  expect(await shares(PUBLICATIONS)).toEqual(["▲up 28.6", "▲up 28.6"]);
  expect(await shares(PUBLICATIONS.slice(0, 2))).toEqual(["▲up 21.4", "▲up 21.4"]);
  expect(await shares(PUBLICATIONS.slice(0, 1))).toEqual([]);
  expect(textOf(await categories(PUBLICATIONS))).toContain("of 3 September 2026, in points");
  // When the first publication was made is not known.
  expect(textOf(await categories(PUBLICATIONS.slice(0, 2)))).toContain(
    "since the publication before, in points",
  );
  const few = PUBLICATIONS.map((one, at) => (at === 1 ? { ...one, rows: one.rows.slice(3) } : one));
  expect(await shares(few)).toEqual(["—", "—"]);
  const [first, second] = PUBLICATIONS;
  expect(await shares([first!, { ...second!, version: "2026.2" }])).toEqual([]);
});

it("shows the same for each category that has sites, and the pages of the category link to it", async () => {
  const inNews = ([score, checks, , scan = 1]: Row, at: number): Row => [
    score,
    checks,
    { category: at === 0 ? "weather" : "news" },
    scan,
  ];
  const publications = PUBLICATIONS.map((one) => ({ ...one, rows: one.rows.map(inNews) }));
  const read = await published(publications);
  const page = parsedPage((await read("/trends/news")).text);
  // Without the first site of each publication.
  const table = all(page, "table").find((one) => textOf(one).startsWith("The numbers"))!;
  expect(all(table, "tr").slice(1).map(textOf)).toEqual([
    `${DAYS[1]} — — 4 2026.1`,
    `${DAYS[0]} 60 83.3% 6 2026.1`,
  ]);
  expect(byClass(page, "trend-now").map(textOf)).toEqual(["—", "—", "4 ▼down 2"]);
  expect(all(page, "pre").map(textOf)).toEqual([
    "In the category NEWS, there were 4 sites on 11 September 2026, after 6 on 3 September 2026. " +
      "(n = 4, scans up to 3 August 2026) Source: A directory, https://directory.example/trends/news",
  ]);
  expect(textOf(byClass(page, "eyebrow")[0]!)).toBe("All sites of the category");
  expect(all(page, "a", "download")).toEqual([]);
  for (const [address, link] of [
    ["/categories/news", "../trends/news"],
    ["/categories", "trends/news"],
    ["/trends/news", "../categories/news"],
  ] as const) {
    const links = all(parsedPage((await read(address)).text), "a");
    expect(links.map((one) => attributeOf(one, "href"))).toContain(link);
  }
  expect((await read("/trends/weather")).status).toBe(200);
  for (const address of ["/trends/news--2", "/trends/retired", "/trends/nosuch"])
    expect([address, (await read(address)).status]).toEqual([address, 404]);
});

it("compares a category's checks with its own earlier shares", async () => {
  const publications = PUBLICATIONS.slice(0, 2).map((one, index) => ({
    ...one,
    rows: [...one.rows, ...one.rows].map(
      ([score], at): Row => [
        score,
        at % 2 === 0 ? "++" : index === 0 ? "+-" : "--",
        { category: at % 2 === 0 ? "news" : "weather" },
        index + 1,
      ],
    ),
  }));
  const read = await published(publications);
  const pageOf = async (slug: string) => parsedPage((await read(`/trends/${slug}`)).text);
  const names = new Map(theStandards().checks.map(({ id, name }) => [id, name]));
  expect(textOf(await pageOf("news"))).toContain(
    `Unchanged: ${names.get(PASSES.first)} (100.0%) and ${names.get(PASSES.second)} (100.0%).`,
  );
  const page = await pageOf("weather");
  const table = all(page, "table").find((one) => textOf(one).startsWith("Checks, before"))!;
  expect(all(table, "tr").slice(1).map(textOf)).toEqual([
    `${names.get(PASSES.first)} 100.0% 0.0% ▼down 100.0 0 of 7`,
  ]);
  expect(textOf(page)).toContain(`Unchanged: ${names.get(PASSES.second)} (0.0%).`);
});

it("says nothing of the scores of fewer than five sites", async () => {
  const few = PUBLICATIONS.slice(0, 2).map((one) => ({ ...one, rows: one.rows.slice(0, 4) }));
  const read = await published(few);
  const page = parsedPage((await read("/trends")).text);
  expect(byClass(page, "trend-now").map(textOf)).toEqual(["—", "—", "4 unchanged"]);
  for (const file of ["median.svg", "top-band.svg", "median.csv"])
    expect((await read(`/charts/${file}`)).text).not.toMatch(/NaN|Infinity|null/);
});
