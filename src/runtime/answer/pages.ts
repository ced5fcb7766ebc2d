import { ISSUES_MAX } from "../../contract/error.js";
import { firstPairs, type QueryReading } from "../../contract/query.js";
import { HOST_TEXT, SCAN_ID } from "../../contract/values.js";
import { comparedQuery, comparedTexts } from "../../pages/compare/comparison.js";
import { addressOf, readState } from "../../pages/explorer/search-state.js";
import { ASSET_NAME } from "../../pages/kit/assets.js";
import {
  CATEGORY_SITEMAP,
  categoryPageNamed,
  feedNamed,
  figureNamed,
  sitemapNamed,
  tableNamed,
} from "../../pages/kit/page-names.js";
import {
  MARKDOWN,
  NO_INDEX,
  PAGE_ROUTES,
  type PageName,
  type PageRoute,
  pageHeaders,
} from "../../pages/kit/routes.js";
import { badgeLook, badgeQuery } from "../../pages/report/badge.js";
import { CardQueue, type DrawCard } from "./card-queue.js";
import { type Failure, isFailure, madeContent, type SnapshotView } from "./content.js";
import type { Tools } from "./drawings.js";
import { NO_ADDRESS } from "./error-answers.js";
import type { PageMatch, PageQuery, Pages } from "./page-types.js";
import type { TypedContent } from "./represent.js";
import { matcherOf, pathIssues, patternOf } from "./routing.js";

/* Loaded with the first page: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");
const errorPages = () => import("./error-pages.js");

/** The addresses that an error may name. */
const NAMED = [
  "explorer",
  "standardsPage",
  "categoriesPage",
  "compare",
  "page",
  "markdown",
  "task",
  "badge",
  "robots",
  "llms",
  "sitemap",
  "feed",
  "jsonFeed",
  "figures",
] as const;

/**
 * Makes the pages.
 * @param drawCard makes the images of cards. Without it, reports have none
 * @param preview makes a page in place of each report
 */
export function pagesOf(
  assets: Tools["assets"],
  drawCard?: DrawCard,
  preview: Tools["preview"] = null,
): Pages {
  const cards = drawCard === undefined ? null : new CardQueue(drawCard);
  const tools = { assets, cards, preview };
  return {
    named: NAMED.map((name) => patternOf(PAGE_ROUTES[name].path)),
    match: (target) => {
      const match = matchPage(target);
      const isChart = match?.name === "figure" && match.parameter?.endsWith(".png") === true;
      const isDrawn = match?.name === "card" || match?.name === "directoryCard" || isChart;
      return isDrawn && cards === null ? null : match;
    },
    readQuery: readPage,
    content: (...asked) => pageContent(tools, ...asked),
    misnamed: async (...asked) => (await errorPages()).misnamedPage(...asked),
    pasted: async (...asked) => (await errorPages()).pastedPage(...asked),
    failure: async (...asked) => (await errorPages()).failurePage(...asked),
    redirect: async (...asked) => (await errorPages()).redirectAnswer(...asked),
  };
}

/** Pages that search engines may show even if they have a query. */
const SHOWN_WITH_QUERY: readonly PageName[] = ["badge", "compareCsv"];

async function pageContent(
  tools: Tools,
  { name, parameter }: PageMatch,
  { scan, text: query }: PageQuery,
  wantsMarkdown: boolean,
  snapshot: SnapshotView,
): Promise<TypedContent | Failure> {
  const own = parameter ?? "";
  const isMarkdown = wantsMarkdown && name === "page";
  const context = { hasCards: tools.cards !== null, ...snapshot.directory };
  const asked = { name, own, scan, query, isMarkdown, context, snapshot, tools };
  const drawn = await (await drawings()).DRAWINGS[name](asked);
  if (drawn === null) return NO_ADDRESS;
  if (typeof drawn === "object" && isFailure(drawn)) return drawn;
  const content = typeof drawn === "string" ? await madeContent(drawn, snapshot) : drawn;
  return {
    contentType: isMarkdown ? MARKDOWN : PAGE_ROUTES[name].contentType,
    ...content,
    headers: {
      ...pageHeaders(name, own, scan === undefined ? "" : `?scan=${scan}`, isMarkdown),
      ...(query !== "" && !SHOWN_WITH_QUERY.includes(name) && NO_INDEX),
      ...content.headers,
    },
  };
}

const matchPage = matcherOf(PAGE_ROUTES, isName);

/** Whether a page's file can have this name, in any directory that crawldex serves. */
function isName(page: PageName, name: string): boolean {
  if (page === "asset") return ASSET_NAME.test(name);
  if (page === "categoryFeed") return feedNamed(name) !== null;
  if (page === "category" || page === "matrix") return categoryPageNamed(name) !== null;
  if (page === "figure") return figureNamed(name) !== null;
  if (page === "table") return tableNamed(name) !== null;
  return page !== "sitemapFile" || name === CATEGORY_SITEMAP || sitemapNamed(name) !== null;
}

function readPage({ name, parameter }: PageMatch, query: string): QueryReading<PageQuery> {
  const { path, hasScan }: PageRoute = PAGE_ROUTES[name];
  const issues = pathIssues(path, parameter);
  const scans =
    hasScan && query !== "" ? new URLSearchParams(firstPairs(query)).getAll("scan") : [];
  const [scan] = scans;
  if (scans.length > 1) issues.push({ path: "scan", message: "may be given only once" });
  if (scan !== undefined && SCAN_ID.read(scan) === undefined) {
    issues.push({ path: "scan", message: SCAN_ID.message });
  }
  if (name === "compareCsv") {
    const { others } = comparedTexts(firstPairs(query));
    for (const index of others.values()) {
      if (issues.length > ISSUES_MAX) break;
      issues.push({ path: `sites[${index}]`, message: HOST_TEXT.message });
    }
  }
  if (issues.length > 0) return { ok: false, issues };
  const state = pageStateText(name, query);
  return { ok: true, value: { scan, text: scan === undefined ? state : `scan=${scan}` } };
}

/** The parameters of a page besides `scan`, as a query in a fixed order. */
function pageStateText(name: PageName, query: string): string {
  if (name === "badge") return query === "" ? "" : badgeQuery(badgeLook(firstPairs(query)));
  if (name === "matrix") return choicesText(query);
  if (name === "compare" || name === "compareCsv") {
    const { hosts, others } = comparedTexts(firstPairs(query));
    return comparedQuery([...hosts, ...others.keys()]);
  }
  return name === "explorer" ? stateText(query) : "";
}

/** The filter and the order of a matrix. Which checks there are depends on the snapshot. */
function choicesText(query: string): string {
  const given = new URLSearchParams(firstPairs(query));
  const texts = ["fails", "sort"].flatMap((name): [string, string][] => {
    const value = given.get(name) ?? "";
    return value === "" ? [] : [[name, value]];
  });
  return new URLSearchParams(texts).toString();
}

/**
 * The state of the explorer, and the invalid parameters, which the page names. Returns "&" for a query without state,
 * so that there still is one: search engines must not show explorer addresses with a query.
 */
function stateText(query: string): string {
  if (query === "") return "";
  const state = readState(firstPairs(query));
  const ignored = new URLSearchParams([...state.ignored]).toString();
  return [addressOf(state).slice(1), ignored].filter(Boolean).join("&") || "&";
}
