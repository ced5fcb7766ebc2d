import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { askAll, headerOf, type Place, type WireReply } from "../server/wire.js";
import { amount, IS_LONG, say } from "./amounts.js";
import { inspectedServer } from "./inspected.js";
import { Load, type LoadRequest } from "./load.js";
import { GONE, numberedTurns, twins } from "./turns.js";

const TURNS = IS_LONG ? 6 : 3;
/** Milliseconds after the commit in which a snapshot is to answer; more where other work goes on beside. */
const VISIBLE_MS = IS_LONG ? 2_000 : 20_000;

const get = async (place: Place, target: string) =>
  (await askAll(place, [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`], 1))[0]!;
const readyId = async (place: Place) => (await get(place, "/readyz")).body.toString();

/** How a fault ends that is no mixture: other work beside may make an answer late. */
const LATE = "too late";

/** Requests that show which snapshot they are answered from. */
function numberedRequest(count: number, listings: number): LoadRequest {
  const n = (count * 7_919) % listings;
  const targets = [
    `/api/sites/site-${n}.example/report`,
    `/api/sites?limit=100&page=${1 + (n % Math.floor(listings / 100))}`,
    `/api/sites/suggestions?q=site-${n}`,
    "/api/sites?q=gone-",
    `/api/sites?sort=host&limit=24&minScore=${n % 50}`,
  ];
  const headers = ["", "", "Accept-Encoding: identity\r\n"][count % 3]!;
  return { target: targets[count % targets.length]!, headers };
}

/** Finds answers that are of two snapshots, or of one that was not current any more when they were asked for. */
class Turnkeeper {
  /** When each was made current. */
  readonly commits: { readonly turn: number; readonly at: number; seen: number | null }[] = [];
  readonly #turnOfTag = new Map<string, number>();
  checked = 0;

  judge(request: LoadRequest, reply: WireReply, asked: number, answered: number): string | null {
    const text = reply.body.toString("utf8");
    const turns = new Set(text.match(/Turn \d+/g));
    if (turns.size !== 1) return `of the snapshots ${[...turns].join(", ") || "none"}`;
    const turn = Number([...turns][0]!.slice(5));
    if (text.includes(`"${GONE(turn)}"`)) return "it has a listing that is not in its snapshot";
    const key = `${request.target} ${headerOf(reply, "etag")}`;
    if ((this.#turnOfTag.get(key) ?? turn) !== turn) return "one tag for two snapshots";
    this.#turnOfTag.set(key, turn);
    this.checked += 1;
    const now = this.commits.findLast(({ at }) => at <= answered);
    if (now !== undefined && now.turn === turn) now.seen ??= answered;
    // Current at some time from two seconds before it was asked for.
    const since = this.commits.findLastIndex(({ at }) => at <= asked - VISIBLE_MS);
    const allowed = this.commits.slice(Math.max(0, since)).filter(({ at }) => at <= answered);
    return allowed.some((commit) => commit.turn === turn) ? null : `of turn ${turn}, ${LATE}`;
  }
}

it("under load no request fails while snapshots are published, and each answer belongs to one snapshot", async () => {
  const listings = amount("reloadedListings");
  const { store, ids, publish } = await numberedTurns(listings, TURNS);
  await publish(ids[0]!);
  const server = await inspectedServer(store);
  const keeper = new Turnkeeper();
  keeper.commits.push({ turn: 0, at: performance.now() - VISIBLE_MS, seen: 0 });
  const load = new Load(server, {
    kept: amount("keptClients"),
    fresh: amount("newClients"),
    next: (count) => numberedRequest(count, listings),
    judge: (request, reply, { asked, answered }) => keeper.judge(request, reply, asked, answered),
  });
  await sleep(1_000);
  const before = load.latencies();
  const start = performance.now();
  for (let n = 1; n <= amount("publications"); n += 1) {
    const turn = n % TURNS;
    await publish(ids[turn]!);
    keeper.commits.push({ turn, at: performance.now(), seen: null });
    const pause = sleep(1_000);
    await expect.poll(() => readyId(server), { timeout: 30_000 }).toContain(ids[turn]);
    await pause;
  }
  const seconds = (performance.now() - start) / 1_000;
  const under = load.latencies();
  await load.stop();
  const mixed = load.faults.filter((fault) => !fault.endsWith(LATE));
  const waits = keeper.commits.slice(1).map(({ at, seen }) => (seen ?? Infinity) - at);
  const taken = waits.filter((wait) => wait < Infinity);
  say(
    `${load.count} requests, ${waits.length} publications in ${seconds.toFixed(0)} s, ${taken.length} of them seen; ` +
      `${load.failures.length} failed, ${mixed.length} mixed, ${load.faults.length - mixed.length} ` +
      "late; seen after at most " +
      `${Math.round(Math.max(...taken))} ms; p99 ${before.p99.toFixed(1)} ms before, ` +
      `${under.p99.toFixed(1)} ms under it`,
  );
  expect(load.failures.slice(0, 3)).toEqual([]);
  expect(load.bad()).toEqual([]);
  expect(mixed.slice(0, 3)).toEqual([]);
  expect(load.faults.slice(0, 3)).toEqual([]);
  expect(keeper.checked).toBe(load.count);
  expect(taken.length).toBe(waits.length);
  expect(server.said()).not.toContain("refused");
});

it("the event loop keeps running while a snapshot loads", async () => {
  const { store, ids, publish } = await twins(amount("stalledListings"), process.env.SOAK_STORE);
  const server = await inspectedServer(store);
  const [first] = (
    JSON.parse((await get(server, "/api/sites?limit=100")).body.toString()) as {
      data: { host: string }[];
    }
  ).data;
  const targets = [`/api/sites/${first!.host}/report`, "/api/sites/suggestions?q=co", "/api/tags"];
  const load = new Load(server, {
    kept: 8,
    pause: 5,
    next: (count) => ({ target: targets[count % targets.length]! }),
  });
  await sleep(IS_LONG ? 5_000 : 500);
  const steady = load.latencies();
  const calm = await server.inspect();
  const stalls: number[] = [];
  for (let n = 1; n <= (IS_LONG ? 10 : 1); n += 1) {
    const id = ids[n % 2]!;
    await publish(id);
    await expect.poll(() => readyId(server), { timeout: 60_000 }).toContain(id);
    await sleep(300);
    stalls.push((await server.inspect()).stallMax);
  }
  const loading = load.latencies();
  await load.stop();
  say(
    `${amount("stalledListings")} listings; longest stall ${calm.stallMax.toFixed(1)} ms calm, ` +
      `${stalls.map((stall) => stall.toFixed(1)).join(" ")} ms with a reload each; p99 ` +
      `${steady.p99.toFixed(1)} ms calm, ` +
      `${loading.p99.toFixed(1)} ms loading`,
  );
  expect([load.failures.slice(0, 3), load.bad()]).toEqual([[], []]);
  if (IS_LONG) expect(Math.min(...stalls)).toBeLessThanOrEqual(50);
});
