import { createHash } from "node:crypto";
import { cp, readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { build } from "../../src/build/build.js";
import { cleanUp } from "../../src/build/clean-up.js";
import type { BuilderNotes } from "../../src/build/notes.js";
import type { BuildOptions } from "../../src/build/options.js";
import { lockStore } from "../../src/files/lock.js";
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

export async function builtStore(
  files: PublishedFiles,
  options: BuildOptions = {},
  finished?: Parameters<typeof temporaryFolder>[0],
) {
  const folder = await temporaryFolder(finished);
  const published = await writePublished(join(folder, "published"), files);
  const store = join(folder, "store");
  return { folder, store, result: await build(published, { store, jobs: 1, ...options }) };
}

type BuiltStore = Awaited<ReturnType<typeof builtStore>>;
const built = new Map<string, Promise<BuiltStore>>();

async function copyOf(name: string, files: PublishedFiles, options?: BuildOptions) {
  // It goes with the folder of all temporary files.
  if (!built.has(name))
    built.set(
      name,
      builtStore(files, options, () => {}),
    );
  const { store: original, result } = await built.get(name)!;
  const store = join(await temporaryFolder(), "store");
  await cp(original, store, { recursive: true });
  return { store, result };
}

/**
 * A store of four segments, as `builtStore(manyListings(), FOUR)` makes it, but copied from one that was built once. Only for
 * tests that read it: a builder sees by its notes that its files are copies.
 */
export const copiedStore = () => copyOf("four segments", manyListings(), FOUR);

/** A copy of a store of three listings without historical reports: each has two answers. For tests that read it. */
export function smallStore() {
  const files = manyListings(3);
  const listings = files.listings.map((one) => ({ ...one, entitlements: {} }));
  return copyOf("three listings", { ...files, listings });
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
