import { z } from "zod";
import { AccessPolicy } from "../contract/access-policy.js";
import { EnrichmentState } from "../contract/enrichment.js";
import { Check, Fix, Observation, Prerender, SampledPages } from "../contract/report.js";
import { Count, DateTime, FreeForm, Host, ScanId, Score, Slug } from "../contract/scalars.js";
import { parsedUrl } from "../contract/url.js";

/** An address: http or https, no credentials (published format, general rules). */
const WebUrl = z
  .string()
  .refine(isWebUrl, "must be an http: or https: address without credentials")
  // Not the format "uri", which has no place for letters beyond ASCII.
  .meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://\\S+$" });

const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const text = () => nullable(z.string());

/** An address that others are built on by appending a path to it. */
const BaseUrl = WebUrl.refine(
  (url) => !/\/$|[?#]/.test(url),
  "must not end in a slash, nor have a query or fragment",
).meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://[^\\s?#]*[^\\s?#/]$" });

/** directory.json: who publishes, under which addresses. */
export const Directory = z.strictObject({
  format: z.literal(1, "must be 1, the format that this version reads"),
  name: z.string(),
  baseUrl: BaseUrl,
  siteUrl: nullable(BaseUrl),
  description: text(),
  contact: nullable(
    z
      .string()
      .refine(
        (contact) => isWebUrl(contact) || /^mailto:[^@\s]+@[^@\s]+$/.test(contact),
        "must be an http:, https: or mailto: address",
      )
      .meta({ pattern: "^(?:[Hh][Tt]{2}[Pp][Ss]?://\\S+|mailto:[^@\\s]+@[^@\\s]+)$" }),
  ),
  license: text(),
});
export type Directory = z.infer<typeof Directory>;

const TaxonomyRecord = z.strictObject({
  slug: Slug,
  name: z.string(),
  group: z.string(),
  order: z.int(),
  active: z.boolean().default(true),
});

/** taxonomy.json: what listings may be filed under. */
export const Taxonomy = z.strictObject({
  categories: z.array(TaxonomyRecord).default([]),
  tags: z.array(TaxonomyRecord).default([]),
  platforms: z.array(z.strictObject({ slug: Slug, name: z.string() })).default([]),
});
export type Taxonomy = z.infer<typeof Taxonomy>;

const VISIBILITIES = [
  "listed",
  "blocked",
  "opted-out",
  "redirected",
  "removed",
  "deleted",
] as const;

const Entitlements = z.strictObject({
  history: z.boolean().default(false),
  fixPrompts: Count.nullable().default(0),
  starterFiles: z.boolean().default(false),
  highlight: z.boolean().default(false),
});

/** One published website. */
export const Listing = z.strictObject({
  host: Host,
  url: WebUrl,
  name: text(),
  tagline: text(),
  description: text(),
  status: z.string(),
  visibility: z.enum(VISIBILITIES).default("listed"),
  category: nullable(Slug),
  tags: z.array(Slug).default([]),
  platforms: z.array(Slug).default([]),
  hosting: text(),
  linkRel: z.string().default("nofollow"),
  logoUrl: nullable(WebUrl),
  ogImageUrl: nullable(WebUrl),
  entitlements: Entitlements.prefault({}),
  publishedScan: nullable(ScanId),
});
export type Listing = z.infer<typeof Listing>;

/** One archived scan of a listing. */
export const Scan = z.strictObject({
  host: Host,
  id: ScanId,
  status: z.string(),
  finishedAt: DateTime,
  score: nullable(Score),
  band: nullable(Slug),
  scoreVersion: text(),
  robotsVerdict: text(),
  summary: text(),
  block1: nullable(z.number()),
  block2: nullable(z.number()),
  penalties: nullable(z.number()),
  cappedAt: nullable(Count),
  redirect: nullable(z.strictObject({ host: text(), status: nullable(Count) })),
  stats: z
    .strictObject({
      pagesScanned: nullable(Count),
      requestCount: nullable(Count),
      bytesFetched: nullable(Count),
      durationMs: nullable(z.number()),
    })
    .prefault({}),
  profile: nullable(FreeForm),
  checks: z.array(Check).default([]),
  observations: z.array(Observation).default([]),
  pages: nullable(SampledPages),
  fixes: z.array(Fix).default([]),
  accessPolicy: nullable(AccessPolicy),
  prerender: nullable(Prerender),
  starterFiles: nullable(FreeForm),
  enrichment: nullable(
    z.strictObject({
      copy: EnrichmentState,
      starterFiles: nullable(EnrichmentState),
      revision: text(),
    }),
  ),
});
export type Scan = z.infer<typeof Scan>;

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username === "" && url.password === "";
}
