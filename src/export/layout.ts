import type { TreeLinks } from "../pages/kit/links.js";

/** A host that a tree can be made for. "plain" is any server, without a configuration. */
export type HostName = "plain" | "nginx" | "caddy" | "apache" | "cloudflare" | "netlify" | "s3";

const LINKS: Readonly<Record<HostName, TreeLinks["links"]>> = {
  plain: "files",
  nginx: "clean",
  caddy: "clean",
  apache: "clean",
  cloudflare: "clean",
  netlify: "clean",
  s3: "files",
};

export const HOST_NAMES = Object.keys(LINKS) as readonly HostName[];

export const CONTENTS = ["pages", "api", "all"] as const satisfies readonly Contents[];

/** Which answers about a listing become files: its pages, its answers of the API, or both. */
export type Contents = "pages" | "api" | "all";

/** What an export writes: which files a tree has, and how they name each other. */
export interface TreeLayout extends TreeLinks {
  readonly host: HostName;
  /** Whether each report has a picture. Only reports that other sites can link to can have one. */
  readonly hasPictures: boolean;
  /** Whether each report that is not a page has a small page for link previews. */
  readonly hasPreviews: boolean;
  /** Whether the tree has the directory's own pages, and the data that they search. */
  readonly hasDirectory: boolean;
}

/**
 * @param only which answers become files; undefined if nothing was chosen
 * @param pictures whether reports get pictures for links on other sites
 * @param previews whether reports that are not pages get pages for link previews; only a packed tree has them
 */
export function treeLayout(
  host: HostName,
  isPacked: boolean,
  only: Contents | undefined,
  pictures = false,
  previews = false,
): TreeLayout {
  const contents = only ?? (isPacked ? null : "all");
  const hasPages = contents === "pages" || contents === "all";
  const hasPreviews = previews && isPacked && !hasPages;
  return {
    host,
    links: LINKS[host],
    isPacked,
    hasPages,
    hasPictures: (hasPages || hasPreviews) && pictures,
    hasPreviews,
    hasAnswers: contents === "api" || contents === "all",
    hasDirectory: isPacked || contents !== "api",
  };
}

/** Whether the directory has a picture: if reports do, or if link previews of reports show the directory's. */
export function hasDirectoryPictures({ hasPictures, hasPreviews }: TreeLayout): boolean {
  return hasPictures || hasPreviews;
}
