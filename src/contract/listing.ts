import { z } from "zod";
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

/** Contract section 2, Facets. */
export const Facets = z
  .strictObject({
    total: Count,
    categories: z.strictObject({
      total: Count,
      items: z.array(z.strictObject({ ...TaxonomyEntry.shape, count: Count })),
    }),
    signals: z.array(z.strictObject({ ...Signal.shape, count: Count })),
    platforms: z.array(z.strictObject({ ...Platform.shape, count: Count })),
  })
  .meta({ id: "Facets" });
export type Facets = z.infer<typeof Facets>;
