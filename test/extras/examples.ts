import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { addressPattern } from "../../src/export/headers.js";
import { installedExtras, installedPages } from "../../src/extra.js";
import { treeFilesOf } from "../../src/pages/kit/routes.js";

/* What extras add to the tests that walk through all addresses or files: the files `examples.ts` of their tests. */

/** Examples of an extra's addresses and files. */
export interface Examples {
  /** By the name of a page, requests for it. @param hosts listings of the category `news` */
  targets(hosts: readonly string[]): Readonly<Record<string, readonly string[]>>;
  /**
   * The files of a tree that the server has at the same addresses.
   * @param pages the names of pages of categories
   * @param slugs of categories
   */
  treeFiles(pages: readonly string[], slugs: readonly string[]): readonly string[];
  /** The files of a tree that are not what a server answers: a script finds what they show, or a tree has less. */
  readonly scriptedFiles: readonly string[];
  /** The files of a tree that a new score in a category changes. */
  scoredFiles(slug: string): readonly string[];
}

const files = readdirSync(import.meta.dirname)
  .map((name) => join(import.meta.dirname, name, "examples.ts"))
  .filter((file) => existsSync(file));

/** The examples of all extras. */
export const EXAMPLES: readonly Examples[] = await Promise.all(
  files.map(async (file): Promise<Examples> => (await import(file)).EXAMPLES),
);

/** All requests for pages of extras, by the names of the pages. */
export function extraTargets(hosts: readonly string[]): Record<string, readonly string[]> {
  return Object.assign({}, ...EXAMPLES.map((one) => one.targets(hosts)));
}

const patterns = [
  ...installedPages().flatMap(treeFilesOf),
  ...installedExtras().flatMap(({ tree }) => tree?.kinds.map(({ file }) => file) ?? []),
]
  .map((file) => new RegExp(`^${addressPattern(file)}$`))
  // What it added to the snapshot.
  .concat(/^data\/segments\/[0-9a-f]+\.[a-z]+\.bin$/);

/** Whether a file of a tree is an extra's. */
export function isExtraFile(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
