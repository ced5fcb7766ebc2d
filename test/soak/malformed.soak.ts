import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/bodies.js";
import { median } from "../bench/kit.js";
import { chance, pick } from "../crash/repetitions.js";
import { loadRecords, type Records } from "../oracle/records.js";
import { randomRequest } from "../oracle/requests.js";
import { SHAPES } from "../server/malformed-shapes.js";
import { type Place, Wire, type WireReply } from "../server/wire.js";
import { amount, IS_LONG, SEED, say } from "./amounts.js";
import { inspectedServer } from "./inspected.js";
import { Load, type LoadRequest } from "./load.js";
import { sampleStore } from "./turns.js";

/** Good clients, and milliseconds between two requests of each: some 400 requests a second. */
const GOOD = { kept: 8, pause: 20 };
/** Malformed requests a second while good clients' times are measured. */
const A_SECOND = 100;
const BODY_MAX = 8_192;
/** How much slower the 99th percentile of good clients may be beside the attack. */
const SLOWER_MAX = 3;
const ROUNDS = 3;

const PIECES = ["%", "%zz", "%ff", "%00", "&", "=", "+", "/", "?", "..", "%2f", "{n}", "tag=A&"];

/** A request with a target that is malformed, hostile, random, or a random one spoilt. */
function anyRequest(random: () => number, records: Records, count: number): LoadRequest {
  const kind = random();
  if (kind < 0.5) {
    const { target, headers = "" } = pick(random, SHAPES);
    return { target: target.replace("{n}", `${count}`), headers };
  }
  let target = randomRequest(random, records);
  while (kind > 0.7 && random() < 0.8) {
    const at = 1 + Math.floor(random() * target.length);
    const piece = pick(random, PIECES).repeat(random() < 0.1 ? 300 : 1);
    target = target.slice(0, at) + piece + target.slice(at + Math.floor(random() * 5));
  }
  return { target };
}

/** What is wrong with an answer to any request; null where nothing is. */
function fault({ status, body }: WireReply): string | null {
  if ([200, 304].includes(status)) return null;
  if (![400, 403, 404, 414, 431].includes(status)) return `status ${status}`;
  if (body.length > BODY_MAX) return `${body.length} bytes`;
  return ErrorBody.safeParse(JSON.parse(body.toString("utf8"))).success ? null : "no error body";
}

/** Sends a request of the attack `A_SECOND` times a second until it is stopped. */
function attack(place: Place, next: () => LoadRequest): { stop(): Promise<number> } {
  let sent = 0;
  const start = performance.now();
  let isOver = false;
  const faults: string[] = [];
  const client = async () => {
    let wire = await Wire.open(place);
    while (!isOver) {
      const early = (sent * 1_000) / A_SECOND - (performance.now() - start);
      if (early > 0) {
        await sleep(early);
        continue;
      }
      sent += 1;
      const { target, headers } = next();
      const wrong = fault(await wire.get(target, headers));
      if (wrong !== null) faults.push(`${target}: ${wrong}`);
      if (wire.isOver) wire = await Wire.open(place);
    }
    wire.end();
  };
  const clients = Promise.all([client(), client(), client(), client()]);
  return {
    stop: async () => {
      isOver = true;
      await clients;
      expect(faults.slice(0, 3)).toEqual([]);
      return sent;
    },
  };
}

/** 99th percentiles of good clients' times, without the attack and beside it, in turn: other work may go on, too. */
async function compared(good: Load, place: Place, next: () => LoadRequest) {
  const calm: number[] = [];
  const beside: number[] = [];
  const part = (amount("malformedSeconds") * 1_000) / ROUNDS;
  let attacked = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    good.latencies();
    await sleep(part);
    calm.push(good.latencies().p99);
    const attacking = attack(place, next);
    await sleep(part);
    beside.push(good.latencies().p99);
    attacked += await attacking.stop();
  }
  return { calm, beside, attacked, ratio: median(beside.map((p99, round) => p99 / calm[round]!)) };
}

/** Clients that ask for what people ask for. */
function goodClients(place: Place, { listings }: Records): Load {
  const hosts = [...listings.keys()];
  const targets = ["/api/sites?limit=10", "/api/tags", "/api/sites/facets", "/standards"];
  return new Load(place, {
    ...GOOD,
    next: (count) => {
      const host = hosts[(count * 31) % hosts.length]!;
      const all = [...targets, `/api/sites/suggestions?q=${host.slice(0, 4)}`];
      return { target: all[count % all.length]! };
    },
    judge: (_, reply) => (reply.status === 200 ? null : `status ${reply.status}`),
  });
}

it(`malformed requests cost good clients little, SEED=${SEED}`, async () => {
  const { published, store } = await sampleStore(amount("sampled"));
  const records = loadRecords(published);
  const isPinned = IS_LONG && spawnSync("taskset", ["--version"]).error === undefined;
  const server = await inspectedServer(store, {
    args: ["--metrics"],
    shell: isPinned ? "taskset -cp 0 $$ > /dev/null;" : "",
  });
  const place = { host: server.host, port: server.port };
  const random = chance("R20");
  let made = 0;
  const next = () => {
    made += 1;
    return anyRequest(random, records, made);
  };
  const good = goodClients(place, records);
  await sleep(500);
  const { calm, beside, attacked, ratio } = await compared(good, place, next);
  await good.stop();
  const ms = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(", ");
  say(
    `${good.count} requests of good clients, ${good.failures.length} failed; p99 ${ms(calm)} ms ` +
      `without, ${ms(beside)} ms ` +
      `beside ${A_SECOND} malformed requests a second (${attacked} in all): ${ratio.toFixed(2)} times`,
  );
  expect([good.failures.slice(0, 3), good.faults.slice(0, 3)]).toEqual([[], []]);
  expect(server.child.exitCode).toBeNull();
  expect(server.said()).not.toMatch(/Warning|Error|502/);
  if (IS_LONG) expect(ratio).toBeLessThan(SLOWER_MAX);
});
