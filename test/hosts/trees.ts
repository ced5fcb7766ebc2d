import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HostRules } from "../../src/site/hosts/host-rules.js";
import type { Site } from "../site/sites.js";

/** Writes what a host's rules are made of into a tree and beside it. */
export async function applyRules(root: string, { files, beside }: HostRules): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const [suffix, text] of beside) await writeFile(`${root}${suffix}`, text);
}

/** Gives a tree the names of the new layout. */
export async function layOut({ site }: Pick<Site, "site">): Promise<void> {
  const folder = join(site, "sites");
  for (const host of await readdir(folder)) {
    await rename(join(folder, host, "index.html"), join(folder, `${host}.html`)).catch(() => {});
  }
  await writeFile(join(site, "404.html"), "<!doctype html><title>Nothing here</title>");
}
