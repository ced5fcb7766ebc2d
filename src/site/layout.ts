/** A host that a tree can be made for. "plain" is any server, without a configuration. */
export type HostName = "plain" | "nginx" | "caddy" | "apache" | "cloudflare" | "netlify" | "s3";

/**
 * How pages name other pages: by the names of their files, or by those names without `.html`, which the host has to
 * find.
 */
type Links = "files" | "clean";

const LINKS: Readonly<Record<HostName, Links>> = {
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

/** What becomes a file of its own for each listing: its pages, its answers of the API, or both. */
export type Contents = "pages" | "api" | "all";

/** What an export writes: which files a tree has, and how they name each other. */
export interface TreeLayout {
  readonly host: HostName;
  /**
   * With "files", no host sends headers: pages carry their policy themselves, and stand in for the folders that a server
   * redirects to.
   */
  readonly links: Links;
  /** Whether each report is a page. */
  readonly hasPages: boolean;
  /** Whether each answer of the API is a file. */
  readonly hasAnswers: boolean;
  /** Whether the tree has the packs of all reports. */
  readonly isPacked: boolean;
  /** Whether each report that is a page has a card. */
  readonly hasCards: boolean;
  /** Whether the tree has the directory's own pages, and what they need to search. */
  readonly hasDirectory: boolean;
}

/**
 * @param only what becomes a file of its own; undefined if nothing was chosen
 * @param cards whether reports get cards
 */
export function treeLayout(
  host: HostName,
  isPacked: boolean,
  only: Contents | undefined,
  cards = false,
): TreeLayout {
  const contents = only ?? (isPacked ? null : "all");
  const hasPages = contents === "pages" || contents === "all";
  return {
    host,
    links: LINKS[host],
    isPacked,
    hasPages,
    hasCards: hasPages && cards,
    hasAnswers: contents === "api" || contents === "all",
    hasDirectory: isPacked || contents !== "api",
  };
}
