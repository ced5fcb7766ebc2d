import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { seeded, shuffled } from "../oracle/random.js";
import { startNginx } from "../site/servers.js";
import { editRecords, linkedCopy, recordFiles } from "./edit.js";
import { crawldex, FOLDER, figure, median, note, report, sampleOf, storeOf } from "./kit.js";
import { linesOf, Pairs } from "./serve/pairs.js";
import { read, Server } from "./serve/servers.js";
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
 * ratios. It needs wrk, and nginx for one part. The figures go into RESULTS.md. Options:
 *
 *     --listings 100000   the sample's size; --store <folder> measures a store that is there instead
 *     --only <parts>      some of zipf, even, nginx, pages, cached, uncached, conditional, reload, start
 *     --seconds 5         of each measurement; --pairs 3
 *     --print             leaves RESULTS.md as it is
 */
const PARTS = [
  "zipf",
  "even",
  "nginx",
  "pages",
  "cached",
  "uncached",
  "conditional",
  "reload",
  "start",
] as const;
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
if (parts.includes("nginx")) await besideNginx();
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
if (parts.includes("conditional")) await conditional();
if (parts.includes("uncached")) await uncached();
if (parts.includes("reload")) await reload();
if (parts.includes("start")) await start();

const conditions =
  `wrk, 16 connections, ${seconds} s a measurement, ${pairs} pairs in turn, medians; one server process; answers are ` +
  `cached in 64 MB, those of search, facets and suggestions in ${KEPT_MB}`;
const sections = [conditions, ...[measuring.table].filter(Boolean), ...remarks];
report(`the server, ${hosts.length} reports`, sections, options.print);
rmSync(work, { recursive: true });
process.exit();

async function besideNginx(): Promise<void> {
  const site = join(work, "site");
  crawldex("export", site, "--store", store, "--for", "nginx", "--quiet");
  note("tree exported");
  const nginx = await startNginx(work, {
    server: `server {\n    listen 80;\n    include ${site}.nginx.conf;\n}`,
  });
  const ours = await Server.ours(store);
  const file = targets.even;
  const theirs = Server.of(nginx);
  const measured = measuring.inTurn(ours, theirs, file);
  await Promise.all([ours.stop(), nginx.close()]);
  measuring.add("reports, evenly, beside nginx", "0.5", measured, "");
  rmSync(site, { recursive: true });
}

async function conditional(): Promise<void> {
  const ours = await Server.ours(store);
  const lines: string[] = [];
  for (const host of hosts.slice(0, TARGETS)) {
    lines.push(`${reportOf(host)}\t${(await read(ours.url + reportOf(host))).tag}`);
  }
  await ours.stop();
  const file = wrk.targets("conditional", lines);
  await measuring.beside("conditional", file, "0.85");
  const input = { status: 304, headers: ["ETag", '"x"'], bytes: 0 };
  const [one, other] = [await Server.bare(input), await Server.bare(input)];
  measuring.add("conditional, bare beside bare", "", measuring.inTurn(one, other, file), "");
  await Promise.all([one.stop(), other.stop()]);
}

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

/** How long requests wait while a new snapshot is loaded, beside how long they wait else. */
async function reload(): Promise<void> {
  const two = twoSnapshots();
  const publish = (current: string) => {
    writeFileSync(join(two.store, "current.json.bench"), current);
    renameSync(join(two.store, "current.json.bench"), join(two.store, "current.json"));
  };
  publish(two.before);
  const ours = await Server.ours(two.store);
  const file = wrk.targets("mixed", mixedTargets());
  wrk.load(ours.url, file, 3);
  const [quiet, loading]: [number[], number[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    quiet.push(wrk.load(ours.url, file, seconds).p99);
    publish(round % 2 === 0 ? two.after : two.before);
    loading.push(wrk.load(ours.url, file, seconds).p99);
    await sleep(5_000);
  }
  await ours.stop();
  const ratios = loading.map((p99, round) => p99 / quiet[round]!);
  remarks.push(
    `Reload, reports, search, facets and suggestions mixed: p99 ${quiet.map(figure).join(", ")} ms without, ` +
      `${loading.map(figure).join(", ")} ms in the ${seconds} s after a snapshot with 1 % changed was published: ` +
      `${figure(median(ratios))} times (bar 3).`,
  );
  note("reload measured");
}

/** A store with two snapshots, the second one with other names and taglines of 1 % of the listings. */
function twoSnapshots() {
  const [folder, edited] = [join(work, "reload"), join(work, "edited")];
  linkedCopy(sampleOf(listings), edited);
  const publish = () => {
    crawldex("build", edited, "--out", folder, "--quiet");
    return readFileSync(join(folder, "current.json"), "utf8");
  };
  const before = publish();
  const other = { name: "Another Name", tagline: "Edited for a reload" };
  for (const file of recordFiles(edited, "listings")) editRecords(file, 100, other);
  return { store: folder, before, after: publish() };
}

/** From the start of the process to its first answer, beside a process that does nothing. */
async function start(): Promise<void> {
  const [ours, empty]: [number[], number[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    let started = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    empty.push(performance.now() - started);
    started = performance.now();
    const server = await Server.ours(store);
    await read(`${server.url}/api/sites?limit=1`);
    ours.push(performance.now() - started);
    await server.stop();
  }
  remarks.push(
    `Start to first answer: ${figure(median(ours))} ms (${ours.map(figure).join(", ")}), ` +
      `${figure(median(ours) - median(empty))} ms more than \`node -e 0\` (bar 1,200).`,
  );
  note("start measured");
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

function mixedTargets(): string[] {
  const lists = [targets.zipf, ...READS.map((name) => queries[name])].map(linesOf);
  return Array.from({ length: TARGETS }, (_, at) => lists.map((lines) => lines[at]!)).flat();
}
