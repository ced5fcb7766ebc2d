import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { pull } from "../../../src/extras/remote/pull.js";
import { push } from "../../../src/extras/remote/push.js";
import { pointerText } from "../../../src/store/pointer.js";
import { publicationsUpTo } from "../../../src/store/publications.js";
import { verify } from "../../../src/upkeep/verify.js";
import { temporaryFolder } from "../../fixtures.js";
import { aStore, named } from "../../store/stores.js";
import { BUCKET, type Imitation, type Received } from "./imitation.js";

/** How many snapshots a pusher has. */
const SNAPSHOTS = 6;

/** By the number of listings that do not change, the stores that pushers copy: snapshot n has the name `name n`. */
const built = new Map<number, ReturnType<typeof buildAll>>();

async function buildAll(others: number, count: number) {
  // It goes with the folder of all temporary files.
  const { store, builds } = await aStore(
    ...Array.from({ length: count }, (_, i) => named(`name ${i}`, {}, others)),
  );
  const kept = join(await temporaryFolder(() => {}), "kept");
  await cp(store, kept, { recursive: true });
  const texts = await Promise.all(
    builds.map(async (id) => {
      const bytes = await readFile(join(kept, id, "manifest.json"));
      return pointerText({ id, ...publicationsUpTo(JSON.parse(bytes.toString())) });
    }),
  );
  return { store: kept, ids: builds, texts };
}

/**
 * A copy of a store that has several snapshots, of which each push sends the chosen one.
 * @param atEnd what to do with the function that removes it. Default: it is called when the test ends
 */
export async function aPusher(
  others = 3,
  count = others > 50 ? 2 : SNAPSHOTS,
  atEnd?: Parameters<typeof temporaryFolder>[0],
) {
  if (!built.has(others)) built.set(others, buildAll(others, count));
  const { store: kept, ids = [], texts = [] } = (await built.get(others)) ?? {};
  const store = join(await temporaryFolder(atEnd), "store");
  await cp(kept ?? "", store, { recursive: true });
  const choose = (index: number) => writeFile(join(store, "current.json"), texts[index] ?? "");
  await choose(0);
  return {
    store,
    ids: ids as readonly string[],
    /** The texts of `current.json` that name the snapshots. */
    texts: texts as readonly string[],
    /** Pushes a snapshot. */
    push: async (index: number, options: Omit<Parameters<typeof push>[1], "store"> = {}) => {
      await choose(index);
      return push(BUCKET, { store, ...options });
    },
  };
}

/** A folder for a store that does not exist yet. */
export const newStore = async () => join(await temporaryFolder(), "copy");

/** Pulls into a new store. @returns the id of its snapshot, of which every byte was verified; null if there is none */
export async function pulledFrom(url: string = BUCKET): Promise<string | null> {
  const copy = await newStore();
  try {
    const { id } = await pull(url, { store: copy });
    expect((await verify(copy)).bad).toEqual([]);
    return id;
  } catch (error) {
    expect(String(error)).toContain(`nothing can be read at ${url}`);
    return null;
  }
}

export const pointerOf = async (store: string) =>
  JSON.parse(await readFile(join(store, "current.json"), "utf8"));

/** Holds the requests of a kind from now on, until `release` is called. */
export function hold(bucket: Imitation, isHeld: (request: Received) => boolean) {
  let isReached = false;
  let isReleased = false;
  bucket.fault = async (request) => {
    if (!isHeld(request)) return null;
    isReached = true;
    await vi.waitUntil(() => isReleased, { timeout: 60_000, interval: 5 });
    return null;
  };
  const release = () => {
    isReleased = true;
  };
  onTestFinished(release);
  const reached = vi.waitUntil(() => isReached, { timeout: 60_000, interval: 5 });
  return { reached, release };
}
