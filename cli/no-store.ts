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
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT")
      return `there is no store at ${folder}: it does not exist; ${buildInto(folder)}`;
    if (code === "ENOTDIR")
      return `there is no store at ${folder}: it is a file; a store is a folder`;
    return `there is no store at ${folder}: the folder cannot be read (${code})`;
  }
  const has = (...all: string[]) => all.every((name) => names.includes(name));
  const isStore = (name: string) => hasSnapshot(join(folder, name));
  if (has("directory.json", "standards.json")) {
    return `${folder} is a published directory, not a store: run crawldex build ${folder}, then crawldex serve`;
  }
  if (has("api", "sitemap.xml") || has("api", ".well-known")) {
    return `${folder} is an exported tree of plain files, which any web server can serve; crawldex serve needs the store that it was exported from`;
  }
  if (names.length === 0)
    return `there is no store at ${folder}: the folder is empty; ${buildInto(folder)}`;
  if (has("segments") || has(".notes") || has(".lock")) {
    return `${folder} is a store without a snapshot yet: ${buildInto(folder)}`;
  }
  const inside = names.find(isStore);
  if (inside !== undefined) {
    return `there is no store at ${folder}, but there is one inside: run crawldex serve ${join(folder, inside)}`;
  }
  return `there is no store at ${folder}: the folder has other files; ${buildInto(folder)}`;
}

function buildInto(folder: string): string {
  return `run crawldex build <published> --store ${folder}, or wait for a build with --wait`;
}
