import type { SnapshotView } from "../../src/answer/content.js";
import { filledCategories } from "../../src/answer/page-facts.js";
import { dumpFileNames } from "../../src/extras/dumps/dump.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { asked } from "../server/asked.js";
import { sha256 } from "../store/trees.js";

/** The page of what changed, if there is one. It depends on the earlier snapshots of the store. */
export async function changesFile(store: string): Promise<Record<string, string>> {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  const { status, bytes } = await asked(snapshot, "/changes");
  close();
  return status === 200 ? { "changes.html": bytes.toString("utf8") } : {};
}

/** The files of the extensions, with their digests. They depend on the earlier snapshots of the store, too. */
export async function extensionTree(snapshot: SnapshotView): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const slug of [null, ...(await filledCategories(snapshot)).map((one) => one.slug)]) {
    const asks = slug === null ? "" : `?category=${slug}`;
    const { status, bytes } = await asked(snapshot, `/api/trends${asks}`);
    if (status === 404) break;
    tree[`api/trends${slug === null ? "" : `/${slug}`}.json`] = sha256(bytes);
  }
  const dump = await Promise.all(
    (await dumpFileNames(snapshot)).map(async (name) => {
      const { bytes } = await asked(snapshot, `/api/dump/${name}`);
      // A tree has one dump, so that its addresses do not say which.
      const text = bytes.toString("utf8").replaceAll(`?content=${snapshot.content}`, "");
      const inTree = name.endsWith(".json") ? Buffer.from(text) : bytes;
      return [`api/dump/${name}`, sha256(inTree)] as const;
    }),
  );
  return { ...tree, ...Object.fromEntries(dump) };
}

/** The files with changes, and the feeds of them. */
export async function askChanges(ask: (path: string) => Promise<string | null>): Promise<void> {
  for (const end of ["xml", "json"]) await ask(`search-feed.${end}`);
  const { files } = JSON.parse((await ask("changes/index.json")) ?? '{"files":[]}');
  for (const { file } of files) await ask(`changes/${file}`);
}
