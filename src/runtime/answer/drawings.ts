import { FIGURES_DOCUMENT } from "../../contract/figures.js";
import { apiPage } from "../../pages/api/api-page.js";
import { categoriesPage } from "../../pages/categories/categories-page.js";
import { categoryPage } from "../../pages/categories/category-page.js";
import { matrixCsv } from "../../pages/categories/matrix.js";
import { matrixPage } from "../../pages/categories/matrix-page.js";
import { changesPage } from "../../pages/changes/changes-page.js";
import { comparePage } from "../../pages/compare/compare-page.js";
import { comparedSite, comparedTexts, comparisonCsv } from "../../pages/compare/comparison.js";
import { explorerPage } from "../../pages/explorer/explorer-page.js";
import { scanFeed } from "../../pages/feeds/feed.js";
import { llmsText, robotsText } from "../../pages/feeds/guides.js";
import { figureCsv, figureSvg } from "../../pages/figures/figure.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { type FeedForm, feedNamed, figureNamed, tableNamed } from "../../pages/kit/page-names.js";
import { NO_INDEX, PAGE_ROUTES, type PageName } from "../../pages/kit/routes.js";
import { badge, badgeLook } from "../../pages/report/badge.js";
import { cardSvg, directoryCardSvg } from "../../pages/report/card.js";
import { readDrawn } from "../../pages/report/excerpt.js";
import { reportMarkdown } from "../../pages/report/report-markdown.js";
import { reportPage } from "../../pages/report/report-page.js";
import { fixTask } from "../../pages/report/to-do.js";
import { checkPage } from "../../pages/standards/check-page.js";
import { standardsPage } from "../../pages/standards/standards-page.js";
import type { CardQueue } from "./card-queue.js";
import { categoriesShown, categoryAt, feedAt, figureShown } from "./categories.js";
import {
  type Content,
  type Failure,
  isFailure,
  madeContent,
  type SnapshotView,
} from "./content.js";
import { Sitemaps } from "./list-pages.js";
import {
  adoptionOf,
  badgeScanOf,
  checkSites,
  exampleHost,
  shownAt,
  standardsOf,
  surroundingsOf,
} from "./page-facts.js";
import { publicationChanges } from "./publication-changes.js";
import { documentContent, drawnContent } from "./reads.js";

/** The tools that draw the pages of a program. */
export interface Tools {
  /** Loads the texts of the files that pages use. They are long: an edge worker loads them once a request needs one. */
  readonly assets: () => Promise<typeof import("../../pages/kit/asset-texts.js")>;
  /** Null if nothing can draw cards. */
  readonly cards: CardQueue | null;
  readonly preview: ((...of: Parameters<typeof reportPage>) => string) | null;
}

/** The page that a request asks for. */
export interface AskedPage {
  readonly name: PageName;
  /** The path parameter, such as a report's host; "" if the address has none. */
  readonly own: string;
  readonly scan: string | undefined;
  /** The state of the page, as a query in a fixed order. */
  readonly query: string;
  readonly isMarkdown: boolean;
  readonly context: PageContext;
  readonly snapshot: SnapshotView;
  readonly tools: Tools;
}

/** Draws a page: returns its text or content; null if there is no such page. */
type Draw = (asked: AskedPage) => Promise<string | Content | Failure | null>;

/** The functions that draw the pages. Each rejects if a stored file is missing or damaged. */
export const DRAWINGS: Readonly<Record<PageName, Draw>> = {
  explorer: async ({ query, context, snapshot }) =>
    explorerPage(context, await shownAt(query, snapshot)),
  categoriesPage: async ({ context, snapshot }) =>
    categoriesPage(await categoriesShown(snapshot), context),
  category: async ({ own, context, snapshot }) => {
    const found = await categoryAt(own, snapshot);
    return found && categoryPage(found, context);
  },
  matrix: async ({ own, query, context, snapshot }) => {
    const found = await categoryAt(own, snapshot);
    return found && matrixPage(found, context, query);
  },
  table: async ({ own, snapshot }) => {
    const found = await categoryAt(tableNamed(own) ?? "", snapshot);
    return found && matrixCsv(found.sites, found.checks);
  },
  compare: async (asked) => {
    const { others } = comparedTexts(asked.query);
    return comparePage(await comparedSites(asked), [...others.keys()], asked.context);
  },
  compareCsv: async (asked) => {
    const sites = (await comparedSites(asked)).flatMap(([, site]) => site ?? []);
    return comparisonCsv(sites, asked.context.checkIds);
  },
  standardsPage: drawStandards,
  changes: async ({ context, snapshot }) => {
    const { checks } = await standardsOf(snapshot);
    return changesPage(await publicationChanges(snapshot), checks, context);
  },
  checkPage: async ({ own, context, snapshot }) => {
    const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
    const check = standards.checks.find(({ id }) => id === own);
    if (check === undefined) return null;
    const shown = { check, adoption, ...(await checkSites(check, snapshot)) };
    return checkPage(standards, shown, context);
  },
  apiPage: async ({ context, snapshot }) => apiPage(context, await exampleHost(snapshot)),
  badge: async ({ own, query, context, snapshot }) => {
    const found = await drawnContent(snapshot, own, undefined);
    if (isFailure(found)) return found;
    return badge({ scan: await badgeScanOf(own, snapshot) }, context, badgeLook(query));
  },
  page: drawReport,
  markdown: drawReport,
  task: drawReport,
  card: async ({ own, snapshot, tools: { cards } }) => {
    if (cards === null) return null;
    const drawn = await drawnReportOf(snapshot, own, undefined);
    return "error" in drawn
      ? drawn
      : cards.image(cardSvg(drawn.report, snapshot.directory), snapshot);
  },
  directoryCard: async ({ context, snapshot, tools: { cards } }) => {
    const { figures } = await adoptionOf(snapshot);
    return cards?.image(directoryCardSvg(figures.all, context), snapshot) ?? null;
  },
  robots: async ({ context }) => robotsText(context),
  llms: async ({ context }) => llmsText(context),
  sitemap: async ({ snapshot }) => new Sitemaps(snapshot).index(),
  sitemapFile: async ({ own, snapshot }) => new Sitemaps(snapshot).file(own),
  figures: async ({ snapshot }) => documentContent(snapshot, FIGURES_DOCUMENT),
  feed: (asked) => drawFeed(asked, null, "xml"),
  jsonFeed: (asked) => drawFeed(asked, null, "json"),
  categoryFeed: (asked) => {
    const { slug, form } = feedNamed(asked.own) ?? { slug: asked.own, form: "xml" };
    return drawFeed(asked, slug, form);
  },
  figure: drawFigure,
  favicon: drawIcon,
  touchIcon: drawIcon,
  asset: async ({ own, snapshot, tools }) => {
    const { ASSETS } = await tools.assets();
    const asset = ASSETS.find(({ name }) => name === own);
    return asset === undefined
      ? null
      : { ...(await madeContent(asset.text, snapshot)), contentType: asset.type };
  },
};

/** The reports read from stored bytes: an export makes several files from the same bytes. */
const drawnReports = new WeakMap<Uint8Array, ReturnType<typeof readDrawn>>();

/** Reads a report as pages draw it. */
async function drawnReportOf(snapshot: SnapshotView, host: string, scan: string | undefined) {
  const stored = await drawnContent(snapshot, host, scan);
  if (isFailure(stored)) return stored;
  const bytes = await stored.read();
  const drawn = drawnReports.get(bytes) ?? readDrawn(bytes);
  drawnReports.set(bytes, drawn);
  return drawn;
}

async function drawReport(asked: AskedPage): Promise<string | Content | Failure> {
  const { name, own, scan, context, snapshot, tools } = asked;
  const drawn = await drawnReportOf(snapshot, own, scan);
  if ("error" in drawn) return drawn;
  const { report, left } = drawn;
  const isHidden = scan !== undefined || !report.seo.indexable;
  const text = async () => {
    if (name === "task") return fixTask(report, context, left);
    if (name === "markdown" || asked.isMarkdown) return reportMarkdown(report, context, left);
    if (tools.preview) return tools.preview(report, context);
    return reportPage(report, context, left, await surroundingsOf(report, snapshot));
  };
  const content = await madeContent(await text(), snapshot);
  return isHidden ? { ...content, headers: NO_INDEX } : content;
}

async function comparedSites({ query, snapshot }: AskedPage) {
  return Promise.all(
    comparedTexts(query).hosts.map(async (host) => {
      const drawn = await drawnReportOf(snapshot, host, undefined);
      return [host, "error" in drawn ? null : comparedSite(drawn.report)] as const;
    }),
  );
}

async function drawStandards({ context, snapshot }: AskedPage): Promise<string> {
  const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
  const host = await exampleHost(snapshot);
  const drawn = host === null ? null : await drawnReportOf(snapshot, host, undefined);
  // An excerpt may lack checks of the sum.
  const hasSum = drawn !== null && !("error" in drawn) && !("checks" in drawn.left);
  return standardsPage(standards, context, adoption, hasSum ? drawn.report : null);
}

async function drawFeed(
  { snapshot }: AskedPage,
  slug: string | null,
  form: FeedForm,
): Promise<Content | null> {
  const found = await feedAt(slug, snapshot);
  if (found === null) return null;
  const { contentType } = PAGE_ROUTES[form === "xml" ? "feed" : "jsonFeed"];
  const text = scanFeed(form, found, snapshot.directory);
  return { ...(await madeContent(text, snapshot)), contentType };
}

async function drawFigure({ own, snapshot, tools }: AskedPage): ReturnType<Draw> {
  const named = figureNamed(own);
  const shown = named && (await figureShown(named.slug, snapshot));
  if (named === null || shown === null) return null;
  const { kind, form } = named;
  if (form === "csv") {
    const { contentType } = PAGE_ROUTES.table;
    return { ...(await madeContent(figureCsv(kind, shown), snapshot)), contentType };
  }
  const svg = figureSvg(kind, shown, snapshot.directory);
  return form === "svg" ? svg : (tools.cards?.image(svg, snapshot) ?? null);
}

async function drawIcon({ name, snapshot, tools }: AskedPage): Promise<Content> {
  const { iconBytes } = await tools.assets();
  const bytes = iconBytes(name === "favicon" ? name : "touchIcon");
  return { ...(await madeContent(bytes, snapshot)), isCompressed: true };
}
