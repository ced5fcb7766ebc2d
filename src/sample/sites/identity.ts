import { permuted, type Random } from "../random.js";
import { CATEGORIES, type Category } from "./categories.js";
import { FIRST_WORDS } from "./first-words.js";
import { LANGUAGES, type Language } from "./languages.js";

/** Which site a listing is. No two indices have the same host. */
export interface Identity {
  readonly host: string;
  /** As people write it; names in search may leave it out. */
  readonly name: string;
  readonly category: Category;
  /** Null: English. */
  readonly language: Language | null;
}

/** One listing of so many has a name that is not English, of these one in three a Latin host. */
const FOREIGN_EVERY = 9;
const FOREIGN_PLACE = 4;
const LATIN_HOST_EVERY = 3;

const NAMED = CATEGORIES.filter(({ words }) => words.length > 0);
const SECOND_WORDS = NAMED.flatMap((category) =>
  category.words.map((word) => ({ word, category })),
);
const TLDS = [
  ["com", 40],
  ["org", 10],
  ["net", 7],
  ["io", 5],
  ["dev", 4],
  ["app", 3],
  ["co.uk", 5],
  ["de", 4],
  ["eu", 3],
  ["co", 3],
  ["info", 2],
  ["shop", 2],
  ["ai", 2],
  ["us", 2],
  ["ca", 2],
  ["com.au", 2],
  ["co.nz", 1],
  ["in", 1],
  ["studio", 1],
  ["com.md", 1],
  ["github.io", 2],
  ["vercel.app", 1],
  ["netlify.app", 1],
] as const;
const ACRONYMS = new Set(["ai", "api", "dns", "sdk"]);
const SUBDOMAINS = ["docs", "blog", "shop", "app", "api", "en", "help"];
/** Where apps made with Lovable live that have no domain of their own. */
const LOVABLE = "lovable.app";

/**
 * The identity of the listing `index` of a seed. A pair of words belongs to one index (a permutation of all
 * pairs hands them out), and a host can be read back into its pair, so hosts are unique without a set of
 * them. When all pairs are used up, a number follows: then they start again with 2.
 *
 * @param random the listing's own stream
 */
export function identityOf(
  seed: number,
  index: number,
  random: Random,
  builtWithLovable: boolean,
): Identity {
  const english = englishIdentity(seed, index, random, builtWithLovable ? LOVABLE : null);
  if (index % FOREIGN_EVERY !== FOREIGN_PLACE) return english;
  return foreignIdentity(seed, Math.floor(index / FOREIGN_EVERY), random, english);
}

function englishIdentity(
  seed: number,
  index: number,
  random: Random,
  suffix: string | null,
): Identity {
  const pairs = FIRST_WORDS.length * SECOND_WORDS.length;
  const pair = permuted(index % pairs, pairs, seed);
  const first = FIRST_WORDS[Math.floor(pair / SECOND_WORDS.length)]!;
  const { word: second, category } = SECOND_WORDS[pair % SECOND_WORDS.length]!;
  const joint = random.chance(0.15) ? "-" : "";
  const core = `${first}${joint}${second}${roundOf(index, pairs)}`;
  const subdomain = random.chance(0.06) ? `${random.pick(SUBDOMAINS)}.` : "";
  const tld = random.weighted(TLDS);
  return {
    host: `${subdomain}${core}.${suffix ?? tld}`,
    name: `${capitalised(first)} ${ACRONYMS.has(second) ? second.toUpperCase() : capitalised(second)}`,
    category,
    language: null,
  };
}

function foreignIdentity(seed: number, index: number, random: Random, english: Identity): Identity {
  const language = LANGUAGES[index % LANGUAGES.length]!;
  const { first, second, space, joint } = language;
  const turn = Math.floor(index / LANGUAGES.length);
  const pairs = first.length * second.length;
  const pair = permuted(turn % pairs, pairs, seed);
  const words = [first[Math.floor(pair / second.length)]!, second[pair % second.length]!] as const;
  const tld = random.pick(language.tlds);
  const label = words.join(joint) + roundOf(turn, pairs);
  const latin = turn % LATIN_HOST_EVERY === LATIN_HOST_EVERY - 1;
  return {
    host: latin ? english.host : new URL(`http://${label}.${tld}`).hostname,
    name: `${capitalised(words[0])}${space}${capitalised(words[1])}`,
    category: english.category,
    language,
  };
}

/** What tells apart the hosts of one pair: nothing at first, then 2, 3 and so on. */
function roundOf(index: number, pairs: number): string {
  const round = Math.floor(index / pairs);
  return round === 0 ? "" : String(round + 1);
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
