import { z } from "zod";
import {
  Count,
  DateTime,
  FreeForm,
  field,
  Host,
  ScanId,
  Score,
  Slug,
} from "../../contract/field.js";
import { type FormerSlugs, formerTable } from "../../contract/former.js";
import { parsedUrl } from "../../contract/host.js";
import { CHANGES_KEPT } from "../../contract/limits.js";
import {
  AccessPolicy,
  Check,
  EnrichmentState,
  Fix,
  Observation,
  Prerender,
  Redirect,
  ReportScan,
  SampledPages,
  ScanStats,
} from "../../contract/report.js";
import { CheckDescription, Standards } from "../../contract/standards.js";
import { WARNING_CODES } from "./codes.js";

/** Maximum lengths of texts in characters (code points; docs/publishing.md#rules-for-all-files). */
const LENGTHS = {
  name: 1_000,
  tagline: 2_000,
  description: 20_000,
  headline: 200,
  lang: 35,
  url: 2_048,
} as const;

/** The shape of a language tag (BCP 47), such as `de` or `pt-BR`. */
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** An address: http or https, without credentials (docs/publishing.md#rules-for-all-files). */
const WebUrl = z
  .string()
  .refine(isWebUrl, "must be an http: or https: address without credentials")
  .refine(...atMost(LENGTHS.url))
  // The format "uri" does not fit: it allows no letters beyond ASCII.
  .meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://\\S+$", maxLength: LENGTHS.url });

/** A value that may be null, and may be left out. */
export const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);
export const text = () => nullable(z.string());
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

/** An https: address in which `{host}`, anywhere after its own host, stands for a listing's host. */
const ADDRESS_OF_HOST = /^[Hh][Tt]{2}[Pp][Ss]:\/\/[^\s{}/?#]+(?:[/?#](?:[^\s{}]|\{host\})*)?$/;
const HostUrl = z
  .string()
  .refine(
    (url) => ADDRESS_OF_HOST.test(url) && isWebUrl(url.replaceAll("{host}", "a.example")),
    "must be an https: address without credentials, with no braces but {host} in its path or query",
  )
  .refine(...atMost(LENGTHS.url))
  .meta({ pattern: ADDRESS_OF_HOST.source.replaceAll("\\/", "/"), maxLength: LENGTHS.url });

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

/** A schema inside another one. zod types it as a schema of its core; all of ours are made by `z`. */
export function innerType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("the schema was not made by zod's classic interface");
}

/**
 * Relaxes one of the contract's schemas for publishers (docs/publishing.md#rules-for-all-files). In the schema's
 * object and all objects below it, a nullable key may be left out and becomes null; an array may be left out
 * and becomes empty. The output is the same as that of the contract's schema.
 */
function lenient<T extends z.ZodType>(schema: T): z.ZodType<z.output<T>, Lenient<z.input<T>>> {
  return relaxed(schema) as z.ZodType<z.output<T>, Lenient<z.input<T>>>;
}

/** A type in which nullable keys and arrays may be left out, at any depth. */
type Lenient<T> = T extends readonly (infer Item)[]
  ? Lenient<Item>[]
  : T extends object
    ? { [K in keyof T as Omissible<T[K]> extends true ? never : K]: Lenient<T[K]> } & {
        [K in keyof T as Omissible<T[K]> extends true ? K : never]?: Lenient<T[K]>;
      }
    : T;

type Omissible<T> = null extends T ? true : T extends readonly unknown[] ? true : false;

/** One copy for each schema, so that a schema used twice is described once. */
const COPIES = new Map<z.ZodType, z.ZodType>();

function relaxed(schema: z.ZodType): z.ZodType {
  const made = COPIES.get(schema) ?? relaxedCopy(schema);
  COPIES.set(schema, made);
  return made;
}

function relaxedCopy(schema: z.ZodType): z.ZodType {
  const { id, ...meta } = schema.meta() ?? {};
  // The copy needs another name than the contract's schema; otherwise one description would stand for both.
  const named = id === undefined ? meta : { ...meta, id: `Published${id}` };
  const copy = copyOf(schema);
  return copy === schema || Object.keys(named).length === 0 ? copy : copy.meta(named);
}

function copyOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return relaxed(innerType(schema.unwrap())).nullable();
  if (schema instanceof z.ZodArray) return z.array(relaxed(innerType(schema.element)));
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return z.strictObject(Object.fromEntries(shape.map(([key, type]) => [key, relaxedKey(type)])));
}

function relaxedKey(schema: z.ZodType): z.ZodType {
  const type = relaxed(schema);
  if (schema instanceof z.ZodNullable) return type.default(null);
  return schema instanceof z.ZodArray ? type.default([]) : type;
}

/** directory.json: the publisher and its addresses. */
export const DirectoryRecord = z.strictObject({
  format: field(
    z.literal(1, "must be 1, the format that this version reads"),
    "Version of the format of the whole directory.",
    1,
  ),
  name: field(
    z.string(),
    "Name of the directory. Pages and the description of the API show it.",
    "Readable Web",
  ),
  baseUrl: field(
    BaseUrl,
    "Where the API is served, without `/api` and without a slash at the end.",
    "https://api.directory.example",
  ),
  siteUrl: field(
    nullable(BaseUrl),
    "Where the pages are served; `baseUrl` if left out. The links in reports lead there.",
    "https://directory.example",
  ),
  description: field(
    boundedText(LENGTHS.description),
    "What the directory is about, in at most 20,000 characters. The start page, feeds and llms.txt " +
      "show its beginning, the description of the API all of it.",
    "How well the web reads without a browser.",
  ),
  lang: field(
    nullable(
      z
        .string()
        .regex(LANGUAGE_TAG, "must be a language tag, such as en or pt-BR")
        .refine(...atMost(LENGTHS.lang))
        .meta({ maxLength: LENGTHS.lang }),
    ),
    "The language that pages and feeds declare, as a BCP 47 tag; `en` if left out, as their own words are English.",
    "en-GB",
  ),
  headline: field(
    boundedText(LENGTHS.headline),
    "The headline of the start page, in at most 200 characters; one of ours if left out.",
    "What AI crawlers can read",
  ),
  contact: field(
    nullable(
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
    "Where readers of the API can reach you: an http:, https: or mailto: address.",
    "mailto:team@directory.example",
  ),
  license: field(
    text(),
    "License of the published data: an SPDX identifier, an address or a name.",
    "CC-BY-4.0",
  ),
  contactUrl: field(
    nullable(HostUrl),
    "A page where readers of a report can write to you. In this and the next three, `{host}` becomes " +
      "the report's host.",
    "https://directory.example/contact?about={host}",
  ),
  claimUrl: field(
    nullable(HostUrl),
    "A page where the owner of a site can claim its listing. Reports of unclaimed listings lead there.",
    "https://directory.example/claim/{host}",
  ),
  rescanUrl: field(
    nullable(HostUrl),
    "A page where anybody can ask for a new scan. The latest reports lead there.",
    "https://directory.example/rescan?host={host}",
  ),
  correctionUrl: field(
    nullable(HostUrl),
    "A page where anybody can say that a report is wrong.",
    "https://directory.example/correct?host={host}",
  ),
  changes: field(
    z
      .strictObject({
        days: field(
          z.int().min(1).max(3_650).default(CHANGES_KEPT.days),
          "How many days a change is kept.",
          CHANGES_KEPT.days,
        ),
        entries: field(
          z.int().min(0).max(1_000_000).default(CHANGES_KEPT.entries),
          "How many changes are kept at most; the oldest ones go first.",
          CHANGES_KEPT.entries,
        ),
      })
      .prefault({}),
    "How long the API tells what has changed; the defaults if left out.",
  ),
  extensions: field(
    z.boolean().default(true),
    "Whether the addresses beyond the contract are answered, such as `/api/batch`.",
    true,
  ),
  accept: field(
    z.array(z.enum(WARNING_CODES)).default([]),
    "Codes of warnings that are known and meant (docs/validating.md lists them). They are counted, but not " +
      "shown, and are no errors with `--strict`.",
    ["status-unusual"],
  ),
});
export type DirectoryRecord = z.infer<typeof DirectoryRecord>;

/** The slugs or ids that an entry had before. */
function formerly(example: string) {
  return field(
    z.array(Slug).default([]),
    "What it was called before: listings, scans, filters and addresses that still say so mean this entry.",
    [example],
  );
}

const TaxonomyRecord = z.strictObject({
  slug: field(Slug, "What listings and filters name it by; unique in its list.", "science"),
  name: field(z.string(), "Its name for people.", "Science"),
  group: field(z.string(), "The group under which it is shown.", "knowledge"),
  order: field(z.int(), "Its position: entries are sorted by `order`, then by `slug`.", 10),
  active: field(
    z.boolean().default(true),
    "Whether it is shown. An inactive entry is left out of every answer, and a filter with it matches nothing.",
    true,
  ),
  formerly: formerly("physics"),
});

const PlatformRecord = z.strictObject({
  slug: field(Slug, "What listings and filters name it by; unique in its list.", "wordpress"),
  name: field(z.string(), "Its name for people.", "WordPress"),
  formerly: formerly("word-press"),
});

/** taxonomy.json: the categories, tags and platforms that listings may have. */
export const Taxonomy = z.strictObject({
  categories: field(z.array(TaxonomyRecord).default([]), "Each listing has one at most."),
  tags: field(z.array(TaxonomyRecord).default([]), "Each listing may have several."),
  platforms: field(
    z.array(PlatformRecord).default([]),
    "What sites are built with. Each listing may have several.",
  ),
});
export type Taxonomy = z.infer<typeof Taxonomy>;

/** The lists of the taxonomy, each with the listing's key that holds its slugs. The noun is also the filter's name. */
export const TERM_LISTS = [
  { key: "category", list: "categories", noun: "category" },
  { key: "tags", list: "tags", noun: "tag" },
  { key: "platforms", list: "platforms", noun: "platform" },
] as const;
export type TermList = keyof Taxonomy;

const VISIBILITIES = [
  "listed",
  "blocked",
  "opted-out",
  "redirected",
  "removed",
  "deleted",
] as const;

const Entitlements = z.strictObject({
  history: field(
    z.boolean().default(false),
    "Whether the reports of older scans can be read. Without it they answer 403.",
    true,
  ),
  fixPrompts: field(
    Count.nullable().default(0),
    "How many fixes the report shows, from the first; null shows all.",
    3,
  ),
  starterFiles: field(
    z.boolean().default(false),
    "Whether the report contains the scan's starter files.",
    false,
  ),
  highlight: field(
    z.boolean().default(false),
    "Whether pages may highlight the listing. It never changes an order.",
    false,
  ),
});

/** One published website. */
export const Listing = z.strictObject({
  host: field(
    Host,
    "Canonical host of the site: lowercase ASCII or punycode, no scheme, path, port, leading www or " +
      "trailing dot. Unique over all files.",
    "example.org",
  ),
  url: field(WebUrl, "Address of the site's homepage.", "https://example.org/"),
  name: field(
    boundedText(LENGTHS.name),
    "Name of the site, at most 1,000 characters. Suggestions find it.",
    "Example",
  ),
  tagline: field(
    boundedText(LENGTHS.tagline),
    "What the site offers, in a line of at most 2,000 characters. Search finds host, name and tagline.",
    "Guides to growing vegetables",
  ),
  description: field(
    boundedText(LENGTHS.description),
    "What the site offers, in at most 20,000 characters. Only the report shows it.",
    "Guides to growing vegetables in small gardens, month by month.",
  ),
  status: field(
    z.string(),
    "Ownership: `unclaimed`, `claimed`, or another word of yours, which no filter finds.",
    "claimed",
  ),
  visibility: field(
    z.enum(VISIBILITIES).default("listed"),
    "`listed` listings are in search. `blocked`, `opted-out` and `redirected` ones are not, and " +
      "their report has no score. `removed` and `deleted` ones have no report at all.",
    "listed",
  ),
  category: field(nullable(Slug), "A category of taxonomy.json.", "science"),
  tags: field(z.array(Slug).default([]), "Tags of taxonomy.json.", ["gardening"]),
  platforms: field(z.array(Slug).default([]), "Platforms of taxonomy.json.", ["wordpress"]),
  hosting: field(text(), "Who hosts the site.", "Netlify"),
  linkRel: field(
    z.string().default("nofollow"),
    "The `rel` that pages give to links to the site.",
    "nofollow",
  ),
  logoUrl: field(
    nullable(WebUrl),
    "Address of the site's logo. Answers have it; pages load nothing from other hosts.",
    "https://example.org/logo.svg",
  ),
  ogImageUrl: field(
    nullable(WebUrl),
    "Address of the picture for previews.",
    "https://example.org/preview.png",
  ),
  entitlements: field(
    Entitlements.prefault({}),
    "What the listing's plan opens, for every reader alike; all defaults if left out.",
  ),
  publishedScan: field(
    nullable(ScanId),
    "Id of the scan that the latest report shows. If left out: the newest by `finishedAt`.",
    "scn_2026_07",
  ),
});
export type Listing = z.infer<typeof Listing>;

const EnrichmentRecord = z.strictObject({
  copy: field(lenient(EnrichmentState), "State of the generated texts."),
  starterFiles: field(
    nullable(lenient(EnrichmentState)),
    "State of the generated files. Served where the plan has them.",
  ),
  revision: field(
    text(),
    "Changes when the content or its status changes. If left out, the build derives it from both.",
    "r-178789",
  ),
});

const { shape: served } = ReportScan;

/** One archived scan of a listing. */
export const Scan = z.strictObject({
  host: field(Host, "Host of the listing that was scanned.", "example.org"),
  id: field(
    ScanId,
    "Id of the scan, unique for its host. `?scan=` in addresses names it.",
    "scn_2026_07",
  ),
  status: served.status,
  finishedAt: field(
    DateTime,
    "When the scan finished, with its offset from UTC. The newest scan is the published one, unless " +
      "the listing names another.",
  ),
  score: field(
    nullable(Score),
    "Score from 0 to 100; null if there is none, as where `status` is `moved`. Null never means zero.",
    86,
  ),
  band: field(
    nullable(Slug),
    "Id of the band that holds the score. Left out, it comes from the rubric of `scoreVersion`: the current " +
      "one, one of `formerRubrics`, or one that the store has published.",
    "exemplary",
  ),
  scoreVersion: field(text(), "Version of the scoring methodology that gave the score.", "2026.1"),
  robotsVerdict: served.robotsVerdict.default(null),
  summary: served.summary.default(null),
  block1: served.block1.default(null),
  block2: served.block2.default(null),
  penalties: served.penalties.default(null),
  cappedAt: served.cappedAt.default(null),
  redirect: field(
    nullable(lenient(Redirect)),
    "Where the homepage leads. Required where `status` is `moved`.",
  ),
  stats: field(lenient(ScanStats).prefault({}), "What the scan measured."),
  profile: field(
    nullable(FreeForm),
    "Observed login, API and commerce features and their evidence; served as given.",
    { login: { present: true, url: "https://example.org/login" } },
  ),
  checks: field(
    z.array(lenient(Check)).default([]),
    "The results of all checks, each `checkId` once. Answers keep their order.",
  ),
  observations: field(
    z.array(lenient(Observation)).default([]),
    "The requests that the scan sent. Answers keep their order.",
  ),
  pages: field(
    nullable(lenient(SampledPages)),
    "Content pages that the scan sampled besides the homepage.",
  ),
  fixes: field(
    z.array(lenient(Fix)).default([]),
    "What would raise the score, most important first: the plan decides how many are shown.",
  ),
  accessPolicy: field(
    nullable(lenient(AccessPolicy)),
    "What the site's robots.txt and other signals allow each crawler.",
  ),
  prerender: field(
    nullable(lenient(Prerender)),
    "Set when the homepage is a client-rendered app whose host serves full HTML only to crawlers it verifies.",
  ),
  starterFiles: field(
    nullable(FreeForm),
    "Generated file drafts and their readiness. Served where the plan has them.",
    { "llms.txt": { state: "ready", content: "# Example\n" } },
  ),
  enrichment: field(
    nullable(EnrichmentRecord),
    "State of generated texts and files, for clients that wait for them.",
  ),
});
export type Scan = z.infer<typeof Scan>;

const { shape } = CheckDescription;

/** A check of the methodology. Only keys that can have no default are required; the default of texts is "". */
const PublishedCheck = z
  .strictObject({
    ...shape,
    title: field(shape.title.optional(), "What the check looks for; `name` if left out."),
    version: shape.version.default(1),
    reviewedVersion: field(
      shape.reviewedVersion.optional(),
      "The version that was reviewed last; `version` if left out.",
    ),
    reviewedOn: shape.reviewedOn.default(""),
    specificationStatus: shape.specificationStatus.default(""),
    overview: shape.overview.default(""),
    whyItMatters: shape.whyItMatters.default(""),
    whatWeCheck: shape.whatWeCheck.default(""),
    results: shape.results.default(""),
    limitations: shape.limitations.default(""),
    sources: shape.sources.default([]),
    sourceNote: shape.sourceNote.default(null),
    related: shape.related.default([]),
    checkClass: field(
      shape.checkClass.optional(),
      "`universal` applies to every site, `conditional` to some, `capability` shows what a site " +
        "offers. If left out: `capability` for a check of this kind, else `universal`.",
    ),
    lifecycle: shape.lifecycle.default("active"),
    block: shape.block.default(null),
    weight: field(shape.weight.optional(), "Weight within its block; `maxPoints` if left out."),
    formerly: formerly("old-https"),
  })
  .meta({ id: "PublishedCheckDescription" });

const { shape: rubric } = Standards.shape.rubric;

/** The bands of an earlier version of the rubric. */
export const FormerRubric = z.strictObject({
  version: field(
    rubric.version,
    "The version. Neither the rubric nor another entry has it.",
    "2025.2",
  ),
  bands: field(rubric.bands, "Its bands, which cover all scores from 0 to 100."),
});
export type FormerRubric = z.infer<typeof FormerRubric>;

/** standards.json: the scoring methodology, as publishers write it. */
export const StandardsRecord = z.strictObject({
  ...Standards.shape,
  badgeExamples: lenient(Standards.shape.badgeExamples).default([]),
  checks: field(z.array(PublishedCheck), "All checks, in the publisher's order."),
  aiCrawlers: lenient(Standards.shape.aiCrawlers).default([]),
  crawlerCatalogue: lenient(Standards.shape.crawlerCatalogue).default([]),
  formerRubrics: field(
    z.array(FormerRubric).default([]),
    "Rubrics of earlier versions, oldest first. Scans of these versions get their bands. Not served.",
  ),
});
export type StandardsRecord = z.infer<typeof StandardsRecord>;

/** The former slugs of the active entries of two documents. A document that is null has none. */
export function formerSlugsOf(
  standards: StandardsRecord | null,
  taxonomy: Taxonomy | null,
): FormerSlugs | undefined {
  const checks = standards?.checks.map(({ id, formerly }) => ({ slug: id, formerly })) ?? [];
  const lists = [
    { filter: "capability", entries: checks },
    ...TERM_LISTS.map(({ noun, list }) => ({
      filter: noun,
      entries: taxonomy?.[list].filter((one) => !("active" in one) || one.active) ?? [],
    })),
  ] as const;
  return formerTable(
    lists.flatMap(({ filter, entries }) =>
      entries.flatMap(({ slug: now, formerly }) => formerly.map((slug) => ({ filter, slug, now }))),
    ),
  );
}

/** The contract's standards: keys that were left out get their defaults. */
export function completeStandards({ formerRubrics: _, ...record }: StandardsRecord): Standards {
  const checks = record.checks.map(({ formerly: __, ...check }) => {
    const { name, version, kind, maxPoints } = check;
    const { title = name, reviewedVersion = version, weight = maxPoints } = check;
    const { checkClass = kind === "capability" ? kind : "universal" } = check;
    return { ...check, title, reviewedVersion, checkClass, weight };
  });
  // Parsing puts the members into the contract's order, which answers have.
  return Standards.parse({ ...record, checks });
}
