import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { amount, IS_LONG, say } from "./amounts.js";
import { inspectedServer } from "./inspected.js";
import { Load } from "./load.js";
import { numberedTurns } from "./turns.js";

let asked = 0;

/** What costs a server more than a client: pages that were never asked for, packed anew. */
function heavy() {
  asked += 1;
  const min = asked % 50;
  const max = 50 + ((asked * 7) % 51);
  const page = 1 + (asked % 9);
  return {
    target: `/api/sites?limit=100&page=${page}&minScore=${min}&maxScore=${max}&sort=recent`,
    headers: "Accept-Encoding: br\r\n",
  };
}
const LIGHT = ["/api/sites?limit=5", "/api/sites/site-3.example/report", "/api/tags", "/healthz"];
const light = (count: number) => ({ target: LIGHT[count % LIGHT.length]! });
const CALM_MS = IS_LONG ? 3_000 : 500;
const STEADY = { kept: 16, pause: 20, next: light };

it("far more clients than can be served: no answer is wrong, and the server recovers soon", async () => {
  const { store } = await numberedTurns(1_000, 1);
  const server = await inspectedServer(store);
  const steady = new Load(server, STEADY);
  await sleep(CALM_MS);
  const calm = steady.latencies();
  // As many at a time as keep it busy, then four times as many.
  const busy = new Load(server, { kept: 16, next: heavy });
  await sleep(CALM_MS);
  const capacity = busy.count / (CALM_MS / 1_000);
  const more = new Load(server, { kept: 48, next: heavy });
  const crowd = new Load(server, { kept: amount("crowd"), pause: 1_000, next: light });
  await sleep(amount("overloadSeconds") * 1_000);
  const accepted = crowd.latencies();
  const beside = steady.latencies();
  await Promise.all([busy.stop(), more.stop(), crowd.stop()]);
  await sleep(1_000);
  steady.latencies();
  await sleep(CALM_MS);
  const after = steady.latencies();
  await steady.stop();
  const all = [steady, busy, more, crowd];
  const sum = (count: (load: Load) => number) =>
    all.reduce((total, load) => total + count(load), 0);
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  say(
    `${capacity.toFixed(0)} heavy requests a second are all that is answered; 64 clients of these ` +
      `and ${amount("crowd")} others: ` +
      `${sum(({ count }) => count)} requests, ${sum(({ failures }) => failures.length)} cut, ` +
      `${all.flatMap((load) => load.bad()).join(" ") || "none"} refused; p99 of the others ${ms(accepted.p99)}, ` +
      `of 16 steady ones ${ms(calm.p99)} before, ${ms(beside.p99)} beside, ${ms(after.p99)} from one second after`,
  );
  // Who does not get his turn in time is told so, or is not let in; no answer is wrong.
  const statuses = new Set(all.flatMap((load) => [...load.statuses.keys()]));
  expect([...statuses].filter((status) => ![200, 408, 503].includes(status))).toEqual([]);
  expect(sum(({ failures }) => failures.length)).toBeLessThan(sum(({ count }) => count) / 100);
  expect(after.max).toBeGreaterThan(0);
  expect(server.child.exitCode).toBeNull();
  expect(server.said()).not.toMatch(/Warning|Error/);
});
