import { byFinish, publishedScanOf, type SiteSummary, searchableOf } from "./derive.js";
import { chance, pick, pickWeighted, shuffled, whole } from "./random.js";
import type { Records } from "./records.js";
import { damaged, spoiltHost } from "./request-defects.js";
import {
  disguised,
  encoded,
  hostileText,
  type Pair,
  pieceOf,
  queryString,
  recased,
} from "./request-text.js";

/** Makes a request target of one kind. */
type Maker = (random: () => number, records: Records) => string;

/**
 * A request target for a GET, as people and fuzzers send them: about three of four are valid and
 * find something. The same source and records give the same targets.
 */
export function randomRequest(random: () => number, records: Records): string {
  const maker = pickWeighted<Maker>(random, [
    [38, searchRequest],
    [15, facetsRequest],
    [15, suggestionsRequest],
    [19, reportRequest],
    [7, enrichmentRequest],
    [4, documentRequest],
    [2, unknownAddress],
  ]);
  return maker(random, records);
}

const searchRequest: Maker = (random, records) => {
  const pairs = filterPairs(random, records);
  if (chance(random, 0.6))
    pairs.push(["sort", pick(random, ["score", "score-asc", "host", "recent"])]);
  if (chance(random, 0.4)) pairs.push(["limit", pick(random, ["1", "2", "5", "23", "99", "100"])]);
  if (chance(random, 0.25)) pairs.push(["page", pick(random, ["1", "1", "1", "2", "3", "10000"])]);
  return listRead(random, "/api/sites", pairs);
};

/** Asks for more than the contract has in two of five requests. @param words what a read may add */
function includePairs(random: () => number, words: readonly string[]): Pair[] {
  return chance(random, 0.4)
    ? [["include", chance(random, 0.95) ? pick(random, words) : "score"]]
    : [];
}

const facetsRequest: Maker = (random, records) =>
  listRead(random, "/api/sites/facets", [
    ...filterPairs(random, records),
    ...includePairs(random, ["scores"]),
  ]);

const suggestionsRequest: Maker = (random, records) => {
  const target = anySummary(random, records);
  const aimed = target !== undefined && chance(random, 0.85);
  const entire = aimed && chance(random, 0.15);
  const field = aimed ? pick(random, [target.host, target.name ?? target.host]) : "";
  const text = entire ? field : pieceOf(random, field, 2, 12);
  const q = recased(random, aimed ? text : hostileText(random, records));
  return listRead(random, "/api/sites/suggestions", [
    ["q", encoded(random, padded(random, q))],
    ...includePairs(random, ["scores", "site"]),
  ]);
};

/** A read of lists with these pairs, one in ten damaged. */
function listRead(random: () => number, path: string, pairs: Pair[]): string {
  const sent = chance(random, 0.1) ? damaged(random, pairs) : shuffled(random, pairs);
  const address = chance(random, 0.02) ? path.replace("sites", "s%69tes") : path;
  return address + queryString(random, sent);
}

/** Blanks around a text, which trimming takes away, on a few texts. */
function padded(random: () => number, text: string): string {
  const blank = () => pick(random, ["", " ", "\t", "\u00a0", "\ufeff"]);
  return chance(random, 0.05) ? `${blank()}${text}${blank()}` : text;
}

function anySummary(random: () => number, records: Records): SiteSummary | undefined {
  const listings = searchableOf(records);
  return listings.length === 0 ? undefined : pick(random, listings).summary;
}

/** Filters that one listing passes (seven of eight times), or any. */
function filterPairs(random: () => number, records: Records): Pair[] {
  const target = anySummary(random, records);
  return target !== undefined && chance(random, 0.88)
    ? [...aimedText(random, target), ...aimedSlugs(random, records, target)]
    : loosePairs(random, records);
}

/** Filters of text, status and score that this listing passes. */
function aimedText(random: () => number, target: SiteSummary): Pair[] {
  const { host, name, tagline, status, latestScore: score } = target;
  const pairs: Pair[] = [];
  if (chance(random, 0.55)) {
    const field = pick(random, [host, name ?? host, tagline ?? host]);
    const text = pickWeighted<() => string>(random, [
      [1, () => pieceOf(random, field, 1, 1)],
      [6, () => pieceOf(random, field, 2, 12)],
      [1, () => [...field].slice(0, 120).join("")],
    ])();
    // A blank alone is no query; it would be trimmed away.
    const q = text.trim() === "" ? host : text;
    pairs.push(["q", encoded(random, padded(random, recased(random, q)))]);
  }
  if (chance(random, 0.15) && ["unclaimed", "claimed"].includes(status))
    pairs.push(["status", status]);
  if (score !== null && chance(random, 0.2))
    pairs.push(["minScore", String(pick(random, [0, score, whole(random, 0, score)]))]);
  if (score !== null && chance(random, 0.2))
    pairs.push(["maxScore", String(pick(random, [100, score, whole(random, score, 100)]))]);
  return pairs;
}

/** Filters of slugs that this listing passes. */
function aimedSlugs(random: () => number, records: Records, target: SiteSummary): Pair[] {
  const { category, tags, platforms, latestBand, capabilities } = target;
  const pairs: Pair[] = [];
  const choose = (name: string, own: string[], most: number, others: string[]) => {
    if (own.length === 0 || !chance(random, 0.22)) return;
    const more = chance(random, 0.4) ? whole(random, 1, most - 1) : 0;
    const values = [pick(random, own), ...Array.from({ length: more }, () => pick(random, others))];
    for (const value of shuffled(random, values)) pairs.push([name, encodeURIComponent(value)]);
  };
  choose("category", category === null ? [] : [category.slug], 10, slugsOf(records, "category"));
  choose(
    "tag",
    tags.map(({ slug }) => slug),
    10,
    slugsOf(records, "tag"),
  );
  choose("platform", platforms, 10, slugsOf(records, "platform"));
  choose("band", latestBand === null ? [] : [latestBand], 4, slugsOf(records, "band"));
  choose("capability", capabilities, 10, capabilities);
  return pairs.map(([name, value]) => [name, calledBefore(random, records, name, value)]);
}

/** A slug, or one that the term had before. */
function calledBefore(random: () => number, records: Records, name: string, value: string): string {
  const names = [...(records.renamed[name] ?? [])].flatMap(([was, is]) =>
    is === value ? was : [],
  );
  return names.length > 0 && chance(random, 0.5) ? pick(random, names) : value;
}

const oddSlugs = ["no-such-slug", "constructor", "tostring", "0", "a", `b${"-b".repeat(39)}c`];

/** The directory's slugs for a parameter, inactive ones included, and some that it does not have. */
function slugsOf(records: Records, name: string): string[] {
  const { rubric, checks } = records.standards;
  const real: Record<string, string[]> = {
    category: records.categories.map(({ slug }) => slug),
    tag: records.tags.map(({ slug }) => slug),
    platform: records.platforms.map(({ slug }) => slug),
    band: rubric.bands.map(({ band }) => band),
    capability: checks.map(({ id }) => id),
  };
  return [...(real[name] ?? []), ...(records.renamed[name]?.keys() ?? []), ...oddSlugs];
}

/** Valid filters with whatever values, which often leave nothing. */
function loosePairs(random: () => number, records: Records): Pair[] {
  const pairs: Pair[] = [];
  if (chance(random, 0.6)) {
    const text = chance(random, 0.05) ? "é".repeat(120) : hostileText(random, records);
    if (text.trim() !== "") pairs.push(["q", encoded(random, text)]);
  }
  for (const name of ["category", "tag", "platform", "capability", "band"])
    if (chance(random, 0.2)) pairs.push([name, pick(random, slugsOf(records, name))]);
  const scores = [whole(random, 0, 100), whole(random, 0, 100)].sort((a, b) => a - b);
  if (chance(random, 0.2)) pairs.push(["minScore", String(scores[0])]);
  if (chance(random, 0.2)) pairs.push(["maxScore", String(scores[1])]);
  return pairs;
}

/** Hosts and scans by what a read of a report makes of them. */
interface Known {
  hosts: Map<string, string[]>;
  scans: Map<string, { host: string; id: string }[]>;
}

const knownOf = new WeakMap<Records, Known>();

/** The listings' hosts by visibility, and the scans: published, past and held-back ones. */
function known(records: Records): Known {
  const made: Known = knownOf.get(records) ?? { hosts: new Map(), scans: new Map() };
  if (knownOf.has(records)) return made;
  const add = <T>(groups: Map<string, T[]>, group: string, value: T) =>
    groups.set(group, [...(groups.get(group) ?? []), value]);
  for (const listing of records.listings.values()) {
    const { host, visibility } = listing;
    const published = publishedScanOf(records, listing);
    add(made.hosts, published === undefined ? "never scanned" : visibility, host);
    if (published === undefined) continue;
    for (const scan of records.scans.get(host) ?? []) {
      const side = Math.sign(byFinish(scan, published));
      const plan = listing.entitlements.history ? "with history" : "without";
      const group = side === 0 ? "published" : side < 0 ? `past ${plan}` : "held back";
      add(made.scans, group, { host, id: scan.id });
    }
  }
  knownOf.set(records, made);
  return made;
}

/** A host of the directory, as it is sent; every visibility comes up. */
function realHost(random: () => number, records: Records): string {
  const { hosts } = known(records);
  const listed = hosts.get("listed") ?? [];
  if (listed.length > 0 && chance(random, 0.65)) return pick(random, listed);
  return hosts.size === 0 ? "example.com" : pick(random, pick(random, [...hosts.values()]));
}

/** 253 characters, the most that a host may have. */
const longestHost = `${`${"a".repeat(61)}.`.repeat(4)}abcde`;

const unknownHosts = [
  "no-such.example",
  "constructor.com",
  "a.b.c.example",
  "xn--pple-43d.com",
  longestHost,
];

/** A path segment for a host: mostly real, some unknown, some no canonical host. */
function hostSegment(random: () => number, records: Records): string {
  const host = realHost(random, records);
  return pickWeighted<() => string>(random, [
    [88, () => host],
    [4, () => disguised(random, host)],
    [3, () => pick(random, unknownHosts)],
    [7, () => spoiltHost(random, host)],
  ])();
}

const badScanIds = ["", "a.b", "a%20b", "%zz", "%C3%A9", "a".repeat(129), "..", "a%00"];
const oddScanIds = ["no-such-scan", "__proto__", "constructor", "-", "a".repeat(128)];

const reportRequest: Maker = (random, records) => {
  const host = hostSegment(random, records);
  const read = chance(random, 0.03) ? disguised(random, "report") : "report";
  const address = `/api/sites/${host}/${read}`;
  if (chance(random, 0.03)) return address + queryString(random, damaged(random, []));
  const { scans } = known(records);
  const groups = [...scans.values()];
  if (groups.length > 0 && chance(random, 0.35)) {
    const { host: scanned, id } = pick(random, pick(random, groups));
    const owner = chance(random, 0.1) ? host : scanned;
    return `/api/sites/${owner}/${read}${queryString(random, [["scan", id]])}`;
  }
  if (!chance(random, 0.06)) return address + queryString(random, []);
  const id = pick(random, chance(random, 0.5) ? badScanIds : oddScanIds);
  return address + queryString(random, [["scan", id]]);
};

const enrichmentRequest: Maker = (random, records) => {
  const host = hostSegment(random, records);
  const pairs: Pair[] = chance(random, 0.06) ? damaged(random, []) : [];
  return `/api/sites/${host}/enrichment${queryString(random, pairs)}`;
};

const documentRequest: Maker = (random) => {
  const path = pick(random, ["/api/standards", "/api/categories", "/api/tags"]);
  return path + queryString(random, chance(random, 0.5) ? damaged(random, []) : []);
};

const unknownAddress: Maker = (random, records) => {
  const host = realHost(random, records);
  return pick(random, [
    "/api",
    "/api/",
    "/api/site",
    "/API/sites",
    "/api/sites/",
    "/api/sites/suggestions/x",
    "/api/standards.json",
    "/api/standards/x",
    "/api/constructor",
    "/__proto__",
    "/api/%zz",
    "/api/sites%2Ffacets",
    `/api/sites/${host}`,
    `/api/sites/${host}/Report`,
    `/api/sites/${host}/report.json`,
    `/api/sites/${host}/report/x`,
    `/api/sites/${host}/scans?scan=1`,
    `/sites/${host}/report`,
  ]);
};
