import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { median } from "../bench/kit.js";
import { chance, pick } from "../crash/repetitions.js";
import type { Place } from "../server/wire.js";
import { amount, IS_LONG, SEED, say } from "./amounts.js";
import { ATTACKS, attackers } from "./attackers.js";
import { inspectedServer } from "./inspected.js";
import { Load } from "./load.js";
import { GONE, numberedTurns } from "./turns.js";

const LISTINGS = IS_LONG ? 1_000 : 60;
const TARGETS = [
  (n: number) => `/api/sites/site-${n % LISTINGS}.example/report`,
  (n: number) => `/api/sites?limit=20&page=${1 + (n % 3)}`,
  (n: number) => `/api/sites/suggestions?q=site-${n % LISTINGS}`,
  (n: number) => `/api/sites/facets?minScore=${n % 100}`,
  () => "/api/standards",
];
const CODINGS = ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"];
/** Reads that are cut: some of them large, one of a site that a snapshot lacks. */
const CUT = ["/api/openapi.json", "/api/sites?limit=100", `/api/sites/${GONE(1)}/report`];
/** How often the server is looked into, in publications. */
const EVERY = IS_LONG ? 10 : 1;
/** What memory may grow by; a short run has few looks. */
const GROWTH = IS_LONG ? 1.05 : 1.15;

/** Sends requests at once and cuts the connection when so many bytes have come. */
function cutAfter({ host, port }: Place, requests: string, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let received = 0;
    const socket = connect(port, host, () => {
      socket.write(requests);
      if (bytes === 0) socket.resetAndDestroy();
    });
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received >= bytes) socket.resetAndDestroy();
    });
    socket.on("error", () => {});
    // Not all of them send as much.
    socket.setTimeout(100, () => socket.resetAndDestroy());
    socket.on("close", () => resolve());
  });
}

it(
  "reloads, clients, attackers and cut requests together for a long time: nothing fails, nothing " +
    `grows, SEED=${SEED}`,
  async () => {
    const { store, ids, publish } = await numberedTurns(LISTINGS, 3);
    const server = await inspectedServer(store);
    const place = { host: server.host, port: server.port };
    const random = chance("R19");
    const cut = () => {
      const one = () =>
        `GET ${pick(random, CUT)} HTTP/1.1\r\nHost: a\r\n${pick(random, CODINGS)}\r\n`;
      return cutAfter(place, one() + one(), Math.floor(random() ** 2 * 60_000));
    };
    const load = new Load(server, {
      kept: 12,
      fresh: 4,
      pause: 5,
      next: (count) => ({
        target: TARGETS[count % TARGETS.length]!(count * 7_919),
        headers: CODINGS[count % 3]!,
      }),
    });
    await sleep(1_000);
    const filesBefore = server.openFiles();
    const end = performance.now() + amount("mixedMinutes") * 60_000;
    const heaps: number[] = [];
    const buffers: number[] = [];
    const kinds = Object.values(ATTACKS);
    let reloads = 0;
    for (; performance.now() < end; reloads += 1) {
      const attacking = attackers(place, kinds[reloads % kinds.length]!, 20);
      await publish(ids[reloads % ids.length]!);
      await Promise.all([sleep(1_000), ...Array.from({ length: 20 }, cut)]);
      attacking.end();
      if (reloads % EVERY !== EVERY - 1) continue;
      const inspection = await server.inspect({ isAfterCollection: true });
      heaps.push(inspection.heap);
      buffers.push(inspection.buffers);
    }
    // All clients are connected still.
    await expect.poll(server.openFiles, { timeout: 30_000 }).toBeLessThanOrEqual(filesBefore + 5);
    await load.stop();
    await sleep(1_000);
    const { resident, residentMax } = await server.inspect({ isAfterCollection: true });
    const mega = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    say(
      `${amount("mixedMinutes")} minutes, ${load.count} requests, ${load.failures.length} failed, ` +
        `${reloads} publications; heap ` +
        `${heaps.map(mega).join(" ")} MB; buffers ${buffers.map(mega).join(" ")} MB; files ` +
        `${filesBefore}, ${server.openFiles()} ` +
        `at the end; resident ${mega(resident)} MB, at most ${mega(residentMax)} MB`,
    );
    expect([load.failures.slice(0, 3), load.bad()]).toEqual([[], []]);
    // The first quarter is of a server that has not yet met all; some are of one that is loading a snapshot.
    const quarter = Math.max(1, Math.floor(heaps.length / 4));
    for (const sizes of [heaps, buffers]) {
      const settled = sizes.slice(quarter, 2 * quarter);
      const last = sizes.slice(-quarter);
      // A very short run has not looked twice.
      if (settled.length > 0) {
        expect(median(last)).toBeLessThanOrEqual(median(settled) * GROWTH + 2 ** 20);
      }
    }
    expect(server.said()).not.toMatch(/refused|502|Warning|Error/);
  },
);
