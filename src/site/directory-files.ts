import { ASSETS } from "#scripts/texts";
import { SERVICE_WORKER } from "#scripts/worker";
import { agentCatalog } from "../contract/agents.js";
import { dumpAddress } from "../contract/dump.js";
import { EXTENSIONS } from "../contract/extensions.js";
import { missingPage } from "../pages/kit/error-page.js";
import { stubPage } from "../pages/kit/frame.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { fileOf } from "../pages/kit/page-names.js";
import { missingBadge } from "../pages/report/badge.js";
import { DEFAULT_LOOK } from "../pages/report/badge-look.js";
import { filledCategories } from "../runtime/answer/page-facts.js";
import { PAGES } from "../runtime/answer/pages.js";
import { dumpFileNames } from "../runtime/extensions/dump.js";
import type { TreeAnswers } from "./answers.js";
import type { Edition } from "./edition.js";
import { MISSING_BADGE } from "./headers.js";
import { hasDirectoryCard, type TreeLayout } from "./layout.js";

/** The list of the files with changes, and the feed of all changes. */
const CHANGES = ["changes/index.json", "search-feed.xml", "search-feed.json"];

/** The addresses of a tree that are not in the contract. */
async function extensionAddresses({ view }: TreeAnswers): Promise<string[]> {
  if (view.directory.extensions === false) return [];
  const dump = (await dumpFileNames(view)).map(dumpAddress);
  return [...CHANGES, ...dump];
}

/** The addresses of the pages and files that a tree has once, besides its documents. */
async function pageAddresses({ view }: TreeAnswers, layout: TreeLayout): Promise<string[]> {
  const addresses = ASSETS.map(({ name }) => `assets/${name}`);
  for (const page of PAGES) {
    const { path, files, document, needsCards } = page;
    if (files === undefined || document !== undefined) continue;
    if (path.includes("{"))
      addresses.push(...((await (await page.load()).addresses?.(view)) ?? []));
    else if (needsCards === undefined || hasDirectoryCard(layout)) addresses.push(path.slice(1));
  }
  return addresses;
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
    ...(await pageAddresses(answers, layout)),
    ...(await extensionAddresses(answers)),
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
