import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../src/replica/serve.js";
import { temporaryFolder } from "../fixtures.js";
import { allNamed, TestOrigin } from "./origin.js";

const REPLICAS = 3;
const PUSHES = 6;
const LISTINGS = 30;
/** Reads whose answers name the generation, in each listing that they have. */
const READS = [
  "/api/sites?limit=50",
  "/api/sites?q=generation&sort=host",
  "/api/sites/suggestions?q=generation",
  "/api/sites/site-3.example/report",
  "/sites/site-7.example/report.md",
];
/** Longer than anything takes that works. */
const WATCHDOG = { timeout: 60_000, interval: 50 };

/** The generations that an answer names: exactly one, if it is of one snapshot. */
function generationsIn(body: string): number[] {
  const found = [...body.matchAll(/generation (\d+)/gi)].map(([, number]) => Number(number));
  return [...new Set(found)];
}

it(`${REPLICAS} replicas under load during ${PUSHES} pushes: each answer is of one generation, no replica goes back, and all end alike`, async () => {
  const origin = await TestOrigin.start();
  const push = (number: number) => origin.push(allNamed(`Generation ${number}`, LISTINGS));
  await push(1);
  const replicas: string[] = [];
  for (let replica = 0; replica < REPLICAS; replica += 1) {
    const store = await temporaryFolder();
    const server = await serve(store, { port: 0, follow: origin.url, refreshSeconds: 1 });
    onTestFinished(() => server.close());
    replicas.push(server.url);
  }
  for (const url of replicas) {
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, WATCHDOG).toBe(200);
  }
  let isOver = false;
  /** By read and generation, the answers of all replicas: their ETag and body. */
  const answers = new Map<string, Set<string>>();
  const seen = new Set<number>();
  let count = 0;
  const load = async (url: string) => {
    let newest = 0;
    for (let turn = 0; !isOver; turn += 1) {
      const path = READS[turn % READS.length] ?? "";
      const answer = await fetch(`${url}${path}`);
      const body = await answer.text();
      const [generation = 0, ...others] = generationsIn(body);
      expect([path, answer.status, others]).toEqual([path, 200, []]);
      expect(generation).toBeGreaterThanOrEqual(newest);
      newest = generation;
      seen.add(generation);
      const key = `${path} ${generation}`;
      const known = answers.get(key) ?? new Set();
      answers.set(key, known.add(`${answer.headers.get("etag")} ${body}`));
      count += 1;
    }
  };
  const loads = Promise.all(replicas.flatMap((url) => [load(url), load(url)]));
  for (let number = 2; number <= PUSHES; number += 1) {
    await push(number);
    await sleep(300);
  }
  const newest = async () => {
    const reads = replicas.map(async (url) => (await fetch(`${url}/readyz`)).json());
    return (await Promise.all(reads)).map((one) => (one as { generation: number }).generation);
  };
  await expect.poll(newest, WATCHDOG).toEqual(Array(REPLICAS).fill(PUSHES));
  isOver = true;
  await loads;
  for (const [key, alike] of answers) expect([key, alike.size]).toEqual([key, 1]);
  expect(count).toBeGreaterThan(100);
  expect(seen.size).toBeGreaterThan(2);
});
