import { cp, mkdir, rename, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "../../src/publish/build.js";
import { currentId } from "../../src/store/reader.js";
import { aListing, aScan, temporaryFolder, writePublished } from "../fixtures.js";
import { writeSample } from "../sample/larger.js";
import { pointTo, publishManifest } from "../store/forge.js";
import { manyListings } from "../store/trees.js";

/** A store with several good snapshots, of which any is made current in no time. */
export interface Turns {
  readonly store: string;
  readonly ids: readonly string[];
  /** Makes a snapshot current as a build does: in one step. */
  publish(id: string): Promise<void>;
}

function publisher(store: string): Turns["publish"] {
  return async (id) => {
    await pointTo(store, id, "next.json");
    await rename(join(store, "next.json"), join(store, "current.json"));
  };
}

/** Has a report of 200 kB. */
export const LARGE_HOST = "large.example";

/** The listing that this turn lacks. */
export const GONE = (turn: number) => `gone-${turn}.example`;

/**
 * Snapshots of one directory, each with its number in the name of each listing, `Turn <n>`. Each lacks one
 * listing that the others have.
 */
export async function numberedTurns(listings: number, count: number): Promise<Turns> {
  const folder = await temporaryFolder();
  const store = join(folder, "store");
  const ids: string[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const files = manyListings(listings);
    const others = Array.from({ length: count }, (_, i) => GONE(i)).filter((_, i) => i !== turn);
    files.listings.push(...others.map((host) => aListing({ host })));
    files.scans.push(...others.map((host) => aScan({ host })));
    files.listings.push(aListing({ host: LARGE_HOST }));
    files.scans.push(aScan({ host: LARGE_HOST, profile: { text: "p".repeat(200_000) } }));
    files.listings = files.listings.map((listing) => ({ ...listing, name: `Turn ${turn}` }));
    const published = await writePublished(join(folder, `published-${turn}`), files);
    ids.push((await build(published, { store, jobs: 1, keep: count })).id);
  }
  return { store, ids, publish: publisher(store) };
}

/** A store of a sample, and its published directory. */
export async function sampleStore(listings: number) {
  const folder = await temporaryFolder();
  const published = join(folder, "published");
  const store = join(folder, "store");
  await writeSample(published, { listings, seed: 1 });
  await build(published, { store, jobs: 1, keep: 2 });
  return { published, store };
}

/** Two snapshots with the same listings and other ids. `ready` is a store that is there already, and stays as it is. */
export async function twins(listings: number, ready?: string): Promise<Turns> {
  const { store } =
    ready === undefined
      ? await sampleStore(listings)
      : { store: join(await temporaryFolder(), "store") };
  if (ready !== undefined) {
    const from = resolve(ready);
    const id = (await currentId(from)) ?? "";
    await mkdir(store);
    await symlink(join(from, "segments"), join(store, "segments"));
    await cp(join(from, id), join(store, id), { recursive: true });
    await pointTo(store, id);
  }
  const first = (await currentId(store)) ?? "";
  const second = await publishManifest(store, ({ vocabulary }) => {
    vocabulary.platforms[0]!.name += " (renamed)";
  });
  const publish = publisher(store);
  await publish(first);
  return { store, ids: [first, second], publish };
}
