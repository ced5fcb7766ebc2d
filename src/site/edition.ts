import { SERVICE_WORKER } from "#scripts/worker";
import { toolDigest } from "../build/tool.js";
import type { Standards } from "../contract/standards.js";
import { apiPage } from "../pages/api/api-page.js";
import { llmsText, robotsText } from "../pages/feeds/guides.js";
import {
  type SitemapEntry,
  sitemapCount,
  sitemapFiles,
  sitemapIndex,
  sitemapNames,
} from "../pages/feeds/sitemap.js";
import { ASSETS, iconBytes } from "../pages/kit/asset-texts.js";
import { missingPage } from "../pages/kit/error-page.js";
import { isExample, type PageContext } from "../pages/kit/page-context.js";
import { sitemapNamed } from "../pages/kit/page-names.js";
import { PAGE_ROUTES } from "../pages/kit/routes.js";
import { badge } from "../pages/report/badge.js";
import { cardSvg } from "../pages/report/card.js";
import { readDrawn } from "../pages/report/excerpt.js";
import { reportMarkdown } from "../pages/report/report-markdown.js";
import { reportPage } from "../pages/report/report-page.js";
import type { Adoption } from "../pages/standards/adoption.js";
import { standardsPage } from "../pages/standards/standards-page.js";
import { adoptionOf } from "../runtime/answer/page-facts.js";
import {
  directoryOf,
  readDocumentOf,
  readFigures,
  readStandards,
} from "../store/directory-facts.js";
import type { AnswerLocation, ListingEntry } from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import { type Digests, isIndexed, type ListingFile } from "./files.js";
import { type HostFiles, hostFiles } from "./hosts.js";
import type { TreeLayout } from "./layout.js";
import { LinkRewriter } from "./links.js";
import type { ListingParts } from "./listing-parts.js";

/** Everything besides a report that determines the bytes of its pages: the program, the directory and the layout. */
export interface Edition {
  /** Identifies the edition: the same report and edition always give the same bytes of a page. */
  readonly id: string;
  readonly context: PageContext;
  readonly standards: Standards;
  /** What the methodology page shows of the figures. It is no part of the id: reports do not show it. */
  readonly adoption: Adoption;
  readonly layout: TreeLayout;
  /** The path below which the tree is published, with a slash at both ends. */
  readonly base: string;
  readonly links: LinkRewriter;
  /** What its host reads. */
  readonly printed: HostFiles;
}

/** The edition of a snapshot's pages. @param root the tree's absolute path @throws BadSnapshotError */
export async function editionOf(
  snapshot: StoredSnapshot,
  layout: TreeLayout,
  root: string,
): Promise<Edition> {
  const context = { ...(await directoryOf(snapshot)), hasCards: layout.hasCards };
  const program = toolDigest();
  const figures = await readFigures(snapshot);
  const id = shortDigest(sha256(JSON.stringify([program, context, layout])));
  const standards = await readStandards(snapshot);
  const base = new URL(context.siteUrl).pathname.replace(/(?<!\/)\/*$/, "/");
  const printed = hostFiles(layout.host, root, base);
  const readDocument = (path: string) => readDocumentOf(snapshot, path);
  const adoption = await adoptionOf({ figures, readDocument });
  const links = new LinkRewriter(layout, context.siteUrl);
  return { id, context, standards, adoption, layout, base, links, printed };
}

/** Reads answers and caches the last one, because several files in a row are made of the same answer. */
export class LastAnswer {
  readonly #read: (location: AnswerLocation) => Buffer | Promise<Buffer>;
  #hash = "";
  #answer: Buffer = Buffer.from("");

  constructor(read: (location: AnswerLocation) => Buffer | Promise<Buffer>) {
    this.#read = read;
  }

  async get(location: AnswerLocation): Promise<Buffer> {
    const [, , hash] = location;
    if (this.#hash !== hash) {
      this.#answer = await this.#read(location);
      this.#hash = hash;
    }
    return this.#answer;
  }
}

type ListedEntry = Pick<ListingEntry, "host" | "search" | "publishedScan">;

/**
 * The content that a listing's file must have. A stored answer is read only once its bytes are requested.
 * @param path the file's path
 */
export async function expectedFile(
  { form, location }: Pick<ListingFile, "form" | "location">,
  entry: ListedEntry,
  path: string,
  edition: Edition,
  answers: LastAnswer,
): Promise<{ length: number; hash: string; bytes: () => Promise<Uint8Array> }> {
  if (form === "answer") {
    const [, length, hash] = location;
    return { length, hash, bytes: () => answers.get(location) };
  }
  const made = await madeFile(form, entry, path, edition, () => answers.get(location));
  return { length: made.length, hash: sha256(made), bytes: () => Promise.resolve(made) };
}

async function madeFile(
  form: Exclude<ListingFile["form"], "answer">,
  { host, search, publishedScan }: ListedEntry,
  path: string,
  { context, links }: Edition,
  answer: () => Promise<Buffer>,
): Promise<Uint8Array> {
  if (form === "stub") {
    return Buffer.from(links.stub(`sites/${host}`, host, path));
  }
  const { report, left } = readDrawn(await answer());
  if (form === "card") return drawnCard(cardSvg(report, context));
  if (form === "twin") {
    // The latest report has no second file by its scan's id.
    const latest = `/sites/${host}/report.md`;
    const text = reportMarkdown(report, context, left);
    return Buffer.from(
      links.absolute(text.replaceAll(`${latest}?scan=${publishedScan})`, `${latest})`)),
    );
  }
  if (form === "badge") return Buffer.from(badge(report, context));
  const page = reportPage(report, context, left, {
    listing: search?.summary ?? null,
    figures: "fetched",
    // Another listing must not change this page.
    hasTarget: false,
    isBadgeFile: true,
  });
  return Buffer.from(links.rewrite(page, `sites/${host}`, path));
}

/** Loaded with the first card: the program takes 0.1 s and 30 MB. */
let cardProgram: Promise<(svg: string) => Uint8Array> | null = null;

async function drawnCard(svg: string): Promise<Uint8Array> {
  cardProgram ??= import("../runtime/cards/card-thread.js").then(({ openCardProgram }) =>
    openCardProgram(),
  );
  const draw = await cardProgram;
  return draw(svg);
}

/**
 * Documents and pages that a tree has once, by path, without the snapshot's own documents, the sitemaps and those that
 * show listings.
 * @param exampleHost the host of the API page's examples
 */
export function guidesOf(
  { context, standards, adoption, links, layout, base, printed }: Edition,
  exampleHost: string | null,
): Map<string, Uint8Array> {
  const page = (address: string, file: string, text: string): [string, string] => [
    file,
    links.rewrite(text, address, file),
  ];
  const stub = (name: string): [string, string] => [
    `${name}/index.html`,
    links.stub(name, name, `${name}/index.html`),
  ];
  const texts: [string, string][] = [
    page("standards", "standards.html", standardsPage(standards, context, adoption)),
    page("api", "api.html", apiPage(context, exampleHost)),
    ["404.html", links.rooted(missingPage(context, layout.isPacked), "404.html", base)],
    ["robots.txt", robotsText(context)],
    ["llms.txt", links.absolute(llmsText(context))],
    ...printed.files,
    ...ASSETS.map(({ name, text }): [string, string] => [`assets/${name}`, text]),
  ];
  const images = (["favicon", "touchIcon"] as const).map((name): [string, Uint8Array] => [
    PAGE_ROUTES[name].path.slice(1),
    iconBytes(name),
  ]);
  if (layout.isPacked) texts.push(["worker.js", SERVICE_WORKER]);
  if (layout.links === "files") texts.push([".nojekyll", ""], stub("standards"), stub("api"));
  const files = texts.map(([path, text]): [string, Uint8Array] => [path, Buffer.from(text)]);
  return new Map([...files, ...images]);
}

/** The host of the API page's examples; null if there is none. @throws BadSnapshotError */
export function exampleHostOf(parts: ListingParts): string | null {
  for (const entry of parts.allEntries()) {
    if (isExample(entry.host) && isIndexed(entry)) return entry.host;
  }
  return null;
}

const SITEMAP_FILES = "sitemaps/";

/**
 * The sitemaps of a tree, by path; null for each sitemap that stays unchanged.
 * @param listings how many have a report
 * @param changed parts of the listings that differ from those that the tree's files were made of
 * @param known digests of the tree's documents, by path
 * @param entries of parts that are already read; used ones are removed
 * @param others names of the tree's other sitemaps
 * @throws BadSnapshotError
 */
export function sitemapsOf(
  listingParts: ListingParts,
  listings: number,
  { context, links }: Edition,
  changed: ReadonlySet<number>,
  known: Digests,
  entries: Map<number, SitemapEntry[]>,
  others: readonly string[],
): Map<string, Uint8Array | null> {
  const files = new Map<string, Uint8Array | null>();
  const names: string[] = [];
  const count = sitemapCount(listings);
  // Both numbers are powers of two, and there are more parts than sitemaps.
  const length = listingParts.count / count;
  for (let sitemap = 0; sitemap < count; sitemap += 1) {
    const parts = Array.from({ length }, (_, place) => sitemap * length + place);
    const kept = [...known.keys()].filter((path) => sitemapAt(path) === sitemap);
    const isRight = kept.length > 0 && kept.every((path) => known.get(path) !== null);
    if (isRight && !parts.some((part) => changed.has(part))) {
      for (const path of kept) files.set(path, null);
      names.push(...kept.map((path) => path.slice(SITEMAP_FILES.length)));
      continue;
    }
    const all: SitemapEntry[] = [];
    for (const part of parts) {
      all.push(...(entries.get(part) ?? sitemapEntries(listingParts.entries(part))));
      entries.delete(part);
    }
    const made = sitemapFiles(sitemap, all, context);
    for (const [place, name] of sitemapNames(sitemap, all.length).entries()) {
      files.set(`${SITEMAP_FILES}${name}`, Buffer.from(links.absolute(made[place] ?? "")));
      names.push(name);
    }
  }
  return files.set("sitemap.xml", Buffer.from(sitemapIndex([...names, ...others], context)));
}

/** The number of the sitemap to which a file belongs; undefined if it belongs to none. */
function sitemapAt(path: string): number | undefined {
  if (!path.startsWith(SITEMAP_FILES)) return undefined;
  return sitemapNamed(path.slice(SITEMAP_FILES.length))?.sitemap;
}

/** The listings that search engines may show. */
export function sitemapEntries(entries: readonly ListingEntry[]): SitemapEntry[] {
  return entries.filter(isIndexed).map(({ host, search }) => ({
    host,
    lastmod: search?.summary.latestScannedAt ?? null,
  }));
}
