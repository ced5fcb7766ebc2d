import { Random } from "../../sample/generator/random.js";
import type { Pool, PoolListing } from "./pool.js";
import { fold } from "./text.js";

/**
 * Requests as people type and click, as raw query strings, all different and the same for the same seed and
 * directory. Of search and facets 55 % have `q`, a piece of a real field, of those 12 % one that is nowhere
 * and 20 % filters beside it; the others are filters in combination.
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
const [PIECE_MIN, PIECE_MAX] = [2, 12];

const SORTS = [
  ["score", 55],
  ["recent", 20],
  ["host", 15],
  ["score-asc", 10],
] as const;
const PAGES = [
  [1, 60],
  [2, 17],
  [3, 10],
  [4, 7],
  [5, 6],
] as const;
const LIMITS = [
  [24, 80],
  [10, 8],
  [50, 7],
  [100, 5],
] as const;

/** @param count requests of each read */
export function makeWorkload(pool: Pool, seed: number, count: number): Workload {
  const distinct = (stream: number, make: (random: Random) => Parameter[]): string[] => {
    const random = new Random(seed, stream);
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

export function encode(parameters: readonly Parameter[]): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of parameters) encoded.append(name, value);
  return encoded.toString();
}

function view(random: Random): Parameter[] {
  const sort = random.weighted(SORTS);
  const page = random.weighted(PAGES);
  const limit = random.weighted(LIMITS);
  return [
    ...(sort === "score" ? [] : [["sort", sort] as const]),
    ...(page === 1 ? [] : [["page", `${page}`] as const]),
    ...(limit === 24 ? [] : [["limit", `${limit}`] as const]),
  ];
}

function listingFilters(random: Random, pool: Pool): Parameter[] {
  if (!random.chance(WITH_TEXT)) return filters(random, pool, random.between(1, 4));
  const q = ["q", text(random, pool, "all")] as const;
  const beside = random.chance(TEXT_AND_FILTERS) ? filters(random, pool, random.between(1, 2)) : [];
  return [q, ...beside];
}

type Kind = "category" | "tag" | "platform" | "capability" | "band" | "status" | "score";

/** Filters of up to `count` kinds. Half of the values are those of one listing, the others any that are shown. */
function filters(random: Random, pool: Pool, count: number): Parameter[] {
  const listing = random.pick(pool.listings);
  const kinds = random.some<Kind>(
    ["category", "tag", "platform", "capability", "band", "status", "score"],
    count,
  );
  return kinds.flatMap((kind) => {
    if (kind === "status") return [["status", random.pick(["unclaimed", "claimed"])] as const];
    if (kind === "score") return scores(random);
    const own = listing[kind];
    const wanted = random.weighted([
      [1, 60],
      [2, 25],
      [3, 15],
    ]);
    const chosen = new Set<string>();
    for (let at = 0; at < wanted; at += 1) {
      const known = own.length > 0 && random.chance(0.5);
      chosen.add(random.pick(known ? own : pool.values[kind]));
    }
    return [...chosen].map((value) => [kind, value] as const);
  });
}

function scores(random: Random): Parameter[] {
  const low = random.between(0, 18) * 5;
  const high = Math.min(100, low + random.between(1, 10) * 5);
  return random.weighted<Parameter[]>([
    [[["minScore", `${low}`]], 50],
    [[["maxScore", `${high}`]], 20],
    [
      [
        ["minScore", `${low}`],
        ["maxScore", `${high}`],
      ],
      30,
    ],
  ]);
}

/** A piece to look for: one that is there, or, now and then, one that is in no such field. */
function text(random: Random, pool: Pool, fields: "all" | "titles"): string {
  if (!random.chance(WITHOUT_HIT)) return piece(random, pool, fields);
  for (;;) {
    const wrong = mistyped(random, piece(random, pool, fields)).trim();
    const isPiece = Array.from(wrong).length >= PIECE_MIN;
    if (isPiece && !pool[fields].text.includes(fold(wrong))) return wrong;
  }
}

/** A piece of a field, half of them from the beginning of a word. */
function piece(random: Random, pool: Pool, fields: "all" | "titles"): string {
  for (;;) {
    const points = Array.from(anyField(random, random.pick(pool.listings), fields));
    const length = random.between(PIECE_MIN, PIECE_MAX);
    if (points.length < PIECE_MIN) continue;
    let start = random.between(0, Math.max(0, points.length - length));
    if (random.chance(0.5))
      while (start > 0 && /[\p{L}\p{N}\p{M}]/u.test(points[start - 1]!)) start -= 1;
    const found = points
      .slice(start, start + length)
      .join("")
      .trim();
    const typed = random.chance(0.5) ? found.toLowerCase() : found;
    const size = Array.from(typed).length;
    if (size >= PIECE_MIN && size <= PIECE_MAX && fold(typed) !== "") return typed;
  }
}

function anyField(random: Random, listing: PoolListing, fields: "all" | "titles"): string {
  const texts = listing.fields.slice(0, fields === "all" ? 3 : 2).filter((field) => field !== "");
  return random.pick(texts);
}

/** Two neighbours swapped, a letter lost, doubled or replaced. */
function mistyped(random: Random, right: string): string {
  const points = Array.from(right);
  const at = random.between(0, points.length - 1);
  const letter = points[at]!;
  const edits = [
    [points[at + 1] ?? "", letter],
    [],
    [letter, letter],
    [random.between(10, 35).toString(36)],
  ];
  const kind = random.between(0, edits.length - 1);
  points.splice(at, kind === 0 ? 2 : 1, ...edits[kind]!);
  return points.slice(0, PIECE_MAX).join("");
}
