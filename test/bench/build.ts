import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { editRecords, linkedCopy, recordFiles } from "./edit.js";
import { COMMAND, FOLDER, median, note, ROOT, report, sampleOf, table } from "./kit.js";

/**
 * `npm run bench:build [-- listings [rounds [more sizes [print]]]]`: builds beside their floor (floor.ts), in turn,
 * each in a process of its own. The medians go into RESULTS.md, or are only printed. The other sizes, with commas
 * between them, are built in full, to see how the time grows.
 */
/** Writes what a process has used, all threads together, when it ends: CPU in microseconds, peak memory in KiB. */
const USAGE_HOOK = `data:text/javascript,${encodeURIComponent(`
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () =>
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));
`)}`;

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

const [given = "100000", times = "3", others = "10000,300000", isPrintedOnly] =
  process.argv.slice(2);
const listings = Number(given);
const rounds = Number(times);
const store = join(FOLDER, "store");
const edited = join(FOLDER, "edited");
const cores = availableParallelism();
mkdirSync(FOLDER, { recursive: true });

const runs = new Map<string, Run[]>();
const published = sampleOf(listings);
for (let round = 0; round < rounds; round += 1) {
  rmSync(edited, { recursive: true, force: true });
  linkedCopy(published, edited);
  warm(edited);
  keep("floor", floor());
  keep("full build", build(edited));
  keep("nothing changed", build(edited));
  const files = recordFiles(edited, "scans");
  editRecords(files[0]!, 20_000, { summary: `edited in round ${round}` });
  keep("one listing changed", build(edited));
  for (const file of files) editRecords(file, 100, { summary: `again in round ${round}` });
  keep("1% of the scans changed", build(edited));
  rmSync(store, { recursive: true });
}
rmSync(edited, { recursive: true });
const growth = others.split(",").map(Number).filter(Boolean);
for (const size of growth) {
  const source = sampleOf(size);
  for (let round = 0; round < rounds; round += 1) {
    warm(source);
    for (const jobs of new Set([1, cores])) {
      keep(`full build, --jobs ${jobs}, ${size} listings`, build(source, jobs));
      rmSync(store, { recursive: true });
    }
  }
  rmSync(source, { recursive: true });
}
report(`${listings} listings, medians of ${rounds}`, [figures()], isPrintedOnly === "print");

/** Has all files in the page cache. */
function warm(source: string): void {
  for (const file of recordFiles(source, "scans")) spawnSync("cat", [file], { stdio: "ignore" });
}

function floor(): Run {
  const out = join(FOLDER, "floor.ndjson");
  const script = fileURLToPath(new URL("floor.ts", import.meta.url));
  const measured = run(["--import", "tsx", script, edited, out]);
  rmSync(out);
  return measured;
}

function build(source: string, jobs = cores): Run {
  return run([COMMAND, "build", source, "--out", store, "--jobs", `${jobs}`, "--quiet"]);
}

function run(args: readonly string[]): Run {
  const usage = join(FOLDER, "usage");
  // What an earlier run has written or deleted is not the next one's work.
  spawnSync("sync");
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--import", USAGE_HOOK, ...args], {
    cwd: ROOT,
    env: { ...process.env, BENCH_USAGE: usage },
    encoding: "utf8",
  });
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, "utf8"));
  return {
    seconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMb: Math.round(maxRSS / 1_024),
  };
}

function keep(name: string, measured: Run): void {
  runs.set(name, [...(runs.get(name) ?? []), measured]);
  const { seconds, cpuSeconds, peakMb } = measured;
  note(`${name}: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU, ${peakMb} MB`);
}

function figures(): string {
  const medianOf = (name: string, member: keyof Run) =>
    median((runs.get(name) ?? []).map((one) => one[member]));
  const rows = Array.from(runs.keys(), (name) => {
    const time = medianOf(name, "seconds");
    const cpu = medianOf(name, "cpuSeconds");
    const size = Number(/(\d+) listings/.exec(name)?.[1] ?? listings);
    const ratios =
      size === listings
        ? [
            time / medianOf("floor", "seconds"),
            cpu / medianOf("floor", "cpuSeconds"),
            time / medianOf("full build", "seconds"),
          ].map((ratio) => ratio.toFixed(3))
        : ["", "", ""];
    const cost = ((time / size) * 1e6).toFixed(0);
    return [name, time.toFixed(2), cpu.toFixed(2), ...ratios, cost, `${medianOf(name, "peakMb")}`];
  });
  const head = ["", "wall, s", "CPU, s", "x floor", "x floor, CPU", "x full build"];
  return table([...head, "µs a listing", "peak memory, MB"], rows);
}
