import { currentName, currentText } from "../contract/former.js";
import { firstPairs, type QueryReading } from "../contract/query.js";
import { namesOf } from "../contract/tables.js";
import { SCAN_ID } from "../contract/values.js";
import { orderQuery, readOrder } from "../pages/categories/category-order.js";
import { addressOf, readState } from "../pages/explorer/search-state.js";
import {
  joinedPages,
  MARKDOWN,
  NO_INDEX,
  PAGE_ROUTES,
  type PageName,
  pageHeaders,
} from "../pages/kit/routes.js";
import { badgeLook, badgeQuery } from "../pages/report/badge-look.js";
import { matcherOf, originForm, pathIssues, patternOf } from "./address.js";
import { type Answer, NO_ADDRESS, type TypedContent } from "./answer.js";
import { type Failure, isFailure, madeContent, type SnapshotView } from "./content.js";
import type { AnswerExtra } from "./extra.js";
import type { Page, PageMatch, PageQuery, Pages, Tools } from "./page-types.js";

/* Loaded with the first page: the script of an edge worker stays small. */
const drawings = () => import("./drawings.js");
const errorPages = () => import("./error-pages.js");

/** The pages that depend on a query besides `scan`. */
const STATES: Readonly<Partial<Record<PageName, Page["readState"]>>> = {
  explorer: (query) => ({ ok: true, value: explorerText(query) }),
  categoriesPage: (query) => ({ ok: true, value: orderQuery(readOrder(firstPairs(query))) }),
  badge: (query) => ({
    ok: true,
    value: query === "" ? "" : badgeQuery(badgeLook(firstPairs(query))),
  }),
};

/** The pages of the core. */
export const CORE_PAGES: readonly Page[] = namesOf(PAGE_ROUTES).map((name) => ({
  ...PAGE_ROUTES[name],
  name,
  readState: STATES[name],
  load: async () => (await drawings()).DRAWINGS[name],
}));

/** What the pages of a program have besides those of the core. */
export interface PageOptions {
  /** The pages of extras. Default: none. */
  readonly extra?: readonly Page[] | undefined;
  /** See `Tools`. Default: there are no pictures. */
  readonly rasterize?: Tools["rasterize"] | undefined;
  /** See `Tools`. */
  readonly socialImage?: Tools["socialImage"];
  /** Makes a page in place of each report. */
  readonly preview?: Tools["preview"] | undefined;
}

/** The options that extras give. */
export function pageOptionsOf(extras: readonly AnswerExtra[]): PageOptions {
  const drawing = extras.find(({ rasterize }) => rasterize !== undefined);
  return {
    extra: extras.flatMap(({ pages = [] }) => pages),
    rasterize: drawing?.rasterize,
    socialImage: drawing?.socialImage,
  };
}

/** Makes the pages. @param assets see `Tools` */
export function pagesOf(assets: Tools["assets"], options: PageOptions = {}): Pages {
  const { extra = [], rasterize = null, socialImage, preview = null } = options;
  const pages = joinedPages(CORE_PAGES, extra);
  const byName = Object.fromEntries(pages.map((page) => [page.name, page]));
  const matchPage = matcherOf(byName, (name, parameter) => byName[name]?.fits?.(parameter) ?? true);
  const tools = { pages, assets, rasterize, socialImage, preview };
  return {
    routes: pages,
    suggested: pages.filter(({ isSuggested }) => isSuggested).map(({ path }) => patternOf(path)),
    match: (target) => {
      const match = matchPage(target);
      const page = match === null ? undefined : byName[match.name];
      if (match === null || page === undefined) return null;
      const { parameter } = match;
      const isPicture = page.needsRasterizer?.(parameter ?? "") ?? false;
      return isPicture && rasterize === null ? null : { page, parameter };
    },
    readQuery: readPage,
    content: (...asked) => pageContent(tools, ...asked),
    renamed: (...asked) => renamedPage(tools, ...asked),
    misnamed: async (...asked) => (await errorPages()).misnamedPage(...asked),
    pasted: async (...asked) => (await errorPages()).pastedPage(...asked),
    failure: async (...asked) => (await errorPages()).failurePage(pages, ...asked),
    redirect: async (...asked) => (await errorPages()).redirectAnswer(...asked),
  };
}

async function pageContent(
  tools: Tools,
  { page, parameter }: PageMatch,
  { scan, text: query }: PageQuery,
  wantsMarkdown: boolean,
  snapshot: SnapshotView,
): Promise<TypedContent | Failure> {
  const own = parameter ?? "";
  const isMarkdown = wantsMarkdown && page.hasMarkdown === true;
  const { pages } = tools;
  const hasPictures = tools.rasterize !== null;
  const socialImage = hasPictures ? await tools.socialImage?.() : undefined;
  const context = { pages, hasPictures, socialImage, ...snapshot.directory };
  const drawing = await page.load();
  const drawn = await drawing.draw({ own, scan, query, isMarkdown, context, snapshot, tools });
  if (drawn === null) return NO_ADDRESS;
  if (typeof drawn === "object" && isFailure(drawn)) return drawn;
  const content = typeof drawn === "string" ? await madeContent(drawn, snapshot) : drawn;
  return {
    contentType: isMarkdown ? MARKDOWN : page.contentType,
    ...content,
    headers: {
      ...pageHeaders(page, own, scan === undefined ? "" : `?scan=${scan}`, isMarkdown),
      ...(query !== "" && !page.isIndexedWithQuery && NO_INDEX),
      ...content.headers,
    },
  };
}

/** See `Pages.renamed`. */
async function renamedPage(
  tools: Tools,
  { page, parameter }: PageMatch,
  query: PageQuery,
  target: string,
  snapshot: SnapshotView,
): Promise<Answer | null> {
  const { former } = snapshot.directory;
  if (former === undefined) return null;
  const name = parameter ?? "";
  const now = page.term === undefined ? name : currentName(page.term, name, former);
  const [, ...sent] = originForm(target).split("?");
  const asked = sent.join("?");
  const current = currentText(page.queryTerms, asked, former);
  if (now === name && current === asked) return null;
  if (now !== name) {
    const isThere = async (one: string) =>
      !isFailure(await pageContent(tools, { page, parameter: one }, query, false, snapshot));
    // The charts of the directory have names that could be slugs.
    if ((await isThere(name)) || !(await isThere(now))) return null;
  }
  const { redirectAnswer } = await errorPages();
  // The parameter is the last segment. "./" leads to the root.
  return redirectAnswer([now || "./", current].filter(Boolean).join("?"));
}

function readPage({ page, parameter }: PageMatch, query: string): QueryReading<PageQuery> {
  const { path, hasScan = false } = page;
  const issues = pathIssues(path, parameter);
  const scans =
    hasScan && query !== "" ? new URLSearchParams(firstPairs(query)).getAll("scan") : [];
  const [scan] = scans;
  if (scans.length > 1) issues.push({ path: "scan", message: "may be given only once" });
  if (scan !== undefined && SCAN_ID.read(scan) === undefined) {
    issues.push({ path: "scan", message: SCAN_ID.message });
  }
  const state = page.readState?.(query) ?? { ok: true, value: "" };
  if (!state.ok) issues.push(...state.issues);
  if (!state.ok || issues.length > 0) return { ok: false, issues };
  return { ok: true, value: { scan, text: scan === undefined ? state.value : `scan=${scan}` } };
}

/**
 * The state of the explorer, and the invalid parameters, which the page names. Returns "&" for a query without state,
 * so that there still is one: search engines must not show explorer addresses with a query.
 */
function explorerText(query: string): string {
  if (query === "") return "";
  const state = readState(firstPairs(query));
  const ignored = new URLSearchParams([...state.ignored]).toString();
  return [addressOf(state).slice(1), ignored].filter(Boolean).join("&") || "&";
}
