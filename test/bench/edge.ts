import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import sirv from "sirv";
import { seeded, shuffled } from "../oracle/random.js";
import { bundled } from "../stores/targets/bundle.js";
import { FOLDER, figure, note, ROOT, report, storeOf, table } from "./kit.js";
import type { Memory, MemoryInput } from "./live-bytes.js";
import { loadEngine, makeWorkload, summariesOf, zipfDraws } from "./workload.js";

/**
 * `npm run bench:edge [-- options]`: what a fetch handler downloads for its first search, and the bytes of its typed
 * arrays, which are counted in Node. The figures go into RESULTS.md. Exits with 1 if typed arrays take more bytes than
 * their bars. Options:
 *
 *     --listings 1500,20000,100000   the samples' sizes
 *     --requests 100                 of each read
 *     --print                        leaves RESULTS.md as it is
 */
const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "1500,20000,100000" },
    requests: { type: "string", default: "100" },
    print: { type: "boolean", default: false },
  },
});
const SEED = 1;
/** By listings, the most megabytes (10^6 bytes) of typed arrays, steady and at the peak. */
const BARS = new Map([
  [20_000, { steady: 20, peak: 30 }],
  [100_000, { steady: 90, peak: 120 }],
]);
const PROGRAM = `
import { createFetchHandler, httpStore } from "crawldex/fetch";
import { measureMemory } from "${ROOT}/test/bench/live-bytes.ts";
await measureMemory((url) => createFetchHandler({ store: httpStore(url) }));
`;

mkdirSync(FOLDER, { recursive: true });
const script = join(FOLDER, "edge-memory.mjs");
writeFileSync(script, await bundled(PROGRAM));
const rows: string[][] = [];
for (const listings of options.listings.split(",").map(Number)) {
  const store = storeOf(listings);
  const targets = await drawTargets(store);
  const { downloaded } = await countBytes(store, targets.slice(0, 1));
  const { afterFirst, afterAll, peak } = await countBytes(store, targets);
  const steady = Math.max(afterFirst, afterAll);
  const bar = BARS.get(listings);
  if (bar && (steady > bar.steady * 1e6 || peak > bar.peak * 1e6)) process.exitCode = 1;
  const megabytes = [downloaded, afterFirst, steady, peak].map((bytes) => figure(bytes / 1e6));
  rows.push([`${listings} listings`, ...megabytes, bar ? `${bar.steady}, ${bar.peak}` : ""]);
  note(`${listings} listings measured`);
}
const head = ["MB", "downloaded for the first search", "arrays after it", "steady", "peak", "bars"];
const about = `${options.requests} requests of each read, mixed`;
report("the fetch handler's bytes", [about, table(head, rows)], options.print);
process.exit();

/** A search, then queries as people type and click, and pages of reports by Zipf's law. */
async function drawTargets(store: string): Promise<string[]> {
  const count = Number(options.requests);
  const summaries = await summariesOf(await loadEngine(store));
  const { search, facets, suggestions } = makeWorkload(summaries, SEED, count);
  const [first = "", ...explored] = makeWorkload(summaries, SEED + 1, count + 1).search;
  const hosts = summaries.map(({ host }) => host);
  const mixed = [
    ...search.map((query) => `/api/sites?${query}`),
    ...facets.map((query) => `/api/sites/facets?${query}`),
    ...suggestions.map((query) => `/api/sites/suggestions?${query}`),
    ...explored.map((query) => `/?${query}`),
    ...zipfDraws(hosts, SEED, count).map((host) => `/sites/${host}`),
  ];
  return [`/api/sites?${first}`, ...shuffled(seeded(SEED), mixed)];
}

/** Counts the bytes of a handler's typed arrays, in a process of its own that reads the store over HTTP. */
async function countBytes(store: string, targets: readonly string[]) {
  const answer = sirv(store);
  const sockets: Socket[] = [];
  const server = createServer((request, response) =>
    answer(request, response, () => void response.writeHead(404).end()),
  );
  server.on("connection", (socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const input: MemoryInput = { url, headers: { accept: "text/html,*/*;q=0.8" }, targets };
  const flags = ["--expose-gc", "--no-concurrent-array-buffer-sweeping"];
  const args = [...flags, script, JSON.stringify(input)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const memory: Memory = JSON.parse(stdout);
  const downloaded = sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  server.closeAllConnections();
  await once(server.close(), "close");
  return { ...memory, downloaded };
}
