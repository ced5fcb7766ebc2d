import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { ASSETS } from "#scripts/texts";
import { SERVICE_WORKER } from "#scripts/worker";
import { CORE_PAGES } from "../answer/pages.js";
import { namesBefore } from "../contract/former.js";
import { own } from "../contract/tables.js";
import { installedExtras, installedPages, pageRoutes } from "../extra.js";
import { readRegular } from "../files/regular.js";
import { missingPage } from "../pages/kit/error-page.js";
import { stubPage } from "../pages/kit/frame.js";
import { fileOf } from "../pages/kit/page-names.js";
import { joinedPages, type PageRoute, treeFilesOf } from "../pages/kit/routes.js";
import { missingBadge } from "../pages/report/badge.js";
import { DEFAULT_LOOK } from "../pages/report/badge-look.js";
import { unreadable } from "../store/bad-snapshot.js";
import type { Manifest, StoredFile } from "../store/format.js";
import { sha256, shortDigest, layout as storeLayout } from "../store/layout.js";
import { pointerText } from "../store/pointer.js";
import { publicationsUpTo } from "../store/publications.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { dataName, packPieces } from "../store/segments/directory.js";
import { type Edition, TreeAnswers } from "./answers.js";
import { MISSING_BADGE } from "./headers.js";
import { hasDirectoryPictures, type TreeLayout } from "./layout.js";

/* The files of a tree that belong to no single listing. */

/** A file of the tree that belongs to no single listing. */
export interface TreeDocument {
  /** Identifies the content. */
  readonly digest: string;
  /** Its length in bytes, if that is known before it is made. */
  readonly bytes?: number;
  make(): Promise<Uint8Array>;
}

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

/** A document that copies a stored file. Its `make` rejects with BadSnapshotError if the file is missing or damaged. */
function storedDocument(folder: string, file: StoredFile): TreeDocument {
  const { bytes, sha256: hash } = file;
  return { digest: shortDigest(hash), bytes, make: () => readChecked(folder, file) };
}

function madeDocument(bytes: Uint8Array): TreeDocument {
  return { digest: shortDigest(sha256(bytes)), bytes: bytes.length, make: async () => bytes };
}

const deflated = promisify(deflateRaw);

/** The folder of the files in which scripts search and read reports without a server. */
const DATA = "data/";
/** Names the snapshot of all other data files, so it is written after them. */
const DATA_CURRENT = `${DATA}current.json`;

/** The data files of a tree, by path. */
export function dataFiles(
  { id, manifest, store }: StoredSnapshot,
  isPacked: boolean,
): Map<string, TreeDocument> {
  const documents = new Map<string, TreeDocument>();
  const { files, hasTables } = addedData(manifest);
  for (const file of files) documents.set(DATA + dataName(file.file), storedDocument(store, file));
  for (const segment of manifest.segments) {
    const { table, pack } = segment;
    if (hasTables) documents.set(DATA + table.file, storedDocument(store, table));
    // All pieces of a pack are made in a row.
    let read: Promise<Buffer> | null = null;
    for (const { file, offset, length } of isPacked ? packPieces(segment) : []) {
      const isLast = offset + length === pack.bytes;
      documents.set(DATA + file, {
        digest: shortDigest(sha256(file)),
        make: async () => {
          read ??= readChecked(store, pack);
          const bytes = await read;
          if (isLast) read = null;
          return deflated(bytes.subarray(offset, offset + length));
        },
      });
    }
  }
  // Its name is the digest of its bytes.
  const named = `${id}/manifest.json`;
  documents.set(DATA + named, { digest: id, make: () => storedManifest(store, id, named) });
  const current = pointerText({ id, ...publicationsUpTo(manifest) });
  documents.set(DATA_CURRENT, madeDocument(Buffer.from(current)));
  return documents;
}

/** The files of extras that scripts read, and whether they also read tables. */
function addedData({ extras = {} }: Manifest) {
  const files: StoredFile[] = [];
  let hasTables = true;
  for (const { name, tree } of installedExtras()) {
    const data = tree?.data;
    const some = own(extras, name)?.files.filter(({ facts }) => data?.copies(facts)) ?? [];
    if (some.length > 0 && data?.replacesTables) hasTables = false;
    files.push(...some);
  }
  return { files, hasTables };
}

/** @throws BadSnapshotError, if a build has deleted the snapshot meanwhile: the export then takes the next one */
function storedManifest(store: string, id: string, name: string): Promise<Buffer> {
  return readRegular(storeLayout.manifest(store, id)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
}

/** Whether other files refer to a file by a hash of its content. It is written before them and removed after them. */
export function isNamedByContent(path: string): boolean {
  return path.startsWith("assets/") || (path.startsWith(DATA) && path !== DATA_CURRENT);
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
