import { type Engine, openScanningEngine } from "../engine/engine.js";
import { categoryPage } from "../pages/categories/category-page.js";
import { explorerPage } from "../pages/explorer/explorer-page.js";
import { atomFeed, jsonFeed } from "../pages/feeds/feed.js";
import { categorySitemap } from "../pages/feeds/sitemap.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { CATEGORY_FOLDER, CATEGORY_SITEMAP, feedAddress } from "../pages/kit/page-names.js";
import {
  categoryAddresses,
  categoryAt,
  feedAt,
  filledCategories,
} from "../runtime/answer/categories.js";
import { shownAt } from "../runtime/answer/directory-pages.js";
import { readDocumentOf } from "../store/directory-facts.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { Edition } from "./edition.js";
import type { Digests } from "./files.js";

/** The files of a tree that show listings to readers without JavaScript, by path. */
type FirstView = Map<string, Uint8Array | null>;

const EXPLORER_FILE = "index.html";
const SITEMAP_FILE = `sitemaps/${CATEGORY_SITEMAP}`;

/** Whether a path is one of these files. */
function isFirstView(path: string): boolean {
  return (
    path === EXPLORER_FILE ||
    path === SITEMAP_FILE ||
    path.startsWith(`${CATEGORY_FOLDER}/`) ||
    /^feed(?:s\/[^/]+)?\.(?:xml|json)$/.test(path)
  );
}

/**
 * The explorer with its first results, the pages of the categories, their sitemap, and the feeds. They show every listing, so all
 * tables are read.
 * @throws BadSnapshotError
 */
export async function firstViewOf(
  snapshot: StoredSnapshot,
  { context, links }: Edition,
): Promise<FirstView> {
  const engine = await engineOf(snapshot);
  const readDocument = (path: string) => readDocumentOf(snapshot, path);
  const shown = await shownAt("", { engine, directory: context, readDocument });
  const addresses = categoryAddresses(engine);
  const explorer = explorerPage(context, shown, "nobody");
  const texts = new Map([[EXPLORER_FILE, links.rewrite(explorer, "", EXPLORER_FILE)]]);
  for (const address of addresses) {
    const name = address.slice(CATEGORY_FOLDER.length + 1);
    const found = await categoryAt(name, engine);
    const file = `${address}.html`;
    if (found !== null) texts.set(file, links.listing(categoryPage(found, context), address, file));
  }
  for (const [path, text] of await feedTexts(engine, context))
    texts.set(path, links.absolute(text));
  if (addresses.length > 0)
    texts.set(SITEMAP_FILE, links.absolute(categorySitemap(addresses, context)));
  return new Map(Array.from(texts, ([path, text]) => [path, Buffer.from(text)]));
}

/** The feeds of the directory and of each category, by path. */
async function feedTexts(engine: Engine, context: PageContext): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const slug of [null, ...filledCategories(engine).map((one) => one.slug)]) {
    const found = await feedAt(slug, engine);
    if (found === null) continue;
    texts.set(feedAddress(slug, "xml"), atomFeed(found, context));
    texts.set(feedAddress(slug, "json"), jsonFeed(found, context));
  }
  return texts;
}

/** The same files if a tree already has them all: none of them changes while the snapshot and the edition stay. */
export function keptFirstView(documents: Digests): FirstView {
  const paths = [...documents.keys()].filter(isFirstView);
  return new Map(paths.map((path) => [path, null]));
}

/** The names of the sitemaps among these files. */
export function otherSitemaps(files: FirstView): string[] {
  return files.has(SITEMAP_FILE) ? [CATEGORY_SITEMAP] : [];
}

/** An engine of all listings of a snapshot. @throws BadSnapshotError */
function engineOf({ listings, manifest }: StoredSnapshot): Engine {
  return openScanningEngine(listings.searchRows(), manifest.vocabulary);
}
