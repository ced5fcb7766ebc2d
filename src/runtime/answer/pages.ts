import { ERROR_TEXTS } from "../../contract/error.js";
import { hostHash } from "../../contract/host.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { QueryReading } from "../../contract/query.js";
import { firstPairs } from "../../contract/query-text.js";
import { namesOf } from "../../contract/tables.js";
import { SCAN_ID } from "../../contract/values.js";
import type { Engine } from "../../engine/engine.js";
import { andThen, type Soon } from "../../engine/soon.js";
import { apiPage } from "../../pages/api/api-page.js";
import { isExample } from "../../pages/api/examples.js";
import { explorerPage } from "../../pages/explorer/explorer-page.js";
import { addressOf, readState } from "../../pages/explorer/search-state.js";
import { llmsText, robotsText } from "../../pages/feeds/guides.js";
import { sitemapNamed } from "../../pages/feeds/sitemap.js";
import { ASSET_NAMES, ASSETS, type Asset } from "../../pages/kit/assets.js";
import { MODULE_NAME } from "../../pages/kit/modules.js";
import {
  MARKDOWN,
  NO_INDEX,
  PAGE_ROUTES,
  type PageName,
  pageHeaders,
} from "../../pages/kit/routes.js";
import { badge } from "../../pages/report/badge.js";
import { reportExcerpt } from "../../pages/report/excerpt.js";
import { reportMarkdown } from "../../pages/report/report-markdown.js";
import { reportPage } from "../../pages/report/report-page.js";
import { standardsPage } from "../../pages/standards/standards-page.js";
import {
  type Content,
  type Failure,
  isFailure,
  reportContent,
  type SnapshotView,
  type Traits,
} from "./content.js";
import { hostIssues, matchPattern, patternOf, type Target } from "./routing.js";
import { shownAt, standardsOf } from "./shown.js";

/** The address of a page, or of a file that pages use, with its path parameter as sent. */
export interface PageMatch {
  readonly name: PageName;
  /** A report's host or a file's name; null if the address has no parameter. */
  readonly parameter: string | null;
}

/** The content of a page's 200, with its headers. */
export type PageContent = Content & Traits;

const TABLE = namesOf(PAGE_ROUTES).map((name) => ({
  name,
  pattern: patternOf(PAGE_ROUTES[name].path),
}));

/** Finds the page at a path; null if there is none. */
export function matchPage(target: Target): PageMatch | null {
  for (const { name, pattern } of TABLE) {
    const matched = matchPattern(pattern, target);
    if (matched !== null && isName(name, matched.parameter ?? "")) {
      return { name, parameter: matched.parameter };
    }
  }
  return null;
}

/** Whether a page's file can have this name, in any directory that crawldex serves. */
function isName(page: PageName, name: string): boolean {
  if (page === "asset") return [...ASSET_NAMES.values()].some((names) => names.test(name));
  if (page === "module" || page === "nestedModule") return MODULE_NAME.test(name);
  return page !== "sitemapFile" || sitemapNamed(name) !== null;
}

function assetNamed(name: string, assets: readonly Asset[]): Asset | undefined {
  return assets.find((one) => one.name === name);
}

/** The parameters on which a page depends. */
export interface PageQuery {
  /** The scan whose historical report is requested. */
  readonly scan: string | undefined;
  /** `scan`, or the explorer's state, as a query in a fixed order; "" if there is neither. */
  readonly text: string;
}

/** Reads a page's query. Rejects an invalid `scan`, and ignores every other parameter that the page does not use. */
export function readPage({ name, parameter }: PageMatch, query: string): QueryReading<PageQuery> {
  const { path, hasScan } = PAGE_ROUTES[name];
  const issues = path.includes("{host}") ? hostIssues(parameter ?? "") : [];
  const scans =
    hasScan && query !== "" ? new URLSearchParams(firstPairs(query)).getAll("scan") : [];
  const [scan] = scans;
  if (scans.length > 1) issues.push({ path: "scan", message: "may be given once" });
  if (scan !== undefined && SCAN_ID.read(scan) === undefined) {
    issues.push({ path: "scan", message: SCAN_ID.message });
  }
  if (issues.length > 0) return { ok: false, issues };
  const state = name === "explorer" ? stateText(query) : "";
  return { ok: true, value: { scan, text: scan === undefined ? state : `scan=${scan}` } };
}

/**
 * Returns "&" for a non-empty query without state, so that it still counts as a query: search engines must not show
 * explorer addresses with a query.
 */
function stateText(query: string): string {
  if (query === "") return "";
  return addressOf(readState(firstPairs(query))).slice(1) || "&";
}

/**
 * Makes a page of a snapshot.
 * @param isMarkdown whether the client asks for the page as Markdown
 * @throws if a stored answer is missing or damaged
 */
export function pageContent(
  { name, parameter }: PageMatch,
  { scan, text: query }: PageQuery,
  isMarkdown: boolean,
  snapshot: SnapshotView,
): Soon<PageContent | Failure> {
  const { directory, sitemaps } = snapshot;
  switch (name) {
    case "explorer":
      return shownAt(query, snapshot).then((shown) => {
        const content = fileContent(name, explorerPage(directory, shown), snapshot);
        return query === ""
          ? content
          : { ...content, headers: { ...content.headers, ...NO_INDEX } };
      });
    case "standardsPage":
      return standardsOf(snapshot).then((standards) =>
        fileContent(name, standardsPage(standards, directory), snapshot),
      );
    case "apiPage":
      return apiPageContent(snapshot);
    case "badge":
      return badgeContent(parameter ?? "", snapshot);
    case "page":
    case "markdown":
      return reportContentOf(name, parameter ?? "", scan, isMarkdown, snapshot);
    case "robots":
      return fileContent(name, robotsText(directory), snapshot);
    case "llms":
      return fileContent(name, llmsText(directory), snapshot);
    case "sitemap":
      return sitemaps.index().then((text) => fileContent(name, text, snapshot));
    case "sitemapFile":
      return sitemaps
        .file(parameter ?? "")
        .then((text) => (text === null ? NO_ADDRESS : fileContent(name, text, snapshot)));
    case "asset":
    case "module":
    case "nestedModule": {
      const asset = assetNamed(
        parameter ?? "",
        name === "asset" ? ASSETS : directory.modules.assets,
      );
      if (asset === undefined) return NO_ADDRESS;
      return { ...fileContent(name, asset.text, snapshot), contentType: asset.type };
    }
  }
}

const NO_ADDRESS: Failure = { status: 404, error: ERROR_TEXTS.noAddress };

/** The API page changes only with the snapshot, so it is made once. */
const apiPages = new WeakMap<SnapshotView, PageContent>();

function apiPageContent(snapshot: SnapshotView): PageContent {
  const known = apiPages.get(snapshot);
  if (known !== undefined) return known;
  const text = apiPage(snapshot.directory, exampleHost(snapshot.engine));
  const content = fileContent("apiPage", text, snapshot);
  apiPages.set(snapshot, content);
  return content;
}

/** The host of the API page's examples: the first in the order of the store; null if there is none. */
function exampleHost(engine: Engine): string | null {
  let first: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let number = 0; number < engine.scored; number += 1) {
    const host = engine.hostOf(number);
    const hash = hostHash(host);
    if (hash > least || !isExample(host)) continue;
    if (hash < least || first === null || host < first) first = host;
    least = hash;
  }
  return first;
}

/**
 * Draws a badge from the listing's summary in memory. A report whose listing is not in search is withheld, so its badge
 * shows no score.
 */
function badgeContent(host: string, snapshot: SnapshotView): Soon<PageContent | Failure> {
  return andThen(reportContent(snapshot, host, undefined), (found) =>
    isFailure(found) ? found : drawBadge(host, snapshot),
  );
}

function drawBadge(host: string, snapshot: SnapshotView): Soon<PageContent> {
  const { engine, directory } = snapshot;
  return andThen(engine.summaryOf(host), (json) => {
    const summary: SiteSummary | null =
      json === undefined ? null : JSON.parse(decoder.decode(json));
    const scan = {
      score: summary?.latestScore ?? null,
      band: summary?.latestBand ?? null,
      scoreVersion: summary?.latestScoreVersion ?? null,
    };
    return fileContent("badge", badge({ scan }, directory), snapshot, host);
  });
}

function reportContentOf(
  name: "page" | "markdown",
  host: string,
  scan: string | undefined,
  isMarkdown: boolean,
  snapshot: SnapshotView,
): Soon<PageContent | Failure> {
  const isTwin = isMarkdown || name === "markdown";
  const query = scan === undefined ? "" : `?scan=${scan}`;
  const draw = (bytes: Uint8Array): PageContent => {
    const { report, left } = reportExcerpt(bytes);
    const text = (isTwin ? reportMarkdown : reportPage)(report, snapshot.directory, left);
    const isHidden = scan !== undefined || !report.seo.indexable;
    return {
      ...bodyOf(text, snapshot),
      contentType: isTwin ? MARKDOWN : PAGE_ROUTES[name].contentType,
      headers: { ...pageHeaders(name, host, query, isTwin), ...(isHidden && NO_INDEX) },
    };
  };
  return andThen(reportContent(snapshot, host, scan), (stored) =>
    isFailure(stored) ? stored : andThen(stored.read(), draw),
  );
}

function fileContent(name: PageName, text: string, snapshot: SnapshotView, host = ""): PageContent {
  const { contentType } = PAGE_ROUTES[name];
  const headers = pageHeaders(name, host, "", false);
  return { ...bodyOf(text, snapshot), contentType, headers };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function bodyOf(text: string, snapshot: SnapshotView): Content {
  const bytes = encoder.encode(text);
  return { digest: snapshot.digestOf(text), length: bytes.length, read: () => bytes };
}
