import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { byCodeUnit } from "../../../src/contract/order.js";
import type { SearchQuery } from "../../../src/contract/query.js";
import { firstSites, searchSites } from "../../../src/pages/explorer/best-match.js";
import { addressOf, changed, readState } from "../../../src/pages/explorer/search-state.js";
import { aSite } from "../example-sites.js";

type Site = Pick<SiteSummary, "host" | "name" | "latestScore">;

/** The reads of an API over some sites, as the contract has them; counts the searches. */
function readsOf(sites: readonly Site[]) {
  const asked: SearchQuery[] = [];
  const has = ({ host, name }: Site, q = "") =>
    `${host} ${name}`.toLowerCase().includes(q.toLowerCase());
  return {
    asked,
    search: async (query: SearchQuery) => {
      asked.push(query);
      const { q, page, limit, minScore = -1 } = query;
      const all = sites
        .filter((site) => has(site, q) && (site.latestScore ?? -1) >= minScore)
        .sort((a, b) =>
          query.sort === "host"
            ? byCodeUnit(a.host, b.host)
            : (b.latestScore ?? -1) - (a.latestScore ?? -1) || byCodeUnit(a.host, b.host),
        );
      const data = all.slice((page - 1) * limit, page * limit).map((site) => aSite("", site));
      const totalPages = Math.ceil(all.length / limit);
      return { data, pagination: { page, limit, total: all.length, totalPages } };
    },
    suggest: async (text: string) => {
      const q = text.toLowerCase();
      const rank = ({ host }: Site) => (host === q ? 0 : host.startsWith(q) ? 1 : 2);
      const found = sites.filter((site) => has(site, q));
      const best = found.sort((a, b) => rank(a) - rank(b)).slice(0, 5);
      return best.map((one) => aSite("", one));
    },
  };
}

const hostsOf = async (query: string, sites: readonly Site[]) =>
  (await searchSites(readState(query), readsOf(sites))).data.map(({ host }) => host);
const site = (host: string, latestScore: number | null, name: string | null = null): Site => ({
  host,
  latestScore,
  name,
});

describe("the sites with all words of a text that few or no sites have", () => {
  const sites = [
    site("maps.example", 50, "Geocoding for all"),
    site("geocoding.example", 70, "Old maps"),
    site("atlas.example", 90, "Maps"),
    site("xn--bcher-kva.example", 10),
  ];
  const allWords = async (query: string, all: readonly Site[] = sites) => {
    const reads = readsOf(all);
    const { data, withAllWords } = await searchSites(readState(query), reads);
    return {
      hosts: data.map(({ host }) => host),
      others: withAllWords.map(({ host }) => host),
      asked: reads.asked.length,
    };
  };

  it("are found by the literal searches of the words, in the order of the search", async () => {
    expect(await allWords("q=maps geocoding")).toEqual({
      hosts: [],
      others: ["geocoding.example", "maps.example"],
      asked: 3,
    });
    expect((await allWords("q=GEOCODING, Maps&minScore=60")).others).toEqual(["geocoding.example"]);
    expect((await allWords("q=maps weather")).others).toEqual([]);
    expect((await allWords("q=maps maps")).others).toEqual([]);
  });

  it("follow the sites that have the text itself, which are not repeated", async () => {
    const more = [...sites, site("new.example", 30, "Maps, old and new")];
    expect(await allWords("q=old maps", more)).toEqual({
      hosts: ["geocoding.example"],
      others: ["new.example"],
      asked: 3,
    });
    expect((await allWords("q=old maps")).others).toEqual([]);
  });

  it("are not looked for if the text fills a page, or if it has one word or many", async () => {
    const full = [...Array(25).keys()].map((number) => site(`n${number}.example`, 50, "Old maps"));
    expect((await allWords("q=old maps", full)).asked).toBe(1);
    const second = await allWords("q=old maps&page=2", full);
    expect([second.hosts.length, second.others.length]).toEqual([1, 0]);
    expect((await allWords("q=old maps&page=2")).others).toEqual([]);
    expect((await allWords("q=nothing")).asked).toBe(1);
    expect((await allWords("q=maps")).asked).toBe(1);
    expect((await allWords("q=a maps b geocoding c example")).asked).toBe(1);
  });

  it("are those whose host has a word beyond ASCII, if there is one word", async () => {
    expect((await allWords("q=bücher")).others).toEqual(["xn--bcher-kva.example"]);
    const named = [...sites, site("shop.example", 5, "Bücher")];
    expect((await allWords("q=bücher", named)).asked).toBe(1);
    expect((await allWords("q=Bücher.example")).hosts).toEqual(["xn--bcher-kva.example"]);
  });

  it("are looked for among the sites with the rarest word, of which there may be pages", async () => {
    const many = [...Array(250).keys()].map((number) =>
      site(`n${number}.example`, 50, number === 240 ? "Weather of lakes" : "Lakes"),
    );
    const more = [
      ...many,
      ...[...Array(300).keys()].map((number) => site(`w${number}-weather.test`, 9)),
    ];
    expect(await allWords("q=lakes weather", more)).toMatchObject({
      others: ["n240.example"],
      asked: 5,
    });
  });
});

describe("the best matches of a text", () => {
  const sites = [
    site("databooks.example", 90),
    site("my-books.example", 40),
    site("books.example", 10),
    site("books.test", 30),
    site("z.example", 5, "Books"),
    site("y.example", null, "Old books"),
    site("x.example", 20, "Handbooks"),
  ];

  it("are those that the API suggests; all others follow by score", async () => {
    expect(await hostsOf("q=BOOKS", sites)).toEqual(
      "books.example books.test databooks.example my-books.example z.example x.example y.example".split(
        " ",
      ),
    );
    expect((await hostsOf("q=books&sort=score", sites))[0]).toBe("databooks.example");
  });

  it("come first even if hundreds of sites with higher scores match, but not past a filter", async () => {
    const many = [...Array(300).keys()].map((number) => site(`n${number}-abc.example`, 50));
    const all = [...many, site("abc.example", 3), site("abcde.example", null)];
    const reads = readsOf(all);
    const { data, pagination } = await searchSites(readState("q=abc"), reads);
    expect(data.map(({ host }) => host).slice(0, 3)).toEqual([
      "abc.example",
      "abcde.example",
      "n0-abc.example",
    ]);
    expect(data).toHaveLength(24);
    expect(pagination).toEqual({ page: 1, limit: 24, total: 302, totalPages: 13 });
    const filtered = await hostsOf("q=abc&minScore=4", all);
    expect(filtered).not.toContain("abc.example");
    expect(await hostsOf("q=abc&page=13", all)).not.toContain("abc.example");
    expect(await hostsOf("q=abc&page=14", all)).toEqual([]);
  });

  it("cost one search on the first page, and no order of the API is touched", async () => {
    const reads = readsOf(sites);
    await searchSites(readState("q=books"), reads);
    await searchSites(readState("q=books&sort=host&page=2"), reads);
    await searchSites(readState("category=x"), reads);
    expect(reads.asked).toMatchObject([
      { q: "books", sort: "score", page: 1, limit: 24 },
      { q: "books", sort: "host", page: 2, limit: 24 },
      { sort: "score", page: 1, limit: 24 },
    ]);
  });

  it("are each on one page, whatever the sites", async () => {
    const some = fc.uniqueArray(fc.stringMatching(/^[ab]{1,7}$/), { maxLength: 250 });
    const scores = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 250 });
    await fc.assert(
      fc.asyncProperty(some, scores, async (names, points) => {
        const all = names.map((name, index) => site(`${name}.example`, points[index] ?? null));
        const state = readState("q=ab");
        const found: string[] = [];
        for (let page = 1; page <= 12; page += 1) {
          const { data } = await searchSites(changed(state, { page }), readsOf(all));
          found.push(...data.map(({ host }) => host));
        }
        const expected = all.filter(({ host }) => host.includes("ab")).map(({ host }) => host);
        expect(found.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 25 },
    );
  });

  it("begin with the first sites, if there are more, and these come with the number of all", async () => {
    const name = fc.stringMatching(/^[ab]{2,7}$/);
    const some = fc.uniqueArray(name, { minLength: 10, maxLength: 80 });
    const queries = fc.constantFrom(
      "q=ab",
      "q=aba",
      "q=ab&sort=host",
      "sort=score",
      "q=ab&minScore=50",
    );
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(
        some,
        queries,
        fc.integer({ min: 1, max: 8 }),
        async (names, query, limit) => {
          const all = names.map((name, index) => site(`${name}.example`, (index * 37) % 101));
          const first = await firstSites(readState(query), limit, readsOf(all));
          const { data, pagination } = await searchSites(readState(query), readsOf(all));
          const isMany = pagination.total > limit;
          cut += Number(isMany);
          expect(first).toEqual(isMany ? { data: data.slice(0, limit), pagination } : null);
        },
      ),
      { seed: 3, numRuns: 100 },
    );
    expect(cut).toBeGreaterThan(50);
    const many = [...Array(60).keys()].map((number) => site(`n${number}.example`, 50));
    expect(await firstSites(readState("q=n&page=2"), 6, readsOf(many))).toBeNull();
  });

  it("are no choice, unlike the order by score of a text", () => {
    expect(addressOf(readState("q=a&sort=score&page=2"))).toBe("?q=a&sort=score&page=2");
    expect(addressOf(readState("q=a&sort=all"))).toBe("?q=a");
    expect(addressOf(readState("sort=all"))).toBe("?sort=score");
    expect(addressOf(changed(readState("sort=score"), { q: "a" }))).toBe("?q=a");
    expect(addressOf(changed(readState("q=a&sort=score"), { q: "" }))).toBe("");
    expect(addressOf(changed(readState("q=a&sort=host"), { q: "b" }))).toBe("?q=b&sort=host");
  });
});
