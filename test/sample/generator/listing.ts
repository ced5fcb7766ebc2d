import LISTINGS from "./data/listings.json" with { type: "json" };
import TAXONOMY from "./data/taxonomy.json" with { type: "json" };
import { capitalised } from "./identity.js";
import type { lifeOf } from "./life.js";
import type { Random } from "./random.js";
import type { Site } from "./site.js";
import { recordTemplate, templateOf } from "./template.js";

const LISTING_TEMPLATE = recordTemplate(LISTINGS.listing);
const CLOSING = templateOf(LISTINGS.closing);
const TAG_COUNTS = Object.entries(LISTINGS.tagCounts);
const TAG_WEIGHTS = TAXONOMY.tags.flatMap(({ slug, active }) => (active ? [slug] : []));

/** The published record of a site's listing. @param random the listing's own stream */
export function listingOf(site: Site, life: ReturnType<typeof lifeOf>, random: Random) {
  const { host, name, topic, language, platform, hosting } = site;
  const { scans: _, ...ownKeys } = life;
  const [subject = "", other = ""] = random.some(site.subjects, 2);
  const tags = random.some(TAG_WEIGHTS, Number(random.weighted(TAG_COUNTS)));
  const facts: Record<string, unknown> = {
    host,
    topic,
    // Occasionally a name has its accents as separate combining characters (NFD).
    name: random.chance(0.1) ? name.normalize("NFD") : name,
    NAME: name.toUpperCase(),
    joined: name.replace(" ", ""),
    subject,
    Subject: capitalised(subject),
    other,
    town: random.pick(LISTINGS.towns),
    tagline: language && random.pick(language.taglines),
    about: language?.about.join(" "),
    tags: tags.filter((slug) => slug !== LISTINGS.unusedTag),
    platform,
    otherPlatform: platform === "wordpress" ? "discourse" : "wordpress",
    hosting,
  };
  const traits = new Set([...site.traits, life.status, platform, hosting && "hosted"]);
  if (language !== null) traits.add("foreign");
  const context = { random, facts, traits };
  facts.closing = CLOSING(context);
  const isShownByDefault = life.visibility === "listed" && random.chance(0.5);
  return {
    host,
    ...LISTING_TEMPLATE(context),
    ...ownKeys,
    visibility: isShownByDefault ? undefined : life.visibility,
  };
}
