import { categoriesPage } from "../../pages/categories/categories-page.js";
import { categoryPage } from "../../pages/categories/category-page.js";
import { matrixCsv } from "../../pages/categories/matrix.js";
import { matrixPage } from "../../pages/categories/matrix-page.js";
import { figureCsv, figureSvg } from "../../pages/figures/figure.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { figureNamed, tableNamed } from "../../pages/kit/page-names.js";
import { PAGE_ROUTES } from "../../pages/kit/routes.js";
import { categoriesShown, categoryAt, figureShown } from "./categories.js";
import type { Failure, SnapshotView } from "./content.js";
import { NO_ADDRESS } from "./error-answers.js";
import { type CardQueue, drawnImage, fileContent, withQuery } from "./page-bodies.js";
import type { PageContent } from "./page-types.js";

/* The contents of pages about categories, and the charts of a category or of the whole directory. */

export async function categoriesContent(
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent> {
  const page = categoriesPage(await categoriesShown(snapshot), context);
  return fileContent("categoriesPage", page, snapshot);
}

export async function categoryContent(
  name: "category" | "matrix" | "table",
  own: string,
  query: string,
  context: PageContext,
  snapshot: SnapshotView,
): Promise<PageContent | Failure> {
  const found = await categoryAt(name === "table" ? (tableNamed(own) ?? "") : own, snapshot);
  if (found === null) return NO_ADDRESS;
  if (name === "table") return fileContent(name, matrixCsv(found.sites, found.checks), snapshot);
  const text =
    name === "category" ? categoryPage(found, context) : matrixPage(found, context, query);
  return withQuery(await fileContent(name, text, snapshot), query);
}

/** @param queue null if nothing can draw charts as PNG */
export async function figureContent(
  own: string,
  queue: CardQueue | null,
  snapshot: SnapshotView,
): Promise<PageContent | Failure> {
  const named = figureNamed(own);
  const shown = named && (await figureShown(named.slug, snapshot));
  if (named === null || shown === null) return NO_ADDRESS;
  const { kind, form } = named;
  if (form === "csv") {
    const content = await fileContent("figure", figureCsv(kind, shown), snapshot);
    return { ...content, contentType: PAGE_ROUTES.table.contentType };
  }
  const svg = figureSvg(kind, shown, snapshot.directory);
  if (form === "svg") return fileContent("figure", svg, snapshot);
  return queue === null ? NO_ADDRESS : drawnImage("figure", svg, "", queue, snapshot);
}
