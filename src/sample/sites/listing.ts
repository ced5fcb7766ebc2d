import type { Random } from "../random.js";
import type { ListingRecord } from "../records.js";
import { CLOSED_CATEGORY, CLOSED_TAG, OPEN_TAGS } from "../taxonomy.js";
import type { Life } from "./life.js";
import type { Site } from "./site.js";

const EMOJI = ["🌿", "✨", "🚲", "📚", "🍞", "👩‍🔬"];
const LEADS = [
  "Home of",
  "Everything about",
  "Independent, careful and open:",
  "A small team for",
  "Your guide to",
  "Since 2011:",
];
const CLOSINGS = [
  "No account is needed to read.",
  "New pages appear every week.",
  "Written by people who do the work themselves.",
  "Prices and dates are kept current.",
  "Based in a small town, serving customers all over the country.",
  "Most texts may be reused with attribution.",
];

/** The listing of a site. @param random the listing's own stream */
export function listingOf(site: Site, life: Life, random: Random): ListingRecord {
  const { host } = site;
  const claimed = life.status === "claimed";
  return {
    host,
    url: addressOf(host, random),
    name: orNothing(random, 0.04, nameOf(site, random)),
    tagline: orNothing(random, 0.12, taglineOf(site, random)),
    description: orNothing(random, 0.1, descriptionOf(site, random)),
    status: life.status,
    visibility: life.visibility === "listed" && random.chance(0.5) ? undefined : life.visibility,
    category: categoryOf(site, random),
    tags: tagsOf(random),
    platforms: platformsOf(site, random),
    hosting: site.hosting ?? undefined,
    linkRel: random.chance(0.7) ? undefined : claimed ? "noopener" : "nofollow ugc",
    logoUrl: random.chance(0.55) ? `https://${host}/favicon.svg` : orNothing(random, 1, ""),
    ogImageUrl: random.chance(0.45)
      ? `https://${host}/og/home.png?v=${random.between(1, 9)}`
      : null,
    entitlements: life.plan,
    publishedScan: life.publishedScan,
  };
}

/** The value, or with the given probability nothing: null, or the key left out. */
function orNothing(random: Random, probability: number, value: string): string | null | undefined {
  if (!random.chance(probability)) return value;
  return random.chance(0.5) ? null : undefined;
}

function addressOf(host: string, random: Random): string {
  return random.weighted([
    [`https://${host}/`, 88],
    [`https://www.${host}/`, 6],
    [`http://${host}/`, 3],
    [`https://${host}/en/`, 3],
  ]);
}

function nameOf({ name, language }: Site, random: Random): string {
  if (language !== null) return random.chance(0.12) ? name.normalize("NFD") : name;
  return random.weighted([
    [name, 80],
    [`The ${name}`, 5],
    [name.toUpperCase(), 4],
    [name.replace(" ", ""), 4],
    [`${name} ${random.pick(EMOJI)}`, 4],
    [`${name} (100% independent)`, 1],
    [`"${name}" & Co_`, 1],
    [`Café ${name}`, 1],
  ]);
}

function taglineOf(site: Site, random: Random): string {
  if (site.language !== null) return random.pick(site.language.taglines);
  const subject = random.pick(site.category.subjects);
  return random.weighted([
    [`${capitalised(subject)}, made simple`, 4],
    [`${random.pick(LEADS)} ${subject}`, 6],
    [`${capitalised(subject)} and more from ${site.name}`, 3],
    [`${capitalised(subject)} — honestly explained`, 2],
  ]);
}

function descriptionOf(site: Site, random: Random): string {
  const { language, category, name } = site;
  if (language !== null) return `${name} — ${language.about.join(" ")}`;
  const [subject, other = subject] = random.some(category.subjects, 2);
  return `${name} offers ${subject} and ${other}. ${random.some(CLOSINGS, 2).join(" ")}`;
}

function categoryOf(site: Site, random: Random): string | null | undefined {
  return random.weighted([
    [site.category.slug, 94],
    [CLOSED_CATEGORY, 2],
    [null, 2],
    [undefined, 2],
  ]);
}

function tagsOf(random: Random): readonly string[] | undefined {
  const count = random.weighted([
    [0, 12],
    [1, 16],
    [2, 26],
    [3, 24],
    [5, 16],
    [8, 6],
  ] as const);
  const tags = random.some(OPEN_TAGS, count);
  if (random.chance(0.03)) tags.push(CLOSED_TAG);
  return tags.length === 0 && random.chance(0.5) ? undefined : tags;
}

function platformsOf({ platform }: Site, random: Random): readonly string[] | undefined {
  if (platform === null) return random.chance(0.5) ? undefined : [];
  return platform === "woocommerce" || random.chance(0.03)
    ? [platform, ...extra(platform)]
    : [platform];
}

function extra(platform: string): readonly string[] {
  return platform === "wordpress" ? ["discourse"] : ["wordpress"];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
