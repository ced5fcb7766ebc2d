/**
 * Freezes what the product answers, so that a later state of the program can be compared with it:
 *
 *     npm run baseline -- <folder> [options]
 *
 *     --published <folder>  the larger directory (default: ../shared/published, or test/real); the sample is the other
 *     --dist <folder>       the compiled tree to test (default: this one's dist)
 *     --compare <folder>    a baseline to compare with: the same requests are sent, and each difference is printed.
 *                           The exit code is 1 if there is any
 *     --only <directory>    only one of the two: published or sample
 *     --no-trees            leaves out exported trees, which take most of the time
 *     --oracle              also compares random requests with test/oracle, with 20 seeds
 *
 * The folder must be missing or empty. If it is a baseline, and `--compare` is given, the two are only compared.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { REAL } from "../test/real.js";
import { startHandler, startServer, takeAnswers } from "./baseline/answers.js";
import { compareBaselines } from "./baseline/compare.js";
import { writeFormer } from "./baseline/directories.js";
import { BaselineWriter } from "./baseline/facts.js";
import { takeOracle } from "./baseline/oracle.js";
import { type BaselineRequest, requestsOf } from "./baseline/requests.js";
import { runCommand } from "./baseline/run.js";
import { takeTrees } from "./baseline/trees.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    published: { type: "string", default: REAL.folder },
    dist: { type: "string", default: join(import.meta.dirname, "../dist") },
    compare: { type: "string" },
    only: { type: "string" },
    "no-trees": { type: "boolean", default: false },
    oracle: { type: "boolean", default: false },
  },
});
const [given] = positionals;
if (given === undefined)
  throw new Error("name the baseline's folder: npm run baseline -- <folder>");
const folder = resolve(given);
const dist = resolve(options.dist);
const compared = options.compare === undefined ? null : resolve(options.compare);
const print = (line: string) => process.stdout.write(`${line}\n`);
const note = (line: string) => process.stderr.write(`${Math.round(process.uptime())} s: ${line}\n`);

mkdirSync(folder, { recursive: true });
const isTaken = existsSync(join(folder, "facts.ndjson"));
if (isTaken && compared === null) throw new Error(`${folder} is a baseline already`);
if (!isTaken) await takeBaseline();
if (compared !== null) {
  const count = compareBaselines(compared, folder, print);
  process.exitCode = count > 0 ? 1 : 0;
}

async function takeBaseline(): Promise<void> {
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  const work = mkdtempSync(join(tmpdir(), "crawldex-baseline-"));
  const writer = new BaselineWriter(folder);
  try {
    const sample = join(work, "sample");
    runCommand(dist, ["sample", sample]);
    const directories: readonly Directory[] = [
      { name: "published", published: resolve(options.published), size: 1, layouts: 2 },
      { name: "sample", published: sample, size: 0.4, layouts: 4 },
    ];
    for (const directory of directories) {
      if ((options.only ?? directory.name) === directory.name) {
        await takeDirectory(directory, work, writer);
      }
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  if (options.oracle) takeOracle(dist, writer);
  print(`${writer.finish()} answers and files are in ${folder}`);
}

interface Directory {
  readonly name: "published" | "sample";
  /** The folder of the published directory. */
  readonly published: string;
  /** How many random requests, as a share of all. */
  readonly size: number;
  /** In how many layouts it is exported. */
  readonly layouts: number;
}

/** Publishes a directory twice, and notes its answers and trees. */
async function takeDirectory(directory: Directory, work: string, writer: BaselineWriter) {
  const { name, published, size, layouts } = directory;
  const former = join(work, `${name}-former`);
  const store = join(work, `${name}-store`);
  const records = writeFormer(published, former);
  const limits = ["--max-removed", "100%", "--max-unscored", "100%"];
  for (const input of [former, published]) {
    const args = ["build", input, "--store", store, "--jobs", "2", ...limits];
    const { id, counts } = runCommand(dist, args);
    const key = `${name}, ${input === former ? "former" : "present"}`;
    const facts = { id: String(id), counts: JSON.stringify(counts) };
    writer.add({ kind: "store", key, facts });
  }
  const requests = requestsFor(name, () => requestsOf(records, size));
  note(`${name}: ${requests.length} requests`);
  for (const start of [startServer, startHandler]) {
    const target = await start(dist, store);
    await takeAnswers(name, target, requests, writer).finally(() => target.close());
    note(`${name}: the ${target.name} has answered`);
  }
  if (options["no-trees"]) return;
  takeTrees({ name, layouts, dist, store, folder: work }, writer);
  note(`${name}: exported`);
}

/** The requests of the baseline to compare with, or new ones. */
function requestsFor(name: string, make: () => BaselineRequest[]): BaselineRequest[] {
  const file = `requests-${name}.json`;
  const former = compared === null ? null : readFileSync(join(compared, file), "utf8");
  const requests = former === null ? make() : (JSON.parse(former) as BaselineRequest[]);
  writeFileSync(join(folder, file), JSON.stringify(requests));
  return requests;
}
