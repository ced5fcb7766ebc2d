import { ROUTES, type Route } from "../../src/contract/routes.js";
import { ASSETS } from "../../src/pages/kit/asset-texts.js";

/* What a server of the varied listings' tree is asked for, beside the runtime. */

const documents = Object.values<Route>(ROUTES).filter(({ document }) => document !== undefined);
export const site = (host: string) => `/api/sites/${host}/report`;
export const READS = [
  ...documents.map(({ path }) => path),
  ...documents.map(({ path }) => `${path}?whatever=1`),
  ...["open", "locked", "single", "blocked", "opted-out", "moved"].flatMap((name) => [
    site(`${name}.example`),
    `${site(`${name}.example`)}?scan=new`,
    `/api/sites/${name}.example/enrichment`,
  ]),
  site("con.com"),
  site("x.json"),
  site("x.json.html"),
  `${site("open.example")}?`,
  ...["old", "OLD", "report"].map((scan) => `${site("open.example")}?scan=${scan}`),
];
const KINDS = ["open", "locked", "single", "blocked", "opted-out", "moved"];
/** Pages, and the files beside them. */
export const PAGES = [
  ...KINDS.flatMap((name) => [
    `/sites/${name}.example`,
    `/sites/${name}.example/report.md`,
    `/sites/${name}.example/badge.svg`,
    `/sites/${name}.example?scan=new`,
  ]),
  ...["old", "OLD", "report"].flatMap((scan) => [
    `/sites/open.example?scan=${scan}`,
    `/sites/open.example/report.md?scan=${scan}`,
  ]),
  "/sites/x.json?utm_source=a&fbclid=b",
  "/sites/x.json.html",
  "/sites/x.json.html?scan=old",
  "/sites/x.json.html/report.md",
  "/sites/x.json.html/report.md?scan=old",
  "/sites/x.json.html/badge.svg",
  "/sites/con.com/badge.svg?x=1",
  ...["/robots.txt", "/llms.txt", "/sitemap.xml", "/sitemaps/0.xml", "/sitemaps/categories.xml"],
  ...["/categories/news", "/categories/news?q=a"],
  ...["/favicon.ico", "/apple-touch-icon.png"],
  ...["/feed.xml", "/feed.json", "/feeds/news.xml", "/feeds/news.json"],
  ...ASSETS.map(({ name }) => `/assets/${name}`),
  ...["/standards", "/standards?q=https", "/%73tandards"],
  "/sites/%6fpen.example",
  "/%73itemap.xml",
];
export const ERRORS = [
  "/nowhere",
  ...["/sites", "/sites/", "/sites/..", "/sites/open.example/", "/sites/open.example/index.html"],
  ...[
    "/sites/open.example/noindex",
    "/sites/moved.example/noindex",
    "/sites/open.example/scans/old.md",
  ],
  ...["/sites/a%2fb", "/sites/WWW.x.com", "/sites/open.example%0a", "/sites/localhost/report.md"],
  ...[
    "/sites/nowhere.example",
    "/sites/con.com.html",
    "/sites/con.com.html/report.md",
    "/sites/removed.example/report.md",
    "/sites/unscanned.example/badge.svg",
  ],
  ...["/sites/open.example?scan=none", "/sites/blocked.example/report.md?scan=old"],
  ...["/sitemaps", "/sitemaps/", "/sitemaps/1.xml", "/sitemaps/0-2.xml", "/sitemaps/0", "/assets/"],
  ...["/standards/", "/standards.html", "/index.html", "/assets/explorer-00000000.js"],
  ...["/assets/report.css", "/assets/report-00000000.css", "/crawldex/twin/open.example"],
  ...["/categories", "/categories/", "/categories/weather", "/categories/news--1"],
  ...["/categories/news--2", "/categories/news.html", "/categories/news/", "/categories/NEWS"],
  ...["/feeds", "/feeds/", "/feeds/weather.xml", "/feeds/news", "/feed.xml/", "/feed.html"],
  "/.git/config",
  "/api",
  "/api/",
  "/api/standards/",
  "/api/sites.json",
  "/API/standards",
  "//api/standards",
  "/api//standards",
  "/api/sites/",
  "/api/sites/open.example",
  "/api/sites/open.example/",
  "/api/sites/open.example/report/",
  "/api/sites/open.example/report.json",
  "/api/sites/open.example/scans/old.json",
  "/api/sites/open.example/scans/old",
  "/.well-known/",
  "/.well-known/api-catalog/",
  "/crawldex/400",
  "/crawldex/502",
  "/site.crawldex.json",
  "/api/../site.crawldex.json",
  "/api/x/../standards",
  "/api/./standards",
  "/api/%2e/standards",
  "/api%2fstandards",
  "/api/standards/..",
  "/api/standards#x",
  "/api/standards%0a",
  "/api/sites/open.example/report%0A",
  "/api/sites/open.example/enrichment%0a",
  ...["removed.example", "unscanned.example", "nowhere.example"].flatMap((host) => [
    site(host),
    `${site(host)}?scan=new`,
    `/api/sites/${host}/enrichment`,
  ]),
  `${site("open.example")}?scan=none`,
  `${site("open.example")}?scan=oLd`,
  `${site("blocked.example")}?scan=old`,
  ...[
    "Open.example",
    "www.open.example",
    "open.example.",
    "localhost",
    "127.0.0.1",
    "a_b.com",
    "",
    "..",
    "%2e%2e",
    "a%2fb",
    "open.example%20",
    "%C3%A9.com",
    "a#b.com",
    "open.example%0A",
    `${"a".repeat(64)}.com`,
    `${"a.".repeat(126)}com`,
  ].flatMap((host) => [site(host), `/api/sites/${host}/enrichment`]),
];
/** Paths above the root: nginx refuses them before any configuration of ours. */
export const ABOVE = [
  "/../site.crawldex.json",
  "/%2e%2e/site.crawldex.json",
  "/..%2fsite.crawldex.json",
  "/api/../../etc/passwd",
  "/%00",
  "/%zz",
];
export const ENCODED = [
  "/api/%73tandards",
  "/%61pi/tags",
  site("%6fpen.example"),
  "/api/sites/open.example/%72eport",
];
/** The API page, and addresses below it that do not exist: a browser gets pages, programs get errors. */
export const API_ADDRESSES = [
  ...["/api", "/api?", "/api?utm_source=a", "/%61pi", "/api/", "/apis"],
  ...["/api/nowhere", "/api/tags/", "/api//tags", "/api/a/b", "/api/a/b/c?d=/e", "/api/a/b/c/d"],
  ...[
    "/api/a/b/c/d/e",
    "/%61pi/nowhere",
    "/api/sites/open.example",
    "/api.html",
    "/api/index.html",
  ],
  ...["/api/sites/nowhere.example/report", "/api/sites/WWW.open.example/report", "/api/tags"],
];
