/**
 * Compares what two commits cost, in turn, on this machine:
 *
 *     npm run bench:compare -- <commit> [--listings 20000] [--rounds 3] [--requests 12000]
 *
 * It builds a worktree of the commit beside this tree, publishes the same directory with both programs, and prints a
 * table of medians: processors' time and memory of a build, of a build after one listing in a hundred has changed, of a
 * start, and of answers. Processors' time is that of the measured process alone, so the client costs nothing. Run it
 * while nothing else runs. The system counts time in hundredths of a second, so 12,000 requests show a difference of
 * 10 %, and 50,000 one of 3 %.
 * `--published <folder>` measures another directory than the sample.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeChanged } from "../../.build/baseline/directories.js";
import type { Records } from "../oracle/records.js";
import { figure, median, note, ROOT, sampleOf, table } from "./kit.js";
import { Server } from "./serve/servers.js";

const LANES = 16;
const TARGETS = 1_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: "string", default: "20000" },
    rounds: { type: "string", default: "3" },
    /** Requests of each measurement. */
    requests: { type: "string", default: "12000" },
    published: { type: "string" },
  },
});
const [commit] = positionals;
if (commit === undefined)
  throw new Error("name the commit to compare with: npm run bench:compare -- HEAD~1");

const requests = Number(options.requests);

/** What was measured, by name. The unit is part of the name. */
type Figures = Record<string, number>;

const work = mkdtempSync(join(tmpdir(), "crawldex-compare-"));
const other = join(work, "other");
try {
  process.stdout.write(`${await compared()}\n`);
} finally {
  git("worktree", "remove", "--force", other);
  rmSync(work, { recursive: true, force: true });
}

async function compared(): Promise<string> {
  git("worktree", "add", "--quiet", "--detach", other, commit ?? "HEAD");
  symlinkSync(join(ROOT, "node_modules"), join(other, "node_modules"));
  npm(other, "run", "--silent", "build");
  const given = options.published ?? sampleOf(Number(options.listings));
  const published = join(work, "published");
  const changed = join(work, "changed");
  // Both have the same files, so that only the changed listings are compiled again.
  writeChanged(given, published, () => false);
  const records = writeChanged(given, changed, (i) => i % 100 === 7);
  const former: Figures[] = [];
  const present: Figures[] = [];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    former.push(await measured(join(other, "dist"), { published, changed, records }));
    present.push(await measured(join(ROOT, "dist"), { published, changed, records }));
    note(`round ${round} of ${options.rounds}`);
  }
  const rows = Object.keys(present[0] ?? {}).map((name) => {
    const [before = Number.NaN, now = Number.NaN] = [former, present].map((rounds) =>
      median(rounds.map((figures) => figures[name] ?? Number.NaN)),
    );
    return [name, figure(before), figure(now), figure(now / before)];
  });
  return table(["", commit ?? "", "now", "ratio"], rows);
}

interface Input {
  readonly published: string;
  /** The same directory after one listing in a hundred has changed. */
  readonly changed: string;
  readonly records: Records;
}

async function measured(dist: string, { published, changed, records }: Input): Promise<Figures> {
  const store = join(work, "store");
  rmSync(store, { recursive: true, force: true });
  const command = join(dist, "cli/index.js");
  const build = (input: string) => usageOf([command, "build", input, "--store", store, "--quiet"]);
  const full = build(published);
  const update = build(changed);
  const answers = await answersOf(command, store, records);
  return {
    "full build, s of CPU": full.cpuS,
    "full build, peak MB": full.peakMb,
    "1 % changed, s of CPU": update.cpuS,
    ...answers,
  };
}

/** Runs a program to its end. */
function usageOf(args: readonly string[]): { readonly cpuS: number; readonly peakMb: number } {
  const file = join(work, "usage.json");
  const hook =
    'import { writeFileSync } from "node:fs";' +
    'process.on("exit", () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));';
  const env = { ...process.env, USAGE_FILE: file, SOURCE_DATE_EPOCH: "1893456000" };
  const preload = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  execFileSync(process.execPath, [preload, ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const usage = JSON.parse(readFileSync(file, "utf8")) as NodeJS.ResourceUsage;
  return {
    cpuS: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peakMb: usage.maxRSS / 1024,
  };
}

async function answersOf(command: string, store: string, records: Records): Promise<Figures> {
  const targets = targetsOf(records);
  const figures: Figures = {};
  const caches = { cached: "256", uncached: "0" };
  for (const [name, megabytes] of Object.entries(caches)) {
    const started = performance.now();
    const server = await Server.ours(store, ["--cache-mb", megabytes], command);
    try {
      await load(server.url, ["/api/sites?limit=1"], 1);
      if (name === "cached") {
        figures["start to the first answer, ms"] = performance.now() - started;
        figures["start, s of CPU"] = server.cpuSeconds();
        figures["resident after the start, MB"] = server.residentMb();
      }
      for (const [read, list] of Object.entries(targets)) {
        // Twice: the cache keeps what was requested twice, and the compiler has seen all.
        await load(server.url, list, 2 * list.length);
        const before = server.cpuSeconds();
        await load(server.url, list, requests);
        figures[`${read}, ${name}, µs of CPU`] = ((server.cpuSeconds() - before) * 1e6) / requests;
      }
      if (name === "cached") figures["resident after all answers, MB"] = server.residentMb();
    } finally {
      await server.stop();
    }
  }
  return figures;
}

/** Targets by kind, the same for both programs. */
function targetsOf({ listings, scans }: Records): Record<string, string[]> {
  const listed = [...listings.values()].filter(
    ({ host, visibility }) => visibility === "listed" && scans.has(host),
  );
  const some = listed.filter((_, i) => i % Math.ceil(listed.length / TARGETS) === 0);
  const words = some.map(({ host, name }, i) => {
    const text = (name ?? "").split(" ")[i % 2] ?? "";
    return (/^[a-z0-9]{3}/i.test(text) ? text : host).slice(0, 3 + (i % 5));
  });
  const query = (word: string) => encodeURIComponent(word.toLowerCase());
  return {
    search: words.map((word, i) => `/api/sites?q=${query(word)}&minScore=${i % 60}&limit=20`),
    facets: words.map((word, i) => `/api/sites/facets?q=${query(word)}&minScore=${i % 60}`),
    suggestions: words.map((word) => `/api/sites/suggestions?q=${query(word)}`),
    report: some.map(({ host }) => `/api/sites/${host}/report`),
    "page of a report": some.map(({ host }) => `/sites/${host}`),
  };
}

/** Sends requests, the targets in turn, some at the same time. */
async function load(url: string, targets: readonly string[], requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      const target = targets[next % targets.length] ?? "/";
      next += 1;
      await answered(url + target, agent);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, requests) }, lane));
  agent.destroy();
}

function answered(address: string, agent: Agent): Promise<void> {
  return new Promise((done, failed) => {
    const request = get(address, { agent }, (response) => {
      if (response.statusCode !== 200)
        failed(new Error(`${address} answers ${response.statusCode}`));
      response.resume().on("end", done).on("error", failed);
    });
    request.on("error", failed);
  });
}

function git(...args: string[]): void {
  if (args[1] === "remove" && !existsSync(other)) return;
  execFileSync("git", args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
