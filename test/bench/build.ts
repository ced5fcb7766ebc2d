import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run bench:build [-- listings [rounds]]`: a full build beside its floor (floor.ts), interleaved, each in
 * a process of its own, with empty stores; medians go into RESULTS.md.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = join(ROOT, "dist/cli/index.js");
const RESULTS = fileURLToPath(new URL("RESULTS.md", import.meta.url));

/** Writes a process's peak memory, all threads together, in KiB, when it ends. */
const PEAK_HOOK = `data:text/javascript,${encodeURIComponent(`
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () =>
  writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)));
`)}`;

interface Run {
  readonly seconds: number;
  readonly peakMb: number;
}

const [listings = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const folder = join(tmpdir(), "crawldex-bench");
const published = join(folder, `sample-${listings}`);
mkdirSync(folder, { recursive: true });
if (!existsSync(join(published, "complete"))) {
  rmSync(published, { recursive: true, force: true });
  run([COMMAND, "sample", published, "--listings", String(listings), "--quiet"]);
  appendFileSync(join(published, "complete"), "");
}

const cores = availableParallelism();
const kinds: Record<string, () => Run> = {
  floor: () => {
    const out = join(folder, "floor.ndjson");
    const floor = fileURLToPath(new URL("floor.ts", import.meta.url));
    const measured = run(["--import", "tsx", floor, published, out]);
    rmSync(out);
    return measured;
  },
  ...Object.fromEntries(
    [...new Set([1, cores])].map((jobs) => [`build --jobs ${jobs}`, () => fullBuild(jobs)]),
  ),
};
const runs = new Map<string, Run[]>(Object.keys(kinds).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, measure] of Object.entries(kinds)) {
    const measured = measure();
    runs.get(name)?.push(measured);
    process.stderr.write(`${name}: ${measured.seconds.toFixed(1)} s, ${measured.peakMb} MB\n`);
  }
}
const section = report();
process.stdout.write(section);
appendFileSync(RESULTS, section);

function fullBuild(jobs: number): Run {
  const out = join(folder, "store");
  const measured = run([COMMAND, "build", published, "--out", out, "--jobs", `${jobs}`, "--quiet"]);
  rmSync(out, { recursive: true });
  return measured;
}

function run(args: readonly string[]): Run {
  const peak = join(folder, "peak");
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--import", PEAK_HOOK, ...args], {
    cwd: ROOT,
    env: { ...process.env, BENCH_PEAK: peak },
    encoding: "utf8",
  });
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return { seconds, peakMb: Math.round(Number(readFileSync(peak, "utf8")) / 1_024) };
}

function report(): string {
  const rows = [...runs].map(([name, measured]) => {
    const seconds = median(measured.map((one) => one.seconds));
    const floor = median((runs.get("floor") ?? []).map((one) => one.seconds));
    const peak = median(measured.map(({ peakMb }) => peakMb));
    return `| ${name} | ${seconds.toFixed(1)} | ${(seconds / floor).toFixed(2)} | ${peak} |`;
  });
  const machine = `${cores} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, node ${process.version}`;
  return [
    "",
    `## ${new Date().toISOString().slice(0, 10)}: ${listings} listings, medians of ${rounds}`,
    "",
    machine,
    "",
    "| | wall, s | x floor | peak memory, MB |",
    "| --- | ---: | ---: | ---: |",
    ...rows,
    "",
  ].join("\n");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
