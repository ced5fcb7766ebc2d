import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../../src/build/build.js";
import { storedFiles } from "../../../src/store/format.js";
import { rollback } from "../../../src/upkeep/rollback.js";
import { verify } from "../../../src/upkeep/verify.js";
import {
  aListing,
  aPublishedDirectory,
  aScan,
  type PublishedFiles,
  temporaryFolder,
  writePublished,
} from "../../fixtures.js";
import { seeded } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import { answersIn, servedBy } from "../answers.js";
import { manifestOf } from "../forge.js";
import { changesFrom, Mirror, sitesIn } from "../mirror.js";
import { expectedAfter, type Site, type Visibility } from "../rollback-rule.js";
import { storedBytes } from "../stored-bytes.js";

/** A random history; another one with SEED. */
const SEED = Number(process.env.SEED ?? 20_261_124);
const PUBLICATIONS = repeated(12, 500);
const HOSTS = Array.from({ length: 40 }, (_, n) => `host-${n}.example`);
const VISIBILITIES: readonly Visibility[] = [
  ...["listed", "listed", "listed", "blocked", "opted-out", "redirected"],
  ...["removed", "deleted"],
] as Visibility[];

/** A listing of the input. Its name and its scans' summaries are words that no other text has. */
interface State {
  readonly visibility: Visibility;
  readonly name: string;
  readonly status: string;
  readonly history: boolean;
  readonly published: string | null;
  /** Whether the latest scan found a redirect to another domain. */
  readonly moved: boolean;
  /** Their words, oldest first. */
  readonly scans: readonly string[];
}

/** The input of one publication after the other. */
class History {
  readonly listings = new Map<string, State>();
  readonly lastStated = new Map<string, Visibility>();
  /** The host of each word. */
  readonly words = new Map<string, string>();
  readonly #names = new Map<string, Set<string>>();
  readonly #pick: (count: number) => number;

  constructor(pick: (count: number) => number) {
    this.#pick = pick;
    for (const host of HOSTS.slice(10)) this.#set(host, this.#fresh(host));
  }

  change(): void {
    for (let changes = 1 + this.#pick(5); changes > 0; changes -= 1) {
      const host = HOSTS[this.#pick(HOSTS.length)]!;
      const state = this.listings.get(host);
      if (state === undefined) this.#set(host, this.#fresh(host));
      else if (this.#pick(6) === 0) this.listings.delete(host);
      else this.#set(host, { ...state, ...this.#edit(host, state) });
    }
  }

  files(): PublishedFiles {
    const all = [...this.listings];
    return aPublishedDirectory({
      listings: all.map(([host, { visibility, name, status, history, published }]) =>
        aListing({
          ...{ host, visibility, name, status },
          ...{ publishedScan: published && scanId(published), entitlements: { history } },
        }),
      ),
      scans: all.flatMap(([host, { scans, moved }]) =>
        scans.map((word) => scanOf(host, word, moved && word === scans.at(-1))),
      ),
    });
  }

  /** Words that the input took away: no file that a build's manifest names may have them. */
  erased(): string[] {
    return [...this.words].flatMap(([word, host]) => {
      const state = this.listings.get(host);
      const isGone = state === undefined || /removed|deleted/.test(state.visibility);
      // An older scan may be published though the target has moved since.
      const isOlder = state?.published != null && state.published !== state.scans.at(-1);
      const isShown = state?.visibility === "listed" && (!state.moved || isOlder);
      const isScan = isShown && state.scans.includes(word);
      return isGone || (word !== state.name && !isScan) ? [word] : [];
    });
  }

  #set(host: string, state: State): void {
    this.listings.set(host, state);
    this.#names.set(host, (this.#names.get(host) ?? new Set()).add(state.name));
    this.lastStated.set(host, state.visibility);
  }

  #edit(host: string, { history, scans }: State): Partial<State> {
    const more = [...scans, this.#word(host)];
    const edits: Partial<State>[] = [
      { name: this.#pick(2) === 0 ? this.#word(host) : this.#formerName(host) },
      { status: `status ${this.#pick(9)}` },
      { history: !history },
      { moved: this.#pick(2) === 0, published: null },
      { visibility: VISIBILITIES[this.#pick(VISIBILITIES.length)]! },
      { published: scans[this.#pick(scans.length)] ?? null },
      { scans: more, published: null },
      { scans: scans.slice(1), published: null },
      { scans: [...scans.slice(0, -1), this.#word(host)], published: null },
    ];
    return edits[this.#pick(edits.length)]!;
  }

  #formerName(host: string): string {
    const names = [...(this.#names.get(host) ?? [])];
    return names[this.#pick(names.length)]!;
  }

  #fresh(host: string): State {
    return {
      ...{ visibility: "listed", status: "unclaimed", history: this.#pick(2) === 0 },
      ...{ name: this.#word(host), published: null, moved: false },
      scans: Array.from({ length: this.#pick(3) }, () => this.#word(host)),
    };
  }

  #word(host: string): string {
    const word = `word-${this.words.size}.`;
    this.words.set(word, host);
    return word;
  }
}

const scanId = (word: string) => word.replace(/^word-(\d+)\.$/, "scan-$1");

/** Later words are of later scans. */
function scanOf(host: string, word: string, isMoved: boolean) {
  const second = Number(/\d+/.exec(word));
  const finishedAt = new Date(Date.UTC(2026, 0, 1) + 1_000 * second).toISOString();
  const target = { status: "moved", redirect: { host: null, status: 301 }, score: null };
  const own = isMoved ? target : { score: second % 101 };
  return aScan({ host, id: scanId(word), finishedAt, summary: word, ...own });
}

/** Which words are in a file that the current manifest names. */
async function wordsIn(store: string): Promise<Set<string>> {
  const manifest = await manifestOf(store);
  const files = storedFiles("", { ...manifest, public: [] }).map(({ file }) => file);
  return new Set((await storedBytes(store, files)).match(/word-\d+\./g));
}

/** A site that is not in search is in one change at most. */
async function expectRemovedOnce(store: string): Promise<void> {
  const [{ data }, sites] = [await changesFrom(store, "1", 1_000), await sitesIn(store)];
  const gone = data.filter(({ host }) => sites[host] === undefined);
  expect(gone.filter(({ change }) => change !== "removed")).toEqual([]);
  expect(new Set(gone.map(({ host }) => host)).size).toBe(gone.length);
}

describe(`a random history of builds and rollbacks, SEED=${SEED}`, () => {
  it("serves after each what a full build serves, or what the rule of rollbacks says; a reader of all changes has all sites", async () => {
    const random = seeded(SEED);
    const pick = (count: number) => Math.floor(random() * count);
    const history = new History(pick);
    const folder = await temporaryFolder();
    const [store, fresh] = [join(folder, "store"), join(folder, "fresh")];
    const options = { jobs: 1, segmentSize: 4, maxRemoved: "100%", maxUnscored: "100%" } as const;
    const sites = new Map<string, Site>();
    let today: Site = {};
    let visibilities = new Map<string, Visibility>();
    let [kept, rollbacks] = [0, 0];
    const mirrors: Mirror[] = [];

    const publish = async (step: string) => {
      history.change();
      const published = await writePublished(join(folder, "published"), history.files());
      const full = pick(12) === 0;
      const built = await build(published, { ...options, store, keep: 3 + pick(3), full });
      kept += built.kept;
      await rm(fresh, { recursive: true, force: true });
      await build(published, { ...options, store: fresh });
      expect(await servedBy(store), step).toEqual(await servedBy(fresh));
      const words = await wordsIn(store);
      expect(
        history.erased().filter((word) => words.has(word)),
        step,
      ).toEqual([]);
      today = await answersIn(store);
      const all = [...history.listings];
      visibilities = new Map(all.map(([host, { visibility }]) => [host, visibility]));
    };

    const rollBack = async (step: string) => {
      const restoreMissing = pick(2) === 0;
      const result = await rollback(store, { restoreMissing }).catch(() => null);
      if (result === null) return;
      rollbacks += 1;
      const former = sites.get(result.former)!;
      const both = { former, today };
      const site = await answersIn(store);
      const expected = expectedAfter(both, visibilities, history.lastStated, restoreMissing);
      expect(site, step).toEqual(expected);
      const words = await wordsIn(store);
      const served = JSON.stringify(site);
      const mayNotStay = history.erased().filter((word) => !served.includes(word));
      expect(
        mayNotStay.filter((word) => words.has(word)),
        step,
      ).toEqual([]);
    };

    for (let publication = 0; publication < PUBLICATIONS; publication += 1) {
      const isRollback = publication > 3 && pick(4) === 0;
      const step = `${publication}: ${isRollback ? "rollback" : "build"}`;
      await (isRollback ? rollBack(step) : publish(step));
      expect((await verify(store)).bad, step).toEqual([]);
      const { id } = await verify(store);
      sites.set(id ?? "", await answersIn(store));
      if (mirrors.length === 0) {
        const first = await sitesIn(store);
        mirrors.push(new Mirror(first, "1"), new Mirror(first, "1"));
      }
      if (pick(3) > 0) continue;
      await mirrors[0]!.follow(store, 1 + pick(9));
      expect(mirrors[0]!.sites, step).toEqual(await sitesIn(store));
      await expectRemovedOnce(store);
    }
    // One that begins with the first publication and reads all changes at once.
    await mirrors[1]!.follow(store, 1_000);
    expect(mirrors[1]!.sites).toEqual(await sitesIn(store));
    expect(kept).toBeGreaterThan(PUBLICATIONS);
    expect(rollbacks).toBeGreaterThan(PUBLICATIONS / 20);
  });
});
