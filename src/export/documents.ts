import { ASSETS } from "#scripts/texts";
import { SERVICE_WORKER } from "#scripts/worker";
import { CORE_PAGES } from "../answer/pages.js";
import { namesBefore } from "../contract/former.js";
import { installedExtras, installedPages, pageRoutes } from "../extra.js";
import { missingPage } from "../pages/kit/error-page.js";
import { stubPage } from "../pages/kit/frame.js";
import { fileOf } from "../pages/kit/page-names.js";
import { joinedPages, type PageRoute, treeFilesOf } from "../pages/kit/routes.js";
import { missingBadge } from "../pages/report/badge.js";
import { DEFAULT_LOOK } from "../pages/report/badge-look.js";
import { layout as storeLayout } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import { type Edition, TreeAnswers } from "./answers.js";
import {
  dataFiles,
  isNamedByHash,
  madeDocument,
  storedDocument,
  type TreeDocument,
} from "./data-files.js";
import { MISSING_BADGE } from "./headers.js";
import { hasDirectoryPictures, type TreeLayout } from "./layout.js";

/* The files of a tree that belong to no single listing. */

/** A file that an extra adds to a tree: the answer of an address. */
export interface AddedFile {
  readonly path: string;
  /** Relative to `/`. Default: the path. */
  readonly address?: string;
  /** Identifies the answer. With it, the answer is made only if the file has to be written. */
  readonly digest?: string;
}

/** The documents of a tree, by path. @throws BadSnapshotError */
export async function treeDocuments(
  snapshot: StoredSnapshot,
  edition: Edition,
): Promise<Map<string, TreeDocument>> {
  const { hasDirectory, isPacked } = edition.layout;
  const documents = new Map<string, TreeDocument>();
  const publicFolder = storeLayout.publicFolder(snapshot.store, snapshot.id);
  for (const file of snapshot.manifest.public) {
    documents.set(file.file, storedDocument(publicFolder, file));
  }
  if (!hasDirectory) return documents;
  const answers = new TreeAnswers(snapshot, edition);
  for (const [path, bytes] of await directoryFiles(answers, edition)) {
    documents.set(path, madeDocument(bytes));
  }
  for (const { path, address = path, digest } of await addedFiles(edition, answers)) {
    const make = () => answers.body(address);
    documents.set(path, digest ? { digest, make } : madeDocument(await make()));
  }
  for (const [path, document] of dataFiles(snapshot, isPacked)) documents.set(path, document);
  return documents;
}

/** Whether other files refer to a file by a hash of its content. It is written before them and removed after them. */
export function isNamedByContent(path: string): boolean {
  return path.startsWith("assets/") || isNamedByHash(path);
}

/** The files that extras add. The publisher can switch off what is beyond the contract. */
async function addedFiles({ context }: Edition, { view }: TreeAnswers): Promise<AddedFile[]> {
  if (context.extensions === false) return [];
  const added: AddedFile[] = [];
  for (const { tree } of installedExtras()) added.push(...((await tree?.files(view)) ?? []));
  return added;
}

/**
 * The addresses of the pages and files that a tree has once, besides its documents; and those that they had before
 * their term was renamed, with the present ones.
 */
async function pageAddresses({ view }: TreeAnswers, layout: TreeLayout) {
  const addresses = ASSETS.map(({ name }) => `assets/${name}`);
  const former = new Map<string, string>();
  for (const page of joinedPages(CORE_PAGES, installedPages())) {
    const { path, document, needsRasterizer } = page;
    const isFile = document === undefined && treeFilesOf(page).length > 0;
    if (path.includes("{")) {
      const { addresses: load } = await page.load();
      const some = (await load?.(view)) ?? [];
      addresses.push(...some);
      for (const now of some) {
        for (const was of formerAddresses(page, now, view)) former.set(was, now);
      }
    } else if (isFile && (needsRasterizer === undefined || hasDirectoryPictures(layout))) {
      addresses.push(path.slice(1));
    }
  }
  return { addresses, former };
}

/** The addresses that a page had before its term was renamed. */
function formerAddresses(
  { term, fits = () => true }: PageRoute,
  address: string,
  { directory }: TreeAnswers["view"],
): string[] {
  if (term === undefined) return [];
  const at = address.lastIndexOf("/") + 1;
  return namesBefore(term, address.slice(at), directory.former)
    .filter(fits)
    .map((name) => address.slice(0, at) + name);
}

/**
 * The pages and files that a tree has once, by path: the directory's own pages, the lists of listings, and what they
 * load. They show every listing, so all tables are read.
 * @throws BadSnapshotError
 */
async function directoryFiles(
  answers: TreeAnswers,
  { context, layout, printed }: Edition,
): Promise<Map<string, Uint8Array>> {
  const { view } = answers;
  const files = new Map<string, Uint8Array>();
  const { addresses, former } = await pageAddresses(answers, layout);
  for (const address of addresses) {
    files.set(fileOf(address) ?? address, await answers.body(address));
  }
  for (const [was, now] of former) {
    const file = fileOf(was) ?? was;
    // As a server does: what has the name now comes before what had it.
    if (files.has(file)) continue;
    const isPage = file.endsWith(".html");
    // Only a page can redirect. A former address of any other file has the same bytes as the present one.
    const title = now.replace(/^.*\//, "");
    const bytes = isPage ? Buffer.from(stubPage(file, now, title, context)) : files.get(now);
    if (bytes !== undefined) files.set(file, bytes);
  }
  const texts = new Map([
    ["404.html", missingPage(view.directory)],
    [MISSING_BADGE, missingBadge(DEFAULT_LOOK)],
    ...printed.files,
  ]);
  if (layout.isPacked) texts.set("worker.js", SERVICE_WORKER);
  if (layout.links === "files") {
    texts.set(".nojekyll", "");
    for (const file of pageRoutes().flatMap(treeFilesOf)) {
      const [, name] = /^(\w+)\/index\.html$/.exec(file) ?? [];
      // A category may be called index.
      if (name === undefined || files.has(file)) continue;
      texts.set(file, stubPage(file, name, name, context));
    }
  }
  for (const [path, text] of texts) files.set(path, Buffer.from(text));
  return files;
}
