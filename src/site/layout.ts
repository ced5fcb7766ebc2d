/** A host that a tree can be made for. "plain" is any server, without rules. */
export type HostName = "plain" | "nginx" | "caddy" | "apache" | "cloudflare" | "netlify" | "s3";

export const HOST_NAMES = [
  "plain",
  "nginx",
  "caddy",
  "apache",
  "cloudflare",
  "netlify",
  "s3",
] as const satisfies readonly HostName[];

export const CONTENTS = ["pages", "api", "all"] as const satisfies readonly Contents[];

/** What becomes a file of its own for each listing: its pages, its answers of the API, or both. */
export type Contents = "pages" | "api" | "all";

/**
 * How the links of pages name other pages: by the addresses of the runtime, by the names of files, or by those names
 * without `.html`.
 */
type Links = "addresses" | "files" | "clean";

interface HostTraits {
  readonly links: Links;
  /** Whether rules give the address of an older report its file: then each published scan has one. */
  readonly hasScanAddresses: boolean;
  /** Whether rules look for the empty files that mark listings which search engines must not show. */
  readonly hasMarks: boolean;
  /**
   * Whether there are no rules: pages carry the policy that a header would have, and stand in for the folders that a
   * server redirects to.
   */
  readonly isBare: boolean;
}

const CONFIGURED: HostTraits = {
  links: "addresses",
  hasScanAddresses: true,
  hasMarks: true,
  isBare: false,
};

const HOST_TRAITS: Readonly<Record<HostName, HostTraits>> = {
  plain: { links: "files", hasScanAddresses: false, hasMarks: false, isBare: true },
  nginx: CONFIGURED,
  caddy: CONFIGURED,
  apache: CONFIGURED,
  cloudflare: { links: "clean", hasScanAddresses: false, hasMarks: false, isBare: false },
  netlify: { ...CONFIGURED, hasMarks: false },
  s3: { ...CONFIGURED, hasMarks: false },
};

/** What an export writes: which files a tree has, and how they name each other. */
export interface TreeLayout extends HostTraits {
  readonly host: HostName;
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
    ...HOST_TRAITS[host],
    host,
    isPacked,
    hasPages,
    hasCards: hasPages && cards,
    hasAnswers: contents === "api" || contents === "all",
    hasDirectory: isPacked || contents !== "api",
  };
}
