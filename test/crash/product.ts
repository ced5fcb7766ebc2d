import { cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { fileState } from "../../src/files/regular.js";
import { notesBytes, readNotes } from "../../src/publish/notes.js";
import type { BuildOptions } from "../../src/publish/options.js";
import type { Manifest } from "../../src/store/format.js";
import { aListing, type PublishedFiles, temporaryFolder, writePublished } from "../fixtures.js";
import { cleanUpLocked, manyListings, treeOf } from "../store/trees.js";

/** The compiled product. */
export const DIST = fileURLToPath(new URL("../../dist", import.meta.url));

/** What the tests of crashes use of a compiled product. */
export interface Product {
  readonly dist: string;
  readonly build: typeof import("../../src/publish/build.js").build;
  readonly rollback: typeof import("../../src/upkeep/rollback.js").rollback;
  readonly withdraw: typeof import("../../src/upkeep/withdraw.js").withdraw;
  readonly verify: typeof import("../../src/upkeep/verify.js").verify;
  readonly calls: typeof import("../../src/files/calls.js").calls;
  readonly loadSnapshot: typeof import("../../src/server/load-snapshot.js").loadSnapshot;
  readonly StoredSnapshot: typeof import("../../src/store/reader.js").StoredSnapshot;
}

/** Loads a module of a compiled product. @param path in `src` */
export async function loadedFrom(dist: string, path: string): Promise<object> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(dist, "src", path)).href)) as object;
}

export async function productOf(dist = DIST): Promise<Product> {
  const load = (path: string) => loadedFrom(dist, path);
  const parts = await Promise.all(
    [
      "publish/build.js",
      "upkeep/rollback.js",
      "upkeep/withdraw.js",
      "upkeep/verify.js",
      "files/calls.js",
      "server/load-snapshot.js",
      "store/reader.js",
    ].map(load),
  );
  const { installExtras } = (await load("extra.js")) as typeof import("../../src/extra.js");
  const { EXTRAS } = (await load("extras/index.js")) as typeof import("../../src/extras/index.js");
  installExtras(EXTRAS);
  return Object.assign({ dist }, ...parts) as Product;
}

/** Snapshots that stay, in the builds of a scenario. */
export const KEEP = 2;

/** About how many segments the full builds of a scenario make. */
const SEGMENTS = 4;

/**
 * A store with two snapshots, and the published directory of a third: to build it writes every kind of
 * file, and cleaning up deletes every kind of file.
 */
export interface Scenario {
  readonly folder: string;
  /** Copied for each try, never built into. */
  readonly store: string;
  readonly published: string;
  /** Makes the third snapshot current in a store. */
  readonly publish: (store: string) => Promise<{ readonly id: string }>;
  /** The snapshots before, and the one that the build makes current. */
  readonly older: string;
  readonly before: string;
  readonly after: string;
  /** The digests of what these snapshots say. A build from nothing (`--full`) says the same in other files. */
  readonly contents: Readonly<Record<"older" | "before" | "after", string>>;
  /** The store after a build that nothing hindered, without the builder's notes. */
  readonly whole: Readonly<Record<string, string>>;
}

export async function aScenario(
  { build }: Product,
  listings = 20,
  common: BuildOptions = {},
): Promise<Scenario> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const publishing = async (name: string, to: string, options: BuildOptions = {}) => {
    const published = join(folder, name);
    if (!existsSync(published)) await writePublished(published, aDirectory(listings, name));
    return build(published, { store: to, jobs: 1, keep: KEEP, ...common, ...options });
  };
  const segmentSize = Math.ceil(listings / SEGMENTS);
  const ids = [];
  for (const name of ["One", "Two"]) ids.push((await publishing(name, store, { segmentSize })).id);
  const publish = (to: string) => publishing("Three", to);
  const scenario = await scenarioOf(folder, ids, publish);
  const packsIn = (one: string, id: string) =>
    manifestIn(one, id).segments.map(({ pack }) => pack.file);
  const packs = packsIn(store, scenario.before);
  const added = packsIn(join(folder, "whole"), scenario.after).filter(
    (one) => !packs.includes(one),
  );
  // It keeps all segments but that of the listing whose name changes, which is written again without it.
  expect([packs.length > 2, added.length]).toEqual([true, 2]);
  return scenario;
}

/** The same with a rollback, which writes a segment with answers of both snapshots. */
export async function aRollbackScenario({ build, rollback }: Product): Promise<Scenario> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const ids: string[] = [];
  for (const [name, visibility] of [
    ["One", "listed"],
    ["Two", "blocked"],
  ] as const) {
    const files = aDirectory(20, name);
    files.listings[1] = aListing({ host: "site-1.example", visibility });
    if (name === "Two") files.listings.pop();
    const published = await writePublished(join(folder, name), files);
    ids.push((await build(published, { store, jobs: 1, keep: KEEP, segmentSize: 5 })).id);
  }
  const [, before] = ids;
  const publish = async (to: string) => {
    if (pointerOf(to) === before) return rollback(to);
    // Another rollback would go back further.
    await cleanUpLocked(to, 9, await readNotes(to));
    return { id: pointerOf(to) };
  };
  return scenarioOf(folder, ids, publish);
}

/** The same with a withdrawal. Its time is fixed, so that each try gives the same snapshot. */
export async function aWithdrawScenario({ build, withdraw }: Product): Promise<Scenario> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const ids: string[] = [];
  for (const name of ["One", "Two"]) {
    const published = await writePublished(join(folder, name), aDirectory(20, name));
    ids.push((await build(published, { store, jobs: 1, keep: KEEP, segmentSize: 5 })).id);
  }
  const publish = async (to: string) => {
    vi.stubEnv("SOURCE_DATE_EPOCH", "1800000000");
    try {
      return await withdraw(["site-1.example"], { store: to, keep: KEEP });
    } finally {
      vi.unstubAllEnvs();
    }
  };
  return scenarioOf(folder, ids, publish);
}

/** @param ids of the two snapshots that the folder's store has */
export async function scenarioOf(
  folder: string,
  [older = "", before = ""]: readonly string[],
  publish: Scenario["publish"],
): Promise<Scenario> {
  const store = join(folder, "store");
  const whole = join(folder, "whole");
  copyStore(store, whole);
  const { id: after } = await publish(whole);
  expect(new Set([older, before, after]).size).toBe(3);
  return {
    folder,
    store,
    published: join(folder, "Three"),
    publish,
    older,
    before,
    after,
    contents: {
      older: manifestIn(store, older).content,
      before: manifestIn(store, before).content,
      after: manifestIn(whole, after).content,
    },
    whole: await contentOf(whole),
  };
}

export function aDirectory(listings: number, name: string): PublishedFiles {
  const files = manyListings(listings);
  files.listings[0] = aListing({ host: "site-0.example", name });
  // The second one's public documents are new, the third one's are not.
  if (name !== "One") files.directory = { ...files.directory, name: "Renamed" };
  return files;
}

/** A store's files with their digests; not its builder's notes, which may tell of what went wrong. */
export async function contentOf(store: string): Promise<Record<string, string>> {
  const { ".notes": _, ...content } = await treeOf(store);
  return content;
}

let copies = 0;

/** A copy of the scenario's store, to be built into. */
export function copyOf({ folder, store }: Scenario): string {
  copies += 1;
  const copy = join(folder, `try-${copies}`);
  copyStore(store, copy);
  return copy;
}

/**
 * Copies a store, whose builder's notes then tell of the copied files, so that the next build keeps them.
 * None of its snapshots was current just now.
 */
export function copyStore(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  ageSnapshots(to);
  const path = join(to, ".notes");
  const bytes = readFileSync(path);
  const end = 8 + Number(bytes.readBigUInt64LE());
  const notes = JSON.parse(bytes.subarray(8, end).toString("utf8")) as Notes;
  for (const noted of notes.built.files) noted.state = fileState(join(to, noted.file));
  // The notes' columns stay; the last 32 bytes are the digest of those before.
  const columns = new Uint32Array(
    bytes.buffer.slice(bytes.byteOffset + end, bytes.byteOffset + bytes.length - 32),
  );
  writeFileSync(path, Buffer.concat([...notesBytes(notes, [columns])]));
}

const SNAPSHOT_NAME = /^[0-9a-f]{32}$/;

/** Has a store's snapshots stopped being current long ago. */
export function ageSnapshots(store: string): void {
  for (const name of readdirSync(store)) {
    if (SNAPSHOT_NAME.test(name)) utimesSync(join(store, name), 1, 1);
  }
}

interface Notes {
  readonly built: { readonly files: { file: string; state: unknown }[] };
}

/**
 * Reads a store as its readers do.
 * @returns the snapshot that is current, which is good as a whole
 */
export async function readWhole({ verify }: Product, store: string): Promise<string> {
  const { id, bad } = await verify(store);
  expect(bad).toEqual([]);
  expect(id).not.toBeNull();
  return id ?? "";
}

/** Reads a store as its readers do. @returns the content of the snapshot that is current, which is good as a whole */
export async function readContent(product: Product, store: string): Promise<string> {
  return manifestIn(store, await readWhole(product, store)).content;
}

/** The next publication succeeds, and leaves the store as if nothing had ever happened. */
export async function expectRepair(
  product: Product,
  { folder, publish }: Scenario,
  store: string,
): Promise<void> {
  // A build that could not read the pointer takes each snapshot for one that was current just now.
  ageSnapshots(store);
  await publish(store);
  await expectLike(product, store, join(folder, "whole"));
}

/**
 * A store has the files of another one. If what happened to it took the notes of its last build, it was built as a
 * whole: then it has the same content in other files, and no file too many.
 */
export async function expectLike(
  product: Product,
  store: string,
  model: string,
  what?: string,
): Promise<void> {
  const content = await contentOf(store);
  const expected = await contentOf(model);
  const id = pointerOf(store);
  const other = pointerOf(model);
  if (id === other) {
    expect(content, what).toEqual(expected);
    return;
  }
  expect(await readWhole(product, store), what).toBe(id);
  expect(manifestIn(store, id).content, what).toBe(manifestIn(model, other).content);
  const folders = snapshotsIn(store);
  const former = (ids: readonly string[], current: string) => ids.filter((one) => one !== current);
  expect(former(folders, id), what).toEqual(former(snapshotsIn(model), other));
  const named = folders
    .map((one) => manifestIn(store, one))
    .flatMap(({ segments, extras = {} }) => [
      ...segments.flatMap(({ table, pack }) => [table.file, pack.file]),
      ...Object.values(extras).flatMap(({ files }) => files.map(({ file }) => file)),
    ]);
  const shared = Object.keys(content).filter((file) => !folders.includes(file.split("/")[0]!));
  expect(shared, what).toEqual(["current.json", ...new Set(named)].sort());
}

function manifestIn(store: string, id: string): Manifest {
  return JSON.parse(readFileSync(join(store, id, "manifest.json"), "utf8")) as Manifest;
}

function snapshotsIn(store: string): string[] {
  return readdirSync(store)
    .filter((name) => SNAPSHOT_NAME.test(name))
    .sort();
}

/** The id in a store's pointer, whatever else is there. */
export function pointerOf(store: string): string {
  return (JSON.parse(readFileSync(join(store, "current.json"), "utf8")) as { id: string }).id;
}
