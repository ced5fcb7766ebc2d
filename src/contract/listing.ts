import * as z from "zod";
import { Count, DateTime, field, nullableText, Ordinal, Score, Slug, textField } from "./field.js";
import { FACET_FILTERS, type FacetMember, LIST_FILTERS, type TotalledMember } from "./filters.js";
import { LIMITS } from "./limits.js";

/** Which page of a search an answer has (docs/contract.md#11-search). */
export const Pagination = z
  .strictObject({
    page: field(Ordinal, "Number of this page, counted from 1.", 1),
    limit: field(z.int().min(1).max(LIMITS.pageSizeMax), "The most listings of a page.", 24),
    total: field(Count, "Number of listings that match.", 132),
    totalPages: field(Count, "Number of pages.", 6),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.infer<typeof Pagination>;

/** A category or a tag (docs/contract.md#17-categories-and-tags). */
export const TaxonomyEntry = z
  .strictObject({
    slug: field(Slug, "What filters name it by.", "science"),
    name: textField("Its name for people.", "Science"),
    group: textField("The group under which it is shown.", "knowledge"),
    order: field(z.int(), "Its position: entries are sorted by `order`, then by `slug`.", 10),
  })
  .meta({ id: "TaxonomyEntry" });
export type TaxonomyEntry = z.infer<typeof TaxonomyEntry>;

const host = textField("Canonical host of the site.", "example.org");
const name = nullableText("Name of the site.", "Example");
const logoUrl = nullableText("Address of the site's logo.", "https://example.org/logo.svg");

/** An item of a search (docs/contract.md#22-summary). */
export const SiteSummary = z
  .strictObject({
    host,
    url: field(
      z.string().meta({ format: "uri" }),
      "Address of the site's homepage.",
      "https://example.org/",
    ),
    name,
    tagline: nullableText("What the site offers, in a line.", "Guides to growing vegetables"),
    status: textField(
      "Ownership of the listing: `unclaimed`, `claimed`, or another word of the publisher's.",
      "claimed",
    ),
    latestScore: field(
      Score.nullable(),
      "Score from 0 to 100. Null where there is none, which never means zero.",
      86,
    ),
    latestBand: nullableText("Id of the band that holds the score.", "exemplary"),
    latestScoreVersion: nullableText(
      "Version of the scoring methodology that gave the score.",
      "2026.1",
    ),
    latestScannedAt: field(DateTime.nullable(), "When the latest scan finished."),
    platforms: field(z.array(z.string()), "Slugs of what the site is built with, sorted.", [
      "wordpress",
    ]),
    hosting: nullableText("Who hosts the site.", "Netlify"),
    linkRel: textField("The `rel` for links to the site.", "nofollow"),
    category: field(TaxonomyEntry.nullable(), "The category of the site; null if it has none."),
    tags: field(z.array(TaxonomyEntry), "The tags of the site, by `order`, then by `slug`."),
    capabilities: field(
      z.array(z.string()),
      "Ids of the achievements and capabilities that the published scan has passed, sorted.",
      ["https", "sitemap"],
    ),
    logoUrl,
    ogImageUrl: nullableText(
      "Address of the picture for previews.",
      "https://example.org/preview.png",
    ),
    highlighted: field(
      z.boolean(),
      "Whether pages may highlight the listing. It never changes an order.",
      false,
    ),
  })
  .meta({ id: "SiteSummary" });
export type SiteSummary = z.infer<typeof SiteSummary>;

const WITH_SCORES = "Beyond the contract, with `include=scores`:";

/** An item of the suggestions (docs/contract.md#12-suggestions). */
export const Suggestion = z
  .strictObject({
    host,
    name,
    logoUrl,
    latestScore: field(
      Score.nullable().optional(),
      `${WITH_SCORES} score from 0 to 100. Null where there is none, which never means zero.`,
      86,
    ),
    latestBand: field(
      z.string().nullable().optional(),
      `${WITH_SCORES} id of the band that holds the score.`,
      "exemplary",
    ),
    latestScoreVersion: field(
      z.string().nullable().optional(),
      `${WITH_SCORES} version of the scoring methodology that gave the score.`,
      "2026.1",
    ),
    site: field(
      SiteSummary.optional(),
      "Beyond the contract, with `include=site`: the listing, as search answers with it.",
    ),
  })
  .meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

/** A signal of the facets, without its count. */
export const Signal = z.strictObject({
  id: textField("Id of the check; the filter `capability` takes it.", "https"),
  label: textField("Its name for people.", "HTTPS"),
  description: textField("What the check looks for.", "The site answers over HTTPS."),
  kind: field(
    z.enum(["achievement", "capability"]),
    "`achievement` earns points, `capability` changes no score.",
    "achievement",
  ),
});
export type Signal = z.infer<typeof Signal>;

/** A platform of the facets, without its count. */
export const Platform = z.strictObject({
  slug: textField("What the filter `platform` takes.", "wordpress"),
  name: textField("Its name for people.", "WordPress"),
});
export type Platform = z.infer<typeof Platform>;

/** The terms that a directory names, by their facet. A build stores them in the snapshot. */
const TERMS = { categories: TaxonomyEntry, signals: Signal, platforms: Platform } as const;
type Terms = typeof TERMS;
/** All terms that facets count, including those that no listing has. */
export type Vocabulary = { readonly [M in keyof Terms]: readonly z.infer<Terms[M]>[] };

/** The term of a facet that is not in the vocabulary: a value that at least one listing has. */
const ValueTerm = z.strictObject({ slug: textField("What the filter takes.", "slug") });

type TermShape<M extends FacetMember> = M extends keyof Terms
  ? Terms[M]["shape"]
  : typeof ValueTerm.shape;
type Items<M extends FacetMember> = z.ZodArray<
  z.ZodObject<TermShape<M> & { count: typeof Count }, z.core.$strict>
>;
type FacetsShape = { total: typeof Count } & {
  [M in FacetMember]: M extends TotalledMember
    ? z.ZodObject<{ total: typeof Count; items: Items<M> }, z.core.$strict>
    : Items<M>;
};

const count = field(Count, "Listings that match with it, under the other filters.", 12);
const total = field(Count, "Listings that match all filters.", 132);
const allCounted = field(Count, "Listings that match, whatever the facet's own filter.", 190);

function facetsShape(): FacetsShape {
  const terms: Readonly<Partial<Record<FacetMember, z.ZodObject>>> = TERMS;
  const facets = FACET_FILTERS.map((name) => {
    const { member, description, hasTotal } = LIST_FILTERS[name].facet;
    const { shape } = terms[member] ?? ValueTerm;
    const items = z.array(z.strictObject({ ...shape, count }));
    const counts = hasTotal
      ? z.strictObject({ total: allCounted, items: field(items, description) })
      : items;
    return [member, field(counts, description)];
  });
  // A list of entries has one type for all of them; `FacetsShape` has the type of each.
  return { total, ...Object.fromEntries(facets) } as FacetsShape;
}

/**
 * The scores of the listings that pass every filter other than `band`, `minScore` and `maxScore`. Beyond the contract:
 * the counts that let an explorer draw a search with two requests.
 */
export const FacetScores = z
  .strictObject({
    bands: field(
      z.array(
        z.strictObject({
          band: textField("Id of a band of the current rubric.", "exemplary"),
          count: field(Count, "Listings that match with it, under the other filters.", 12),
        }),
      ),
      "Counts by band, of all bands of the rubric. They ignore the filter `band`.",
    ),
    unscored: field(Count, "Listings without a score. It ignores the filters of scores.", 9),
    olderScoring: field(
      Count,
      "Listings whose score another version of the methodology gave. It ignores the filters of scores.",
      4,
    ),
    points: field(
      z.array(z.tuple([Score, Count])),
      "Pairs of a score of the current methodology and its number of listings, by rising score. They " +
        "ignore the filters of scores.",
      [
        [71, 3],
        [86, 1],
      ],
    ),
  })
  .meta({ id: "FacetScores" });
export type FacetScores = z.infer<typeof FacetScores>;

/** The counts beside a search (docs/contract.md#13-facets). */
export const Facets = z
  .strictObject({
    ...facetsShape(),
    scores: field(FacetScores.optional(), `${WITH_SCORES} counts by band and by score.`),
  })
  .meta({ id: "Facets" });
export type Facets = z.infer<typeof Facets>;

/** What links to a site show of it. */
export type NamedSite = Pick<
  SiteSummary,
  "host" | "name" | "latestScore" | "latestBand" | "latestScoreVersion"
>;
