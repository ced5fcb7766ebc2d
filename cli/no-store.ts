import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../src/files/errors.js";
import { layout } from "../src/store/layout.js";

/** Whether something was published into a store. A pointer that cannot be read counts: it may be repaired. */
export function hasSnapshot(store: string): boolean {
  try {
    lstatSync(layout.current(store));
    return true;
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
  }
}

/** Says, in one sentence, what a folder without a snapshot is, and how to get one. */
export function noStoreAt(folder: string): string {
  const names = namesIn(folder);
  const has = (...all: string[]) => all.every((name) => names.includes(name));
  if (has("directory.json", "standards.json")) {
    return `${folder} is a published directory, not a store: run crawldex build ${folder}, then crawldex serve`;
  }
  if (has("api", "sitemap.xml") || has("api", ".well-known")) {
    return (
      `${folder} is an exported tree of plain files, which any web server can serve; crawldex serve ` +
      "needs the store that it was exported from"
    );
  }
  const inside = names.find((name) => hasSnapshot(join(folder, name)));
  if (inside !== undefined) {
    return `there is no store at ${folder}, but there is one inside: run crawldex serve ${join(folder, inside)}`;
  }
  return (
    `there is no store at ${folder}: run crawldex build <published> --store ${folder}, or wait for a ` +
    "build with --wait"
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
