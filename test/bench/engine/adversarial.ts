import { LIMITS } from "../../../src/contract/limits.js";
import { Random } from "../../sample/generator/random.js";
import type { Pool } from "./pool.js";
import { encode, type Workload } from "./workload.js";

/** Every filter full of the commonest values, with a long, a short and no `q` of the commonest grams. */
export type Adversaries = Readonly<Record<"long q" | "short q" | "no q", Workload>>;

/** Values and grams are drawn from somewhat more than are asked for, so that requests differ. */
const MORE = 1.5;
const GRAMS = 60;

/** @param grams the directory's trigrams, commonest first; @param count requests of each kind and read */
export function makeAdversaries(
  pool: Pool,
  grams: readonly string[],
  seed: number,
  count: number,
): Adversaries {
  const workload = (stream: number, q: (random: Random) => string | null): Workload => {
    const distinct = (salt: number, view: boolean): string[] => {
      const random = new Random(seed, stream, salt);
      const made = new Set<string>();
      for (let tries = 0; made.size < count && tries < count * 10; tries += 1) {
        made.add(encode([...full(random, pool, q(random)), ...(view ? sorted(random) : [])]));
      }
      return [...made];
    };
    const texts = new Set<string>();
    const random = new Random(seed, stream, 3);
    for (let tries = 0; texts.size < count && tries < count * 10; tries += 1) {
      const text = q(random);
      if (text !== null && Array.from(text).length >= LIMITS.suggestionTextMin) {
        texts.add(encode([["q", text]]));
      }
    }
    return { search: distinct(1, true), facets: distinct(2, false), suggestions: [...texts] };
  };
  const common = grams.slice(0, GRAMS);
  const followers = followersOf(grams);
  return {
    "long q": workload(1, (random) => longText(random, common, followers)),
    "short q": workload(2, (random) => shortText(random, common)),
    "no q": workload(3, () => null),
  };
}

function full(random: Random, pool: Pool, q: string | null): [string, string][] {
  const kinds = ["category", "tag", "platform", "capability"] as const;
  const some = (kind: keyof Pool["values"], count: number): [string, string][] => {
    const common = pool.values[kind].slice(0, Math.ceil(count * MORE));
    return random.some(common, count).map((value) => [kind, value]);
  };
  return [
    ...(q === null ? [] : [["q", q] as [string, string]]),
    ...kinds.flatMap((kind) => some(kind, LIMITS.filterValuesMax)),
    ...some("band", LIMITS.bandValuesMax),
  ];
}

function sorted(random: Random): [string, string][] {
  return [
    ["sort", random.pick(["score", "score-asc", "host", "recent"])],
    ["page", `${random.between(1, 5)}`],
    ["limit", random.pick(["24", "100"])],
  ];
}

function shortText(random: Random, common: readonly string[]): string {
  const gram = random.pick(common);
  const length = random.between(1, 3);
  return gram.slice(0, length).trim() || gram;
}

/** By two characters, what most often comes after them. */
function followersOf(grams: readonly string[]): Map<string, string[]> {
  const followers = new Map<string, string[]>();
  for (const gram of grams) {
    const start = gram.slice(0, 2);
    const known = followers.get(start) ?? [];
    if (known.length < 3) followers.set(start, [...known, gram.slice(2)]);
  }
  return followers;
}

/** As many characters as are allowed, each gram followed by a common one that begins as it ends. */
function longText(
  random: Random,
  common: readonly string[],
  followers: ReadonlyMap<string, string[]>,
): string {
  let text = random.pick(common);
  while (text.length < LIMITS.queryTextMax) {
    const next = followers.get(text.slice(-2));
    text += next === undefined ? random.pick(common) : random.pick(next);
  }
  return text.slice(0, LIMITS.queryTextMax).toWellFormed().trim();
}
