import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { clickHouseEngine } from "../../src/clickhouse/open.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import { namesOf } from "../../src/contract/tables.js";
import type { Engine } from "../../src/engine/answering.js";
import { openEngineInSlices } from "../../src/engine/engine.js";
import { loadIndex } from "../../src/runtime/snapshot/load.js";
import type { Manifest } from "../../src/store/format.js";
import { currentId, readStoredManifest } from "../../src/store/reader.js";
import { COLUMNS, type TableRow } from "../../src/store/segments/fields.js";
import { parquetOf } from "../../src/store/segments/parquet-columns.js";
import { Random } from "../sample/generator/random.js";
import { loadEngine } from "./engine/adapter.js";
import { makePool, poolListing, summariesOf } from "./engine/pool.js";
import { askers } from "./engine/requests.js";
import { FOLDER } from "./engine/stores.js";
import { makeWorkload, READS } from "./engine/workload.js";
import { dated, MACHINE, note, report } from "./kit.js";

/**
 * `npm run bench:clickhouse -- --store <store> --url http://host:port --engine clickhouse://...`: an engine in ClickHouse beside
 * the engine in memory. The listings are made of the words and values of a store's. The server is
 * `test/clickhouse/chdb-server.ts`, which says how much processor time it has taken. Options:
 *
 *     --listings 1000000   as many are made, in a store without reports
 *     --requests 200       of each read; the same for both engines
 *     --only <parts>       some of clickhouse, memory
 *     --print              leaves RESULTS.md as it is
 */
const { values: options } = parseArgs({
  options: {
    store: { type: "string", default: "" },
    url: { type: "string", default: "" },
    engine: { type: "string", default: "" },
    listings: { type: "string", default: "1000000" },
    requests: { type: "string", default: "200" },
    only: { type: "string", default: "clickhouse,memory" },
    print: { type: "boolean", default: false },
  },
});
const listings = Number(options.listings);
const SEGMENT_ROWS = 17_000;
/** Requests are drawn from so many listings. */
const DRAWN_FROM = 50_000;

const folder = join(FOLDER, `rows-${listings}`);
const { manifest, drawn } = await prepare();
const pool = makePool(drawn.map(poolListing));
const workload = makeWorkload(pool, 1, Number(options.requests));
const sections = [dated(`ClickHouse, ${listings} listings`), MACHINE];
if (options.only.includes("clickhouse")) sections.push(await measureClickHouse());
if (options.only.includes("memory")) sections.push(await measureMemory());
report(sections, options.print);
process.exit();

/** Writes a store of tables, without reports, unless it is there. */
async function prepare(): Promise<{ manifest: Manifest; drawn: SiteSummary[] }> {
  const id = await currentId(options.store);
  if (id === null) throw new Error("--store has no snapshot");
  const original = await readStoredManifest(options.store, id);
  const sites = await summariesOf(await loadEngine(options.store));
  const make = maker(sites);
  const made: SiteSummary[] = [];
  for (let at = 0; at < Math.min(listings, DRAWN_FROM); at += 1) made.push(make(at));
  const known = join(folder, "manifest.json");
  if (!existsSync(known)) writeStore(original, id, make);
  return { manifest: JSON.parse(readFileSync(known, "utf8")), drawn: made };
}

/** @param id the snapshot that the documents are copied from */
function writeStore(original: Manifest, id: string, make: (at: number) => SiteSummary): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "segments"), { recursive: true });
  const empty = createHash("sha256").update("").digest("hex");
  const pack = `segments/${"0".repeat(32)}.pack`;
  writeFileSync(join(folder, pack), "");
  const segments: Manifest["segments"] = [];
  for (let from = 0; from < listings; from += SEGMENT_ROWS) {
    const length = Math.min(SEGMENT_ROWS, listings - from);
    const rows = Array.from({ length }, (_, at) => make(from + at));
    rows.sort((a, b) => (a.host < b.host ? -1 : 1));
    const bytes = tableOf(rows);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const file = `segments/${sha256.slice(0, 32)}.parquet`;
    writeFileSync(join(folder, file), bytes);
    segments.push({
      table: { file, bytes: bytes.length, sha256 },
      pack: { file: pack, bytes: 0, sha256: empty },
      directory: { bytes: 0, sha256: empty },
      ...{ rows: length, listings: length, live: length, firstHash: 0, lastHash: 0 },
    });
    note(`${from + length} rows`);
  }
  const content = createHash("sha256").update(JSON.stringify(segments)).digest("hex").slice(0, 32);
  const counts = { reports: listings, searchable: listings, historical: 0 };
  const manifest: Manifest = { ...original, content, counts, segments };
  const bytes = JSON.stringify(manifest);
  const own = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  for (const { file } of original.public) {
    const to = join(folder, own, "public", file);
    mkdirSync(join(to, ".."), { recursive: true });
    writeFileSync(to, readFileSync(join(options.store, id, "public", file)));
  }
  writeFileSync(join(folder, own, "manifest.json"), bytes);
  writeFileSync(join(folder, "current.json"), JSON.stringify({ format: 1, id: own }));
  writeFileSync(join(folder, "manifest.json"), bytes);
}

/** A segment's table, compressed by zlib, which takes a tenth of the time of a build's compression. */
function tableOf(rows: readonly TableRow[]): Uint8Array {
  const whole = { statistics: false, pageSize: 2 ** 31, rowGroupSize: 2 ** 31 };
  const compressors = { GZIP: (page: Uint8Array) => gzipSync(page, { level: 1 }) };
  const columns = parquetOf(rows, namesOf(COLUMNS));
  return new Uint8Array(parquetWriteBuffer({ ...columns, ...whole, compressors }));
}

/** Makes the summary of a listing by its number. */
function maker(sites: readonly SiteSummary[]): (at: number) => SiteSummary {
  const wordsOf = (text: string | null) =>
    (text ?? "").split(/\s+/).filter((one) => one.length > 1);
  const names = sites.flatMap(({ name }) => wordsOf(name));
  const words = sites.flatMap(({ name, tagline }) => [...wordsOf(name), ...wordsOf(tagline)]);
  const hosts = sites.map(({ host }) => host.split(".")[0] ?? "");
  return (at) => {
    const random = new Random(1, at);
    const text = (from: readonly string[], least: number, most: number) =>
      Array.from({ length: random.between(least, most) }, () => random.pick(from)).join(" ");
    const site = random.pick(sites);
    const dot = site.host.indexOf(".");
    const host = `${random.pick(hosts)}-${random.pick(hosts)}-${at.toString(36)}${site.host.slice(dot)}`;
    const { name, tagline, latestScore, latestScannedAt } = site;
    const score = latestScore === null ? null : latestScore + random.between(-10, 10);
    return {
      ...site,
      ...{ host, url: `https://${host}/` },
      name: name === null ? null : text(names, 1, 3),
      tagline: tagline === null ? null : text(words, 4, 11),
      latestScore: score === null ? null : Math.min(100, Math.max(0, score)),
      latestScannedAt:
        latestScannedAt &&
        new Date(Date.parse(latestScannedAt) - random.between(0, 10 ** 10)).toISOString(),
    };
  };
}

async function measureClickHouse(): Promise<string> {
  const [started, before] = [performance.now(), await serverCpu()];
  const make = clickHouseEngine(options.engine, (message) => note(message));
  const { engine } = await make({
    ...{ store: folder, manifest, bringTables: async () => {} },
    pause: () => pause(),
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const cpu = (((await serverCpu()) - before) / 1e6).toFixed(1);
  note(`loaded in ${seconds} s, ${cpu} s of CPU of the server`);
  const disk = await ask(
    "SELECT table, sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts WHERE active AND database = 'crawldex' GROUP BY table FORMAT JSONEachRow",
  );
  const head = `Loaded in ${seconds} s; ${cpu} s of CPU of the server.\n\n${disk}`;
  return `${head}\n${await measureReads(engine, serverCpu)}`;
}

async function measureMemory(): Promise<string> {
  const started = performance.now();
  const { index } = await loadIndex(
    { store: folder, manifest },
    { isAside: false, hasPacks: false },
  );
  const engine = await openEngineInSlices(index, () => pause());
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const table = await measureReads(engine, async () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
  const rss = Math.round(process.memoryUsage.rss() / 2 ** 20);
  return `In memory: loaded in ${seconds} s, ${rss} MB.\n\n${table}`;
}

/** @param cpu microseconds of processor time so far */
async function measureReads(engine: Engine, cpu: () => Promise<number>): Promise<string> {
  const rows: string[] = [];
  const measure = async (
    title: string,
    asks: readonly ((engine: Engine) => Promise<Uint8Array>)[],
  ) => {
    const walls: number[] = [];
    const cpus: number[] = [];
    for (const one of asks) {
      const [began, from] = [performance.now(), await cpu()];
      await one(engine).catch((error: unknown) => note(String(error)));
      walls.push(performance.now() - began);
      cpus.push(((await cpu()) - from) / 1_000);
    }
    const at = (list: number[], share: number) =>
      list
        .toSorted((a, b) => a - b)
        [Math.min(list.length - 1, Math.floor(share * list.length))]!.toFixed(1);
    rows.push(
      `| ${title} | ${asks.length} | ${at(cpus, 0.5)} | ${at(cpus, 0.99)} | ${at(walls, 0.5)} | ${at(walls, 0.99)} |`,
    );
    note(rows.at(-1) ?? "");
  };
  for (const read of READS) await measure(read, askers(read, workload[read]));
  const search = (...raws: string[]) => askers("search", raws);
  const common = ["data", "weather", "api", "co", "free", "open", "com", "er", "in", "a"];
  const rare = drawn.slice(0, 10).map(({ host }) => host);
  const texts = (list: readonly string[]) => list.map((q) => `q=${encodeURIComponent(q)}`);
  await measure("search, common texts", search(...texts(common)));
  await measure("search, rare texts", search(...texts(rare)));
  await measure(
    "search, common texts by date",
    search(...texts(common).map((q) => `${q}&sort=recent`)),
  );
  await measure(
    "search, no hit",
    search(...texts(["wether", "recieve", "cryptocurency", "goverment"])),
  );
  await measure("facets, common texts", askers("facets", texts(common)));
  await measure("facets, no filter", askers("facets", ["", "band=readable", "minScore=50"]));
  await measure("suggestions, common texts", askers("suggestions", texts(common.slice(0, 9))));
  const deep = ["score", "score-asc", "host", "recent"].flatMap((sort) =>
    ["", "&status=unclaimed"].map(
      (more) => `sort=${sort}&limit=100&page=${Math.floor(listings / 130)}${more}`,
    ),
  );
  await measure("search, deep pages", search(...deep.filter((raw) => !/page=\d{6}/.test(raw))));
  const head =
    "| read | requests | CPU ms, median | p99 | wall ms, median | p99 |\n| --- | ---: | ---: | ---: | ---: | ---: |";
  return [head, ...rows].join("\n");
}

async function ask(statement: string): Promise<string> {
  const headers = { authorization: `Basic ${Buffer.from("default:").toString("base64")}` };
  const response = await fetch(`${options.url}/?database=crawldex`, {
    method: "POST",
    body: statement,
    headers,
  });
  return response.text();
}

async function serverCpu(): Promise<number> {
  const response = await fetch(`${options.url}/control`, { method: "POST", body: "{}" });
  const { cpu }: { readonly cpu: number } = JSON.parse(await response.text());
  return cpu;
}
