import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../src/publish/build.js";
import { storedFiles } from "../../src/store/format.js";
import { rollback } from "../../src/upkeep/rollback.js";
import { snapshots } from "../../src/upkeep/snapshots.js";
import { verify } from "../../src/upkeep/verify.js";
import { withdraw } from "../../src/upkeep/withdraw.js";
import { temporaryFolder, writePublished } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { repeated } from "../slow.js";
import { answersIn } from "../store/answers.js";
import { manifestOf } from "../store/forge.js";
import { History } from "../store/random-history.js";
import { storedBytes } from "../store/stored-bytes.js";

const STEPS = repeated(12, 100);
const HOSTS = 12;

const without = <T>(site: Readonly<Record<string, T>>, hosts: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(site).filter(([host]) => !hosts.has(host)));

/** A store to which random builds, withdrawals, restorations and rollbacks happen. */
class WithdrawnStore {
  readonly #pick: (count: number) => number;
  readonly #history: History;
  readonly #folder: string;
  readonly store: string;
  /** The hosts that are withdrawn. */
  readonly withdrawn = new Set<string>();
  rollbacks = 0;

  constructor(folder: string, pick: (count: number) => number) {
    this.#pick = pick;
    this.#history = new History(pick, HOSTS);
    this.#folder = folder;
    this.store = join(folder, "store");
  }

  async build(): Promise<void> {
    if (this.#pick(4) > 0) this.#history.change();
    const published = await writePublished(join(this.#folder, "published"), this.#history.files());
    const limits = { maxRemoved: "100%", maxUnscored: "100%" } as const;
    const options = { jobs: 1, segmentSize: 4, ...limits };
    const full = this.#pick(8) === 0;
    const { warnings } = await build(published, { ...options, store: this.store, keep: 4, full });
    const fresh = join(this.#folder, "fresh");
    await rm(fresh, { recursive: true, force: true });
    await build(published, { ...options, store: fresh });
    for (const host of this.withdrawn) {
      const visibility = this.#history.listings.get(host)?.visibility;
      if (visibility === "removed" || visibility === "deleted") this.withdrawn.delete(host);
    }
    expect(await answersIn(this.store)).toEqual(without(await answersIn(fresh), this.withdrawn));
    const warned = warnings.filter(({ code }) => code === "listing-withdrawn").length;
    expect(warned).toBe(
      [...this.withdrawn].filter((one) => this.#history.listings.has(one)).length,
    );
  }

  async withdraw(): Promise<void> {
    const before = await answersIn(this.store);
    const hosts = [this.#host(), this.#host()];
    const result = await withdraw(hosts, { store: this.store });
    for (const { host, outcome } of result.hosts) {
      const usual = host in before ? "withdrawn" : "recorded";
      expect([host, outcome]).toEqual([host, this.withdrawn.has(host) ? "already" : usual]);
    }
    for (const host of hosts) this.withdrawn.add(host);
    expect(await answersIn(this.store)).toEqual(without(before, this.withdrawn));
  }

  async restore(): Promise<void> {
    const before = await answersIn(this.store);
    const host = this.#host();
    const { hosts } = await withdraw([host], { store: this.store, restore: true });
    expect(hosts[0]?.outcome).toBe(this.withdrawn.delete(host) ? "restored" : "not-withdrawn");
    expect(await answersIn(this.store)).toEqual(before);
  }

  async rollback(): Promise<void> {
    const former = (await snapshots(this.store)).filter(({ isCurrent }) => !isCurrent);
    const to = former[this.#pick(former.length)]?.id;
    if (to === undefined) return;
    try {
      await rollback(this.store, { to, restoreMissing: this.#pick(2) === 0 });
      this.rollbacks += 1;
    } catch (error) {
      // The current snapshot may have the answers of this one already, from the rollback before.
      expect(`${error}`).toBe(`NoSnapshotError: snapshot ${to} is current already`);
    }
  }

  /** Nothing of a withdrawn host is in a file that the current manifest names. */
  async check(step: string): Promise<void> {
    const { store, withdrawn } = this;
    expect((await verify(store)).bad, step).toEqual([]);
    expect(
      Object.keys(await answersIn(store)).filter((host) => withdrawn.has(host)),
      step,
    ).toEqual([]);
    const manifest = await manifestOf(store);
    expect(manifest.withdrawn ?? [], step).toHaveLength(withdrawn.size);
    const files = storedFiles("", { ...manifest, public: [] }).map(({ file }) => file);
    const words = new Set((await storedBytes(store, files)).match(/word-\d+\./g));
    const left = [...words].filter((word) => withdrawn.has(this.#history.words.get(word) ?? ""));
    expect(left, step).toEqual([]);
  }

  #host(): string {
    return `host-${this.#pick(HOSTS)}.example`;
  }
}

it.each(Array.from({ length: repeated(1, 8) }, (_, n) => 20_261_132 + n))(
  "no build or rollback of a random history brings back what is withdrawn (seed %i)",
  async (seed) => {
    const random = seeded(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const made = new WithdrawnStore(await temporaryFolder(), pick);
    await made.build();
    for (let at = 0; at < STEPS; at += 1) {
      const step =
        (["build", "build", "withdraw", "restore", "rollback"] as const)[pick(5)] ?? "build";
      await made[step]();
      await made.check(`${at}: ${step}`);
    }
    expect(made.rollbacks).toBeGreaterThan(0);
  },
  300_000,
);
