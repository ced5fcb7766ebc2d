import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { exportSite } from "../../src/site/export.js";
import { HOSTS } from "../../src/site/hosts/hosts.js";
import type { HostName } from "../../src/site/layout.js";

/** Exports a store for a host into a folder, with the rules of the host. @returns the folder of the tree */
export async function treeFor(
  host: HostName,
  store: string,
  folder: string,
  base = "/",
): Promise<string> {
  const root = join(folder, `tree-${host}${base === "/" ? "" : "-below"}`);
  await exportSite(root, { store, for: host });
  const { files, beside } = HOSTS[host]({ root, base: "/", isPacked: false });
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const [suffix, text] of beside) await writeFile(`${root}${suffix}`, text);
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
