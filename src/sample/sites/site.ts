import type { Random } from "../random.js";
import { type Identity, identityOf } from "./identity.js";

/** What robots.txt does about AI: nothing there, training refused, all AI refused, everything refused, ... */
export type Posture =
  | "open"
  | "absent"
  | "no-training"
  | "no-ai"
  | "closed"
  | "contradictory"
  | "unreachable";

/** An invented website: all that its scans find follows from this. */
export interface Site extends Identity {
  /** 0 (nothing was cared for) to 1. */
  readonly quality: number;
  /** Where the homepage's text comes from. */
  readonly rendering: "server" | "mixed" | "browser";
  readonly posture: Posture;
  readonly botWall: boolean;
  /** The server refuses crawlers that robots.txt lets in. */
  readonly edgeBlock: boolean;
  /** Full HTML for verified crawlers only; with it, the homepage is rendered in the browser. */
  readonly lovable: boolean;
  readonly sells: boolean;
  readonly hasApi: boolean;
  readonly hasLogin: boolean;
  readonly hasNews: boolean;
  readonly hasImages: boolean;
  /** Languages that it is written in. */
  readonly languages: number;
  /** Slug of the taxonomy, or null where it shows none. */
  readonly platform: string | null;
  readonly hosting: string | null;
}

const POSTURES = [
  ["open", 58],
  ["absent", 11],
  ["no-training", 15],
  ["no-ai", 6],
  ["closed", 2],
  ["contradictory", 4],
  ["unreachable", 4],
] as const satisfies readonly (readonly [Posture, number])[];

const PLATFORMS = [
  ["wordpress", 30],
  [null, 14],
  ["next-js", 7],
  ["wix", 5],
  ["squarespace", 5],
  ["webflow", 4],
  ["drupal", 4],
  ["ghost", 3],
  ["joomla", 3],
  ["nuxt", 2],
  ["gatsby", 2],
  ["hugo", 2],
  ["jekyll", 2],
  ["astro", 2],
  ["sveltekit", 2],
  ["framer", 2],
  ["hubspot", 2],
  ["contentful", 2],
  ["docusaurus", 2],
  ["mkdocs", 1],
  ["discourse", 1],
] as const;
const SHOP_PLATFORMS = ["shopify", "woocommerce", "magento", "prestashop", "wix"];
const HOSTINGS = [
  ["Cloudflare", 20],
  ["Amazon Web Services", 15],
  [null, 15],
  ["Google Cloud", 8],
  ["Hetzner", 8],
  ["OVHcloud", 7],
  ["Vercel", 7],
  ["Netlify", 5],
  ["Microsoft Azure", 5],
  ["GitHub Pages", 3],
  ["Fly.io", 2],
  ["own server", 5],
] as const;

/** The site of listing `index`; depends on seed and index only. @param random the listing's own stream */
export function siteOf(seed: number, index: number, random: Random): Site {
  const lovable = random.chance(0.025);
  const identity = identityOf(seed, index, random, lovable);
  const { group, slug } = identity.category;
  const rendering = random.weighted([
    ["server", 82],
    ["mixed", 13],
    ["browser", 5],
  ] as const);
  const sells = random.chance(group === "commerce" ? 0.65 : 0.12);
  return {
    ...identity,
    quality: (random.unit() + random.unit()) / 2,
    rendering: lovable ? "browser" : rendering,
    posture: random.weighted(POSTURES),
    botWall: random.chance(0.03),
    edgeBlock: random.chance(0.04),
    lovable,
    sells,
    hasApi: random.chance(group === "technology" ? 0.5 : 0.1),
    hasLogin: random.chance(0.4),
    hasNews: slug === "news" || random.chance(0.35),
    hasImages: random.chance(0.85),
    languages: random.weighted([
      [1, 78],
      [2, 13],
      [5, 9],
    ] as const),
    ...stackOf(random, lovable, sells),
  };
}

function stackOf(
  random: Random,
  lovable: boolean,
  sells: boolean,
): Pick<Site, "platform" | "hosting"> {
  const platform = random.weighted<string | null>(PLATFORMS);
  const hosting = random.weighted<string | null>(HOSTINGS);
  if (lovable) return { platform: "lovable", hosting: "Lovable" };
  if (sells && random.chance(0.6)) return { platform: random.pick(SHOP_PLATFORMS), hosting };
  return { platform, hosting };
}
