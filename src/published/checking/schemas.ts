import { z } from "zod";
import { AccessPolicy } from "../../contract/access-policy.js";
import { EnrichmentState } from "../../contract/enrichment.js";
import { Check, Fix, Observation, Prerender, SampledPages } from "../../contract/report.js";
import { Count, DateTime, FreeForm, Host, ScanId, Score, Slug } from "../../contract/scalars.js";
import { parsedUrl } from "../../contract/url.js";
import { lenient } from "./lenient.js";

/** Maximum lengths of texts in characters (code points) (published format, general rules). */
const LENGTHS = { name: 1_000, tagline: 2_000, description: 20_000, url: 2_048 } as const;

/** An address: http or https, without credentials (published format, general rules). */
const WebUrl = z
  .string()
  .refine(isWebUrl, "must be an http: or https: address without credentials")
  .refine(...atMost(LENGTHS.url))
  // The format "uri" does not fit: it allows no letters beyond ASCII.
  .meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://\\S+$", maxLength: LENGTHS.url });

const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const text = () => nullable(z.string());
const boundedText = (max: number) =>
  nullable(
    z
      .string()
      .refine(...atMost(max))
      .meta({ maxLength: max }),
  );

/** An address to which paths are appended to build other addresses. */
const BaseUrl = WebUrl.refine(
  (url) => !/\/$|[?#]/.test(url),
  "must not end in a slash or have a query or fragment",
).meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://[^\\s?#]*[^\\s?#/]$", maxLength: LENGTHS.url });

/** directory.json: the publisher and its addresses. */
export const DirectoryRecord = z.strictObject({
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
      .refine(...atMost(LENGTHS.url))
      .meta({
        pattern: "^(?:[Hh][Tt]{2}[Pp][Ss]?://\\S+|mailto:[^@\\s]+@[^@\\s]+)$",
        maxLength: LENGTHS.url,
      }),
  ),
  license: text(),
});
export type DirectoryRecord = z.infer<typeof DirectoryRecord>;

const TaxonomyRecord = z.strictObject({
  slug: Slug,
  name: z.string(),
  group: z.string(),
  order: z.int(),
  active: z.boolean().default(true),
});

/** taxonomy.json: the categories, tags and platforms that listings may have. */
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
  name: boundedText(LENGTHS.name),
  tagline: boundedText(LENGTHS.tagline),
  description: boundedText(LENGTHS.description),
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
  checks: z.array(lenient(Check)).default([]),
  observations: z.array(lenient(Observation)).default([]),
  pages: nullable(lenient(SampledPages)),
  fixes: z.array(lenient(Fix)).default([]),
  accessPolicy: nullable(lenient(AccessPolicy)),
  prerender: nullable(lenient(Prerender)),
  starterFiles: nullable(FreeForm),
  enrichment: nullable(
    z.strictObject({
      copy: lenient(EnrichmentState),
      starterFiles: nullable(lenient(EnrichmentState)),
      revision: text(),
    }),
  ),
});
export type Scan = z.infer<typeof Scan>;

/** A check for `refine` that limits a text's length, with its message for longer texts. */
function atMost(max: number): [check: (text: string) => boolean, message: string] {
  const message = `must have at most ${String(max).replace(/(?=\d{3}$)/, ",")} characters`;
  // A code point takes at most two units, so the exact count is needed only for a few texts.
  const fits = (text: string) =>
    text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
  return [fits, message];
}

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username === "" && url.password === "";
}
