import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { QueryReading } from "../../src/contract/query.js";
import type { Manifest, Shard } from "../../src/store/format.js";
import type { AnswerPlace, HostAnswers } from "../../src/store/segments/answer-table.js";
import { peakBytes } from "./peak.js";

/*
 * A process of its own that makes an index of one store after the other and answers from it, as the threads of a
 * server do, but all in one thread that stays: that takes a tenth of the time. A mutant may hang or end the process.
 * It is started with the compiled product's folder.
 */

export interface IndexTask {
  readonly store: string;
  readonly id: string;
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  /** The right answers; null where they are asked for. */
  readonly expected: readonly string[] | null;
}

export interface Indexed {
  /** Why the columns were refused; null where they were not. */
  readonly refusal: string | null;
  /** Whether `verify` finds that the columns say something else than the shard. */
  readonly isDifferent: boolean;
  readonly isRight: boolean;
  /** Given only where nothing was expected. */
  readonly answers: readonly string[];
  readonly peakMemory: number;
}

const [dist = ""] = process.argv.slice(2);
const use = async <T>(path: string) =>
  (await import(pathToFileURL(join(dist, "src", path)).href)) as T;
const { columnsIn, readColumnFiles } =
  await use<typeof import("../../src/store/column-files.js")>("store/column-files.js");
const { AnswerTable, joinAnswers } = await use<typeof import("../../src/store/columns/answers.js")>(
  "store/columns/answers.js",
);
const { buildIndex, openEngine } =
  await use<typeof import("../../src/engine/engine.js")>("engine/engine.js");
const query = await use<typeof import("../../src/contract/query.js")>("contract/query.js");
const { sha256 } = await use<typeof import("../../src/store/layout.js")>("store/layout.js");
const { expectedFiles } =
  await use<typeof import("../../src/upkeep/verify-search.js")>("upkeep/verify-search.js");

process.on("message", (task: IndexTask) => {
  void run(task).then((indexed) => process.send?.(indexed));
});
process.send?.("ready");

async function run({ store, id, paths, hosts, expected }: IndexTask): Promise<Indexed> {
  const manifest = JSON.parse(readFileSync(join(store, id, "manifest.json"), "utf8")) as Manifest;
  const { buckets, vocabulary } = manifest;
  try {
    const files = readColumnFiles(store, buckets);
    const columns = columnsIn(files, buckets, { first: 0, total: buckets.length });
    const engine = openEngine(
      buildIndex(
        columns.map(({ listings }) => listings),
        vocabulary,
      ),
    );
    const table = new AnswerTable(joinAnswers(columns.map(({ answers }) => answers)));
    const packs = buckets.map(({ pack }) => readFileSync(join(store, pack.file)));
    const answers = [
      ...paths.map((path) => answered(() => engineAnswer(engine, path))),
      ...hosts.map((host) => answered(() => hostAnswer(table.find(host), packs))),
    ];
    const isDifferent = buckets.some(({ shard }, at) =>
      differs(join(store, shard.file), files[at]),
    );
    const isRight = answers.every((one, at) => one === expected?.[at] || one.startsWith("502"));
    const told = expected === null ? answers : [];
    return { refusal: null, isDifferent, isRight, answers: told, peakMemory: peakBytes() };
  } catch (error) {
    const refusal = String(error);
    return { refusal, isDifferent: false, isRight: false, answers: [], peakMemory: peakBytes() };
  }
}

/** Whether columns say something else than their shard, as `verify` finds out. */
function differs(shardFile: string, columns: Uint8Array | undefined): boolean {
  try {
    const { entries } = JSON.parse(readFileSync(shardFile, "utf8")) as Shard;
    const expected = expectedFiles(entries)?.columns;
    return expected === undefined || !Buffer.from(expected).equals(columns ?? Buffer.of());
  } catch {
    return true;
  }
}

/** What fails while it is answered is a 502. */
function answered(answer: () => string): string {
  try {
    return answer();
  } catch (error) {
    return `502 ${String(error)}`;
  }
}

function valid<Q>(reading: QueryReading<Q>): Q {
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues));
  return reading.value;
}

function engineAnswer(engine: ReturnType<typeof openEngine>, path: string): string {
  const url = new URL(path, "http://localhost");
  const raw = url.search.slice(1);
  let body: Uint8Array;
  if (url.pathname.endsWith("/facets")) {
    body = engine.facets(valid(query.readQuery(query.ListingFilters, raw)));
  } else if (url.pathname.endsWith("/suggestions")) {
    body = engine.suggest(valid(query.readQuery(query.SuggestionsQuery, raw)));
  } else {
    body = engine.search(valid(query.readQuery(query.SearchQuery, raw)));
  }
  return new TextDecoder().decode(body);
}

/** What a host's answers are: their bodies are checked by their sha256, as a server does. */
function hostAnswer(found: HostAnswers | undefined, packs: readonly Buffer[]): string {
  if (found === undefined) return "404";
  const { report, enrichment, publishedScan, historical, locked } = found;
  const body = ({ offset, length, sha256: digest }: AnswerPlace): string => {
    const bytes = packs
      .map((pack) => pack.subarray(offset, offset + length))
      .find((part) => part.length === length && sha256(part) === digest);
    if (bytes === undefined) throw new Error("damaged");
    return `${digest} ${bytes.toString("utf8")}`;
  };
  const scans = historical.map((one) => [one.scan, body(one.report)]);
  return JSON.stringify([body(report), body(enrichment), publishedScan, scans, locked]);
}
