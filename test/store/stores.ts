import { join } from "node:path";
import { build } from "../../src/publish/build.js";
import type { BuildOptions } from "../../src/publish/options.js";
import { withdraw } from "../../src/upkeep/withdraw.js";
import { aListing, aScan, type PublishedFiles, writePublished } from "../fixtures.js";
import { answersIn } from "./answers.js";
import { builtInTurn, builtStore, FOUR, manyListings } from "./trees.js";

const keeping = { ...FOUR, keep: 9, maxRemoved: "100%" } as const;
/** A store into which directories were built one after the other, whatever they take away. */
export async function aStore(...directories: PublishedFiles[]) {
  const named = directories.map((files, at) => [`published-${at}`, files] as const);
  const { folder, store, results } = await builtInTurn(Object.fromEntries(named), keeping);
  const builds = results.map(({ id }) => id);
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
export async function storeWith(count: number, settings: BuildOptions = {}) {
  const files = manyListings(count);
  const { folder, store, result } = await builtStore(files, { ...settings, keep: 9 });
  const rebuild = async (next: PublishedFiles, options: Partial<BuildOptions> = {}) => {
    const published = await writePublished(join(folder, "published"), next);
    return build(published, { store, jobs: 1, ...settings, keep: 9, ...options });
  };
  return { folder, store, files, rebuild, first: result };
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

/** The ways in which the first listing of a store of `storeWith` goes, with their names. */
export const REMOVALS: readonly (readonly [
  string,
  (made: Awaited<ReturnType<typeof storeWith>>) => Promise<unknown>,
])[] = [
  [
    "by a build",
    ({ rebuild, files }) =>
      rebuild({ ...files, listings: files.listings.slice(1) }, { maxRemoved: "100%" }),
  ],
  ["by withdraw", ({ store }) => withdraw(["site-0.example"], { store })],
];
