import type { SnapshotView } from "../../src/answer/content.js";
import type { Page } from "../../src/answer/page-types.js";
import { installedExtras, installedPages } from "../../src/extra.js";
import { requireCurrent } from "../../src/publish/snapshots.js";
import { loadSnapshot } from "../../src/server/load-snapshot.js";
import { asked } from "../server/asked.js";
import { sha256 } from "../store/trees.js";

/** The pages that depend on the earlier snapshots of the store, by their files. */
export async function historyFiles(store: string): Promise<Record<string, string>> {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  const files: Record<string, string> = {};
  for (const page of installedPages().filter(isOfHistory)) {
    const { addresses } = await page.load();
    for (const address of (await addresses?.(snapshot)) ?? [page.path.slice(1)]) {
      const { status, bytes } = await asked(snapshot, `/${address}`);
      if (status === 200) files[`${address}.html`] = bytes.toString("utf8");
    }
  }
  close();
  return files;
}

function isOfHistory({ isNumbered, contentType, files }: Page): boolean {
  // A page without files is in no tree.
  return isNumbered === true && contentType.startsWith("text/html") && files?.length !== 0;
}

/**
 * The files below `api/` and `.well-known/` that extras add, with their digests. They depend on earlier
 * snapshots of the store, too.
 */
export async function extensionTree(snapshot: SnapshotView): Promise<Record<string, string>> {
  const added = await Promise.all(
    installedExtras().map(async ({ tree }) => (await tree?.files(snapshot)) ?? []),
  );
  const answers = added
    .flat()
    .filter(({ path }) => /^(?:api|\.well-known)\//.test(path))
    .map(async ({ path, address = path }) => {
      const { bytes } = await asked(snapshot, `/${address}`);
      // A tree has the files of one snapshot, so that their addresses do not say which.
      const text = bytes.toString("utf8").replaceAll(`?content=${snapshot.content}`, "");
      const inTree = path.endsWith(".json") ? Buffer.from(text) : bytes;
      return [path, sha256(inTree)] as const;
    });
  return Object.fromEntries(await Promise.all(answers));
}

/** The files with changes, and the feeds of them. @param inSearch whether a host is in search */
export async function askChanges(
  ask: (path: string) => Promise<string | null>,
  inSearch: (host: string) => Promise<boolean>,
): Promise<void> {
  const changed = new Set<string>();
  for (const end of ["xml", "json"]) await ask(`search-feed.${end}`);
  const { files } = JSON.parse((await ask("changes/index.json")) ?? '{"files":[]}');
  for (const { file } of files) {
    const { data } = JSON.parse((await ask(`changes/${file}`)) ?? '{"data":[]}');
    for (const { host } of data) if (host !== null && (await inSearch(host))) changed.add(host);
  }
  for (const host of changed)
    for (const end of ["xml", "json"]) await ask(`sites/${host}/feed.${end}`);
}
