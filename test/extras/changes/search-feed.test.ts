import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import RssParser from "rss-parser";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { CHANGES_LIMITS } from "../../../src/extras/changes/reads.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { pick, seeded, whole } from "../../oracle/random.js";
import { asked } from "../../server/asked.js";
import { repeated } from "../../slow.js";
import { directoryOf, type Row, served } from "../../store/rows.js";
import { aStore } from "../../store/stores.js";

const SEED = Number(process.env.SEED ?? 20_261_126);
const PUBLICATIONS = repeated(3, 5);
const SEARCHES = [
  "",
  "q=SITE-1",
  "minScore=50",
  "maxScore=40",
  "category=news",
  "tag=alpha&tag=zeta",
  "platform=astro",
  "status=claimed",
  "capability=https&minScore=20",
  "band=open&category=news",
  "band=closed&band=open",
].map((query) => `/api/sites?limit=100${query && "&"}${query}`);

/** A search without the filters whose values scans give, of which nothing is kept for removed sites. */
const withoutScans = (search: string) =>
  search.replace(/&(?:minScore|maxScore|capability|band)=[^&]*/g, "");

interface Item {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly content_text: string;
}

const itemsOf = (text: string): Item[] => JSON.parse(text).items;
/** Each item: the publication, the host and what it says of the search. */
const told = ({ id, title }: Item) => {
  const [, host, , generation] = /sites\/(.*)#(publication)-(\d+)$/.exec(id)!;
  return `${generation} ${host} ${/: (found now|no longer found|changed)/.exec(title)?.[1]}`;
};

function someRows(random: () => number, publication: number): Record<string, Row> {
  const rows: Record<string, Row> = {};
  for (let number = 1; number <= 12; number += 1) {
    if (whole(random, 0, 2) === 0) continue;
    const listing = {
      category: pick(random, ["news", null]),
      tags: pick(random, [[], ["alpha"], ["alpha", "first"]]),
      platforms: pick(random, [[], ["astro"]]),
      status: pick(random, ["claimed", "unclaimed"]),
    };
    const score = pick(random, [null, 20, 45, 60]);
    rows[`site-${number}`] = [score, pick(random, ["++", "+-", "-+"]), listing, publication];
  }
  return rows;
}

function hostsFound({ text }: { readonly text: string }): Set<string> {
  const { data }: { data: { host: string }[] } = JSON.parse(text);
  return new Set(data.map(({ host }) => host));
}

/**
 * What comes into a search and leaves it from each publication to the next.
 * @param sets the hosts that it finds
 * @param wider the hosts that it finds without its filters of scores, bands and checks
 * @param removals by host, the last publication that removed it: nothing is told from before
 */
function movesBetween(
  sets: readonly Set<string>[],
  wider: readonly Set<string>[],
  removals: ReadonlyMap<string, number>,
): string[] {
  const moves = sets.slice(1).flatMap((after, index) => {
    const before = sets[index]!;
    const entered = [...after].filter((host) => !before.has(host));
    const isRemoved = (host: string) => removals.get(host) === index + 2;
    const left = [
      ...[...before].filter((host) => !after.has(host) && !isRemoved(host)),
      ...[...wider[index]!].filter(isRemoved),
    ];
    return [
      ...entered.map((host) => `${index + 2} ${host} found now`),
      ...left.map((host) => `${index + 2} ${host} no longer found`),
    ];
  });
  return moves.filter((move) => {
    const [publication, host = ""] = move.split(" ");
    return Number(publication) >= (removals.get(host) ?? 0);
  });
}

describe("the feed of a search", () => {
  it(
    "says which sites a search finds now, and no longer, as searches of each publication do, " +
      `SEED=${SEED}`,
    async () => {
      const random = seeded(SEED);
      let rows = someRows(random, 1);
      const { store, publish } = await aStore(directoryOf(rows));
      /** By publication, then by search, the hosts that it finds. */
      const found: Set<string>[][] = [];
      const foundWider: Set<string>[][] = [];
      const removals = new Map<string, number>();
      for (let publication = 1; publication <= PUBLICATIONS; publication += 1) {
        if (publication > 1) {
          const gone = pick(random, Object.keys(rows));
          removals.set(`${gone}.example`, publication);
          rows = { ...rows, ...someRows(random, publication) };
          delete rows[gone];
          await publish(directoryOf(rows));
        }
        const read = await served(store);
        const hostsOf = async (search: string) => hostsFound(await read(search));
        found.push(await Promise.all(SEARCHES.map(hostsOf)));
        foundWider.push(await Promise.all(SEARCHES.map(withoutScans).map(hostsOf)));
      }
      const read = await served(store);
      for (const [number, search] of SEARCHES.entries()) {
        const feed = search.replace("/api/sites", "/search-feed.json");
        const lines = itemsOf((await read(feed)).text).map(told);
        const isMove = (line: string) => !line.endsWith(" changed");
        const sets = found.map((one) => one[number]!);
        expect([search, lines.filter(isMove).sort()]).toEqual([
          search,
          movesBetween(
            sets,
            foundWider.map((one) => one[number]!),
            removals,
          ).sort(),
        ]);
        expect(lines).toEqual([...lines].sort().reverse());
        for (const line of lines.filter((one) => !isMove(one))) {
          const [publication, host = ""] = line.split(" ");
          expect(sets[Number(publication) - 1]?.has(host)).toBe(true);
        }
      }
    },
  );

  it(
    "says in sentences what changed; a removed site is named in the feeds of searches that found it, " +
      "and has no link",
    async () => {
      const before = directoryOf({
        gone: [50, "++", { name: "Cormorant" }],
        known: [40, "+-"],
        other: [70, "++", { status: "claimed" }],
      });
      const after = directoryOf({
        known: [60, "-+", {}, 2],
        new: [10, "++"],
        other: [70, "++", { status: "claimed" }],
      });
      const { store } = await aStore(before, after);
      const read = await served(store);
      const items = itemsOf((await read("/search-feed.json")).text);
      expect(items.map(({ title, content_text }) => [title, content_text])).toEqual([
        ["new.example: found now, 10 of 100, Closed", "Example\nNew in the directory."],
        [
          "known.example: changed, 60 of 100, Open",
          "Example\nScore 40 before, 60 now.\nPasses 1 more check: Sitemap.\nNo longer passes 1 check: HTTPS.",
        ],
        ["gone.example: no longer found", "Removed from the directory."],
      ]);
      expect(items.at(-1)?.url).toBe("https://directory.example/");
      const claimed = (await read("/search-feed.json?status=unclaimed&sort=host&page=9")).text;
      expect(itemsOf(claimed).map(told)).toEqual([
        "2 new.example found now",
        "2 known.example changed",
        "2 gone.example no longer found",
      ]);
      const gone = async (query: string) =>
        itemsOf((await read(`/search-feed.json?${query}`)).text)
          .map(told)
          .join()
          .includes("gone");
      // Its score, band and checks are not kept: they do not count.
      for (const query of ["minScore=51", "q=GONE", "capability=https", "maxScore=60&band=open"])
        expect([query, await gone(query)]).toEqual([query, true]);
      // Its name is not kept either.
      for (const query of ["q=Cormorant", "status=claimed", "category=news"])
        expect([query, await gone(query)]).toEqual([query, false]);
      const { headers } = await read("/search-feed.xml?status=unclaimed");
      expect(headers["Content-Type"]).toBe("application/atom+xml; charset=utf-8");
      expect((await read("/search-feed.xml?status=nobody")).status).toBe(400);
      expect((await read("/?status=unclaimed")).text).toContain(
        'href="search-feed.xml?status=unclaimed"',
      );
      // Three parsers of feeds read the same.
      const [atom, json] = await Promise.all(
        ["xml", "json"].map(async (end) => (await read(`/search-feed.${end}`)).text),
      );
      const expected = items.map(({ id, title, url }) => ({ id, title, url }));
      const entries = parseAtomFeed(atom!).entries ?? [];
      expect(
        entries.map(({ id, title, links }) => ({ id, title: title?.value, url: links?.[0]?.href })),
      ).toEqual(expected);
      const asJson = parseJsonFeed(json!).items ?? [];
      expect(asJson.map(({ id, title, url }) => ({ id, title, url }))).toEqual(expected);
      const byOther = (await new RssParser().parseString(atom!)).items;
      expect(byOther.map(({ id, title, link }) => ({ id, title, url: link }))).toEqual(expected);
      for (const { isoDate = "" } of byOther) expect(Date.parse(isoDate)).toBeGreaterThan(0);
    },
  );

  it("takes no address from the feed of a category, whatever its slug", async () => {
    const files = directoryOf({ one: [50, "++", { category: "search" }], other: [50, "++"] });
    const { categories = [] } = files.taxonomy;
    const withSearch = [...categories, { ...categories[0]!, slug: "search" }];
    const taxonomy = { ...files.taxonomy, categories: withSearch };
    const { store } = await aStore({ ...files, taxonomy });
    const read = await served(store);
    const hosts = itemsOf((await read("/feeds/search.json")).text).map(({ url }) => url);
    expect(hosts).toEqual(["https://directory.example/sites/one.example"]);
  });

  it("goes on in further pages, each with the next items and none twice", async () => {
    const rows = (score: number, scan: number) =>
      directoryOf(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, n) => [`s${n}`, [score, "++", {}, scan]]),
        ),
      );
    const { store } = await aStore(rows(1, 1), rows(2, 2), rows(3, 3));
    const read = await served(store);
    const all: string[] = [];
    const sizes: number[] = [];
    for (let path: string | undefined = "/search-feed.json?minScore=1"; path !== undefined; ) {
      const json = JSON.parse((await read(path)).text);
      all.push(...json.items.map(told));
      sizes.push(json.items.length);
      path = json.next_url?.replace("https://directory.example", "");
    }
    expect(sizes).toEqual([CHANGES_LIMITS.feedItems, 20]);
    expect(new Set(all).size).toBe(120);
    expect(all).toEqual([...all].sort().reverse());
  });

  it("looks back for some days from the latest change, however few changes there are", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    });
    const { feedDays } = CHANGES_LIMITS;
    const names = ["a", "b", "c", "d"];
    const rows = (changed: number) =>
      directoryOf(
        Object.fromEntries(
          names.map((name, at) => [name, at < changed ? [9, "++", {}, 2] : [1, "++"]]),
        ),
      );
    const latest = Date.parse("2026-11-21T10:00:00Z");
    const at = (days: number) => {
      const time = latest - days * 86_400_000;
      vi.setSystemTime(time);
      vi.stubEnv("SOURCE_DATE_EPOCH", `${Math.floor(time / 1_000)}`);
    };
    at(2 * feedDays);
    const { store, publish } = await aStore(rows(0));
    for (const [index, days] of [feedDays + 1, feedDays + 0.001, feedDays - 0.001, 0].entries()) {
      at(days);
      await publish(rows(index + 1));
    }
    const found = async () => {
      const read = await served(store);
      return itemsOf((await read("/search-feed.json?minScore=9")).text).map(told);
    };
    expect(await found()).toEqual(["5 d.example found now", "4 c.example found now"]);
    // The clock has no effect: a feed is the same as long as nothing is published.
    at(-365);
    expect(await found()).toEqual(["5 d.example found now", "4 c.example found now"]);
  });

  it("reads the sites that have changed once for all searches, and the sites of each feed together", async () => {
    const rows = (score: number) => directoryOf({ a: [score, "++"], b: [score + 9, "++"] });
    const { store } = await aStore(rows(1), rows(2));
    const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
    onTestFinished(close);
    const reading = vi.spyOn(await snapshot.engine, "summariesOf");
    const found = async (query: string) =>
      itemsOf((await asked(snapshot, `/search-feed.json?${query}`)).bytes.toString()).length;
    const searches = ["minScore=9", "minScore=90", "q=none"];
    expect(await Promise.all(searches.map(found))).toEqual([1, 0, 0]);
    const sizes = reading.mock.calls.map(([hosts]) => hosts.length);
    expect(sizes.sort()).toEqual([0, 0, 1, 2]);
  });
});
