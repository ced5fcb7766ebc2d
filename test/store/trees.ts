import { createHash } from "node:crypto";
import { cpSync } from "node:fs";
import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { lockStore } from "../../src/files/lock.js";
import { fileState } from "../../src/files/regular.js";
import { type BuildResult, build } from "../../src/publish/build.js";
import { cleanUp } from "../../src/publish/clean-up.js";
import { type BuilderNotes, readNotes, writeNotes } from "../../src/publish/notes.js";
import type { BuildOptions } from "../../src/publish/options.js";
import { storedFiles } from "../../src/store/format.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../fixtures.js";

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

type Records = Pick<PublishedFiles, "listings" | "scans">;
const records = new Map<number, Records>();

/** Builds `manyListings()` into four segments. */
export const FOUR = { jobs: 1, keep: 3, segmentSize: 16 } as const;

/** Each directory has documents and lists of its own, but shares records. */
export function manyListings(count = 60): PublishedFiles {
  const { listings, scans } = records.get(count) ?? manyRecords(count);
  return aPublishedDirectory({ listings: [...listings], scans: [...scans] });
}

/** Frozen, so that no test changes the records of another one. */
function manyRecords(count: number): Records {
  const hosts = Array.from({ length: count }, (_, i) => `site-${i}.example`);
  const listings = hosts.map((host, i) =>
    Object.freeze(aListing({ host, entitlements: { history: i % 2 === 0 } })),
  );
  const scans = hosts.flatMap((host, i) => [
    Object.freeze(aScan({ host, id: "new", score: i % 101 })),
    Object.freeze(aScan({ host, id: "old", finishedAt: "2025-01-01T00:00:00Z" })),
  ]);
  records.set(count, { listings, scans });
  return { listings, scans };
}

/** What a test's folder has: a store, and the directories that were built into it one after the other. */
interface Made {
  readonly folder: string;
  readonly results: readonly BuildResult[];
}
const made = new Map<string, Promise<Made>>();

async function make(
  directories: Readonly<Record<string, PublishedFiles>>,
  options: BuildOptions,
): Promise<Made> {
  // It goes with the folder of all temporary files.
  const folder = await temporaryFolder(() => {});
  const results: BuildResult[] = [];
  for (const [name, files] of Object.entries(directories)) {
    const published = await writePublished(join(folder, name), files);
    results.push(await build(published, { store: join(folder, "store"), jobs: 1, ...options }));
  }
  return { folder, results };
}

/**
 * Builds directories into a store, in turn, each in a folder of its name. They are built once: a test gets a copy,
 * whose builder's notes tell of the copied files.
 */
export async function builtInTurn(
  directories: Readonly<Record<string, PublishedFiles>>,
  options: BuildOptions = {},
  finished?: Parameters<typeof temporaryFolder>[0],
): Promise<Made & { readonly store: string }> {
  const key = JSON.stringify([directories, options]);
  if (!made.has(key)) made.set(key, make(directories, options));
  const { folder: original, results } = await made.get(key)!;
  const folder = await temporaryFolder(finished);
  cpSync(original, folder, { recursive: true });
  const store = join(folder, "store");
  const last = Object.keys(directories).at(-1);
  if (last !== undefined) await vouchFor(store, join(folder, last));
  return { folder, store, results };
}

/** Has a store's notes say of the states of its files, and of the last build's input, what they are now. */
export async function vouchFor(store: string, published?: string): Promise<void> {
  const { built, ...notes } = await readNotes(store);
  const stateOf = (...path: string[]) => fileState(join(...path))!;
  const files = built!.files.map(({ file }) => ({ file, state: stateOf(store, file) }));
  const inputs = (of: NonNullable<typeof built>["scans"]) =>
    published === undefined
      ? of
      : of.map((one) => ({ ...one, state: stateOf(published, one.name) }));
  const listings = inputs(built!.listings);
  const scans = inputs(built!.scans);
  await writeNotes(store, { ...notes, built: { ...built!, files, listings, scans } });
}

export async function builtStore(
  files: PublishedFiles,
  options?: BuildOptions,
  finished?: Parameters<typeof temporaryFolder>[0],
) {
  const { results, ...rest } = await builtInTurn({ published: files }, options, finished);
  return { ...rest, result: results[0]! };
}

/** A store of four segments. */
export const copiedStore = () => builtStore(manyListings(), FOUR);

/** A store of three listings without historical reports: each has two answers. */
export function smallStore() {
  const files = manyListings(3);
  const listings = files.listings.map((one) => ({ ...one, entitlements: {} }));
  return builtStore({ ...files, listings });
}

/** Every file of a tree with its bytes' digest. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree: Record<string, string> = {};
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name);
    tree[path.slice(folder.length + 1)] = sha256(await readFile(path));
  }
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a store publishes: every file of it but the builder's own notes. */
export async function publishedTree(store: string): Promise<Record<string, string>> {
  const { ".notes": _, ...tree } = await treeOf(store);
  return tree;
}

/** The current snapshot of a store with all that it names, whatever else the store has. */
export async function snapshotOf(store: string): Promise<Record<string, string>> {
  const tree = await treeOf(store);
  const id = (await currentId(store)) ?? "";
  const snapshot = await StoredSnapshot.openManifest(store, id);
  snapshot.close();
  const { manifest } = snapshot;
  const named = storedFiles(id, manifest).map(({ file }) => file);
  return Object.fromEntries(
    Object.entries(tree).filter(
      ([file]) => file === "current.json" || file.startsWith(`${id}/`) || named.includes(file),
    ),
  );
}

/** A store's clean-up, under its lock. */
export async function cleanUpLocked(
  store: string,
  keep: number,
  notes: BuilderNotes,
): Promise<void> {
  const lock = await lockStore(store);
  await cleanUp(store, lock, keep, notes);
  await lock.free();
}

/** Lets two minutes pass for a store's snapshots: none of them was current just now. */
export async function letPass(store: string): Promise<void> {
  const before = new Date(Date.now() - 120_000);
  for (const name of await readdir(store)) {
    if (/^[0-9a-f]{32}$/.test(name)) await utimes(join(store, name), before, before);
  }
}
