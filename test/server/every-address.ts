import { setTimeout as sleep } from "node:timers/promises";
import { ASSETS } from "#scripts/texts";
import { type Answer, answer } from "../../src/answer/answer.js";
import type { SnapshotView } from "../../src/answer/content.js";
import type { RouteName } from "../../src/contract/routes.js";
import { installedExtras, readsOf } from "../../src/extra.js";
import type { PageName } from "../../src/pages/kit/routes.js";
import { serverPages } from "../../src/server/server-pages.js";
import { extraTargets } from "../extras/examples.js";
import type { PublishedFiles } from "../fixtures.js";
import { directoryOf, PASSES, type Row } from "../store/rows.js";

const ALL_PAGES = serverPages();

/* Requests for every kind of address, to a directory where each needs many listings. */

const SITES = 480;
const NAMES = Array.from({ length: SITES }, (_, at) => `site-${at}`);
const HOSTS = NAMES.map((name) => `${name}.example`);
const HOST = HOSTS[0]!;

/** A directory in which every site has another score than in other publications, and gains or loses checks. */
export function manyChanges(publication: number): PublishedFiles {
  const checks = publication % 2 === 0 ? "+-" : "-+";
  const rows = NAMES.map((name, at): [string, Row] => [
    name,
    [(at + 7 * publication) % 100, checks, { category: "news", tags: ["alpha"] }, publication],
  ]);
  return directoryOf(Object.fromEntries(rows));
}

/** By the name of a read beyond the contract, its requests. */
const EXTENSION_TARGETS: Readonly<Record<string, readonly string[]>> = {
  changes: ["/api/changes?limit=1000", "/changes"],
  changesFile: ["/changes/index.json"],
  searchFeed: ["/search-feed.xml", "/search-feed.xml?q=site-1&minScore=40"],
  searchJsonFeed: ["/search-feed.json"],
  siteFeed: [`/sites/${HOST}/feed.xml`],
  siteJsonFeed: [`/sites/${HOST}/feed.json`],
  watchFeed: [`/watch.xml?host=${HOSTS.slice(0, 100).join("&host=")}`],
  watchJsonFeed: [`/watch.json?host=${HOST}`],
  batch: [`/api/batch?host=${HOSTS.slice(0, 100).join("&host=")}`],
  preflight: [`/api/preflight?host=${HOSTS.slice(0, 100).join("&host=")}`],
  access: ["/api/access"],
  trends: ["/api/trends", "/api/trends?category=news"],
  dump: ["/api/dump/"],
  dumpFile: [
    "listings.parquet",
    "listings.csv.gz",
    "listings.ndjson.gz",
    "history.parquet",
    "history.ndjson.gz",
    "hosts.txt",
    "category-news.txt",
    "croissant.json",
  ].map((file) => `/api/dump/${file}`),
  // Scans without an access policy give no lists.
  dumpList: [],
  // MCP is asked by POST.
  mcp: [],
  serverCard: ["/mcp/server-card"],
  ard: ["/.well-known/ard.json"],
  aiCatalog: ["/.well-known/ai-catalog.json"],
};

/** By the name of an address, its requests. An address without one does not compile. */
const CORE_TARGETS: Readonly<Record<RouteName | PageName, readonly string[]>> = {
  search: ["/api/sites", "/api/sites?q=sitte", "/api/sites?q=site&sort=recent&category=news"],
  suggestions: ["/api/sites/suggestions?q=site", "/api/sites/suggestions?q=sitte"],
  facets: ["/api/sites/facets?include=scores", "/api/sites/facets?q=site&category=news&band=open"],
  report: [`/api/sites/${HOST}/report`],
  enrichment: [`/api/sites/${HOST}/enrichment`],
  standards: ["/api/standards"],
  categories: ["/api/categories"],
  tags: ["/api/tags"],
  openapi: ["/api/openapi.json"],
  catalog: ["/.well-known/api-catalog"],
  explorer: ["/", "/?q=site", "/?q=sitte", "/?q=site&category=news&sort=recent&page=2"],
  standardsPage: ["/standards"],
  apiPage: ["/api"],
  categoriesPage: ["/categories"],
  checkPage: [`/checks/${PASSES.first}`],
  category: ["/categories/news"],
  page: [`/sites/${HOST}`],
  markdown: [`/sites/${HOST}/report.md`],
  task: [`/sites/${HOST}/fix.md`],
  badge: [`/sites/${HOST}/badge.svg`],
  robots: ["/robots.txt"],
  llms: ["/llms.txt"],
  sitemap: ["/sitemap.xml"],
  sitemapFile: ["/sitemaps/0.xml", "/sitemaps/categories.xml"],
  figures: ["/figures.json"],
  feedsPage: ["/feeds"],
  feed: ["/feed.xml"],
  jsonFeed: ["/feed.json"],
  categoryFeed: ["/feeds/news.xml"],
  favicon: ["/favicon.ico"],
  touchIcon: ["/apple-touch-icon.png"],
  asset: [`/assets/${ASSETS[0]!.name}`],
};

const EXTENSIONS = readsOf(installedExtras());

/** The name of every address, with its requests. */
export const TARGETS = [
  ...Object.entries(CORE_TARGETS),
  ...Object.entries(EXTENSION_TARGETS).filter(([name]) => name in EXTENSIONS),
  ...Object.entries(extraTargets(HOSTS)),
];

/** Addresses where nothing is, whose pages suggest others. */
export const LOST = [
  "/sites/sitte-1.example",
  "/sites/www.site-1.exampel",
  "/some-sitte-page-about-nothing",
  "/sites/https://sitte-12.example/about",
];

/** By tool of MCP, the arguments of a call. */
export const CALLS: Readonly<Record<string, object>> = {
  search_sites: { q: "site", category: ["news"] },
  facts: { figure: "passing", check: PASSES.first, category: "news" },
  get_methodology: {},
  list_terms: { kind: "category" },
  get_report: { host: HOST },
  compare_sites: { hosts: HOSTS.slice(0, 20) },
  preflight: { hosts: HOSTS.slice(0, 100) },
  crawler_access: { crawler: "GPTBot" },
  recent_changes: { category: "news" },
};

export interface Posted {
  readonly target: string;
  readonly value: object;
  /** Milliseconds that reading the body takes. Default: 0. */
  readonly readMs?: number;
}

export const BATCH: Posted = { target: "/api/batch", value: { hosts: HOSTS } };

/** A call of MCP's. */
export function called(method: string, params: object = {}): Posted {
  return { target: "/mcp", value: { jsonrpc: "2.0", id: 1, method, params } };
}

/** The answer to a person's GET, or to a program's POST. */
export function asked(
  snapshot: SnapshotView,
  what: string | Posted,
  leaving?: () => AbortSignal,
): Promise<Answer> {
  const context = {
    snapshot,
    pages: ALL_PAGES,
    extensions: EXTENSIONS,
    onDamage: () => {},
    compress: (bytes: Uint8Array) => Promise.resolve(bytes),
  };
  const left = leaving === undefined ? {} : { leaving };
  if (typeof what === "string") {
    return answer({ method: "GET", target: what, isForPerson: true, ...left }, context);
  }
  const headers = new Map([
    ["content-type", "application/json"],
    ["accept", "application/json, text/event-stream"],
  ]);
  const body = {
    header: (name: string) => headers.get(name),
    read: async () => {
      await sleep(what.readMs ?? 0);
      return Buffer.from(JSON.stringify(what.value));
    },
  };
  return answer({ method: "POST", target: what.target, body, ...left }, context);
}
