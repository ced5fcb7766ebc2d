import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { periodsOf } from "../../../src/extras/changes/periods.js";
import { build } from "../../../src/publish/build.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";
import { temporaryFolder, writePublished } from "../../fixtures.js";
import { chance, seeded, whole } from "../../oracle/random.js";
import { all, attributeOf, byClass, parsedPage, textOf } from "../../pages/parsed.js";
import { repeated } from "../../slow.js";
import { directoryOf, type Row, served } from "../../store/rows.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

type Rows = Readonly<Record<string, Row>>;
/** What is published on a day, counted from 1 January 2026. */
interface Publication {
  readonly day: number;
  readonly rows: Rows;
}

const KINDS = ["risen", "fallen", "scored", "unscored", "new", "returned", "gone"] as const;
const PERIODS = { last: 1, week: 7, month: 30 };

/** A directory whose pages call each site by its host. */
function filesOf(rows: Rows) {
  const files = directoryOf(rows);
  return { ...files, listings: files.listings.map((one) => ({ ...one, name: one.host })) };
}

/** Publishes each at noon of its day, and returns what reads the last one on this day. */
async function published(publications: readonly Publication[]) {
  return served(await publishedStore(publications));
}

async function publishedStore(publications: readonly Publication[]): Promise<string> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  for (const { day, rows } of publications) {
    const noon = Date.UTC(2026, 0, day, 12);
    vi.stubEnv("SOURCE_DATE_EPOCH", `${noon / 1_000}`);
    vi.spyOn(Date, "now").mockReturnValue(noon);
    const input = await writePublished(join(folder, "published"), filesOf(rows));
    await build(input, { store, jobs: 1, maxRemoved: "100%" });
  }
  return store;
}

/** The numbers of `/changes` by period, then by kind, each with the sites of the list that it leads to. */
async function shownLists(read: Awaited<ReturnType<typeof served>>) {
  const page = parsedPage((await read("/changes")).text);
  const rows = all(byClass(page, "numbers")[0] ?? page, "tr").slice(1);
  const shown: string[][][] = [];
  const periods = all(rows[0] ?? page, "td").length;
  for (let period = 0; period < periods; period += 1) {
    const lists = rows.map(async (row) => {
      const cell = all(row, "td")[period]!;
      const [link] = all(cell, "a");
      const count = Number(textOf(cell).replaceAll(",", ""));
      if (link === undefined) {
        expect(count).toBe(0);
        return [];
      }
      const lines = await listedAt(`/${attributeOf(link, "href")}`, read);
      expect(lines).toHaveLength(count);
      return lines;
    });
    shown.push(await Promise.all(lists));
  }
  return shown;
}

/** The lines of all pages of a list. */
async function listedAt(
  address: string,
  read: Awaited<ReturnType<typeof served>>,
): Promise<string[]> {
  const page = parsedPage((await read(address)).text);
  const lines = all(byClass(page, "moves")[0]!, "li").map((one) =>
    textOf(one).replace(/ (?:[+−] .*)?published \d+ \w+ \d{4}$/, ""),
  );
  const next = all(page, "a").find((one) => textOf(one) === "Next");
  return next === undefined
    ? lines
    : [...lines, ...(await listedAt(`/changed/${attributeOf(next, "href")}`, read))];
}

const isThere = ({ rows }: Publication, name: string) => Object.hasOwn(rows, name);

/** What became of a site in the publications of a period, as its list says it; null if it is in none. */
function became(
  name: string,
  publications: readonly Publication[],
  days: number,
): readonly [(typeof KINDS)[number], string] | null {
  const end = publications.at(-1)!.day;
  const start = publications.findIndex(({ day }) => end - day < days);
  // The first publication of a store is the basis of its log.
  const own = publications.slice(Math.max(1, start) - 1);
  const host = `${name}.example`;
  const was = own[0]!.rows[name];
  const is = own.at(-1)!.rows[name];
  const enters = own.findLastIndex(
    (one, at) => at > 0 && isThere(one, name) && !isThere(own[at - 1]!, name),
  );
  if (is === undefined) return own.some((one) => isThere(one, name)) ? ["gone", host] : null;
  const score = is[0] === null ? "no score —" : `score ${is[0]}`;
  if (enters >= 0) {
    const entered = publications.indexOf(own[enters]!);
    const left = publications.some(
      (one, at) =>
        at > 0 &&
        at < entered &&
        end - one.day < 30 &&
        isThere(publications[at - 1]!, name) &&
        !isThere(one, name),
    );
    return [left ? "returned" : "new", `${host} ${score}`];
  }
  const from = was?.[0] ?? null;
  const to = is[0];
  if (from === to) return null;
  if (from === null) return ["scored", `${host} score ${to}`];
  if (to === null) return ["unscored", `${host} ${from} → to no score —`];
  const move = to > from ? `▲up ${to - from}` : `▼down ${from - to}`;
  return [to > from ? "risen" : "fallen", `${host} ${from} → to ${to} ${move}`];
}

/** The lists of all periods, of the sites in any order. */
function expectedLists(publications: readonly Publication[]): string[][][] {
  const names = [...new Set(publications.flatMap(({ rows }) => Object.keys(rows)))];
  const end = publications.at(-1)!.day;
  let shorter = 0;
  return Object.values(PERIODS).flatMap((days) => {
    const later = publications.slice(1).filter(({ day }) => end - day < days);
    const count = new Set(later.map(({ day }) => day)).size;
    if (count <= shorter) return [];
    shorter = count;
    const found = names.flatMap((name) => {
      const one = became(name, publications, days);
      return one === null ? [] : [one];
    });
    return [
      KINDS.map((kind) =>
        found
          .filter(([of]) => of === kind)
          .map(([, line]) => line)
          .sort(),
      ),
    ];
  });
}

function randomHistory(random: () => number): Publication[] {
  const names = Array.from({ length: 12 }, (_, at) => `site-${at}`);
  const aScore = () => (chance(random, 0.25) ? null : whole(random, 0, 100));
  let day = 1;
  let rows: Rows = { stays: [50, "++"] };
  return Array.from({ length: 9 }, (_, at) => {
    const number = at + 1;
    const next: Record<string, Row> = { stays: [50 + at, "++", {}, number] };
    for (const name of names) {
      const before = rows[name];
      if (before === undefined ? chance(random, 0.4) : chance(random, 0.4))
        next[name] = [aScore(), "++", {}, number];
      else if (before !== undefined && chance(random, 0.75)) next[name] = before;
    }
    rows = next;
    day += at === 0 ? 0 : whole(random, 0, 9);
    return { day, rows };
  });
}

const SEEDS = Array.from({ length: repeated(3, 40) }, (_, seed) => seed);

it.each(SEEDS)(
  "each number leads to exactly the sites that the published rows say, in random history %i",
  async (seed) => {
    const history = randomHistory(seeded(seed));
    const read = await published(history);
    const shown = await shownLists(read);
    expect(shown.map((lists) => lists.map((lines) => lines.toSorted()))).toEqual(
      expectedLists(history),
    );
  },
);

it("a period has the publications of its days, to the day", async () => {
  const days = [1, 10, 11, 33, 34, 39, 40];
  const history = days.map((day, at): Publication => {
    const rows = days.map((_, site): [string, Row] => {
      const isNew = site <= at;
      return [`site-${site}`, [isNew ? 60 : 40, "++", {}, isNew ? site + 2 : 1]];
    });
    return { day, rows: Object.fromEntries(rows) };
  });
  const shown = await shownLists(await published(history));
  expect(shown.map(([risen]) => risen?.length)).toEqual([1, 3, 5]);
  expect(shown.map((lists) => lists.map((lines) => lines.toSorted()))).toEqual(
    expectedLists(history),
  );
});

const manyRows = (score: number): Rows =>
  Object.fromEntries(
    Array.from({ length: 450 }, (_, at) => [`site-${at}`, [score, "++", {}, score / 10]]),
  );

it("a column names 25 sites and leads to all of them, on pages of 200", async () => {
  const read = await published(
    [10, 20].map((score, at) => ({ day: at + 1, rows: manyRows(score) })),
  );
  const page = parsedPage((await read("/changes")).text);
  const [risen] = byClass(page, "pair").flatMap((pair) => all(pair, "ol"));
  expect(all(risen!, "li")).toHaveLength(25);
  expect(textOf(page)).toContain("All 450 sites that rose");
  expect(textOf(page)).toContain("No score fell.");
  const hosts = (await listedAt("/changed/last-risen", read)).map((line) => line.split(" ")[0]);
  expect(new Set(hosts).size).toBe(450);
  const statuses = ["-3", "-4", "-1", "-02", "-99999"].map(
    async (end) => (await read(`/changed/last-risen${end}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404, 404]);
  expect((await read("/changed/week-risen")).status).toBe(404);
  expect((await read("/changed/last-risen")).headers["X-Robots-Tag"]).toBe("noindex");
});

it("scores of different scoring versions, and corrected scans, are not compared", async () => {
  const before: Rows = { rises: [40, "+-"], corrected: [40, "+-"], older: [40, "+-"] };
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const first = filesOf(before);
  const scans = first.scans.map((scan) =>
    scan.host === "older.example" ? { ...scan, scoreVersion: "2020.1" } : scan,
  );
  const after = filesOf({
    rises: [60, "++", {}, 2],
    corrected: [60, "++"],
    older: [60, "++", {}, 2],
  });
  for (const [at, files] of [{ ...first, scans }, after].entries()) {
    vi.stubEnv("SOURCE_DATE_EPOCH", `${Date.UTC(2026, 0, at + 1) / 1_000}`);
    await build(await writePublished(join(folder, "published"), files), { store, jobs: 1 });
  }
  const read = await served(store);
  const [[risen, ...others] = []] = await shownLists(read);
  expect([risen, others.flat()]).toEqual([["rises.example 40 → to 60 ▲up 20"], []]);
  const { text } = await read("/changes");
  expect(text.slice(text.indexOf("Checks gained"))).not.toMatch(/corrected|older/);
});

it("a site that is gone is named for 30 days, without a link", async () => {
  const stays: Row = [50, "++"];
  const read = await published([
    { day: 1, rows: { gone: [20, "++"], stays } },
    { day: 2, rows: { stays } },
  ]);
  const list = parsedPage((await read("/changed/last-gone")).text);
  expect(textOf(byClass(list, "moves")[0]!)).toBe("gone.example published 2 January 2026");
  expect(all(byClass(list, "moves")[0]!, "a")).toEqual([]);
  vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 1, 2));
  expect((await read("/changed/last-gone")).status).toBe(404);
  expect((await read("/changes")).text).not.toContain("gone.example");
});

it("the changes are joined once for all pages, and again when a removed site may no longer be named", async () => {
  const stays: Row = [50, "++"];
  const store = await publishedStore([
    { day: 1, rows: { gone: [20, "++"], stays } },
    { day: 2, rows: { stays } },
  ]);
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  onTestFinished(close);
  const named = async () => (await periodsOf(snapshot)).periods[0]?.lists.gone;
  const first = await named();
  expect(first).toHaveLength(1);
  vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 1, 1, 12) - 1);
  expect(await named()).toBe(first);
  vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2026, 1, 1, 12));
  const last = await periodsOf(snapshot);
  expect([last.periods.flatMap(({ lists }) => lists.gone), last.until]).toEqual([[], undefined]);
  expect(await periodsOf(snapshot)).toBe(last);
});
