import SITES from "./data/sites.json" with { type: "json" };
import TAXONOMY from "./data/taxonomy.json" with { type: "json" };
import { type Identity, sampleIdentity } from "./identity.js";
import type { Random } from "./random.js";

/** What robots.txt says about AI. */
export interface Posture {
  readonly weight: number;
  /** The scan's robotsVerdict. */
  readonly verdict: string | null;
  readonly summary: string;
  /** The states of the access policy, by the ids of its rows. */
  readonly states: Readonly<Record<string, string>>;
}

/** An invented website, from which the findings of its scans follow. */
export interface Site extends Identity {
  /** From 0 (neglected) to 1 (excellent). */
  readonly quality: number;
  readonly posture: Posture;
  /** Keys of `traits`, `rendering` and `postures` in sites.json, and "refuses-ai". */
  readonly traits: ReadonlySet<string>;
  /** A platform's slug in the taxonomy, or "" if the site shows none. */
  readonly platform: string;
  /** The hosting provider's name, or "" if unknown. */
  readonly hosting: string;
}

/** The probability that a site has the typical trait of its group of categories. */
const TYPICAL_CHANCE = 0.6;

const POSTURES: Readonly<Record<string, Posture>> = SITES.postures;
const POSTURE_WEIGHTS = Object.entries(POSTURES).map(([key, { weight }]) => [key, weight] as const);
const TYPICAL: Readonly<Record<string, string>> = SITES.typical;
const TRAITS = Object.entries(SITES.traits);
const RENDERINGS = Object.entries(SITES.rendering);
const PLATFORM_CHANCES = Object.entries(SITES.platforms);
const HOSTINGS = Object.entries(SITES.hostings);
const GROUPS = new Map(TAXONOMY.categories.map(({ slug, group }) => [slug, group]));

/** The site of listing `index`. It depends only on seed and index. @param random the listing's own stream */
export function sampleSite(seed: number, index: number, random: Random): Site {
  const identity = sampleIdentity(seed, index, random);
  const posture = random.weighted(POSTURE_WEIGHTS);
  const typical = TYPICAL[GROUPS.get(identity.topic) ?? ""];
  const traits = new Set([posture]);
  for (const [trait, chance] of TRAITS) {
    if (random.chance(trait === typical ? TYPICAL_CHANCE : chance)) traits.add(trait);
  }
  const isLovable = traits.has("lovable");
  traits.add(isLovable ? "browser" : random.weighted(RENDERINGS));
  if (SITES.refuseAi.includes(posture)) {
    traits.add("refuses-ai");
    // A server cannot block crawlers that robots.txt allows if robots.txt allows none.
    traits.delete("edge-block");
  }
  const isShop = traits.has("sells") && random.chance(0.6);
  const platform = isShop ? random.pick(SITES.shopPlatforms) : random.weighted(PLATFORM_CHANCES);
  return {
    ...identity,
    quality: (random.unit() + random.unit()) / 2,
    posture: POSTURES[posture]!,
    traits,
    platform: isLovable ? "lovable" : platform,
    hosting: isLovable ? "Lovable" : random.weighted(HOSTINGS),
  };
}
