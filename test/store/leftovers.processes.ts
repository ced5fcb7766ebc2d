import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calls } from "../../src/files/calls.js";
import { isWithin } from "../../src/files/paths.js";
import { build } from "../../src/publish/build.js";
import { readNotes } from "../../src/publish/notes.js";
import { readManifest } from "../../src/publish/publish.js";
import { pull } from "../../src/remote/pull.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { storedFiles } from "../../src/store/format.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { snapshots } from "../../src/upkeep/snapshots.js";
import { WAYS } from "../extras/ways.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { filesIn, plainHost } from "../remote/hosts.js";
import { repeated } from "../slow.js";
import { History } from "./random-history.js";
import { builtInTurn, manyListings, treeOf } from "./trees.js";

const SEED = Number(process.env.SEED ?? 20_261_128);
const HISTORIES = repeated(2, 40);
const STEPS = 10;
const KEEP = 1;

const SMALL = { jobs: 1, segmentSize: 4 } as const;

type CallName = keyof typeof calls;
/** Says before which call a process dies. */
type DiesAt = (number: number, name: CallName, path: string) => boolean;

/** Runs an action whose process dies at a call. @returns whether it died, rather than end before that */
async function dying(diesAt: DiesAt, action: () => Promise<unknown>): Promise<boolean> {
  const real = { ...calls };
  let number = 0;
  let isDead = false;
  for (const name of Object.keys(real) as CallName[]) {
    const call = real[name] as (...args: unknown[]) => unknown;
    const hooked = (...args: unknown[]) => {
      number += 1;
      isDead ||= diesAt(number, name, String(args.at(name === "rename" ? 1 : 0)));
      if (isDead) throw new Error("the process is dead");
      return call(...args);
    };
    Object.assign(calls, { [name]: hooked });
  }
  try {
    await action().catch((error: unknown) => {
      if (!isDead) throw error;
    });
  } finally {
    Object.assign(calls, real);
  }
  return isDead;
}

const atRenameTo =
  (file: string): DiesAt =>
  (_number, name, path) =>
    name === "rename" && path.endsWith(`/${file}`);

/** Has the notes be written long after the input, and the snapshots stop being current long ago. */
function letTimePass(store: string): void {
  const past = new Date(Date.now() - 120_000);
  const future = new Date(Date.now() + 120_000);
  if (existsSync(join(store, ".notes"))) utimesSync(join(store, ".notes"), future, future);
  for (const name of readdirSync(store)) {
    if (/^[0-9a-f]{32}$/.test(name)) utimesSync(join(store, name), past, past);
  }
}

/** Expects a store to have only published snapshots, and only the files that these and its own work need. */
async function expectOnlyNamed(store: string, keep: number, what: string): Promise<void> {
  const { publications } = await readNotes(store);
  const ids = readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const named = new Set(["current.json", ".notes"]);
  for (const id of ids) {
    expect(publications, what).toContain(id);
    named.add(`${id}/manifest.json`);
    const manifest = (await readManifest(store, id))!;
    for (const { file } of storedFiles(id, manifest)) named.add(file);
  }
  const others = Object.values(WAYS).flatMap(({ stores }) => stores(store));
  const found = Object.keys(await treeOf(store)).filter(
    (file) => !others.some((other) => isWithin(other, join(store, file))),
  );
  expect(found, what).toEqual([...named].sort());
  // The one that was current until now stays for a minute.
  expect(ids.length, what).toBeLessThanOrEqual(keep + 1);
  const listed = (await snapshots(store)).map(({ id }) => id);
  expect(listed.sort(), what).toEqual(ids.sort());
}

/** A store, its replica, and the ways to publish to them, at random. */
class Publisher {
  readonly used: string[] = [];
  readonly #random: () => number;
  readonly #history: History;
  readonly #published: string;
  readonly #store: string;
  readonly #copy: string;
  #url = "";

  private constructor(folder: string, seed: number) {
    this.#random = seeded(seed);
    this.#history = new History((count) => this.#whole(0, count - 1), 12);
    this.#published = join(folder, "published");
    this.#store = join(folder, "store");
    this.#copy = join(folder, "copy");
  }

  static async start(seed: number): Promise<Publisher> {
    const publisher = new Publisher(await temporaryFolder(), seed);
    publisher.#url = (await plainHost(filesIn(publisher.#store))).url;
    await publisher.#write();
    await publisher.#run("build");
    return publisher;
  }

  /** Publishes in a random way, after up to two attempts that are killed. Then checks the store. */
  async publish(): Promise<void> {
    const name = pick(this.#random, Object.keys(this.#ways));
    if (this.#whole(0, 2) > 0) {
      for (let changes = this.#whole(1, 3); changes > 0; changes -= 1) this.#history.change();
      await this.#write();
    }
    for (let deaths = this.#whole(0, 2); deaths > 0; deaths -= 1) await this.#die(name);
    const isDone = await this.#run(name);
    const what = this.used.join();
    if (isDone && name === "pull") await expectOnlyNamed(this.#copy, KEEP, what);
    else if (isDone)
      await expectOnlyNamed(this.#store, name === "rollback" ? Infinity : KEEP, what);
    for (const store of isDone ? (WAYS[name]?.stores(this.#store) ?? []) : []) {
      await expectOnlyNamed(store, 1, what);
    }
    this.#letTimePass();
  }

  #letTimePass(): void {
    const others = Object.values(WAYS).flatMap(({ stores }) => stores(this.#store));
    for (const one of [this.#store, ...others, this.#copy]) {
      if (existsSync(one)) letTimePass(one);
    }
  }

  async #die(name: string): Promise<void> {
    const at = this.#whole(1, 150);
    const diesAt = pick<DiesAt>(this.#random, [
      (number) => number === at,
      atRenameTo("current.json"),
      atRenameTo(".notes"),
    ]);
    if (await dying(diesAt, () => this.#run(name))) this.used.push("(killed)");
    this.#letTimePass();
  }

  /** @returns false if there was nothing to roll back to */
  async #run(name: string): Promise<boolean> {
    this.used.push(name);
    try {
      await this.#ways[name]?.();
      return true;
    } catch (error) {
      if (error instanceof NoSnapshotError) return false;
      throw error;
    }
  }

  readonly #ways: Readonly<Record<string, () => Promise<unknown>>> = {
    build: () => build(this.#published, { ...this.#options, ...SMALL }),
    rollback: () => rollback(this.#store),
    pull: () => pull(this.#url, { store: this.#copy, keep: KEEP }),
    ...Object.fromEntries(
      Object.entries(WAYS).map(([name, { publish }]) => [
        name,
        () => publish(this.#published, { ...this.#options, ...SMALL }),
      ]),
    ),
  };

  get #options() {
    return {
      store: this.#store,
      keep: KEEP,
      maxRemoved: "100%",
      maxUnscored: "100%",
      maxUnbanded: "100%",
    } as const;
  }

  #whole(least: number, most: number): number {
    return whole(this.#random, least, most);
  }

  #write(): Promise<string> {
    return writePublished(this.#published, this.#history.files());
  }
}

describe("a publication leaves no file that no snapshot names", () => {
  it.each(Array.from({ length: HISTORIES }, (_, n) => SEED + n))(
    "whichever publications were killed before it, SEED=%i",
    async (seed) => {
      const publisher = await Publisher.start(seed);
      for (let step = 0; step < STEPS; step += 1) await publisher.publish();
      expect(publisher.used).toContain("(killed)");
    },
  );

  it("nor the snapshot of a first build that was killed as it was about to commit", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const published = await writePublished(join(folder, "published"), manyListings(20));
    const publish = () => build(published, { store, jobs: 1, keep: 1 });
    expect(await dying(atRenameTo("current.json"), publish)).toBe(true);
    const [unpublished] = readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name));
    expect(unpublished).toBeDefined();
    letTimePass(store);
    await publish();
    await expectOnlyNamed(store, 1, "after the next build");
  });

  it("nor the files that extras merge with those of a rollback", async () => {
    const files = manyListings(20);
    const listings = files.listings.map((one, at) => (at < 5 ? { ...one, name: "New" } : one));
    const { store } = await builtInTurn({ before: files, after: { ...files, listings } });
    const { id } = await rollback(store);
    expect(await readManifest(store, id)).not.toBeNull();
    await expectOnlyNamed(store, Infinity, "after the rollback");
  });

  it("a snapshot that was never published is not listed, before the next build deletes it", async () => {
    const folder = await temporaryFolder();
    const store = join(folder, "store");
    const ids: string[] = [];
    for (const count of [20, 21]) {
      const published = await writePublished(join(folder, `${count}`), manyListings(count));
      const publish = async () => ids.push((await build(published, { store, jobs: 1 })).id);
      if (count === 20) await publish();
      else expect(await dying(atRenameTo("current.json"), publish)).toBe(true);
    }
    expect(readdirSync(store).filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(2);
    expect((await snapshots(store)).map(({ id }) => id)).toEqual(ids);
    await expect(rollback(store)).rejects.toThrow("no earlier snapshot");
  });
});
