import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { amount, IS_LONG, say } from "./amounts.js";
import { ATTACKS, attackers } from "./attackers.js";
import { inspectedServer } from "./inspected.js";
import { Load } from "./load.js";
import { numberedTurns } from "./turns.js";

const GOOD_CLIENTS = 16;
const TARGETS = ["/api/sites?limit=5", "/api/sites/site-3.example/report", "/api/tags", "/healthz"];

// In each run of CI those that are over soon; the small limits of test/runtime show the others.
const attacks = Object.entries(ATTACKS).filter(([, { closedIn }]) => IS_LONG || closedIn === 12);

it.each(attacks)(
  "R8: %s: all connections are closed in time, and no other client is harmed",
  async (name, attack) => {
    const { store } = await numberedTurns(IS_LONG ? 300 : 20, 1);
    const server = await inspectedServer(store);
    const load = new Load(server, {
      kept: GOOD_CLIENTS,
      pause: 20,
      next: (count) => ({ target: TARGETS[count % TARGETS.length]! }),
    });
    await sleep(IS_LONG ? 2_000 : 200);
    const calm = load.latencies();
    const before = server.openSockets();
    const start = performance.now();
    const count = amount("attackers");
    const attacking = attackers({ host: server.host, port: server.port }, attack, count);
    await expect.poll(attacking.connected, { timeout: 60_000 }).toBe(count);
    let most = 0;
    let closed = Infinity;
    while (performance.now() - start < (attack.closedIn + 20) * 1_000) {
      await sleep(100);
      const open = server.openSockets() - before;
      most = Math.max(most, open);
      if (open > 0) continue;
      closed = (performance.now() - start) / 1_000;
      break;
    }
    const beside = load.latencies();
    await load.stop();
    attacking.end();
    const { resident } = await server.inspect();
    say(
      `R8, ${name}: ${count} connections, ${most} at once, closed after ${closed.toFixed(1)} s; good clients: ` +
        `${load.count} requests, ${load.failures.length} failed, p99 ${calm.p99.toFixed(1)} ms before, ` +
        `${beside.p99.toFixed(1)} ms beside it; ${(resident / 2 ** 20).toFixed(0)} MB`,
    );
    expect([load.failures.slice(0, 3), load.bad()]).toEqual([[], []]);
    expect(closed).toBeLessThan(IS_LONG ? attack.closedIn : Infinity);
    expect(server.said()).not.toMatch(/Warning|Error/);
  },
);
