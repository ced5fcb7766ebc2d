import { CATEGORIES } from "./sites/categories.js";

/** A category that the publisher has closed; listings still carry it. */
export const CLOSED_CATEGORY = "blockchain";
/** A tag that the publisher has closed; listings still carry it. */
export const CLOSED_TAG = "amp-pages";

/** Tags by group; orders repeat, so that the slug has to break ties. `print-only` is on no listing. */
const TAG_GROUPS: readonly (readonly [group: string, order: number, names: string])[] = [
  [
    "audience",
    10,
    "For developers, For families, For teachers, For businesses, For travellers, For researchers, For artists, For beginners",
  ],
  [
    "content",
    20,
    "Articles, Tutorials, Podcasts, Videos, Maps, Datasets, Recipes, Reviews, Documentation, Print only",
  ],
  [
    "model",
    20,
    "Free to use, Subscription, Donation funded, Advertising, Marketplace, Family business",
  ],
  [
    "feature",
    30,
    "Newsletter, Forum, Public API, Site search, Multilingual, Works offline, Job board, Appointments, Live chat",
  ],
  ["region", 40, "Africa, Americas, Asia, Europe, Oceania, Worldwide"],
];

const PLATFORM_NAMES =
  "WordPress, Shopify, Wix, Squarespace, Webflow, Drupal, Joomla, Ghost, Next.js, Nuxt, Gatsby, Hugo, Jekyll, Astro, SvelteKit, Magento, WooCommerce, PrestaShop, Framer, Lovable, HubSpot, Contentful, Docusaurus, MkDocs, Discourse, TYPO3";

const tags = TAG_GROUPS.flatMap(([group, order, names]) =>
  names.split(", ").map((name) => ({ slug: slugOf(name), name, group, order, active: true })),
);

/** taxonomy.json of the published format. */
export const TAXONOMY = {
  categories: [
    // `active` is left out here, as a publisher may.
    ...CATEGORIES.map(({ slug, name, group, order }) => ({ slug, name, group, order })),
    { slug: CLOSED_CATEGORY, name: "Blockchain", group: "technology", order: 90, active: false },
  ],
  tags: [
    ...tags,
    { slug: CLOSED_TAG, name: "AMP pages", group: "content", order: 20, active: false },
  ],
  platforms: PLATFORM_NAMES.split(", ").map((name) => ({ slug: slugOf(name), name })),
};

/** Tags that any listing may have. */
export const OPEN_TAGS: readonly string[] = tags
  .map(({ slug }) => slug)
  .filter((slug) => slug !== "print-only");

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
