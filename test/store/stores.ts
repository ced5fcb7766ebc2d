import { cp } from "node:fs/promises";
import { join } from "node:path";
import { build } from "../../src/build/build.js";
import type { BuildOptions } from "../../src/build/options.js";
import {
  aListing,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";
import { answersIn } from "./answers.js";
import { FOUR, manyListings } from "./trees.js";

const keeping = { ...FOUR, keep: 9, maxRemoved: "100%" } as const;
const made = new Map<string, Promise<{ folder: string; builds: string[] }>>();

/** Builds directories one after the other into a store, whatever they take away. */
async function buildAll(directories: readonly PublishedFiles[]) {
  // It goes with the folder of all temporary files.
  const folder = await temporaryFolder(() => {});
  const builds: string[] = [];
  for (const [at, files] of directories.entries()) {
    const published = await writePublished(join(folder, `published-${at}`), files);
    builds.push((await build(published, { store: join(folder, "store"), ...keeping })).id);
  }
  return { folder, builds };
}

/** A store into which directories were built one after the other: a copy of one that is built once. */
export async function aStore(...directories: PublishedFiles[]) {
  const key = JSON.stringify(directories);
  if (!made.has(key)) made.set(key, buildAll(directories));
  const { folder: original, builds: ids } = await made.get(key)!;
  const folder = await temporaryFolder();
  await cp(original, folder, { recursive: true });
  const store = join(folder, "store");
  const builds = [...ids];
  const publish = async (files: PublishedFiles, keep = 9) => {
    const published = await writePublished(join(folder, `published-${builds.length}`), files);
    const { id } = await build(published, { store, ...keeping, keep });
    builds.push(id);
    return id;
  };
  const buildAgain = () =>
    build(join(folder, `published-${builds.length - 1}`), { store, ...FOUR, keep: 9 });
  return { folder, store, builds, publish, buildAgain };
}

/** A store with so many scored listings, `site-0.example` and on, and a way to build other inputs into it. */
export async function storeWith(count: number, settings: BuildOptions = { jobs: 1 }) {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const files = manyListings(count);
  const rebuild = async (next: PublishedFiles, options: Partial<BuildOptions> = {}) => {
    const published = await writePublished(join(folder, "published"), next);
    return build(published, { store, ...settings, keep: 9, ...options });
  };
  const first = await rebuild(files);
  return { folder, store, files, rebuild, first };
}

/** The hosts of the first so many listings of `manyListings`. */
export const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `site-${n}.example`);

/** A directory with one listing of this name, `example.com`, and others that do not change. */
export function named(name: string, changes: Parameters<typeof aListing>[0] = {}, others = 3) {
  const files = manyListings(others);
  return {
    ...files,
    listings: [...files.listings, aListing({ name, ...changes })],
    scans: [...files.scans, aScan()],
  };
}

/** The name of that listing in search; undefined where search does not have it. */
export const nameIn = async (store: string) =>
  (await answersIn(store))["example.com"]?.search?.summary.name;
