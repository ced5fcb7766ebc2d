import { itemAt } from "../../../src/contract/tables.js";
import NAMES from "./data/names.json" with { type: "json" };
import { permuted, type Random } from "./random.js";

/** A language other than English: the words of its names and its reserved top-level domain. */
export type Language = (typeof NAMES.languages)[number];

/** The identity of a listing's site. No two indices have the same host. */
export interface Identity {
  readonly host: string;
  readonly name: string;
  /** The slug of the site's category. */
  readonly topic: string;
  /** Subjects of sites in this category, a few words each. */
  readonly subjects: readonly string[];
  /** Null for English. */
  readonly language: Language | null;
}

/** One listing in `every`, the one at index `place` of each group, has a foreign name. */
const FOREIGN = { every: 9, place: 4 };
/** One foreign name in this many has an English host. */
const ENGLISH_HOST_EVERY = 3;

const FIRST_WORDS = NAMES.first.flatMap((line) => line.split(" "));
const SECOND_WORDS = Object.entries(NAMES.topics).flatMap(([topic, { words, subjects }]) =>
  words.split(" ").map((word) => ({ word, topic, subjects })),
);

/**
 * The identity of listing `index` of a seed. A permutation assigns each pair of words to one index, so hosts are unique
 * without a set of used ones. Once all pairs are used up, the next round of hosts ends in 2, then in 3 and so on. All
 * hosts are in top-level domains reserved for examples and tests.
 *
 * @param random the listing's own stream
 */
export function sampleIdentity(seed: number, index: number, random: Random): Identity {
  const [first, { word, topic, subjects }, round] = pairOf(seed, index, FIRST_WORDS, SECOND_WORDS);
  const subdomain = random.chance(0.06) ? `${random.pick(NAMES.subdomains)}.` : "";
  const joint = random.chance(0.15) ? "-" : "";
  const last = NAMES.acronyms.includes(word) ? word.toUpperCase() : capitalised(word);
  const english = {
    host: `${subdomain}${first}${joint}${word}${round}.example`,
    name: `${capitalised(first)} ${last}`,
    topic,
    subjects,
    language: null,
  };
  if (index % FOREIGN.every !== FOREIGN.place) return english;
  const turn = Math.floor(index / FOREIGN.every);
  const language = itemAt(NAMES.languages, turn % NAMES.languages.length);
  return foreign(seed, Math.floor(turn / NAMES.languages.length), language, english);
}

function foreign(seed: number, index: number, language: Language, english: Identity): Identity {
  const { space, joint, domain } = language;
  const words = [language.first.split(" "), language.second.split(" ")] as const;
  const [first, second, round] = pairOf(seed, index, ...words);
  const host = new URL(`http://${first}${joint}${second}${round}.${domain}`).hostname;
  return {
    ...english,
    host: index % ENGLISH_HOST_EVERY === ENGLISH_HOST_EVERY - 1 ? english.host : host,
    name: `${capitalised(first)}${space}${capitalised(second)}`,
    language,
  };
}

/** The pair of words for an index, and a suffix that distinguishes hosts once pairs repeat. */
function pairOf<A, B>(seed: number, index: number, first: readonly A[], second: readonly B[]) {
  const pairs = first.length * second.length;
  const pair = permuted(index % pairs, pairs, seed);
  const round = Math.floor(index / pairs);
  const place = Math.floor(pair / second.length);
  return [
    itemAt(first, place),
    itemAt(second, pair % second.length),
    round === 0 ? "" : round + 1,
  ] as const;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
