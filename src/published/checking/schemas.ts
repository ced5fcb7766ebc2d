import { z } from "zod";
import { USUAL_KEPT } from "../../contract/changes.js";
import { Count, field, Host, ScanId, Slug } from "../../contract/field.js";
import {
  atMost,
  BaseUrl,
  boundedText,
  HostUrl,
  isWebUrl,
  LENGTHS,
  nullable,
  text,
  WebUrl,
} from "./published-values.js";

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
          z.int().min(1).max(3_650).default(USUAL_KEPT.days),
          "How many days a change is kept.",
          USUAL_KEPT.days,
        ),
        entries: field(
          z.int().min(0).max(1_000_000).default(USUAL_KEPT.entries),
          "How many changes are kept at most; the oldest ones go first.",
          USUAL_KEPT.entries,
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
});
export type DirectoryRecord = z.infer<typeof DirectoryRecord>;

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
});

const PlatformRecord = z.strictObject({
  slug: field(Slug, "What listings and filters name it by; unique in its list.", "wordpress"),
  name: field(z.string(), "Its name for people.", "WordPress"),
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

/** The lists of the taxonomy, each with the listing's key that holds its slugs. */
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
