import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { median } from "../bench/kit.js";
import { amount, IS_LONG, say } from "./amounts.js";
import { ATTACKS, attackers } from "./attackers.js";
import { inspectedServer } from "./inspected.js";
import { Load } from "./load.js";
import { numberedTurns } from "./turns.js";

const LISTINGS = IS_LONG ? 1_000 : 60;
const TARGETS = [
  (n: number) => `/api/sites/site-${n % LISTINGS}.example/report`,
  (n: number) => `/api/sites?limit=20&page=${1 + (n % 3)}`,
  (n: number) => `/api/sites/suggestions?q=site-${n % LISTINGS}`,
  (n: number) => `/api/sites/facets?minScore=${n % 100}`,
  () => "/api/standards",
];
const CODINGS = ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"];

it("R19: reloads, clients and attackers together for a long time: nothing fails, nothing grows", async () => {
  const { store, ids, publish } = await numberedTurns(LISTINGS, 3);
  const server = await inspectedServer(store);
  const load = new Load(server, {
    kept: 12,
    fresh: 4,
    pause: 5,
    next: (count) => ({
      target: TARGETS[count % TARGETS.length]!(count * 7_919),
      headers: CODINGS[count % 3]!,
    }),
  });
  const end = performance.now() + amount("mixedMinutes") * 60_000;
  const heaps: number[] = [];
  const files: number[] = [];
  const kinds = Object.values(ATTACKS);
  let reloads = 0;
  for (let n = 0; performance.now() < end; n += 1) {
    const attack = kinds[n % kinds.length]!;
    const attacking = attackers({ host: server.host, port: server.port }, attack, 20);
    await publish(ids[n % ids.length]!);
    reloads += 1;
    await sleep(1_000);
    attacking.end();
    if (n % 10 !== 9) continue;
    heaps.push((await server.inspect({ isAfterCollection: true })).heap);
    files.push(server.openFiles());
  }
  await load.stop();
  await sleep(1_000);
  const { resident, residentMax } = await server.inspect({ isAfterCollection: true });
  const mega = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  say(
    `R19: ${amount("mixedMinutes")} minutes, ${load.count} requests, ${load.failures.length} failed, ${reloads} publications; heap ` +
      `${heaps.map(mega).join(" ")} MB; files ${files.join(" ")}, ${server.openFiles()} at the end; ` +
      `resident ${mega(resident)} MB, at most ${mega(residentMax)} MB`,
  );
  expect([load.failures.slice(0, 3), load.bad()]).toEqual([[], []]);
  // The first quarter is of a server that has not yet met all; some are of one that is loading a snapshot.
  const quarter = Math.max(1, Math.floor(heaps.length / 4));
  const [settled, last] = [heaps.slice(quarter, 2 * quarter), heaps.slice(-quarter)];
  // A short run has not looked twice.
  if (settled.length > 0) expect(median(last)).toBeLessThanOrEqual(median(settled) * 1.05);
  expect(server.said()).not.toMatch(/refused|502|Warning|Error/);
});
