import { runInNewContext } from "node:vm";
import type { Enrichment } from "../../src/contract/enrichment.js";
import { PAGE_SCRIPT } from "../../src/pages/script.js";

type Reply = { status: number; data?: Enrichment | null; retryAfter?: string } | "lost";

/** A page with an enrichment that is pending, in a browser whose time the test turns on. */
export class World {
  /** Milliseconds. */
  now = Date.parse("2026-08-09T00:00:00Z");
  /** When each request was sent, seconds since the start. */
  readonly asked: number[] = [];
  /** What the page's script has told. */
  told = "";
  /** What the next requests are answered; the last goes on. */
  replies: Reply[];
  /** What requests wait for before they are answered. */
  held: Promise<void> = Promise.resolve();
  isHidden = false;
  isOnline = true;
  readonly #start = this.now;
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  readonly #listeners = new Map<string, (() => void)[]>();
  #timerCount = 0;

  constructor(replies: Reply[], retry = "") {
    this.replies = replies;
    const dataset = { enrichment: "../api/sites/example.com/enrichment", revision: "r1", retry };
    const place = {
      dataset,
      replaceChildren: (...parts: (string | { textContent: string })[]) => {
        this.told = parts
          .map((part) => (typeof part === "string" ? part : part.textContent))
          .join("");
      },
    };
    const addEventListener = (name: string, run: () => void) => {
      this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), run]);
    };
    const world = this;
    runInNewContext(PAGE_SCRIPT, {
      document: {
        querySelectorAll: () => [],
        getElementById: (id: string) => (id === "enrichment-news" ? place : null),
        createElement: () => ({ href: "", textContent: "" }),
        addEventListener,
        get hidden() {
          return world.isHidden;
        },
      },
      navigator: {
        get onLine() {
          return world.isOnline;
        },
      },
      location: { pathname: "/sites/example.com", search: "" },
      addEventListener,
      fetch: (address: string) => this.#fetch(address),
      setTimeout: (run: () => void, ms: number) => this.#plan(run, ms),
      clearTimeout: (timer: number) => this.#timers.delete(timer),
      Date: { now: () => this.now, parse: (text: string) => Date.parse(text) },
    });
  }

  /** Lets time pass. */
  async pass(seconds: number): Promise<void> {
    const end = this.now + seconds * 1000;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end);
      const [next] = due.sort(([, a], [, b]) => a.at - b.at);
      if (next === undefined) break;
      const [timer, { at, run }] = next;
      this.#timers.delete(timer);
      this.now = Math.max(this.now, at);
      run();
      await settled();
    }
    this.now = end;
  }

  /** Changes what the browser is, and tells the page of it. */
  async become(change: Partial<Pick<World, "isHidden" | "isOnline">>): Promise<void> {
    Object.assign(this, change);
    const names =
      "isHidden" in change ? ["visibilitychange"] : [this.isOnline ? "online" : "offline"];
    for (const name of names) for (const run of this.#listeners.get(name) ?? []) run();
    await settled();
  }

  get timers(): number {
    return this.#timers.size;
  }

  #plan(run: () => void, ms: number): number {
    this.#timerCount += 1;
    this.#timers.set(this.#timerCount, { at: this.now + ms, run });
    return this.#timerCount;
  }

  async #fetch(address: string): Promise<object> {
    if (address !== "../api/sites/example.com/enrichment") throw new Error(address);
    this.asked.push((this.now - this.#start) / 1000);
    const reply = (this.replies.length > 1 ? this.replies.shift() : this.replies[0]) ?? "lost";
    await this.held;
    if (reply === "lost") throw new TypeError("Failed to fetch");
    const { status, data = null, retryAfter = null } = reply;
    return {
      status,
      ok: status === 200,
      headers: { get: (name: string) => (name === "Retry-After" ? retryAfter : null) },
      json: () => Promise.resolve({ data }),
    };
  }
}

/** Waits until no promise of the script's is about to go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
