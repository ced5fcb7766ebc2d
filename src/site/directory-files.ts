import { setImmediate as pause } from "node:timers/promises";
import { SERVICE_WORKER } from "#scripts/worker";
import { openScanningEngine } from "../engine/engine.js";
import { apiPage } from "../pages/api/api-page.js";
import { categoryPage } from "../pages/categories/category-page.js";
import { explorerPage } from "../pages/explorer/explorer-page.js";
import { atomFeed, jsonFeed } from "../pages/feeds/feed.js";
import { llmsText, robotsText } from "../pages/feeds/guides.js";
import { ASSETS, iconBytes } from "../pages/kit/asset-texts.js";
import { missingPage } from "../pages/kit/error-page.js";
import { CATEGORY_FOLDER, feedAddress } from "../pages/kit/page-names.js";
import { PAGE_ROUTES } from "../pages/kit/routes.js";
import { standardsPage } from "../pages/standards/standards-page.js";
import {
  categoryAddresses,
  categoryAt,
  feedAt,
  filledCategories,
} from "../runtime/answer/categories.js";
import { shownAt } from "../runtime/answer/directory-pages.js";
import { Sitemaps } from "../runtime/answer/list-pages.js";
import { adoptionOf, exampleHost, standardsOf } from "../runtime/answer/page-facts.js";
import { readDocumentOf } from "../store/directory-facts.js";
import type { StoredSnapshot } from "../store/reader.js";
import type { Edition } from "./edition.js";

/**
 * The pages and files that a tree has once, by path: the directory's own pages, the lists of listings, and what they
 * load. They show every listing, so all tables are read.
 * @throws BadSnapshotError
 */
export async function directoryFiles(
  snapshot: StoredSnapshot,
  { context, layout, base, links, printed }: Edition,
): Promise<Map<string, Uint8Array>> {
  const { listings, manifest } = snapshot;
  const engine = openScanningEngine(listings.searchRows(), manifest.vocabulary);
  const source = {
    ...{ engine: Promise.resolve(engine), directory: context, pause },
    listingCount: manifest.counts.reports,
    readDocument: (path: string) => readDocumentOf(snapshot, path),
  };
  const texts = new Map<string, string>();
  const setPage = (address: string, file: string, text: string) =>
    texts.set(file, links.rewrite(text, address, file));
  const shown = await shownAt("", source);
  setPage("", "index.html", explorerPage(context, shown, "nobody"));
  const [standards, adoption] = [await standardsOf(source), await adoptionOf(source)];
  setPage("standards", "standards.html", standardsPage(standards, context, adoption));
  setPage("api", "api.html", apiPage(context, exampleHost(engine)));
  texts.set("404.html", links.rooted(missingPage(context, layout.isPacked), "404.html", base));
  texts.set("robots.txt", robotsText(context)).set("llms.txt", links.absolute(llmsText(context)));
  for (const address of await categoryAddresses(engine)) {
    const found = await categoryAt(address.slice(CATEGORY_FOLDER.length + 1), engine);
    const file = `${address}.html`;
    if (found !== null) texts.set(file, links.listing(categoryPage(found, context), address, file));
  }
  for (const slug of [null, ...(await filledCategories(engine)).map((one) => one.slug)]) {
    const found = await feedAt(slug, engine);
    if (found === null) continue;
    texts.set(feedAddress(slug, "xml"), links.absolute(atomFeed(found, context)));
    texts.set(feedAddress(slug, "json"), links.absolute(jsonFeed(found, context)));
  }
  const sitemaps = new Sitemaps(source);
  texts.set("sitemap.xml", await sitemaps.index());
  for (const name of await sitemaps.names()) {
    texts.set(`sitemaps/${name}`, links.absolute((await sitemaps.file(name)) ?? ""));
  }
  for (const [path, text] of printed.files) texts.set(path, text);
  for (const { name, text } of ASSETS) texts.set(`assets/${name}`, text);
  if (layout.isPacked) texts.set("worker.js", SERVICE_WORKER);
  if (layout.links === "files") {
    texts.set(".nojekyll", "");
    for (const name of ["standards", "api"]) {
      texts.set(`${name}/index.html`, links.stub(name, name, `${name}/index.html`));
    }
  }
  const files = new Map<string, Uint8Array>();
  for (const [path, text] of texts) files.set(path, Buffer.from(text));
  for (const name of ["favicon", "touchIcon"] as const) {
    files.set(PAGE_ROUTES[name].path.slice(1), iconBytes(name));
  }
  return files;
}
