import { sitesOf } from "../../answer/bodies.js";
import { madeContent, type SnapshotView } from "../../answer/content.js";
import { drawnReportOf } from "../../answer/drawn-reports.js";
import { addressesOfPages, categoriesShown, categoryAt } from "../../answer/list-pages.js";
import { filledCategories, summariesOf } from "../../answer/page-facts.js";
import type { AskedPage, Drawing } from "../../answer/page-types.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { CategoryData } from "../../pages/categories/category-page.js";
import { CSV } from "../../pages/kit/routes.js";
import { visible } from "../../pages/kit/words.js";
import { comparedSite } from "../../pages/report/comparison.js";
import { comparePage } from "./compare-page.js";
import { comparedTexts } from "./compared-query.js";
import { type ComparedHosts, comparisonCsv } from "./comparison.js";
import { type FigureData, figureCsv, figureSvg } from "./figure.js";
import { matrixCsv, matrixSites } from "./matrix.js";
import { matrixPage } from "./matrix-page.js";
import {
  figureAddress,
  figureForms,
  figureNamed,
  matrixAddress,
  tableAddress,
  tableNamed,
} from "./names.js";
import { type PartialChecks, partialChecks } from "./partial.js";

export const compareDrawing: Drawing = {
  draw: async (asked) => {
    const { others } = comparedTexts(asked.query);
    const sites = await comparedSites(asked);
    const offers = await offersFor(sites, asked.snapshot);
    return comparePage(sites, [...others.keys()], asked.context, offers);
  },
};

export const compareCsvDrawing: Drawing = {
  draw: async (asked) => {
    const sites = (await comparedSites(asked)).flatMap(([, site]) => site ?? []);
    return comparisonCsv(sites, asked.context.checkIds);
  },
};

export const matrixDrawing: Drawing = {
  draw: async ({ own, query, context, snapshot }) => {
    const found = await categoryAt(own, snapshot);
    return found && matrixPage(found, context, query, await partialOf(found, snapshot));
  },
  addresses: (snapshot) => addressesOfPages(snapshot, matrixAddress),
};

export const tableDrawing: Drawing = {
  draw: async ({ own, snapshot }) => {
    const found = await categoryAt(tableNamed(own) ?? "", snapshot);
    if (found === null) return null;
    return matrixCsv(matrixSites(found.sites, await partialOf(found, snapshot)), found.checks);
  },
  addresses: (snapshot) => addressesOfPages(snapshot, tableAddress),
};

export const figureDrawing: Drawing = { draw: drawFigure, addresses: addressesOfFigures };

function partialOf({ sites }: CategoryData, snapshot: SnapshotView): Promise<PartialChecks | null> {
  return partialChecks(
    sites.map(({ site }) => site.host),
    snapshot,
  );
}

async function comparedSites({ query, snapshot }: AskedPage) {
  return Promise.all(
    comparedTexts(query).hosts.map(async (host) => {
      const drawn = await drawnReportOf(snapshot, host, undefined);
      return [host, "error" in drawn ? null : comparedSite(drawn.report)] as const;
    }),
  );
}

/** The most sites that the page of one site offers to add. */
const OFFERED_MAX = 3;

/** The sites with the highest scores in the category of a lone site; none if there are several. */
async function offersFor(asked: ComparedHosts, snapshot: SnapshotView): Promise<SiteSummary[]> {
  if (asked.length !== 1) return [];
  const hosts = asked.map(([host]) => host);
  const [site] = await summariesOf(hosts, snapshot);
  const category = site?.category?.slug;
  if (category === undefined) return [];
  const engine = await snapshot.engine;
  const { summaries } = await engine.search({
    category: [category],
    sort: "score",
    page: 1,
    limit: OFFERED_MAX + 1,
  });
  return sitesOf(summaries)
    .filter(({ host, latestScore }) => latestScore !== null && !hosts.includes(host))
    .slice(0, OFFERED_MAX);
}

async function drawFigure({ own, snapshot, tools }: AskedPage): ReturnType<Drawing["draw"]> {
  const named = figureNamed(own);
  const shown = named && (await figureShown(named.slug, snapshot));
  if (named === null || shown === null) return null;
  const { kind, form } = named;
  if (form === "csv") {
    return { ...(await madeContent(figureCsv(kind, shown), snapshot)), contentType: CSV };
  }
  const svg = figureSvg(kind, shown, snapshot.directory);
  return form === "svg" ? svg : (tools.rasterize?.(svg, snapshot) ?? null);
}

/** What the charts of a category or, without one, of the directory show; null if the category has no sites. */
async function figureShown(
  slug: string | null,
  snapshot: SnapshotView,
): Promise<FigureData | null> {
  const { figures, categories, checks } = await categoriesShown(snapshot);
  const { all, lastScannedAt } = figures;
  if (slug === null) return { group: all, title: null, slug, checks, lastScannedAt };
  if (!Object.hasOwn(figures.categories, slug)) return null;
  const group = figures.categories[slug] ?? all;
  const name = categories.find((one) => one.slug === slug)?.name ?? slug;
  return { group, title: visible(name) ?? slug, slug, checks, lastScannedAt };
}

/** The charts of the directory and of its categories. */
async function addressesOfFigures(snapshot: SnapshotView): Promise<string[]> {
  const slugs = [null, ...(await filledCategories(snapshot)).map(({ slug }) => slug)];
  const forms = figureForms(snapshot.directory.hasPictures === true);
  return slugs.flatMap((slug) =>
    (["scores", "checks"] as const).flatMap((kind) =>
      forms.map((form) => figureAddress(slug, kind, form)),
    ),
  );
}
