import type { QueryReading } from "../../contract/query.js";
import { firstPairs } from "../../contract/query-text.js";
import { namesOf } from "../../contract/tables.js";
import { SCAN_ID } from "../../contract/values.js";
import type { Soon } from "../../engine/soon.js";
import { addressOf, readState } from "../../pages/explorer/search-state.js";
import { CATEGORY_SITEMAP, sitemapNamed } from "../../pages/feeds/sitemap-name.js";
import { ASSET_NAME } from "../../pages/kit/assets.js";
import { categoryPageNamed } from "../../pages/kit/category-name.js";
import { NOT_VALID } from "../../pages/kit/error-page.js";
import { PAGE_ROUTES, type PageName } from "../../pages/kit/routes.js";
import type { Answer } from "./answer.js";
import type { Content, Failure, SnapshotView, Traits } from "./content.js";
import type { Failed } from "./error-answers.js";
import { errorPageAnswer, lostPageAnswer } from "./error-pages.js";
import { PageContents, type PageParts } from "./page-contents.js";
import { hostIssues, matchPattern, type PathPattern, patternOf, type Target } from "./routing.js";

/** The address of a page, or of a file that pages use, with its path parameter as sent. */
export interface PageMatch {
  readonly name: PageName;
  /** A report's host or a file's name; null if the address has no parameter. */
  readonly parameter: string | null;
}

/** The content of a page's 200, with its headers. */
export type PageContent = Content & Traits;

/** The parameters on which a page depends. */
export interface PageQuery {
  /** The scan whose historical report is requested. */
  readonly scan: string | undefined;
  /** `scan`, or the explorer's state, as a query in a fixed order; "" if there is neither. */
  readonly text: string;
}

/** The pages beside the API, for the code that answers requests. */
export interface Pages {
  /** The addresses that an error may name. Their only parameter is a host. */
  readonly named: readonly PathPattern[];
  /** Finds the page at a path; null if there is none. */
  match(target: Target): PageMatch | null;
  /** Reads a page's query. Rejects an invalid `scan`, and ignores every other parameter that the page does not use. */
  readQuery(match: PageMatch, query: string): QueryReading<PageQuery>;
  /**
   * Makes a page of a snapshot.
   * @param isMarkdown whether the client asks for the page as Markdown
   * @throws if a stored answer is missing or damaged
   */
  content(
    match: PageMatch,
    query: PageQuery,
    isMarkdown: boolean,
    snapshot: SnapshotView,
  ): Soon<PageContent | Failure>;
  /** The page that shows a failure to a person. */
  failure(failed: Failed): Answer;
  /** The page that tells a person that an address of a page is not valid. */
  refusal(): Answer;
  /** The page for a person at an address below `/api` that does not exist; null at any other address. */
  lost(failed: Failed, target: string): Answer | null;
}

const { explorer, standardsPage, page, markdown, badge, robots, llms, sitemap, figures } =
  PAGE_ROUTES;

/** Makes the pages. @param parts the code that draws them */
export function pagesOf(parts: PageParts): Pages {
  const contents = new PageContents(parts);
  return {
    named: [explorer, standardsPage, page, markdown, badge, robots, llms, sitemap, figures].map(
      ({ path }) => patternOf(path),
    ),
    match: matchPage,
    readQuery: readPage,
    content: (...asked) => contents.of(...asked),
    failure: errorPageAnswer,
    refusal: () => errorPageAnswer({ status: 400, error: NOT_VALID }),
    lost: lostPageAnswer,
  };
}

const TABLE = namesOf(PAGE_ROUTES).map((name) => ({
  name,
  pattern: patternOf(PAGE_ROUTES[name].path),
}));

function matchPage(target: Target): PageMatch | null {
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
  if (page === "asset") return ASSET_NAME.test(name);
  if (page === "category") return categoryPageNamed(name) !== null;
  return page !== "sitemapFile" || name === CATEGORY_SITEMAP || sitemapNamed(name) !== null;
}

function readPage({ name, parameter }: PageMatch, query: string): QueryReading<PageQuery> {
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
