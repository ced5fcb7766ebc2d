import { textHash } from "../../contract/host.js";

/** The most listings on a page of a category. Longer categories continue on further pages. */
export const CATEGORY_PAGE_SIZE = 500;

/** The address, relative to `/`, of a page whose path has one parameter. */
export function addressAt(path: string, parameter: string): string {
  return path.slice(1).replace(/\{\w+\}/, () => parameter);
}

/** The folder of the categories' pages, in addresses and in an exported tree. */
const CATEGORY_FOLDER = "categories";

/** The number of pages of a category with `count` listings. A category without listings has none. */
export function categoryPagesOf(count: number): number {
  return Math.ceil(count / CATEGORY_PAGE_SIZE);
}

/**
 * The name of a category's page: `science`, then `science--2` and so on. No slug has two hyphens in a row, so page 2 of
 * `science` is never page 1 of a category called `science-2`.
 * @param page from 1
 */
export function categoryPageName(slug: string, page: number): string {
  return page === 1 ? slug : `${slug}--${page}`;
}

/** The address of a category's page, relative to `/`. */
export function categoryAddress(slug: string, page = 1): string {
  return `${CATEGORY_FOLDER}/${categoryPageName(slug, page)}`;
}

/** The address of the list of categories, relative to `/`. */
export const CATEGORIES = CATEGORY_FOLDER;

/** A slug (docs/contract.md#31-filters), and the number of any page but the first. */
const CATEGORY_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:--((?!1$)[1-9]\d{0,8}))?$/;

/** Parses the name of a category's page; null for any other text. */
export function categoryPageNamed(name: string): { slug: string; page: number } | null {
  const [, slug, page = "1"] = CATEGORY_NAME.exec(name) ?? [];
  return slug === undefined ? null : { slug, page: Number(page) };
}

/** Whether a directory may have a category with this slug. */
export function isCategorySlug(name: string): boolean {
  return categoryPageNamed(name)?.page === 1;
}

/** The address of a report's task for a coding agent, relative to `/`. */
export function taskAddress(host: string): string {
  return `sites/${host}/fix.md`;
}

/** The address of a check's page, relative to `/`. */
export function checkAddress(id: string): string {
  return `checks/${id}`;
}

/** The charts of a directory or of a category: how many sites have which score, or pass which check. */
export type FigureKind = "scores" | "checks";

/** Atom or JSON Feed, by the ending of a feed's name. */
export type FeedForm = "xml" | "json";

/** The media types of feeds. */
export const FEED_TYPES: Readonly<Record<FeedForm, string>> = {
  xml: "application/atom+xml",
  json: "application/feed+json",
};

/** The address of the page of all feeds, relative to `/`. */
export const FEEDS = "feeds";

/** The address of a feed, relative to `/`. @param slug of a category; null for the whole directory */
export function feedAddress(slug: string | null, form: FeedForm): string {
  return slug === null ? `feed.${form}` : `feeds/${slug}.${form}`;
}

/** The name of a category's feed: its slug (docs/contract.md#31-filters), and the form. */
const FEED_NAME = /^([a-z0-9]+(?:-[a-z0-9]+)*)\.(xml|json)$/;

/** Parses the name of a category's feed; null for any other text. */
export function feedNamed(name: string): { slug: string; form: FeedForm } | null {
  const [, slug, ending] = FEED_NAME.exec(name) ?? [];
  return slug === undefined ? null : { slug, form: ending === "json" ? "json" : "xml" };
}

/** The sitemap file of the categories' pages. */
export const CATEGORY_SITEMAP = "categories.xml";

/** Parses a sitemap's file name into the sitemap's number and the file's index from 0; null for any other name. */
export function sitemapNamed(name: string): { sitemap: number; file: number } | null {
  const [, sitemap = "", file] = /^(0|[1-9]\d{0,8})(?:-([1-9]\d{0,8}))?\.xml$/.exec(name) ?? [];
  if (sitemap === "" || file === "1") return null;
  return { sitemap: Number(sitemap), file: Number(file ?? "1") - 1 };
}

/*
 * The files in which a tree has the answers of addresses. Scripts of pages use this, too.
 */

/**
 * The name of a listing's page, without its ending, and of the folder with its other files. A host's page is
 * `<host>.html`, so a host that ends in `.html` gets another name: its folder would have the path of another host's
 * page, whose name lacks only that ending. No host has an underscore.
 */
export function treeName(host: string): string {
  return host.endsWith(".html") ? `${host}_` : host;
}

/** Patterns of addresses, and their files. All other addresses are names of files. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/^$/, "index.html"],
  // Pages have no ending; only hosts have dots.
  [/^(sites\/[^/?]+|(?!api\/|\.)[^?.]+)$/, "$1.html"],
  [/^sites\/([^/?]+)\?scan=(.+)$/, "sites/$1/scans/$2.html"],
  [/^sites\/([^/?]+)\/report\.md\?scan=(.+)$/, "sites/$1/scans/$2.md"],
  [/^api\/([a-z-]+|sites\/[^/?]+\/(?:report|enrichment))$/, "api/$1.json"],
  [/^api\/sites\/([^/?]+)\/report\?scan=(.+)$/, "api/sites/$1/scans/$2.json"],
];
/** Addresses whose answers are not in a file. */
const COMPUTED = /^api\/sites(?:\/(?:facets|suggestions))?(?:\?|$)/;

/**
 * The file of a tree with the answer of an address; null if it is computed, such as a search.
 * @param address relative to the tree's root, without a slash at its start, such as `sites/x.example?scan=a`
 */
export function fileOf(address: string): string | null {
  if (COMPUTED.test(address)) return null;
  const [path = "", query = ""] = address.split("?", 2);
  const scan = new URLSearchParams(query).get("scan");
  const asked = scan === null ? path : `${path}?scan=${encodeURIComponent(scan)}`;
  const form = FILES.find(([pattern]) => pattern.test(asked));
  const file = form === undefined ? path : asked.replace(...form);
  const [, host = ""] = /^sites\/([^/?]+)/.exec(path) ?? [];
  return host === treeName(host) ? file : file.replace(host, treeName(host));
}

/** A file that pages load. Its name contains the hash of its text, so that browsers may cache it forever. */
export interface AssetFile {
  /** Relative to `assets/`. */
  readonly name: string;
  readonly type: string;
}

export interface Asset extends AssetFile {
  readonly text: string;
}

/** The pattern of asset names of any version. */
export const ASSET_NAME = /^[a-z]+-[0-9a-f]{8}\.(?:css|svg|js)$/;

/** A 32-bit hash as 8 hex digits. Two versions of a file collide with a probability of 1 in 4 billion. */
export function hashOf(text: string): string {
  return textHash(text).toString(16).padStart(8, "0");
}
