import { SERVICE_WORKER } from "#scripts/worker";
import { agentCatalog } from "../contract/agents.js";
import { dumpAddress, EXTENSIONS } from "../contract/extensions.js";
import { ASSETS } from "../pages/kit/asset-texts.js";
import { missingPage } from "../pages/kit/error-page.js";
import { stubPage } from "../pages/kit/frame.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { checkAddress, feedAddress, figureAddress, fileOf } from "../pages/kit/page-names.js";
import { PAGE_ROUTES } from "../pages/kit/routes.js";
import { DEFAULT_LOOK, missingBadge } from "../pages/report/badge.js";
import { categoryAddresses, tableAddresses } from "../runtime/answer/categories.js";
import { Sitemaps } from "../runtime/answer/list-pages.js";
import { filledCategories } from "../runtime/answer/page-facts.js";
import { dumpFileNames } from "../runtime/extensions/dump.js";
import type { TreeAnswers } from "./answers.js";
import type { Edition } from "./edition.js";
import { MISSING_BADGE } from "./headers.js";
import { hasDirectoryCard } from "./layout.js";

/** Addresses that every directory has. */
const FIXED = [
  ...(["explorer", "standardsPage", "changes", "apiPage", "categoriesPage", "compare"] as const),
  ...(["robots", "llms", "sitemap"] as const),
  ...(["favicon", "touchIcon"] as const),
].map((name) => PAGE_ROUTES[name].path.slice(1));

/** The list of the files with changes, and the feed of all changes. */
const CHANGES = ["changes/index.json", "search-feed.xml", "search-feed.json"];

/** The addresses of a tree that are not in the contract. */
async function extensionAddresses({ view }: TreeAnswers): Promise<string[]> {
  if (view.directory.extensions === false) return [];
  const dump = (await dumpFileNames(view)).map(dumpAddress);
  return [...CHANGES, ...dump];
}

/** The charts of a category, or of the directory. The program that draws cards also draws their PNGs. */
function figureAddresses(slug: string | null, hasCards: boolean): string[] {
  const forms = ["svg", "csv", ...(hasCards ? (["png"] as const) : [])] as const;
  return (["scores", "checks"] as const).flatMap((kind) =>
    forms.map((form) => figureAddress(slug, kind, form)),
  );
}

/**
 * Whether a server at another origin answers the API, and therefore MCP. The tree then tells agents about it. At the
 * same origin, the API is in the tree, and no server answers.
 */
function isServedElsewhere({ baseUrl, siteUrl, extensions }: PageContext): boolean {
  return extensions !== false && new URL(baseUrl).origin !== new URL(siteUrl).origin;
}

/**
 * The pages and files that a tree has once, by path: the directory's own pages, the lists of listings, and what they
 * load. They show every listing, so all tables are read.
 * @throws BadSnapshotError
 */
export async function directoryFiles(
  answers: TreeAnswers,
  { context, layout, printed }: Edition,
): Promise<Map<string, Uint8Array>> {
  const { view } = answers;
  const slugs = [null, ...(await filledCategories(view)).map(({ slug }) => slug)];
  const addresses = [
    ...FIXED,
    ...(hasDirectoryCard(layout) ? [PAGE_ROUTES.directoryCard.path.slice(1)] : []),
    ...ASSETS.map(({ name }) => `assets/${name}`),
    ...(await categoryAddresses(view)),
    ...(await tableAddresses(view)),
    ...context.checkIds.map(checkAddress),
    ...slugs.flatMap((slug) => figureAddresses(slug, layout.hasCards)),
    ...slugs.flatMap((slug) => [feedAddress(slug, "xml"), feedAddress(slug, "json")]),
    ...(await extensionAddresses(answers)),
    ...(await new Sitemaps(view).names()).map((name) => `sitemaps/${name}`),
  ];
  const files = new Map<string, Uint8Array>();
  for (const address of addresses) {
    files.set(fileOf(address) ?? address, await answers.body(address));
  }
  const trends = EXTENSIONS.trends.path.slice(1);
  for (const slug of context.extensions === false ? [] : slugs) {
    const [name, query] = slug === null ? ["", ""] : [`/${slug}`, `?category=${slug}`];
    files.set(`${trends}${name}.json`, await answers.body(trends + query));
  }
  const texts = new Map([
    ["404.html", missingPage(context)],
    [MISSING_BADGE, missingBadge(DEFAULT_LOOK)],
    ...printed.files,
  ]);
  for (const { path } of isServedElsewhere(context) ? [EXTENSIONS.ard, EXTENSIONS.aiCatalog] : []) {
    texts.set(path.slice(1), JSON.stringify(agentCatalog(context)));
  }
  if (layout.isPacked) texts.set("worker.js", SERVICE_WORKER);
  if (layout.links === "files") {
    texts.set(".nojekyll", "");
    for (const name of ["standards", "api", "categories"]) {
      const file = `${name}/index.html`;
      // A category may be called index.
      if (files.has(file)) continue;
      texts.set(file, stubPage(file, name, name, context));
    }
  }
  for (const [path, text] of texts) files.set(path, Buffer.from(text));
  return files;
}
