import { requireCurrent } from "../../src/build/snapshots.js";
import { changesPage } from "../../src/pages/changes/changes-page.js";
import type { PageContext } from "../../src/pages/kit/page-context.js";
import { publicationChanges } from "../../src/store/publication-changes.js";
import type { PublishedFiles } from "../fixtures.js";
import { sha256 } from "../store/trees.js";

/** The file of what changed, with its digest. It depends on the earlier snapshots of the store. */
export async function changesFile(
  store: string,
  { standards }: PublishedFiles,
  context: PageContext,
): Promise<Record<string, string>> {
  const pause = async () => {};
  const changes = await publicationChanges(store, await requireCurrent(store), { pause });
  return { "changes.html": sha256(Buffer.from(changesPage(changes, standards.checks, context))) };
}
