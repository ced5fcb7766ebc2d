import { toolDigest } from "../build/tool.js";
import { rootPathOf } from "../pages/kit/links.js";
import type { PageContext } from "../pages/kit/page-context.js";
import { sha256, shortDigest } from "../store/layout.js";
import type { StoredSnapshot } from "../store/reader.js";
import { type HostFiles, hostFiles } from "./hosts.js";
import type { TreeLayout } from "./layout.js";

/** Everything besides a report that determines the bytes of its pages: the program, the directory and the layout. */
export interface Edition {
  /** Identifies the edition: the same report and edition always give the same bytes of a page. */
  readonly id: string;
  readonly context: PageContext;
  readonly layout: TreeLayout;
  /** The configuration files for the tree's host. */
  readonly printed: HostFiles;
}

/** The edition of a snapshot's pages. @param root the tree's absolute path @throws BadSnapshotError */
export async function editionOf(
  snapshot: StoredSnapshot,
  layout: TreeLayout,
  root: string,
): Promise<Edition> {
  const { links, isPacked, hasPages, hasAnswers, hasCards } = layout;
  const tree = { links, isPacked, hasPages, hasAnswers };
  const context = { ...(await snapshot.readDirectoryFacts()), hasCards, tree };
  const id = shortDigest(sha256(JSON.stringify([toolDigest(), context, layout])));
  return { id, context, layout, printed: hostFiles(layout.host, root, rootPathOf(context)) };
}
