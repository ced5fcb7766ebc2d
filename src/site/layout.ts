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

/** What becomes a file of its own for each listing: its pages, its answers of the API, or both. */
export type Contents = "pages" | "api" | "all";

/** What an export writes: which files a tree has, and how they name each other. */
export interface TreeLayout extends TreeLinks {
  readonly host: HostName;
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
