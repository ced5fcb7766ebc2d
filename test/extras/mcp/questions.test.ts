import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build } from "../../../src/publish/build.js";
import { writeSample } from "../../../src/sample/sample.js";
import { serve } from "../../../src/server/serve.js";
import type { RunningServer } from "../../../src/server/server.js";
import { temporaryFolder } from "../../fixtures.js";
import { NO_PICTURES } from "../../pictures.js";
import { callTool, connected, ERAS, refusedCall } from "./mcp-client.js";
import {
  type Published,
  type PublishedScan,
  type PublishedSite,
  readPublished,
} from "./published.js";

/*
 * What people ask an assistant about a directory, with the calls of an agent that knows no more than the tools say of
 * themselves. The answers are compared with the published records. docs/agents.md has the same questions and calls.
 */

/** The most calls that a question may take. */
const CALLS_MAX = 4;

let server: RunningServer;
let published: Published;
const cleanUps: (() => Promise<void>)[] = [];

/** Sites whose last scan the first publication does not know. */
let rescanned: PublishedSite[];
/** A site that the first publication does not know. */
const ENTERED = "birchclinic.example";
/** A site that the second publication does not know any more. */
let left: PublishedSite;

beforeAll(async () => {
  const folder = await temporaryFolder((cleanUp) => cleanUps.push(cleanUp));
  const [now, before, store] = ["now", "before", "store"].map((name) => join(folder, name));
  await writeSample(now!);
  published = await readPublished(now!);
  rescanned = [...published.sites.values()]
    .filter(({ scan, scans }) => scans.length > 1 && scan.scoreVersion === scans[1]?.scoreVersion)
    .filter(({ scan, scans }) => scan.score !== scans[1]?.score)
    .filter(({ listing }) => !listing.publishedScan)
    .filter(({ listing }) => listing.host !== ENTERED)
    // The sites in files of their own come last.
    .slice(-60);
  await cp(now!, before!, { recursive: true });
  const ids = new Set(rescanned.map(({ listing, scan }) => `${listing.host} ${scan.id}`));
  await withoutRecords(join(before!, "scans"), ({ host, id }) => ids.has(`${host} ${id}`));
  await withoutRecords(before!, ({ host }) => host === ENTERED);
  left = [...published.sites.values()].findLast((one) => !rescanned.includes(one))!;
  await withoutRecords(now!, ({ host }) => host === left.listing.host);
  published = await readPublished(now!);
  for (const input of [before!, now!]) await build(input, { store: store! });
  server = await serve(store!, { port: 0, ...NO_PICTURES });
}, 120_000);

afterAll(async () => {
  await server.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Deletes records from the files of a published directory. */
async function withoutRecords(
  folder: string,
  isLeftOut: (record: { host: string; id?: string }) => boolean,
): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (name.endsWith(".ndjson")) {
      const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
      const kept = lines.filter((line) => !isLeftOut(JSON.parse(line)));
      if (kept.length < lines.length) await writeFile(path, `${kept.join("\n")}\n`);
    } else if (name.endsWith(".json") && isLeftOut(JSON.parse(await readFile(path, "utf8")))) {
      await rm(path);
    }
  }
}

/** An agent that counts its calls. */
class Agent {
  readonly calls: string[] = [];
  readonly #client: Awaited<ReturnType<typeof connected>>;

  constructor(client: Awaited<ReturnType<typeof connected>>) {
    this.#client = client;
  }

  async call<T>(name: string, args: Record<string, unknown>): Promise<T> {
    this.calls.push(name);
    return (await callTool(this.#client, name, args)) as T;
  }

  /** The slug of a term that people name in their own words. */
  async term(kind: string, q: string): Promise<string> {
    const { data } = await this.call<{ data: { slug: string }[] }>("list_terms", { kind, q });
    expect(data.length).toBeGreaterThan(0);
    return data[0]!.slug;
  }
}

const all = () => [...published.sites.values()];
const siteOf = (host: string) => published.sites.get(host)!;
const passes = ({ scan }: PublishedSite, check: string) =>
  scan.checks?.some(({ checkId, status }) => checkId === check && status === "pass") === true;
const isSubject = ({ scan }: PublishedSite, check: string) =>
  scan.checks?.some(({ checkId, status }) => checkId === check && status !== "na") === true;
const isIn = ({ listing }: PublishedSite, category: string) => listing.category === category;
const isCurrent = ({ scan }: PublishedSite) =>
  scan.score !== null && scan.scoreVersion === published.standards.rubric.version;
const byHost = (a: { host: string }, b: { host: string }) => (a.host < b.host ? -1 : 1);

interface Summary {
  readonly host: string;
  readonly latestScore: number | null;
  readonly category: { readonly slug: string } | null;
}
interface Fact {
  readonly value: number | null;
  readonly n: number;
  readonly count: number;
  readonly categories: readonly {
    category: string;
    value: number | null;
    n: number;
    count: number;
  }[];
  readonly scores: readonly { score: number; sites: number }[];
}
interface Preflight {
  readonly data: readonly { host: string; known: string; mayRead: string }[];
}
interface CrawlerAccess {
  readonly figures: object;
  readonly sites: readonly Summary[];
  readonly total: number;
}
interface SiteReport {
  readonly data: {
    readonly checks: readonly { checkId: string; status: string; summary: string | null }[];
    readonly fixes: readonly { checkId: string; recoverablePoints: number; scoreAfter: number }[];
    readonly fixesHidden: number;
  };
}

/** The calls for each question, in turn; each throws if the answer is not what the records say. */
const QUESTIONS: Readonly<Record<string, (agent: Agent) => Promise<void>>> = {
  "Which health sites can AI assistants read best?": async (agent) => {
    const category = await agent.term("category", "health");
    const args = { category: [category], limit: 5 };
    const { data } = await agent.call<{ data: Summary[] }>("search_sites", args);
    const scored = all().filter((one) => isIn(one, "health") && one.scan.score !== null);
    const best = scored.map(({ scan }) => scan.score!).sort((a, b) => b - a);
    expect(data.map((one) => one.latestScore)).toEqual(best.slice(0, 5));
    for (const { host, latestScore } of data) expect(siteOf(host).scan.score).toBe(latestScore);
  },

  "May GPTBot read birchclinic.example?": async (agent) => {
    const hosts = all().map(({ listing }) => listing.host);
    const others = hosts.filter((one) => siteOf(one).scan.accessPolicy).slice(0, 99);
    const args = { hosts: ["birchclinic.example", ...others.filter((one) => one !== ENTERED)] };
    const { data } = await agent.call<Preflight>("preflight", { ...args, crawler: "GPTBot" });
    const told = new Set(data.map(({ mayRead }) => mayRead));
    expect(told.size).toBeGreaterThan(1);
    for (const { host, mayRead } of data) {
      const rows = siteOf(host).scan.accessPolicy?.rows ?? [];
      const states = rows
        .flatMap(({ findings }) => findings)
        .flatMap(({ subjects, state }) => (subjects.includes("GPTBot") ? [state] : []));
      const may = states.includes("allowed");
      const mayNot = states.includes("disallowed");
      const one = may ? "yes" : mayNot ? "no" : "unstated";
      expect([host, mayRead]).toEqual([
        host,
        states.includes("mixed") || (may && mayNot) ? "partly" : one,
      ]);
    }
  },

  "Which sites refuse GPTBot?": async (agent) => {
    const crawler = "GPTBot";
    const sitesWith = (treatment: object) =>
      agent.call<CrawlerAccess>("crawler_access", { crawler, limit: 100, ...treatment });
    const declared = await sitesWith({ declared: "disallowed" });
    const served = await sitesWith({ served: "refused" });
    const statesOf = ({ scan }: PublishedSite) =>
      (scan.accessPolicy?.rows ?? [])
        .flatMap(({ findings }) => findings)
        .flatMap(({ subjects, state }) => (subjects.includes(crawler) ? [state] : []));
    const disallowing = all().filter((one) => {
      const states = statesOf(one);
      return states.includes("disallowed") && !states.some((state) => /^allowed|mixed/.test(state));
    });
    const hosts = disallowing.map(({ listing }) => listing.host).sort();
    expect(hosts.length).toBeGreaterThan(1);
    expect(declared.sites.map(({ host }) => host).sort()).toEqual(hosts);
    const best = disallowing.map(({ scan }) => scan.score ?? -1).sort((a, b) => b - a);
    expect(declared.sites.map(({ latestScore }) => latestScore ?? -1)).toEqual(best);
    // The scanner of the sample makes no requests as a crawler.
    expect(all().some((one) => statesOf(one).includes("observed"))).toBe(false);
    expect(served).toMatchObject({ sites: [], total: 0 });
    const said = all().filter((one) => statesOf(one).length > 0);
    expect(served.figures).toMatchObject({ crawler, n: said.length, allowedButRefused: 0 });
  },

  "What share of sites has an llms.txt, and in which category is it highest?": async (agent) => {
    const check = await agent.term("check", "llms.txt");
    const args = { figure: "passing", check, by: "category" };
    const { value, n, count, categories } = await agent.call<Fact>("facts", args);
    const subjects = all().filter((one) => isSubject(one, "llms-txt"));
    const passing = subjects.filter((one) => passes(one, "llms-txt"));
    expect([n, count]).toEqual([subjects.length, passing.length]);
    expect(value).toBe(Math.round((100 * passing.length) / subjects.length));
    const share = (slug: string) => {
      const own = subjects.filter((one) => isIn(one, slug));
      const good = own.filter((one) => passes(one, "llms-txt"));
      // Of fewer than five that pass, and as few that do not, nothing is said.
      const isTold = good.length >= 5 || own.length - good.length >= 5;
      return { n: own.length, count: good.length, share: isTold ? good.length / own.length : -1 };
    };
    expect(categories.length).toBeGreaterThan(20);
    const highest = Math.max(...published.categories.map(({ slug }) => share(slug).share));
    expect(share(categories[0]!.category).share).toBe(highest);
    for (const one of categories) {
      const { n, count } = share(one.category);
      expect([one.category, one.n, one.count]).toEqual([one.category, n, count]);
    }
  },

  "What should evergreen-nursery.example fix first, and what would it gain?": async (agent) => {
    const args = { host: "evergreen-nursery.example" };
    const { data } = await agent.call<SiteReport>("get_report", args);
    const { scan } = siteOf("evergreen-nursery.example");
    const most = Math.max(...scan.fixes!.map((one) => one.recoverablePoints));
    const best = scan.fixes!.find((one) => one.recoverablePoints === most)!;
    const told = data.fixes.toSorted((a, b) => b.recoverablePoints - a.recoverablePoints)[0]!;
    expect(told).toMatchObject({ checkId: best.checkId, recoverablePoints: most });
    expect(told.scoreAfter).toBe(best.scoreAfter);
    expect(data.fixesHidden).toBe(scan.fixes!.length - data.fixes.length);
  },

  "Which of these five hosts are not listed?": async (agent) => {
    const unlisted = published.listings.filter(({ host }) => !published.sites.has(host));
    const [one, two] = published.sites.keys();
    const hosts = [one!, unlisted[0]!.host, two!, unlisted[1]!.host, "nowhere.example"];
    const { data } = await agent.call<Preflight>("preflight", { hosts });
    const missing = data.flatMap(({ host, known }) => (known === "listed" ? [] : [host]));
    expect(missing).toEqual([hosts[1], hosts[3], hosts[4]]);
  },

  "What changed about evergreen-nursery.example lately?": async (agent) => {
    const host = "evergreen-nursery.example";
    const { scan, scans } = siteOf(host);
    const { data } = await agent.call<Changes>("recent_changes", { host });
    const passed = ({ checks = [] }: PublishedScan) =>
      checks
        .filter(({ kind, status }) => kind !== "penalty" && status === "pass")
        .map(({ checkId }) => checkId)
        .sort();
    const is = passed(scan);
    const was = passed(scans[1]!);
    expect(data).toMatchObject([
      {
        host,
        what: "changed",
        score: { from: scans[1]!.score, to: scan.score },
        checks: {
          gained: is.filter((one) => !was.includes(one)),
          lost: was.filter((one) => !is.includes(one)),
        },
      },
    ]);
  },

  "Which health sites are new, or changed lately?": async (agent) => {
    const category = await agent.term("category", "health");
    const { data, total } = await agent.call<Changes>("recent_changes", { category, limit: 100 });
    const changed = rescanned.filter((one) => isIn(one, "health"));
    const told = data.map(({ host, what }) => ({ host, what })).sort(byHost);
    const expected = changed.map(({ listing: { host } }) => ({ host, what: "changed" }));
    expect(told).toEqual([{ host: ENTERED, what: "entered" }, ...expected].sort(byHost));
    expect(total).toBe(told.length);
    expect(changed.length).toBeGreaterThan(0);
  },

  "Compare birchclinic.example and evergreen-nursery.example.": async (agent) => {
    const hosts = ["birchclinic.example", "evergreen-nursery.example"];
    const { sites, checks } = await agent.call<Comparison>("compare_sites", { hosts });
    expect(sites.map(({ host, score }) => [host, score])).toEqual(
      hosts.map((host) => [host, siteOf(host).scan.score]),
    );
    for (const { id, results } of checks) {
      const own = hosts.map((host) => siteOf(host).scan.checks!.find((one) => one.checkId === id));
      expect(results.map((one) => one?.status)).toEqual(own.map((one) => one?.status));
    }
    const ids = hosts.flatMap((host) => siteOf(host).scan.checks!.map((one) => one.checkId));
    expect(checks.map(({ id }) => id).sort()).toEqual([...new Set(ids)].sort());
  },

  "What does the check “Structured data” mean, and why does evergreen-nursery.example fail it?":
    async (agent) => {
      const id = await agent.term("check", "Structured data");
      const { check } = await agent.call<Methodology>("get_methodology", { check: id });
      const described = published.standards.checks.find((one) => one.id === "structured-data")!;
      expect(check).toMatchObject(described);
      const args = { host: "evergreen-nursery.example" };
      const { data } = await agent.call<SiteReport>("get_report", args);
      const told = data.checks.find((one) => one.checkId === id)!;
      const { checks = [] } = siteOf("evergreen-nursery.example").scan;
      const own = checks.find((one) => one.checkId === "structured-data")!;
      expect([told.status, told.summary]).toEqual([own.status, own.summary]);
      expect(told.summary).toMatch(/./);
    },

  "How does evergreen-nursery.example stand among the sites of its category?": async (agent) => {
    const host = "evergreen-nursery.example";
    const { data } = await agent.call<{ data: Summary[] }>("search_sites", { q: host, limit: 5 });
    const { latestScore, category } = data.find((one) => one.host === host)!;
    const args = { figure: "scores", category: category!.slug };
    const { value, scores, count } = await agent.call<Fact>("facts", args);
    const own = all().filter((one) => isIn(one, "home-garden") && isCurrent(one));
    const sorted = own.map(({ scan }) => scan.score!).sort((a, b) => a - b);
    expect([value, count]).toEqual([sorted[Math.ceil(sorted.length / 2) - 1], sorted.length]);
    const better = scores.filter(({ score }) => score > latestScore!);
    const places = better.reduce((sum, { sites }) => sum + sites, 1);
    expect(places).toBe(1 + sorted.filter((score) => score > siteOf(host).scan.score!).length);
  },

  "Which sites have both a feed and an OpenAPI description?": async (agent) => {
    const capability = [await agent.term("check", "feed"), await agent.term("check", "openapi")];
    const args = { capability, limit: 100 };
    const { data } = await agent.call<{ data: Summary[] }>("search_sites", args);
    const both = all().filter((one) => passes(one, "feed") && passes(one, "openapi"));
    const expected = both.map(({ listing: { host } }) => host).sort();
    expect(data.map(({ host }) => host).sort()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  },
};

it("of a site that left, only that it left is told", async () => {
  const client = await connected(server.url, ERAS[0]);
  const { host } = left.listing;
  const told = { score: null, band: null, scoreVersion: null, checks: null, was: null };
  const { data } = await callTool(client, "recent_changes", { host });
  expect(data).toEqual([{ host, what: "left", publishedAt: expect.any(String), ...told }]);
  const { category } = left.listing;
  const { data: all } = await callTool(client, "recent_changes", { category, limit: 100 });
  expect(all).toContainEqual((data as object[])[0]);
});

it("list_terms names each crawler once, those of the methodology first", async () => {
  const client = await connected(server.url, ERAS[0]);
  const { data } = await callTool(client, "list_terms", { kind: "crawler" });
  const slugs = (data as { slug: string }[]).map(({ slug }) => slug);
  const answer = await fetch(`${server.url}/api/standards`);
  const { crawlerCatalogue } = ((await answer.json()) as { data: Catalogue }).data;
  const catalogued = crawlerCatalogue.map(({ name, robotsToken }) => robotsToken ?? name);
  expect(catalogued.length).toBeGreaterThan(1);
  expect(slugs.slice(0, catalogued.length)).toEqual(catalogued);
  expect(slugs.length).toBe(new Set(slugs).size);
});

it("a report says how many fixes the listing's plan hides", async () => {
  const client = await connected(server.url, ERAS[0]);
  const some = all().filter(({ listing }) => (listing.entitlements?.fixPrompts ?? 99) < 3);
  const hidden = await Promise.all(
    some.slice(0, 10).map(async ({ listing: { host }, scan }) => {
      const { data } = (await callTool(client, "get_report", { host })) as unknown as SiteReport;
      expect([host, data.fixes.length + data.fixesHidden]).toEqual([host, scan.fixes?.length ?? 0]);
      return data.fixesHidden;
    }),
  );
  expect(Math.max(...hidden)).toBeGreaterThan(0);
});

it("a name that people see leads to the slug, however different that is", async () => {
  const client = await connected(server.url, ERAS[0]);
  const args = { check: "plugin manifest" };
  expect(await refusedCall(client, "get_methodology", args)).toContain(
    'did you mean \\"ai-plugin\\"?',
  );
});

interface Catalogue {
  readonly crawlerCatalogue: readonly { name: string; robotsToken: string | null }[];
}
interface Changes {
  readonly data: readonly { host: string; what: string }[];
  readonly total: number;
}
interface Comparison {
  readonly sites: readonly { host: string; score: number | null }[];
  readonly checks: readonly { id: string; results: readonly ({ status: string } | null)[] }[];
}
interface Methodology {
  readonly check: object | null;
}

it.each(Object.entries(QUESTIONS))("%s", async (question, answer) => {
  const agent = new Agent(await connected(server.url, ERAS[1]));
  await answer(agent);
  expect(agent.calls.length).toBeLessThanOrEqual(CALLS_MAX);
  const documented = (await readFile("docs/agents.md", "utf8")).split("\n");
  const row = documented.find((line) => line.startsWith(`| ${question} |`)) ?? "";
  const [, calls = ""] = row.split("|").slice(1);
  const named = Array.from(calls.matchAll(/`(\w+)`/g), ([, name]) => name);
  expect(named, "the calls that docs/agents.md names").toEqual(agent.calls);
});
