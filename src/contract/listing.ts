import { z } from "zod";
import { FACET_FILTERS, type FacetMember, LIST_FILTERS, type TotalledMember } from "./filters.js";
import { LIMITS } from "./limits.js";
import { Count, DateTime, Ordinal, Score, Slug } from "./scalars.js";

/** Contract section 2, Pagination. */
export const Pagination = z
  .strictObject({
    page: Ordinal,
    limit: z.int().min(1).max(LIMITS.pageSizeMax),
    total: Count,
    totalPages: Count,
  })
  .meta({ id: "Pagination" });
export type Pagination = z.infer<typeof Pagination>;

/** Contract section 2, TaxonomyEntry: a category or a tag. */
export const TaxonomyEntry = z
  .strictObject({ slug: Slug, name: z.string(), group: z.string(), order: z.int() })
  .meta({ id: "TaxonomyEntry" });
export type TaxonomyEntry = z.infer<typeof TaxonomyEntry>;

/** Contract section 2, SiteSummary: an item of the directory search. */
export const SiteSummary = z
  .strictObject({
    host: z.string(),
    url: z.string().meta({ format: "uri" }),
    name: z.string().nullable(),
    tagline: z.string().nullable(),
    status: z.string(),
    latestScore: Score.nullable().describe("Null if there is no score. Null never means zero."),
    latestBand: z.string().nullable(),
    latestScoreVersion: z.string().nullable(),
    latestScannedAt: DateTime.nullable(),
    platforms: z.array(z.string()),
    hosting: z.string().nullable(),
    linkRel: z.string(),
    category: TaxonomyEntry.nullable(),
    tags: z.array(TaxonomyEntry),
    capabilities: z
      .array(z.string())
      .describe("Ids of the achievements and capabilities that the published scan passed."),
    logoUrl: z.string().nullable(),
    ogImageUrl: z.string().nullable(),
    highlighted: z.boolean(),
  })
  .meta({ id: "SiteSummary" });
export type SiteSummary = z.infer<typeof SiteSummary>;

/** Contract section 2, Suggestion item. */
export const Suggestion = z
  .strictObject({ host: z.string(), name: z.string().nullable(), logoUrl: z.string().nullable() })
  .meta({ id: "Suggestion" });
export type Suggestion = z.infer<typeof Suggestion>;

/** A signal of the facets, without its count. */
export const Signal = z.strictObject({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  kind: z.enum(["achievement", "capability"]),
});
export type Signal = z.infer<typeof Signal>;

/** A platform of the facets, without its count. */
export const Platform = z.strictObject({ slug: z.string(), name: z.string() });
export type Platform = z.infer<typeof Platform>;

/** The terms that a directory names, by their facet. A build stores them in the snapshot. */
const TERMS = { categories: TaxonomyEntry, signals: Signal, platforms: Platform } as const;
type Terms = typeof TERMS;
/** All terms that facets count, including those that no listing has. */
export type Vocabulary = { readonly [M in keyof Terms]: readonly z.infer<Terms[M]>[] };

/** The term of a facet that is not in the vocabulary: a value that at least one listing has. */
const ValueTerm = z.strictObject({ slug: z.string() });

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

function facetsShape(): FacetsShape {
  const terms: Readonly<Partial<Record<FacetMember, z.ZodObject>>> = TERMS;
  const facets = FACET_FILTERS.map((name) => {
    const { member, hasTotal } = LIST_FILTERS[name].facet;
    const { shape } = terms[member] ?? ValueTerm;
    const items = z.array(z.strictObject({ ...shape, count: Count }));
    return [member, hasTotal ? z.strictObject({ total: Count, items }) : items];
  });
  // A list of entries has one type for all of them; `FacetsShape` has the type of each.
  return { total: Count, ...Object.fromEntries(facets) } as FacetsShape;
}

/** Contract section 2, Facets. */
export const Facets = z.strictObject(facetsShape()).meta({ id: "Facets" });
export type Facets = z.infer<typeof Facets>;
