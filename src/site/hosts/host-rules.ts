/** What a host's rules depend on, besides the program. */
export interface HostFacts {
  /** The tree's absolute path. */
  readonly root: string;
  /** The path below which the site is published, with a slash at both ends: "/" or "/directory/". */
  readonly base: string;
  /** The directory's name. */
  readonly name: string;
  /** Whether reports stay in packs, so that a service worker answers their addresses. */
  readonly isPacked: boolean;
}

/** What an export writes so that a host answers as the runtime does. */
export interface HostRules {
  /** The first lines of `_redirects`, for hosts whose files have a longer name; undefined if other rules know them. */
  readonly redirects?: (hosts: readonly string[]) => string;
  /** Texts of files in the tree, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Texts of files beside the tree, by what follows the tree's name, such as ".nginx.conf". */
  readonly beside: ReadonlyMap<string, string>;
}

export const NO_FILES: ReadonlyMap<string, string> = new Map();
