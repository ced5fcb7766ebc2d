import type { TreeExtra } from "../../extra.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { AI_CATALOG, ARD } from "./reads.js";

const CATALOGS = [ARD, AI_CATALOG].map(({ path, cache, contentType }) => ({
  file: path.slice(1),
  cache,
  contentType,
}));

/** The files of a tree that tell agents about the server that answers its API. */
export const MCP_TREE: TreeExtra = {
  kinds: CATALOGS,
  files: async ({ directory }) =>
    isServedElsewhere(directory) ? CATALOGS.map(({ file }) => ({ path: file })) : [],
};

/**
 * Whether a server at another origin answers the API, and therefore MCP. At the same origin, the API is in the tree,
 * and no server answers.
 */
function isServedElsewhere({ baseUrl, siteUrl }: PageContext): boolean {
  return new URL(baseUrl).origin !== new URL(siteUrl).origin;
}
