import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pick, seeded, whole } from "../../oracle/random.js";
import { fold } from "../../oracle/text.js";
import { REAL } from "../../real.js";
import type { IndexedListing } from "../../store/columns-of.js";
import { aListing, aSearch, openListings } from "../directory.js";

/*
 * Typos of real names and hosts: a listing, a word of its name, its whole name or its host, and one
 * mistake in a word of it. What the directory holds literally, mistyped or not, is no typo and is drawn
 * anew. The same directory and seed give the same set.
 */

const KINDS = ["swapped", "missing", "doubled", "wrong"] as const;
const FORMS = ["word", "name", "host"] as const;

interface Typo {
  /** What is asked for, and what was meant; both folded. */
  readonly typed: string;
  readonly meant: string;
  readonly kind: (typeof KINDS)[number];
  readonly form: (typeof FORMS)[number];
}

/** Letters of a word in which a mistake is made. */
const WORD_MIN = 4;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

const FOLDER = join(REAL.folder, "listings");

/** The listed records of the real directory, as far as text goes. */
function realListings(): IndexedListing[] {
  const records = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => join(FOLDER, name))
    .filter((path) => statSync(path).isFile())
    .flatMap((path) => {
      const text = readFileSync(path, "utf8");
      return path.endsWith(".json") ? [text] : text.split("\n").filter((line) => line !== "");
    })
    .map((record) => JSON.parse(record) as PublishedListing);
  return records
    .filter(({ visibility = "listed" }) => visibility === "listed")
    .map(({ host, name, tagline }) => aListing(host, { name, tagline }));
}

interface PublishedListing {
  readonly host: string;
  readonly name: string;
  readonly tagline: string | null;
  readonly visibility?: string;
}

/** So many typos of hosts and names, as many of each kind, of which `isHeld` holds none. */
async function typosOf(
  listings: readonly IndexedListing[],
  count: number,
  seed: number,
  isHeld: (text: string) => Promise<boolean>,
): Promise<Typo[]> {
  const random = seeded(seed);
  const typos: Typo[] = [];
  while (typos.length < count) {
    const kind = KINDS[typos.length % KINDS.length]!;
    const form = pick(random, FORMS);
    const { host, name } = pick(random, listings).summary;
    const whole = form === "host" ? host : fold(name ?? "").trim();
    const words = [...whole.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].filter(
      ({ 0: word }) => Array.from(word).length >= WORD_MIN,
    );
    if (words.length === 0) continue;
    const { 0: word, index } = pick(random, words);
    const meant = form === "word" ? word : whole;
    const mistyped = mistake(random, kind, word);
    const typed =
      form === "word"
        ? mistyped
        : whole.slice(0, index) + mistyped + whole.slice(index + word.length);
    if (typed !== meant && Array.from(typed).length <= 120 && !(await isHeld(typed))) {
      typos.push({ typed, meant, kind, form });
    }
  }
  return typos;
}

/** Two letters swapped, or one missing, doubled or wrong, at any place of the word. */
function mistake(random: () => number, kind: Typo["kind"], word: string): string {
  const letters = Array.from(word);
  const at = whole(random, 0, letters.length - (kind === "swapped" ? 2 : 1));
  const here = letters[at]!;
  const next = letters[at + 1]!;
  if (kind === "swapped") letters.splice(at, 2, next, here);
  if (kind === "missing") letters.splice(at, 1);
  if (kind === "doubled") letters.splice(at, 0, here);
  if (kind === "wrong") letters[at] = pick(random, /^[a-z\d]$/.test(here) ? LETTERS : letters);
  return letters.join("");
}

it(
  "corrections of the real directory have the right text among three for at least 85% of 300 typos " +
    "of all kinds",
  async () => {
    const listings = realListings();
    const engine = openListings(listings);
    const corrected = async (q: string) => (await engine.search(aSearch({ q }))).didYouMean;
    const typos = await typosOf(
      ...([listings, 300, 60] as const),
      async (text) => (await corrected(text)) === null,
    );
    const judged = await Promise.all(
      typos.map(async (typo) => {
        const { didYouMean } = await engine.suggest(typo.typed);
        const found = [await corrected(typo.typed), didYouMean];
        return { ...typo, isMissed: found.some((texts) => !texts?.includes(typo.meant)) };
      }),
    );
    for (const group of [...KINDS, ...FORMS]) {
      const those = judged.filter(({ kind, form }) => kind === group || form === group);
      const missed = those.filter(({ isMissed }) => isMissed);
      expect(those.length, group).toBeGreaterThan(50);
      expect(missed.length / those.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.15);
    }
  },
);
