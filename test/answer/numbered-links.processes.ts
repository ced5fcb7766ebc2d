import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { FacetsQuery, queryText } from "../../src/contract/query.js";
import type { FetchHandler } from "../../src/fetch/index.js";
import { folderStore } from "../../src/index.js";
import { histogramView } from "../../src/pages/explorer/overview.js";
import { facetsOf, readState } from "../../src/pages/explorer/search-state.js";
import { build } from "../../src/publish/build.js";
import { serve } from "../../src/server/serve.js";
import type { RunningServer } from "../../src/server/server.js";
import { wholeHandler } from "../fetch/whole.js";
import { temporaryFolder } from "../fixtures.js";
import { all, attributeOf, elementsOf, parsedPage, textOf } from "../pages/parsed.js";
import { NO_PICTURES } from "../pictures.js";
import { REAL } from "../real.js";
import { repeated } from "../slow.js";
import { expectNumbersLead } from "./numbered.js";

/* Every number in a link of the explorer, against the list that the link leads to. */

let server: RunningServer;
let edge: FetchHandler;
const cleanUps: (() => Promise<void>)[] = [];
const values: Record<string, string[]> = {};

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const store = join(folder, "store");
  await build(REAL.folder, { store, keep: 1 });
  server = await serve(store, { port: 0, ...NO_PICTURES });
  edge = await wholeHandler({ store: folderStore(store) });
  const { data } = await json("/api/sites/facets");
  const slugs = (list: { slug: string }[]) => list.map(({ slug }) => slug);
  values.category = slugs(data.categories.items);
  values.platform = slugs(data.platforms);
  values.capability = data.signals.map(({ id }: { id: string }) => id);
  const { data: standards } = await json("/api/standards");
  values.band = standards.rubric.bands.map(({ band }: { band: string }) => band);
  return async () => {
    await server.close();
    for (const cleanUp of cleanUps) await cleanUp();
  };
}, 200_000);

const json = async (path: string) => JSON.parse(await (await fetch(server.url + path)).text());

/** The number of sites that a page of the explorer says it found. */
async function foundAt(address: string, answer: (url: string) => Promise<Response>) {
  const query = address.replace(/^\.?\//, "");
  const reply = await answer(`/api/sites${query.replace(/^\?sort=score$/, "")}`);
  return JSON.parse(await reply.text()).pagination.total as number;
}

/**
 * The links of the explorer's chart and legend, with their numbers. Those in use lead back, and have none of their
 * own.
 */
function numberedLinks(page: ReturnType<typeof parsedPage>): [href: string, count: number][] {
  return all(page, "a").flatMap((link): [string, number][] => {
    const kind = attributeOf(link, "class") ?? "";
    if (!/^(?:bin|legend-band)\b/.test(kind)) return [];
    if (attributeOf(link, "aria-current") === "true") return [];
    const [, number = ""] = /([\d,]+) sites?$/.exec(textOf(link).trim()) ?? [];
    return [[attributeOf(link, "href") ?? "", Number(number.replaceAll(",", ""))]];
  });
}

const atEdge = (path: string) => edge(new Request(`https://a.example${path}`));

/** The explorer's page of a server; and its chart as a script draws it in a tree, whose search is that of edges. */
const SITES = {
  server: {
    answer: (path: string) => fetch(server.url + path),
    draw: async (query: string) => (await fetch(`${server.url}/?${query}`)).text(),
  },
  tree: {
    answer: atEdge,
    draw: async (query: string) => {
      const state = readState(query);
      const asked = queryText(FacetsQuery, facetsOf(state));
      const { data } = JSON.parse(await (await atEdge(`/api/sites/facets?${asked}`)).text());
      const { data: standards } = await json("/api/standards");
      const directory = { rubric: standards.rubric, to: (path: string) => path };
      return `<!doctype html>${histogramView(state, directory, data.scores).markup}`;
    },
  },
};

describe.each(Object.entries(SITES))(
  "the numbers of the explorer, of a %s",
  (_, { answer, draw }) => {
    const some = (name: string, maxLength: number) =>
      fc
        .array(fc.nat(), { maxLength })
        .map((indexes) => indexes.map((index) => [name, index] as const));
    const filters = fc.tuple(
      some("band", 2),
      some("category", 2),
      some("platform", 1),
      some("capability", 1),
      fc.option(fc.tuple(fc.nat(100), fc.nat(100)), { freq: 1 }),
      fc.constantFrom("", "a", "weather", ".com"),
    );

    it("are those of the lists that their links lead to, under any filters", async () => {
      await fc.assert(
        fc.asyncProperty(filters, async ([bands, categories, platforms, checks, range, q]) => {
          const query = new URLSearchParams();
          if (q !== "") query.append("q", q);
          for (const [name, index] of [bands, categories, platforms, checks].flat()) {
            const known = values[name] ?? [];
            query.append(name, known[index % known.length] ?? "");
          }
          if (range !== null) {
            query.append("minScore", String(Math.min(...range)));
            query.append("maxScore", String(Math.max(...range)));
          }
          const page = parsedPage(await draw(query.toString()));
          const links = numberedLinks(page);
          expect(links.length).toBeGreaterThan(15);
          const [older = 0] = elementsOf(page)
            .filter((one) => attributeOf(one, "class") === "quiet rest")
            .map((one) => Number(/([\d,]+) scored by an older/.exec(textOf(one))?.[1] ?? 0));
          for (const [href, count] of links) {
            const total = await foundAt(href, answer);
            // The chart leaves out scores of older methodologies, as it says below the bars.
            const most =
              href.includes("minScore") && !href.includes("band=") ? count + older : count;
            expect([`/?${query}`, href, total >= count && total <= most, count, total]).toEqual([
              `/?${query}`,
              href,
              true,
              count,
              total,
            ]);
          }
        }),
        { numRuns: repeated(8, 60) },
      );
    }, 120_000);
  },
);

it("a chip of the legend under another band leads to as many sites as it says", async () => {
  const page = parsedPage(await SITES.server.draw("band=readable"));
  const links = numberedLinks(page).filter(([href]) => href.includes("band="));
  expect(links).toHaveLength(3);
  for (const [href, count] of links) {
    expect(href).not.toContain("band=readable");
    expect([href, await foundAt(href, SITES.server.answer)]).toEqual([href, count]);
  }
});

it.each([
  ["the start", "/", 70],
  ["a search", "/?q=weather", 20],
  ["a search in a band", "/?q=weather&band=readable", 20],
  ["a search with a range", "/?minScore=50&maxScore=60&category=finance", 20],
  ["all sites", "/?sort=score&page=2", 20],
  ["a search that finds nothing", "/?q=maps%20geocoding", 20],
  ["the categories", "/categories", 200],
  ["the categories in another order", "/categories?sort=sites-asc", 200],
  ["a category", "/categories/weather", 3],
  ["a check", "/checks/described", 40],
])("each number of sites on %s leads to a list of so many", async (_, path, least) => {
  expect(await expectNumbersLead(server.url, path, 25)).toBeGreaterThanOrEqual(least);
});

it("every page says the same number of passed checks: that of the API's capabilities", async () => {
  const { data } = await json(`/api/sites?limit=${repeated(30, 100)}&sort=host`);
  const seen = new Set<number>();
  for (const { host, capabilities, latestScore, latestScoreVersion } of data) {
    const { data: report } = await json(`/api/sites/${host}/report`);
    const passed = report.checks.filter(
      ({ kind, status }: { kind: string; status: string }) =>
        kind !== "penalty" && status === "pass",
    );
    const ids = passed.map(({ checkId }: { checkId: string }) => checkId).sort();
    expect([host, capabilities]).toEqual([host, ids]);
    const count = capabilities.length;
    if (latestScore === null || latestScoreVersion === null || count === 0) continue;
    seen.add(count);
    const said = count === 1 ? "1 check passed" : `${count} checks passed`;
    const page = parsedPage(await (await fetch(`${server.url}/sites/${host}`)).text());
    const explorer = parsedPage(await (await fetch(`${server.url}/?q=${host}`)).text());
    const textsOf = (kind: string, shown: ReturnType<typeof parsedPage>) =>
      elementsOf(shown)
        .filter((one) => (attributeOf(one, "class") ?? "").split(" ")[0] === kind)
        .map(textOf);
    const dots = textsOf("dots", explorer).flatMap(
      (text) => text.match(/[\d,]+ checks? passed/g) ?? [],
    );
    expect([host, dots.includes(said)]).toEqual([host, true]);
    // The report counts each check once, by its kind.
    const [strip = ""] = textsOf("strip", page);
    const kinds = [...strip.matchAll(/(?:: |, )(\d+) (?:passed|offered)(?=[,.])/g)];
    expect([host, kinds.reduce((sum, [, one]) => sum + Number(one), 0)]).toEqual([host, count]);
    const all = textOf(page).match(/[\d,]+ checks? passed/g) ?? [];
    expect([host, all.filter((one) => one !== said)]).toEqual([host, []]);
  }
  expect(seen.size).toBeGreaterThan(3);
}, 120_000);
