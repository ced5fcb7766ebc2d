import { aListing, aPublishedDirectory, aScan, type PublishedFiles } from "../fixtures.js";
import type { Visibility } from "./rollback-rule.js";

const VISIBILITIES: readonly Visibility[] = [
  "listed",
  "listed",
  "listed",
  "blocked",
  "opted-out",
  "redirected",
  "removed",
  "deleted",
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

/** The random input of one publication after the other. */
export class History {
  readonly listings = new Map<string, State>();
  readonly lastStated = new Map<string, Visibility>();
  /** By host, whether the plan that was stated last opens older scans. */
  readonly lastPlans = new Map<string, boolean>();
  /** The host of each word. */
  readonly words = new Map<string, string>();
  readonly #names = new Map<string, Set<string>>();
  readonly #pick: (count: number) => number;
  readonly #hosts: readonly string[];

  /**
   * @param pick a random whole number below `count`
   * @param hosts those that are ever listed; the first publication has three quarters of them
   */
  constructor(pick: (count: number) => number, hosts: number) {
    this.#pick = pick;
    this.#hosts = Array.from({ length: hosts }, (_, n) => `host-${n}.example`);
    for (const host of this.#hosts.slice(hosts / 4)) this.#set(host, this.#fresh(host));
  }

  change(): void {
    for (let changes = 1 + this.#pick(5); changes > 0; changes -= 1) {
      const host = this.#hosts[this.#pick(this.#hosts.length)]!;
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
          host,
          visibility,
          name,
          status,
          publishedScan: published && scanId(published),
          entitlements: { history },
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
    this.lastPlans.set(host, state.history);
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
      visibility: "listed",
      status: "unclaimed",
      history: this.#pick(2) === 0,
      name: this.#word(host),
      published: null,
      moved: false,
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
  return aScan({ host, id: scanId(word), finishedAt, summary: word, robotsVerdict: word, ...own });
}
