import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { QueryReading } from "../../src/contract/query.js";
import type { Manifest } from "../../src/store/format.js";
import type {
  AnswerPlace,
  PlacedAnswers,
  StoredAnswers,
} from "../../src/store/segments/answer-table.js";
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
  /** Why the snapshot was refused; null where it was not. */
  readonly refusal: string | null;
  readonly isRight: boolean;
  /** Given only where nothing was expected. */
  readonly answers: readonly string[];
  readonly peakMemory: number;
}

const [dist = ""] = process.argv.slice(2);
const use = async <T>(path: string) =>
  (await import(pathToFileURL(join(dist, "src", path)).href)) as T;
const { indexOf } = await use<typeof import("../../src/runtime/snapshot/load.js")>(
  "runtime/snapshot/load.js",
);
const { AnswersAt, rowOf } = await use<typeof import("../../src/store/segments/answer-table.js")>(
  "store/segments/answer-table.js",
);
const { openEngine } = await use<typeof import("../../src/engine/engine.js")>("engine/engine.js");
const { hostHash } = await use<typeof import("../../src/contract/host.js")>("contract/host.js");
const query = await use<typeof import("../../src/contract/query.js")>("contract/query.js");
const { sha256 } = await use<typeof import("../../src/store/layout.js")>("store/layout.js");

process.on("message", (task: IndexTask) => {
  void run(task).then((indexed) => process.send?.(indexed));
});
process.send?.("ready");

async function run({ store, id, paths, hosts, expected }: IndexTask): Promise<Indexed> {
  const manifest = JSON.parse(readFileSync(join(store, id, "manifest.json"), "utf8")) as Manifest;
  const { segments, vocabulary } = manifest;
  try {
    const made = await indexOf({ store, hasPacks: true, segments, vocabulary }, async () => {});
    const engine = openEngine(made.index);
    const packs = segments.map(({ pack }) => readFileSync(join(store, pack.file)));
    const answers = await Promise.all([
      ...paths.map((path) => answered(() => engineAnswer(engine, path))),
      ...hosts.map((host) => answered(async () => hostAnswer(found(made.answers!, host), packs))),
    ]);
    const isRight =
      expected === null ||
      answers.every((one, at) => one === expected[at] || one.startsWith("502"));
    const told = expected === null ? answers : [];
    return { refusal: null, isRight, answers: told, peakMemory: peakBytes() };
  } catch (error) {
    return { refusal: String(error), isRight: false, answers: [], peakMemory: peakBytes() };
  }
}

/** What fails while it is answered is a 502. */
async function answered(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    return `502 ${String(error)}`;
  }
}

function valid<Q>(reading: QueryReading<Q>): Q {
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues));
  return reading.value;
}

async function engineAnswer(engine: ReturnType<typeof openEngine>, path: string): Promise<string> {
  const url = new URL(path, "http://localhost");
  const raw = url.search.slice(1);
  let body: Uint8Array;
  if (url.pathname.endsWith("/facets")) {
    body = await engine.facets(valid(query.readQuery(query.ListingFilters, raw)));
  } else if (url.pathname.endsWith("/suggestions")) {
    body = await engine.suggest(valid(query.readQuery(query.SuggestionsQuery, raw)));
  } else {
    body = await engine.search(valid(query.readQuery(query.SearchQuery, raw)));
  }
  return new TextDecoder().decode(body);
}

/** The answers of a host, in the last segment that has it. */
function found({ directories }: StoredAnswers, host: string): PlacedAnswers | undefined {
  const rows = directories.map((directory) => rowOf(directory, host, hostHash(host)));
  const segment = rows.findLastIndex((row) => row >= 0);
  if (segment < 0) return undefined;
  return new AnswersAt(directories[segment]!, rows[segment]!, host, segment);
}

/** What a host's answers are: their bodies are checked by their sha256, as a server does. */
function hostAnswer(found: PlacedAnswers | undefined, packs: readonly Buffer[]): string {
  if (found === undefined) return "404";
  const { report, enrichment, publishedScan, historical, locked } = found;
  const body = ({ segment, offset, length, sha256: digest }: AnswerPlace): string => {
    const bytes = packs[segment]!.subarray(offset, offset + length);
    if (sha256(bytes) !== digest) throw new Error("damaged");
    return `${digest} ${bytes.toString("utf8")}`;
  };
  const scans = historical.map((one) => [one.scan, body(one.report)]);
  return JSON.stringify([body(report), body(enrichment), publishedScan, scans, locked]);
}
