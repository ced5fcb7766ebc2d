import { facetsBody, searchBody, suggestionsBody } from "../../src/answer/bodies.js";
import type { SiteSummary, TaxonomyEntry } from "../../src/contract/listing.js";
import type { ListingFilters, SearchQuery, SuggestionsQuery } from "../../src/contract/query.js";
import type { Engine, ScoreRubric } from "../../src/engine/answering.js";
import {
  type EngineIndex,
  listingPartOf,
  type MemoryEngine,
  openEngine,
  rankListings,
  type Vocabulary,
} from "../../src/engine/engine.js";
import { gramRows, postingsOf } from "../../src/engine/postings.js";
import { chance, pick, seeded, whole } from "../oracle/random.js";
import { columnsOf, type IndexedListing } from "../store/columns-of.js";

/** Words in many scripts, with all that folding has to get right. */
export const WORDS: readonly string[] = [
  ..."coffee Rocket lab Straße GROẞ open data API maps weather the of ſtill".split(" "),
  ..."Кофейня погода Москва Ёлка".split(" "),
  ..."ΟΔΥΣΣΕΥΣ Ὀδυσσεύς σίγμα τέλος".split(" "),
  ..."北京 咖啡店 開放資料 コーヒー こんにちは ガラス カ\u3099ラス 한국어 \u1112\u1161\u11ab\u1100\u116e\u11a8".split(
    " ",
  ),
  ..."قهوة شاي שלום नमस्ते कॉफ़ी กาแฟ ქართული".split(" "),
  ..."İstanbul I\u0307zmir ISTANBUL ılık Ǆ ǅ ǆ Ა ა Ꭰ ꭰ \u212aelvin 10\u212b Ångström".split(" "),
  ..."café cafe\u0301 CAFÉ á a\u0301 A\u0301 q\u0323\u0307 q\u0307\u0323 H\u0331 \u1e96 J\u030c".split(
    " ",
  ),
  ..."☕ 🚀 👩‍🚀 🇫🇷 👍🏽 𝒞ode 𠮷野家 𐐀𐐨".split(" "),
  "</script>\u2028\0\n",
  ...'100% a_b *.* C:\\dir "quoted" it\'s 50%_off'.split(" "),
];

const entry = (slug: string, order: number): TaxonomyEntry => ({
  slug,
  name: `The ${slug}`,
  group: "topic",
  order,
});

const CATEGORIES = ["zoo", "art", "constructor", "food", "empty"].map(entry);
const TAGS = ["free", "paid", "beta", "valueof"].map(entry);
const PLATFORMS = ["wp", "shop", "drupal", "astro", "unused", "other"];
const SIGNALS = ["https", "llms-txt", "sitemap", "never"];
const BANDS = ["poor", "fair", "good", "great"];
const STATUSES = ["unclaimed", "claimed", "disputed"];

/** Bands that some listings have, and one that none has. */
export const RUBRIC: ScoreRubric = {
  version: "2.0",
  bands: ["poor", "great", "none"].map((band) => ({ band })),
};

export const VOCABULARY: Vocabulary = {
  categories: CATEGORIES,
  signals: SIGNALS.map((id, place) => ({
    id,
    label: `Label of ${id}`,
    description: `What "${id}" is, é.`,
    kind: place % 2 === 0 ? "achievement" : "capability",
  })),
  // Not in the order of slugs: equal counts have to be put in it.
  platforms: PLATFORMS.map((slug) => ({ slug, name: slug.toUpperCase() })),
};

/** A listing of which only what a test is about needs to be said. */
export function aListing(
  host: string,
  changes: Partial<SiteSummary> & { recent?: string } = {},
): IndexedListing {
  const { recent = "063900000000.", ...summary } = changes;
  return {
    recent,
    summary: {
      host,
      url: `https://${host}/`,
      name: null,
      tagline: null,
      status: "unclaimed",
      latestScore: 50,
      latestBand: "fair",
      latestScoreVersion: "1.0",
      latestScannedAt: "2026-08-09T03:31:12Z",
      platforms: [],
      hosting: null,
      linkRel: "nofollow",
      category: null,
      tags: [],
      capabilities: [],
      logoUrl: null,
      ogImageUrl: null,
      highlighted: false,
      ...summary,
    },
  };
}

/** A category of the vocabulary. */
export function category(slug: string): TaxonomyEntry {
  const found = CATEGORIES.find((one) => one.slug === slug);
  if (found === undefined) throw new RangeError(`no category ${slug}`);
  return found;
}

function text(random: () => number, words: number): string {
  return Array.from({ length: whole(random, 1, words) }, () => {
    const word = pick(random, WORDS);
    return chance(random, 0.2)
      ? word.toUpperCase()
      : chance(random, 0.2)
        ? word.normalize("NFD")
        : word;
  }).join(pick(random, [" ", " ", "-", ""]));
}

/** One of few moments, some of which differ in their last digits only. */
function aMoment(random: () => number): string {
  return `0639000000${whole(random, 10, 40)}.${pick(random, ["", "", "1", "12", "125", "1250000001"])}`;
}

const some = (random: () => number, values: readonly string[], probability: number): string[] =>
  values.filter(() => chance(random, probability));

/** Random listings: common and rare values, few distinct scores, names that recur. */
export function randomListings(seed: number, count: number): IndexedListing[] {
  const random = seeded(seed);
  const hosts = new Set<string>();
  while (hosts.size < count) {
    const label = pick(random, [..."coffee rocket lab maps xn--caf-dma a open-data".split(" ")]);
    const number = chance(random, 0.3) ? "" : String(whole(random, 1, count));
    hosts.add(`${label}${number}.${pick(random, ["com", "org", "co.uk", "io"])}`);
  }
  return Array.from(hosts, (host) =>
    aListing(host, {
      name: chance(random, 0.1) ? null : chance(random, 0.05) ? host : text(random, 3),
      tagline: chance(random, 0.2) ? null : text(random, 8),
      status: pick(random, STATUSES),
      latestScore: chance(random, 0.15) ? null : whole(random, 0, 20) * 5,
      latestBand: chance(random, 0.15) ? null : pick(random, BANDS),
      latestScoreVersion: pick(random, ["1.0", RUBRIC.version, RUBRIC.version, null]),
      platforms: some(random, PLATFORMS.slice(0, 4), 0.3),
      category: chance(random, 0.2) ? null : pick(random, CATEGORIES.slice(0, 4)),
      tags: TAGS.filter(() => chance(random, 0.3)),
      capabilities: some(random, SIGNALS.slice(0, 3), 0.5),
      logoUrl: chance(random, 0.5) ? null : `https://${host}/é.png`,
      recent: chance(random, 0.1) ? "" : aMoment(random),
    }),
  );
}

/** The index of listings that come in a few segments, some of them empty. */
export function indexOf(
  listings: readonly IndexedListing[],
  segments = 5,
  vocabulary = VOCABULARY,
): EngineIndex {
  const dealt = Array.from({ length: segments }, (_, segment) =>
    listings.filter(({ summary }) => summary.host.length % segments === segment),
  );
  const part = listingPartOf(rankListings(dealt.map(columnsOf)), vocabulary);
  return { ...part, postings: postingsOf(part.text, gramRows(part.text), part.orders.host) };
}

export function openListings(listings: readonly IndexedListing[]): MemoryEngine {
  return openEngine(indexOf(listings));
}

/** The bodies of an engine's answers. */
export type Bodies = ReturnType<typeof bodiesOf>;

export function bodiesOf(engine: Engine) {
  return {
    search: async (query: SearchQuery) => searchBody(query, await engine.search(query)),
    suggest: async (query: SuggestionsQuery) =>
      suggestionsBody(query, await engine.suggest(query.q)),
    facets: async (query: ListingFilters, rubric: ScoreRubric | null = null) =>
      facetsBody(await engine.facets(query, rubric)),
  };
}

/** The JSON text that an answer's bytes hold. */
export function jsonOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** A search query with the contract's defaults. */
export function aSearch(changes: Partial<SearchQuery> = {}): SearchQuery {
  return { sort: "score", page: 1, limit: 24, ...changes };
}

/** A piece of what listings hold, in any case and form; now and then what none holds. */
export function randomText(random: () => number, listings: readonly IndexedListing[]): string {
  if (chance(random, 0.1))
    return pick(random, ["zzzz", "%", "_", "*", "com coffee", "no such text"]);
  const { host, name, tagline } = pick(random, listings).summary;
  const characters = Array.from(pick(random, [host, name ?? host, tagline ?? host]));
  const start = whole(random, 0, characters.length - 1);
  const length = chance(random, 0.15) ? characters.length : whole(random, 1, 12);
  const piece = characters
    .slice(start, start + length)
    .join("")
    .trim();
  if (piece === "") return "co";
  const form = pick(random, ["same", "upper", "lower", "NFD", "NFC"] as const);
  if (form === "upper") return piece.toUpperCase();
  if (form === "lower") return piece.toLowerCase();
  return form === "same" ? piece : piece.normalize(form);
}

const UNKNOWN = [
  "nothing-has-this",
  "toString",
  "__proto__",
  "constructor",
  "never",
  "hasownproperty",
];

/** A random search, every filter now and then; its sort, page and limit are ignored by other reads. */
export function randomQuery(
  random: () => number,
  listings: readonly IndexedListing[],
): SearchQuery {
  const values = (known: readonly string[]): string[] | undefined =>
    chance(random, 0.75)
      ? undefined
      : Array.from({ length: whole(random, 1, 3) }, () =>
          chance(random, 0.1) ? pick(random, UNKNOWN) : pick(random, known),
        );
  const scores = [whole(random, 0, 100), whole(random, 0, 100)].sort((a, b) => a - b);
  const given = {
    q: chance(random, 0.5) ? randomText(random, listings) : undefined,
    category: values(CATEGORIES.map(({ slug }) => slug)),
    tag: values(TAGS.map(({ slug }) => slug)),
    platform: values(PLATFORMS),
    capability: values(SIGNALS.slice(0, 3)),
    band: values(BANDS),
    status: chance(random, 0.2) ? pick(random, ["unclaimed", "claimed"] as const) : undefined,
    minScore: chance(random, 0.2) ? pick(random, [0, scores[0]]) : undefined,
    maxScore: chance(random, 0.2) ? pick(random, [100, scores[1]]) : undefined,
  };
  return {
    ...(JSON.parse(JSON.stringify(given)) as Partial<SearchQuery>),
    sort: pick(random, ["score", "score-asc", "host", "recent"]),
    page: chance(random, 0.5) ? 1 : whole(random, 1, 30),
    limit: pick(random, [1, 2, 7, 24, 100]),
  };
}
