import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { readManifest } from "../../src/publish/publish.js";
import { NoSnapshotError } from "../../src/store/bad-snapshot.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { snapshots } from "../../src/upkeep/snapshots.js";
import { WAYS } from "../extras/ways.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { pick, seeded, whole } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { atRenameTo, type DiesAt, dying, expectOnlyNamed, letTimePass } from "./killed.js";
import { History } from "./random-history.js";
import { builtInTurn, manyListings } from "./trees.js";

const SEED = Number(process.env.SEED ?? 20_261_128);
const HISTORIES = repeated(2, 40);
const STEPS = 10;
const KEEP = 1;

const SMALL = { jobs: 1, segmentSize: 4 } as const;

/** A store, and the ways to publish to it, at random. */
class Publisher {
  readonly used: string[] = [];
  readonly #random: () => number;
  readonly #history: History;
  readonly #published: string;
  readonly #store: string;

  private constructor(folder: string, seed: number) {
    this.#random = seeded(seed);
    this.#history = new History((count) => this.#whole(0, count - 1), 12);
    this.#published = join(folder, "published");
    this.#store = join(folder, "store");
  }

  static async start(seed: number): Promise<Publisher> {
    const publisher = new Publisher(await temporaryFolder(), seed);
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
    if (isDone) await expectOnlyNamed(this.#store, name === "rollback" ? Infinity : KEEP, what);
    for (const store of isDone ? (WAYS[name]?.stores(this.#store) ?? []) : []) {
      await expectOnlyNamed(store, 1, what);
    }
    this.#letTimePass();
  }

  #letTimePass(): void {
    const others = Object.values(WAYS).flatMap(({ stores }) => stores(this.#store));
    for (const one of [this.#store, ...others]) {
      letTimePass(one);
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
  const used = new Set<string>();
  it.each(Array.from({ length: HISTORIES }, (_, n) => SEED + n))(
    "whichever publications were killed before it, SEED=%i",
    async (seed) => {
      const publisher = await Publisher.start(seed);
      for (let step = 0; step < STEPS; step += 1) await publisher.publish();
      for (const name of publisher.used) used.add(name);
    },
  );

  it("and some of them were killed", () => {
    expect([...used]).toContain("(killed)");
  });

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
