import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seeded, shuffled } from "../oracle/random.js";
import { FOLDER, figure, median, note, report, storeOf } from "./kit.js";
import { Pairs } from "./serve/pairs.js";
import { Wrk } from "./serve/wrk.js";
import {
  askers,
  cpuTime,
  loadEngine,
  makeWorkload,
  READS,
  type Read,
  summariesOf,
  zipfDraws,
} from "./workload.js";

/**
 * `npm run bench:serve [-- options]`: the runtime beside a bare server of node:http that sends the same answer to
 * every request, of the same mean size and with the same headers; in turn, three pairs, the median of their
 * ratios. It needs wrk. The figures go into RESULTS.md. Options:
 *
 *     --listings 100000   the sample's size; --store <folder> measures a store that is there instead
 *     --only <parts>      some of zipf, even, pages, cached, uncached
 *     --seconds 5         of each measurement; --pairs 3
 *     --print             leaves RESULTS.md as it is
 */
const PARTS = ["zipf", "even", "pages", "cached", "uncached"] as const;
/** Distinct targets of a kind; so many draws by Zipf's law, too, times ten. */
const TARGETS = 4_000;
/** Megabytes of kept answers that hold all targets of a read. */
const KEPT_MB = "256";
const SEED = 1;

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "100000" },
    store: { type: "string" },
    only: { type: "string", default: PARTS.join() },
    seconds: { type: "string", default: "5" },
    pairs: { type: "string", default: "3" },
    print: { type: "boolean", default: false },
  },
});
const parts = options.only.split(",");
const unknown = parts.find((part) => !PARTS.some((known) => known === part));
if (unknown !== undefined) throw new Error(`no part is called ${unknown}`);
const listings = Number(options.listings);
const seconds = Number(options.seconds);
const pairs = Number(options.pairs);
const work = join(FOLDER, "serve");
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const store = options.store ?? storeOf(listings);
const wrk = new Wrk(work);
const engine = await loadEngine(store);
const summaries = await summariesOf(engine);
const hosts = shuffled(
  seeded(SEED),
  summaries.map(({ host }) => host),
);
const workload = makeWorkload(summaries, SEED, TARGETS);
const reportOf = (host: string) => `/api/sites/${host}/report`;
note(`${hosts.length} listings in search`);

const targets = {
  zipf: wrk.targets("zipf", zipfDraws(hosts, SEED, 10 * TARGETS).map(reportOf)),
  even: wrk.targets("even", hosts.map(reportOf)),
  pages: wrk.targets(
    "pages",
    hosts.slice(0, TARGETS).map((host) => `/sites/${host}`),
  ),
};
const queries = queryTargets();
const measuring = new Pairs({ wrk, store, seconds, pairs });
const remarks: string[] = [];

if (parts.includes("zipf")) await measuring.beside("reports, by Zipf's law", targets.zipf, "0.8");
if (parts.includes("even")) await measuring.beside("reports, evenly", targets.even, "0.45");
if (parts.includes("pages")) {
  const roomy = ["--cache-mb", KEPT_MB];
  await measuring.beside("reports' pages, kept", targets.pages, "0.5", roomy);
  await measuring.beside("reports' pages, made anew", targets.pages, "", ["--cache-mb", "0"]);
}
if (parts.includes("cached")) {
  for (const name of READS) {
    await measuring.beside(`${name}, kept`, queries[name], "0.85", ["--cache-mb", KEPT_MB]);
    note(`${name} measured`);
  }
}
if (parts.includes("uncached")) await uncached();

const conditions =
  `wrk, 16 connections, ${seconds} s a measurement, ${pairs} pairs in turn, medians; one server process; answers are ` +
  `cached in 64 MB, those of search, facets and suggestions in ${KEPT_MB}`;
const sections = [conditions, ...[measuring.table].filter(Boolean), ...remarks];
report(`the server, ${hosts.length} reports`, sections, options.print);
rmSync(work, { recursive: true });
process.exit();

/** Answers that are made anew each time: what they cost beyond a bare server's, beside the engine alone. */
async function uncached(): Promise<void> {
  for (const name of READS) {
    const alone = await engineTime(name);
    const measured = await measuring.beside(`${name}, made anew`, queries[name], "", [
      "--cache-mb",
      "0",
    ]);
    const [ours, bare] = [0, 1].map((place) => median(measured.map((pair) => pair[place]!.cpuUs)));
    const bar = bare! + 1.3 * alone + 10;
    remarks.push(
      `${name}, made anew: ${figure(ours!)} µs of CPU a request; the bare server's ${figure(bare!)}, the engine ` +
        `by itself ${figure(alone)} on average, so the bar is ${figure(bar)} µs: ${ours! <= bar ? "met" : "missed"}.`,
    );
  }
}

/** Microseconds of processors' time that the engine takes for a request, on average. */
async function engineTime(name: Read): Promise<number> {
  const asks = askers(name, workload[name]);
  for (const ask of asks) await ask(engine);
  const started = cpuTime();
  for (const ask of asks) await ask(engine);
  return (cpuTime() - started) / asks.length;
}

function queryTargets(): Record<Read, string> {
  const paths = {
    search: "/api/sites",
    facets: "/api/sites/facets",
    suggestions: "/api/sites/suggestions",
  };
  const file = (name: Read) =>
    wrk.targets(
      name,
      workload[name].map((raw) => (raw === "" ? paths[name] : `${paths[name]}?${raw}`)),
    );
  return { search: file("search"), facets: file("facets"), suggestions: file("suggestions") };
}
