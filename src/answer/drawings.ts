import { FIGURES_DOCUMENT } from "../contract/figures.js";
import type { Report } from "../contract/report.js";
import { apiPage } from "../pages/api/api-page.js";
import { categoriesPage } from "../pages/categories/categories-page.js";
import { categoryPage } from "../pages/categories/category-page.js";
import { explorerPage } from "../pages/explorer/explorer-page.js";
import { scanFeed } from "../pages/feeds/feed.js";
import { feedsPage } from "../pages/feeds/feeds-page.js";
import { llmsText, robotsText } from "../pages/feeds/guides.js";
import {
  CATEGORY_SITEMAP,
  categoryAddress,
  checkAddress,
  type FeedForm,
  feedAddress,
  feedNamed,
} from "../pages/kit/page-names.js";
import { NO_INDEX, PAGE_ROUTES, type PageName } from "../pages/kit/routes.js";
import { badge } from "../pages/report/badge.js";
import { badgeLook } from "../pages/report/badge-look.js";
import { reportMarkdown } from "../pages/report/report-markdown.js";
import { reportPage } from "../pages/report/report-page.js";
import { fixTask } from "../pages/report/to-do.js";
import { checkPage } from "../pages/standards/check-page.js";
import { standardsPage } from "../pages/standards/standards-page.js";
import {
  type Content,
  documentContent,
  drawnContent,
  type Failure,
  isFailure,
  madeContent,
  type SnapshotView,
} from "./content.js";
import { drawnReportOf } from "./drawn-reports.js";
import {
  addressesOfPages,
  categoriesShown,
  categoryAt,
  categorySitemapOf,
  feedAt,
  sitemapFileNames,
  sitemapFileOf,
  sitemapIndexOf,
} from "./list-pages.js";
import {
  adoptionOf,
  badgeScanOf,
  checkSites,
  exampleHost,
  filledCategories,
  shownAt,
  standardsOf,
  surroundingsOf,
} from "./page-facts.js";
import type { AskedPage, Drawing } from "./page-types.js";

/** What draws each page. */
export const DRAWINGS: Readonly<Record<PageName, Drawing>> = {
  explorer: {
    draw: async ({ query, context, snapshot }) =>
      explorerPage(context, await shownAt(query, snapshot)),
  },
  standardsPage: { draw: drawStandards },
  apiPage: {
    draw: async ({ context, snapshot }) => apiPage(context, await exampleHost(snapshot)),
  },
  categoriesPage: {
    draw: async ({ query, context, snapshot, tools }) => {
      const load = tools.pages.find(({ earlier }) => earlier !== undefined)?.earlier;
      const earlier = load === undefined ? null : await (await load())(snapshot);
      return categoriesPage({ ...(await categoriesShown(snapshot)), earlier }, context, query);
    },
  },
  category: {
    draw: async ({ own, context, snapshot }) => {
      const found = await categoryAt(own, snapshot);
      return found && categoryPage(found, context);
    },
    addresses: (snapshot) => addressesOfPages(snapshot, categoryAddress),
  },
  checkPage: {
    draw: drawCheck,
    addresses: async ({ directory }) => directory.checkIds.map(checkAddress),
  },
  page: { draw: drawReport },
  markdown: { draw: (asked) => drawReport({ ...asked, isMarkdown: true }) },
  task: {
    draw: async ({ own, context, snapshot }) => {
      const drawn = await drawnReportOf(snapshot, own, undefined);
      return "error" in drawn
        ? drawn
        : reportContent(drawn.report, fixTask(drawn.report, context, drawn.left), snapshot);
    },
  },
  badge: {
    draw: async ({ own, query, context, snapshot }) => {
      const found = await drawnContent(snapshot, own, undefined);
      if (isFailure(found)) return found;
      return badge({ scan: await badgeScanOf(own, snapshot) }, context, badgeLook(query));
    },
  },
  robots: { draw: async ({ context }) => robotsText(context) },
  llms: { draw: async ({ context }) => llmsText(context) },
  sitemap: { draw: async ({ context, snapshot }) => sitemapIndexOf(snapshot, context) },
  sitemapFile: {
    draw: async ({ own, context, snapshot, tools }) =>
      own === CATEGORY_SITEMAP
        ? categorySitemapOf(tools.pages, snapshot, context)
        : sitemapFileOf(own, snapshot, context),
    addresses: async (snapshot) =>
      (await sitemapFileNames(snapshot, snapshot.directory)).map((name) => `sitemaps/${name}`),
  },
  figures: { draw: async ({ snapshot }) => documentContent(snapshot, FIGURES_DOCUMENT) },
  feedsPage: {
    draw: async ({ context, snapshot }) => feedsPage(await filledCategories(snapshot), context),
  },
  feed: { draw: ({ snapshot }) => drawFeed(null, "xml", snapshot) },
  jsonFeed: { draw: ({ snapshot }) => drawFeed(null, "json", snapshot) },
  categoryFeed: {
    draw: async ({ own, snapshot }) => {
      const named = feedNamed(own);
      return named && drawFeed(named.slug, named.form, snapshot);
    },
    addresses: async (snapshot) =>
      (await filledCategories(snapshot)).flatMap(({ slug }) => [
        feedAddress(slug, "xml"),
        feedAddress(slug, "json"),
      ]),
  },
  favicon: { draw: (asked) => drawIcon("favicon", asked) },
  touchIcon: { draw: (asked) => drawIcon("touchIcon", asked) },
  asset: {
    draw: async ({ own, snapshot, tools }) => {
      const { ASSETS } = await tools.assets();
      const asset = ASSETS.find(({ name }) => name === own);
      return asset === undefined
        ? null
        : { ...(await madeContent(asset.text, snapshot)), contentType: asset.type };
    },
  },
};

async function drawReport(asked: AskedPage): Promise<Content | Failure> {
  const { own, scan, isMarkdown, context, snapshot, tools } = asked;
  const drawn = await drawnReportOf(snapshot, own, scan);
  if ("error" in drawn) return drawn;
  const { report, left } = drawn;
  if (isMarkdown)
    return reportContent(report, reportMarkdown(report, context, left), snapshot, scan);
  const page =
    tools.preview?.(report, context) ??
    reportPage(report, context, left, await surroundingsOf(report, snapshot));
  return reportContent(report, page, snapshot, scan);
}

/** A text of a report, with a header that keeps it from search engines if it is not for them. */
async function reportContent(
  { seo }: Report,
  text: string,
  snapshot: SnapshotView,
  scan?: string,
): Promise<Content> {
  const content = await madeContent(text, snapshot);
  return scan === undefined && seo.indexable ? content : { ...content, headers: NO_INDEX };
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
  slug: string | null,
  form: FeedForm,
  snapshot: SnapshotView,
): Promise<Content | null> {
  const found = await feedAt(slug, snapshot);
  if (found === null) return null;
  const { contentType } = PAGE_ROUTES[form === "xml" ? "feed" : "jsonFeed"];
  const text = scanFeed(form, found, snapshot.directory);
  return { ...(await madeContent(text, snapshot)), contentType };
}

async function drawCheck({ own, context, snapshot }: AskedPage): Promise<string | null> {
  const [standards, adoption] = await Promise.all([standardsOf(snapshot), adoptionOf(snapshot)]);
  const check = standards.checks.find(({ id }) => id === own);
  if (check === undefined) return null;
  const shown = { check, adoption, ...(await checkSites(check, snapshot)) };
  return checkPage(standards, shown, context);
}

async function drawIcon(
  name: "favicon" | "touchIcon",
  { snapshot, tools }: AskedPage,
): Promise<Content> {
  const { ICON_IMAGES } = await tools.assets();
  const bytes = Uint8Array.from(atob(ICON_IMAGES[name]), (byte) => byte.charCodeAt(0));
  return { ...(await madeContent(bytes, snapshot)), isCompressed: true };
}
