import type { z } from "zod";
import { FACET_FILTERS, FILTER_NAMES, FILTERS, LIST_FILTERS } from "./filters.js";
import { Facets, type SiteSummary, type TaxonomyEntry, type Vocabulary } from "./listing.js";
import type { ListingFilters, ReportQuery, SearchQuery } from "./query.js";
import type { Report } from "./report.js";
import type { PATH_PARAMETERS, ROUTES } from "./routes.js";
import type { Standards } from "./standards.js";
import { tableOf } from "./tables.js";

type ParameterName =
  | keyof typeof PATH_PARAMETERS
  | keyof ListingFilters
  | keyof SearchQuery
  | keyof ReportQuery;

/** An example value for each parameter, by the parameter's name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  host: "example.com",
  q: "weather",
  ...tableOf(FILTER_NAMES, (name) => FILTERS[name].example),
  minScore: 50,
  maxScore: 100,
  sort: "recent",
  page: 2,
  limit: 50,
  scan: "scan_2026-08-09",
} satisfies Record<ParameterName, unknown>;

const WEATHER: TaxonomyEntry = { slug: "weather", name: "Weather", group: "topics", order: 1 };
const OPEN_DATA: TaxonomyEntry = {
  slug: "open-data",
  name: "Open data",
  group: "access",
  order: 1,
};

const LISTING: SiteSummary = {
  host: "example.com",
  url: "https://example.com/",
  name: "Example Weather",
  tagline: "Forecasts for every postcode",
  status: "claimed",
  latestScore: 82,
  latestBand: "excellent",
  latestScoreVersion: "2026.1",
  latestScannedAt: "2026-08-09T03:31:12.000Z",
  platforms: ["wordpress"],
  hosting: null,
  linkRel: "nofollow",
  category: WEATHER,
  tags: [OPEN_DATA],
  capabilities: ["llms-txt"],
  logoUrl: "https://example.com/logo.svg",
  ogImageUrl: null,
  highlighted: false,
};

const STANDARDS: Standards = {
  rubric: {
    version: "2026.1",
    block1Points: 60,
    block2Points: 40,
    bands: [
      { band: "poor", label: "Poor", min: 0, max: 49 },
      { band: "good", label: "Good", min: 50, max: 79 },
      { band: "excellent", label: "Excellent", min: 80, max: 100 },
    ],
  },
  badgeExamples: [
    { band: "excellent", label: "Excellent", min: 80, max: 100, score: 82, capabilities: 1 },
  ],
  checks: [
    {
      id: "plain-html",
      name: "Plain HTML",
      title: "The homepage can be read without JavaScript",
      version: 2,
      reviewedVersion: 2,
      reviewedOn: "2026-08-01",
      specificationStatus: "stable",
      overview: "The homepage's text is in the HTML that the server sends.",
      whyItMatters: "Many crawlers run no scripts.",
      whatWeCheck: "The text of the first answer, against the text after scripts have run.",
      results: "pass: nearly all of it; warn: half; fail: less.",
      limitations: "Only the homepage and the sampled pages are read.",
      sources: [{ label: "HTML Standard", url: "https://html.spec.whatwg.org/" }],
      sourceNote: null,
      related: [],
      kind: "achievement",
      checkClass: "universal",
      lifecycle: "active",
      block: 1,
      weight: 30,
      maxPoints: 30,
    },
  ],
  aiCrawlers: [{ name: "ExampleBot", operator: "Example AI", purpose: "training" }],
  crawlerCatalogue: [
    {
      id: "examplebot",
      name: "ExampleBot",
      operator: "Example AI",
      group: "ai",
      kind: "crawler",
      httpIdentity: "ExampleBot/1.0",
      status: "active",
      verification: "ip-list",
      reviewed: "2026-08-01",
      summary: "Collects text for training.",
      robotsToken: "ExampleBot",
      aliases: [],
      purposes: ["training"],
      sources: ["https://example.com/bot"],
      notes: null,
      scanner: { recognized: true, visibilityPenalty: false, trainingOptOut: true },
    },
  ],
};

const REPORT: Report = {
  enrichment: {
    scanId: "scan_2026-08-09",
    revision: "5f2c9a",
    copy: { state: "ready", nextRetryAt: null },
    starterFiles: null,
  },
  accessPolicy: {
    version: 1,
    url: "https://example.com/robots.txt",
    summary: "Training crawlers are kept out, search crawlers are let in.",
    notes: [],
    identities: [{ token: "ExampleBot", operator: "Example AI", purpose: "training" }],
    rows: [
      {
        id: "training",
        title: "Training",
        summary: "Disallowed by robots.txt.",
        findings: [
          {
            subjects: ["ExampleBot"],
            state: "disallowed",
            explanation: "A group of its own disallows every path.",
            source: "robots.txt",
            url: "https://example.com/robots.txt",
            scope: "/",
            raw: ["User-agent: ExampleBot", "Disallow: /"],
            checkIds: ["robots-txt"],
          },
        ],
      },
    ],
  },
  prerender: null,
  site: {
    host: "example.com",
    url: "https://example.com/",
    name: "Example Weather",
    description: "Forecasts, warnings and climate data.",
    status: "claimed",
    claimed: true,
  },
  scan: {
    id: "scan_2026-08-09",
    status: "complete",
    finishedAt: "2026-08-09T03:31:12.000Z",
    historical: false,
    score: 82,
    band: "excellent",
    scoreVersion: "2026.1",
    block1: 52,
    block2: 38,
    penalties: 8,
    cappedAt: null,
    robotsVerdict: "partly-open",
    summary: "Readable without scripts; two images block the text.",
    redirect: null,
    stats: { pagesScanned: 4, requestCount: 31, bytesFetched: 845120, durationMs: 9120.5 },
  },
  profile: { api: { observed: true, evidence: ["https://example.com/api"] } },
  checks: [
    {
      checkId: "plain-html",
      checkVersion: 2,
      title: "The homepage can be read without JavaScript",
      label: "Plain HTML",
      kind: "achievement",
      block: 1,
      status: "warn",
      points: 22,
      maxPoints: 30,
      lifecycle: "active",
      summary: "Three quarters of the text is in the HTML.",
      details: { share: 0.74 },
    },
  ],
  observations: [
    {
      key: "home",
      url: "https://example.com/",
      finalUrl: null,
      status: 200,
      contentType: "text/html; charset=utf-8",
      durationMs: 212.4,
      rung: "plain",
      redirects: 0,
      byteLength: 48211,
    },
  ],
  pages: {
    version: 1,
    completeness: "full",
    stopped: null,
    pages: [
      {
        url: "https://example.com/warnings",
        kind: "article",
        sources: ["sitemap", "homepage"],
        reasons: ["linked from the homepage"],
        outcome: "read",
        status: 200,
        finalUrl: null,
      },
    ],
  },
  fixes: {
    data: [
      {
        checkId: "plain-html",
        title: "Send the forecast's text in the HTML",
        kind: "achievement",
        status: "warn",
        summary: "The text of the forecast is added by a script.",
        recoverablePoints: 8,
        scoreAfter: 90,
        prompt: "Render the forecast on the server.",
        promptStatus: "archived",
      },
    ],
    total: 2,
    limit: 1,
    hidden: 1,
  },
  access: { history: false, highlight: false, starterFiles: false },
  starterFiles: null,
  starterFilesOffer: true,
  links: {
    canonical: "https://directory.example/sites/example.com",
    markdown: "https://directory.example/sites/example.com/report.md",
  },
  seo: { indexable: true },
};

const VOCABULARY: Vocabulary = {
  categories: [WEATHER],
  signals: [
    {
      id: "llms-txt",
      label: "llms.txt",
      description: "The site has a text for language models at /llms.txt.",
      kind: "capability",
    },
  ],
  platforms: [{ slug: "wordpress", name: "WordPress" }],
};

/** Facets that count one listing in each of them. */
function facetsExample(): Facets {
  const known: Readonly<Record<string, readonly object[]>> = VOCABULARY;
  const facets = FACET_FILTERS.map((name) => {
    const { facet, example } = LIST_FILTERS[name];
    const terms = known[facet.member] ?? [{ slug: example[0] }];
    const items = terms.map((term) => ({ ...term, count: 1 }));
    return [facet.member, facet.hasTotal ? { total: 1, items } : items];
  });
  return Facets.parse({ total: 1, ...Object.fromEntries(facets) });
}

type Routes = typeof ROUTES;
type AnswerExamples = { [Name in keyof Routes]: z.output<Routes[Name]["body"]> };

/** An example body for each read of a directory's content. */
export const ANSWER_EXAMPLES: Omit<AnswerExamples, "openapi" | "catalog"> = {
  search: { data: [LISTING], pagination: { page: 1, limit: 2, total: 1, totalPages: 1 } },
  suggestions: {
    data: [{ host: LISTING.host, name: LISTING.name, logoUrl: LISTING.logoUrl }],
  },
  facets: { data: facetsExample() },
  report: { data: REPORT },
  enrichment: { data: REPORT.enrichment },
  standards: { data: STANDARDS },
  categories: { data: [WEATHER] },
  tags: { data: [OPEN_DATA] },
};
