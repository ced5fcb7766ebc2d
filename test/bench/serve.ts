import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seeded, shuffled } from "../oracle/random.js";
import { FOLDER, note, report, storeOf } from "./kit.js";
import { Pairs } from "./serve/pairs.js";
import { Wrk } from "./serve/wrk.js";
import { loadEngine, makeWorkload, summariesOf } from "./workload.js";

/**
 * `npm run bench:serve [-- options]`: the server beside a fair one: plain node:http that was given the same answers,
 * which it finds in a Map by target, and which checks `If-None-Match`. What counts is processors' time a request, in
 * turn: the median of the pairs' ratios. It needs wrk. The figures go into RESULTS.md. Options:
 *
 *     --listings 100000   the sample's size; --store <folder> measures a store that is there instead
 *     --only <rows>       names of rows, or beginnings of names, such as "cached" or "cached search,cached 304"
 *     --seconds 2         of each measurement; --pairs 5
 *     --print             leaves RESULTS.md as it is
 */
const TARGETS = 4_000;
const SEED = 1;
/** Megabytes of kept answers that hold all targets of a row. */
const KEPT = ["--cache-mb", "512"];
const UNKEPT = ["--cache-mb", "0"];
const AS_FAIR = { ratio: 1.05 };
/** Microseconds of processors' time that an answer may take that is not cached. */
const UNCACHED_US = { search: 80, facets: 160, suggestions: 80, report: 30, page: 250 };

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "100000" },
    store: { type: "string" },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "2" },
    pairs: { type: "string", default: "5" },
    print: { type: "boolean", default: false },
  },
});
const folder = join(FOLDER, `serve-${process.pid}`);
mkdirSync(folder, { recursive: true });
const store = options.store ?? storeOf(Number(options.listings));
const seconds = Number(options.seconds);
const pairs = Number(options.pairs);
const measuring = new Pairs({ wrk: new Wrk(folder), store, folder, seconds, pairs });
const { listings, targets } = await targetsOf();
const some = options.only.split(",");

for (const [read, us] of Object.entries(UNCACHED_US)) {
  const row = { targets: targets[read as keyof typeof targets] };
  await compare({ ...row, name: `cached ${read}`, options: KEPT, bar: AS_FAIR });
  await compare({ ...row, name: `uncached ${read}`, options: UNKEPT, bar: { us } });
}
const conditional = { targets: targets.report, isConditional: true };
await compare({ ...conditional, name: "cached 304", options: KEPT, bar: AS_FAIR });

const conditions =
  `wrk, 16 connections, ${seconds} s a measurement, ${pairs} pairs in turn, medians; ` +
  `none of search in canonical form; one server process`;
report(`the server, ${listings} reports`, [conditions, measuring.table], options.print);
rmSync(folder, { recursive: true });
process.exit();

async function compare(row: Parameters<Pairs["compare"]>[0]): Promise<void> {
  if (!some.some((begin) => row.name.startsWith(begin))) return;
  await measuring.compare(row);
  note(`${row.name} measured`);
}

/** Targets by kind, and the number of listings in search. */
async function targetsOf() {
  const summaries = await summariesOf(await loadEngine(store));
  const hosts = shuffled(
    seeded(SEED),
    summaries.map(({ host }) => host),
  ).slice(0, TARGETS);
  const { search, facets, suggestions } = makeWorkload(summaries, SEED, TARGETS);
  const at = (path: string) => (raw: string) => (raw === "" ? path : `${path}?${raw}`);
  const targets = {
    search: search.map((raw) => at("/api/sites")(notCanonical(raw))),
    facets: facets.map(at("/api/sites/facets")),
    suggestions: suggestions.map(at("/api/sites/suggestions")),
    report: hosts.map((host) => `/api/sites/${host}/report`),
    page: hosts.map((host) => `/sites/${host}`),
  };
  return { listings: summaries.length, targets };
}

/** The same search with a parameter in front that is at its end, or absent, in canonical form. */
function notCanonical(raw: string): string {
  const parameters = new URLSearchParams(raw);
  const limit = parameters.get("limit") ?? "24";
  parameters.delete("limit");
  return `limit=${limit}&${parameters}`;
}
