import { facetsBody, searchBody, sitesOf, suggestionsBody } from "../../src/answer/bodies.js";
import { LIMITS } from "../../src/contract/limits.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import {
  ListingFilters,
  type QueryReading,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../src/contract/query.js";
import type { Engine } from "../../src/engine/answering.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { currentId } from "../../src/store/reader.js";
import { chance, pick, pickWeighted, seeded, shuffled, whole } from "../oracle/random.js";

type Random = () => number;

/** Loads the engine of a store's current snapshot. @throws BadSnapshotError */
export async function loadEngine(store: string): Promise<Engine> {
  const id = await currentId(store);
  if (id === null) throw new Error(`${store} has no snapshot`);
  const loaded = await loadSnapshot(store, id);
  HELD.push(loaded);
  return loaded.snapshot.engine;
}

/** A snapshot that the collector frees would close its files. */
const HELD: object[] = [];

/** All listings in search, by host. */
export async function summariesOf(engine: Engine): Promise<SiteSummary[]> {
  const found: SiteSummary[] = [];
  const query = { sort: "host", limit: LIMITS.pageSizeMax } as const;
  for (let page = 1; ; page += 1) {
    const { summaries } = await engine.search({ ...query, page });
    if (summaries.length === 0) return found;
    found.push(...sitesOf(summaries));
  }
}

/** Draws `count` hosts by Zipf's law with exponent 1: the nth host is drawn 1/n times as often as the first. */
export function zipfDraws(hosts: readonly string[], seed: number, count: number): string[] {
  const random = seeded(seed + 1);
  const inOrder = shuffled(seeded(seed), hosts);
  const most = Math.log(hosts.length + 1);
  const rank = () => Math.min(hosts.length, Math.floor(Math.exp(random() * most))) - 1;
  return Array.from({ length: count }, () => inOrder[rank()]!);
}

/** Folds a text as the contract's literal matching does. */
function fold(text: string): string {
  const lower = text.normalize("NFC").toLowerCase();
  return lower.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

const FILTERS = ["category", "tag", "platform", "capability", "band"] as const;
type Values = Readonly<Record<(typeof FILTERS)[number], readonly string[]>>;

/** A listing as requests are drawn from it. Absent texts are "". */
interface PoolListing extends Values {
  readonly fields: readonly [host: string, name: string, tagline: string];
}

/** A directory as requests are drawn from it. */
interface Pool {
  readonly listings: readonly PoolListing[];
  /** All values that listings have. */
  readonly values: Values;
  /** The folded text of all fields, and that of hosts and names. */
  readonly all: string;
  readonly titles: string;
}

function makePool(summaries: readonly SiteSummary[]): Pool {
  const listings = summaries.map((summary): PoolListing => {
    const { host, name, tagline, category, tags, platforms, capabilities, latestBand } = summary;
    return {
      fields: [host, name ?? "", tagline ?? ""],
      category: category === null ? [] : [category.slug],
      tag: tags.map(({ slug }) => slug),
      platform: platforms,
      capability: capabilities,
      band: latestBand === null ? [] : [latestBand],
    };
  });
  const text = (fields: number) =>
    listings.map((one) => fold(one.fields.slice(0, fields).join("\0"))).join("\0");
  const valuesOf = (name: keyof Values) => [...new Set(listings.flatMap((one) => one[name]))];
  const [category = [], tag = [], platform = [], capability = [], band = []] =
    FILTERS.map(valuesOf);
  const values = { category, tag, platform, capability, band };
  return { listings, values, all: text(3), titles: text(2) };
}

/**
 * Requests as people type and click, as raw query strings, all different and the same for the same seed and
 * directory. Of search and facets 55% have `q`, a piece of a real field, of those 12% one that is nowhere
 * and 20% filters beside it; the others are filters in combination.
 */
export interface Workload {
  readonly search: readonly string[];
  readonly facets: readonly string[];
  readonly suggestions: readonly string[];
}

export type Read = keyof Workload;
export const READS: readonly Read[] = ["search", "facets", "suggestions"];

type Parameter = readonly [name: string, value: string];

const WITH_TEXT = 0.55;
const WITHOUT_HIT = 0.12;
const TEXT_AND_FILTERS = 0.2;
/** Code points of a piece. */
const PIECE_MIN = 2;
const PIECE_MAX = 12;

const SORTS = [
  [55, "score"],
  [20, "recent"],
  [15, "host"],
  [10, "score-asc"],
] as const;
const PAGES = [
  [60, 1],
  [17, 2],
  [10, 3],
  [7, 4],
  [6, 5],
] as const;
const PAGE_SIZES = [
  [80, 24],
  [8, 10],
  [7, 50],
  [5, 100],
] as const;

/** @param count requests of each read */
export function makeWorkload(
  summaries: readonly SiteSummary[],
  seed: number,
  count: number,
): Workload {
  const pool = makePool(summaries);
  const distinct = (stream: number, make: (random: Random) => Parameter[]): string[] => {
    const random = seeded(seed * 8 + stream);
    const made = new Set<string>();
    while (made.size < count) made.add(encode(make(random)));
    return [...made];
  };
  return {
    search: distinct(1, (random) => [...listingFilters(random, pool), ...view(random)]),
    facets: distinct(2, (random) => listingFilters(random, pool)),
    suggestions: distinct(3, (random) => [["q", text(random, pool, "titles")]]),
  };
}

function encode(parameters: readonly Parameter[]): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of parameters) encoded.append(name, value);
  return encoded.toString();
}

function view(random: Random): Parameter[] {
  const sort = pickWeighted(random, SORTS);
  const page = pickWeighted(random, PAGES);
  const limit = pickWeighted(random, PAGE_SIZES);
  return [
    ...(sort === "score" ? [] : [["sort", sort] as const]),
    ...(page === 1 ? [] : [["page", `${page}`] as const]),
    ...(limit === 24 ? [] : [["limit", `${limit}`] as const]),
  ];
}

function listingFilters(random: Random, pool: Pool): Parameter[] {
  if (!chance(random, WITH_TEXT)) return filters(random, pool, whole(random, 1, 4));
  const q = ["q", text(random, pool, "all")] as const;
  const beside = chance(random, TEXT_AND_FILTERS) ? filters(random, pool, whole(random, 1, 2)) : [];
  return [q, ...beside];
}

/** Filters of up to `count` kinds. Half of the values are those of one listing, the others any that are shown. */
function filters(random: Random, pool: Pool, count: number): Parameter[] {
  const listing = pick(random, pool.listings);
  const kinds = shuffled(random, [...FILTERS, "status", "score"] as const).slice(0, count);
  return kinds.flatMap((kind) => {
    if (kind === "status") return [["status", pick(random, ["unclaimed", "claimed"])] as const];
    if (kind === "score") return scores(random);
    const own = listing[kind];
    const wanted = pickWeighted(random, [
      [60, 1],
      [25, 2],
      [15, 3],
    ]);
    const chosen = new Set<string>();
    for (let at = 0; at < wanted; at += 1) {
      const known = own.length > 0 && chance(random, 0.5);
      chosen.add(pick(random, known ? own : pool.values[kind]));
    }
    return [...chosen].map((value) => [kind, value] as const);
  });
}

function scores(random: Random): Parameter[] {
  const low = whole(random, 0, 18) * 5;
  const high = Math.min(100, low + whole(random, 1, 10) * 5);
  return pickWeighted<Parameter[]>(random, [
    [50, [["minScore", `${low}`]]],
    [20, [["maxScore", `${high}`]]],
    [
      30,
      [
        ["minScore", `${low}`],
        ["maxScore", `${high}`],
      ],
    ],
  ]);
}

/** A piece to look for: one that is there, or, now and then, one that is in no such field. */
function text(random: Random, pool: Pool, fields: "all" | "titles"): string {
  if (!chance(random, WITHOUT_HIT)) return piece(random, pool, fields);
  for (;;) {
    const wrong = mistyped(random, piece(random, pool, fields)).trim();
    const isPiece = Array.from(wrong).length >= PIECE_MIN;
    if (isPiece && !pool[fields].includes(fold(wrong))) return wrong;
  }
}

/** A piece of a field, half of them from the beginning of a word. */
function piece(random: Random, pool: Pool, fields: "all" | "titles"): string {
  for (;;) {
    const points = Array.from(anyField(random, pick(random, pool.listings), fields));
    const length = whole(random, PIECE_MIN, PIECE_MAX);
    if (points.length < PIECE_MIN) continue;
    let start = whole(random, 0, Math.max(0, points.length - length));
    if (chance(random, 0.5))
      while (start > 0 && /[\p{L}\p{N}\p{M}]/u.test(points[start - 1]!)) start -= 1;
    const found = points
      .slice(start, start + length)
      .join("")
      .trim();
    const typed = chance(random, 0.5) ? found.toLowerCase() : found;
    const size = Array.from(typed).length;
    if (size >= PIECE_MIN && size <= PIECE_MAX && fold(typed) !== "") return typed;
  }
}

function anyField(random: Random, listing: PoolListing, fields: "all" | "titles"): string {
  const texts = listing.fields.slice(0, fields === "all" ? 3 : 2).filter((field) => field !== "");
  return pick(random, texts);
}

/** Two neighbours swapped, a letter lost, doubled or replaced. */
function mistyped(random: Random, right: string): string {
  const points = Array.from(right);
  const at = whole(random, 0, points.length - 1);
  const letter = points[at]!;
  const edits = [
    [points[at + 1] ?? "", letter],
    [],
    [letter, letter],
    [whole(random, 10, 35).toString(36)],
  ];
  const kind = whole(random, 0, edits.length - 1);
  points.splice(at, kind === 0 ? 2 : 1, ...edits[kind]!);
  return points.slice(0, PIECE_MAX).join("");
}

/** One request, which was read beforehand: that is not measured. */
export type Ask = (engine: Engine) => Promise<Uint8Array>;

/** @throws Error if the contract refuses a request of the workload */
export function askers(read: Read, raws: readonly string[]): Ask[] {
  return raws.map((raw): Ask => {
    if (read === "search") {
      const query = parsed(readQuery(SearchQuery, raw), raw);
      return async (engine) => searchBody(query, await engine.search(query));
    }
    if (read === "facets") {
      const query = parsed(readQuery(ListingFilters, raw), raw);
      return async (engine) => facetsBody(await engine.facets(query));
    }
    const query = parsed(readQuery(SuggestionsQuery, raw), raw);
    return async (engine) => suggestionsBody(query, await engine.suggest(query.q));
  });
}

function parsed<T>(reading: QueryReading<T>, raw: string): T {
  if (reading.ok) return reading.value;
  throw new Error(`not a legal request: ${raw} ${JSON.stringify(reading.issues)}`);
}

/** Microseconds of all this process's threads. On a machine that others use, wall time means little. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
