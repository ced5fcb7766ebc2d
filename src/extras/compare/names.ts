import {
  categoryPageName,
  categoryPageNamed,
  type FigureKind,
} from "../../pages/kit/page-names.js";

/* The addresses of pages and files of this extra, relative to `/`. */

/** The address of the matrix of a category's page: which site passes which check. */
export function matrixAddress(slug: string, page = 1): string {
  return `matrix/${categoryPageName(slug, page)}`;
}

/** The address of the matrix as CSV. In the same folder, the rules of hosts could not tell it from a page. */
export function tableAddress(slug: string, page = 1): string {
  return `tables/${categoryPageName(slug, page)}.csv`;
}

/** The name of the category's page whose sites a table has; null if `name` is not the name of a table. */
export function tableNamed(name: string): string | null {
  const page = name.replace(/\.csv$/, "");
  return page === name || categoryPageNamed(page) === null ? null : page;
}

type FigureForm = "svg" | "png" | "csv";

/** The forms of a chart. @param hasPictures whether PNGs can be made */
export function figureForms(hasPictures: boolean): readonly FigureForm[] {
  return hasPictures ? ["svg", "png", "csv"] : ["svg", "csv"];
}

/** The address of a chart. @param slug of a category; null for the whole directory */
export function figureAddress(slug: string | null, kind: FigureKind, form: FigureForm): string {
  return `figures/${slug === null ? "" : `${slug}--`}${kind}.${form}`;
}

/** The name of a chart. No slug has two hyphens in a row. */
const FIGURE_NAME = /^(?:([a-z0-9]+(?:-[a-z0-9]+)*)--)?(scores|checks)\.(svg|png|csv)$/;

/** Parses the name of a chart; null for any other text. */
export function figureNamed(
  name: string,
): { slug: string | null; kind: FigureKind; form: FigureForm } | null {
  const [, slug = null, kind, form] = FIGURE_NAME.exec(name) ?? [];
  if (form !== "svg" && form !== "png" && form !== "csv") return null;
  return { slug, kind: kind === "scores" ? "scores" : "checks", form };
}
