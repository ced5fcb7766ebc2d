import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pick, seeded } from "../oracle/random.js";
import { figure, median, note, report, storeOf, table } from "./kit.js";
import { read, Server } from "./serve/servers.js";
import { loadEngine, makeWorkload, summariesOf } from "./workload.js";

/**
 * `npm run bench:reads [-- options]`: what the reads beyond the contract cost a server, beside searches: processors'
 * time a request, with the body as it is sent. Rounds over all reads take turns; each figure is the median of three.
 * The first request of each read is not measured: it makes what all later ones share. A read that a store or the
 * program lacks is left out. For changes and proofs, `--store` names one whose second publication is signed. Options:
 *
 *     --listings 100000   the sample's size; --store <folder> measures a store that is there instead
 *     --print             leaves RESULTS.md as it is
 */
const SEED = 1;
const ROUNDS = 3;
/** Requests of a read before the first round, so that its code is optimized, and in each round. */
const WARMING = 60;
const REQUESTS = 40;
const CONDITIONS =
  "one connection, gzip, nothing cached but the first row; " +
  `medians of ${ROUNDS} rounds of ${REQUESTS} requests`;

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "100000" },
    store: { type: "string" },
    print: { type: "boolean", default: false },
  },
});
const store = options.store ?? storeOf(Number(options.listings));
const summaries = await summariesOf(await loadEngine(store));
const cached = await Server.ours(store);
const uncached = await Server.ours(store, ["--cache-mb", "0"]);
const random = seeded(SEED);
const changed = await changedHosts();
const hosts = summaries.map(({ host }) => host);
/** So many different hosts. */
const some = (count: number, among: readonly string[] = hosts) => {
  const drawn = new Set<string>();
  while (drawn.size < Math.min(count, among.length)) drawn.add(pick(random, among));
  return [...drawn];
};
const listOf = (count: number) => some(count).join("&host=");
const { search } = makeWorkload(summaries, SEED, 4_000);

interface Row {
  readonly name: string;
  /** Makes the target of the next request. */
  readonly target: () => string;
  readonly body?: () => string;
  readonly server?: Server;
  /** Whether the first request makes an answer that the server keeps: that one is measured. */
  readonly isMadeOnce?: boolean;
}

let at = 0;
const nextSearch = () => `/api/sites?${search[at++ % search.length]}`;
const ROWS: readonly Row[] = [
  { name: "search, cached", target: () => `/api/sites?${search[0]}`, server: cached },
  { name: "search", target: nextSearch },
  { name: "feed of a site", target: () => `/sites/${some(1, changed)[0]}/feed.xml` },
  { name: "feed of a list of 100", target: () => `/watch.xml?host=${listOf(100)}` },
  { name: "page of a list of 100", target: () => `/watch?host=${listOf(100)}` },
  {
    name: "preflight of 100",
    target: () => `/api/preflight?crawler=GPTBot&host=${listOf(100)}`,
  },
  {
    name: "preflight of 1,000",
    target: () => "/api/preflight",
    body: () => JSON.stringify({ hosts: some(1_000), crawler: "GPTBot" }),
  },
  { name: "figures of all crawlers", target: () => "/api/access" },
  {
    name: "sites of a crawler",
    target: () => `/api/access?crawler=GPTBot&declared=disallowed&page=${1 + (at++ % 50)}`,
  },
  { name: "hosts of a crawler", target: () => "/api/dump/hosts/gptbot-disallowed.txt" },
  {
    name: "history of all sites, once",
    target: () => "/api/dump/history.ndjson.gz",
    isMadeOnce: true,
  },
  {
    name: "proof of a report",
    target: () => `/api/proof?of=/api/sites/${some(1)[0]}/report`,
  },
];

const measured = new Map<string, number[]>();
for (const { name, target, body, server = uncached, isMadeOnce = false } of ROWS) {
  const before = server.cpuUs();
  let status = await statusOf(server, target(), body?.());
  for (; isMadeOnce && status === 503; status = await statusOf(server, target())) await second();
  if (status !== 200) continue;
  const first = server.cpuUs() - before;
  note(`${name}: the first request took ${figure(first / 1_000)} ms`);
  measured.set(name, isMadeOnce ? [first] : []);
  if (isMadeOnce) continue;
  for (let count = 0; count < WARMING; count += 1) await statusOf(server, target(), body?.());
}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { name, target, body, server = uncached, isMadeOnce = false } of ROWS) {
    const found = measured.get(name);
    if (found === undefined || isMadeOnce) continue;
    const requests = Array.from({ length: REQUESTS }, () => [target(), body?.()] as const);
    const before = server.cpuUs();
    for (const request of requests) await statusOf(server, ...request);
    found.push((server.cpuUs() - before) / REQUESTS);
  }
}
await Promise.all([cached.stop(), uncached.stop()]);
const us = (name: string) => median(measured.get(name) ?? []);
const rows = Array.from(measured.keys(), (name) => [
  name,
  figure(us(name)),
  figure(us(name) / us("search")),
  figure(us(name) / us("search, cached")),
]);
const head = ["", "CPU µs a request", "times a search", "times a cached one"];
const parts = [CONDITIONS, table(head, rows)];
report(`reads beyond the contract, ${hosts.length} listings`, parts, options.print);
process.exit();

/** Waits while an answer is made, which is a 503 until then. */
function second(): Promise<void> {
  return setTimeout(1_000);
}

/** The hosts that the last publications have changed; if none, all hosts. */
async function changedHosts(): Promise<readonly string[]> {
  const { body } = await read(`${uncached.url}/api/changes?limit=1000`);
  const { data = [] }: { data?: { host: string; change: string }[] } = JSON.parse(`${body}`);
  const found = data.filter(({ change }) => change === "changed").map(({ host }) => host);
  return found.length > 0 ? found : summaries.map(({ host }) => host);
}

async function statusOf({ url }: Server, target: string, body?: string): Promise<number> {
  const headers = { "accept-encoding": "gzip" };
  if (body === undefined) return (await read(url + target, headers)).status;
  const response = await fetch(url + target, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
