import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { exportSite } from "../../src/site/export.js";
import type { HostName } from "../../src/site/layout.js";

/** Exports a store for a host into a folder, with the rules of the host. @returns the folder of the tree */
export async function treeFor(
  host: HostName,
  store: string,
  folder: string,
  packed = false,
): Promise<string> {
  const root = join(folder, `tree-${host}${packed ? "-packed" : ""}`);
  await exportSite(root, { store, for: host, packed });
  return root;
}

/** The paths of all files of a tree, sorted. */
export async function filesOfTree(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
