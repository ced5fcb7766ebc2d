/**
 * Compares what two commits cost, in turn, on this machine:
 *
 *     npm run bench:compare -- <commit> [--listings 20000] [--rounds 3] [--requests 12000]
 *
 * It builds a worktree of the commit beside this tree, publishes the same directory with both programs, and prints a
 * table of medians: processors' time and memory of a build, of a build after one listing in a hundred has changed, of a
 * start, and of answers. Processors' time is that of the measured process alone, so the client costs nothing, and the
 * scheduler counts it exactly. Both servers run at the same time and get slices of the requests in turn, so that a
 * change of the machine's speed changes both. Run it while nothing else runs.
 * `--published <folder>` measures another directory than the sample.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { Agent, get, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeChanged } from "../../.build/baseline/directories.js";
import type { Records } from "../oracle/records.js";
import { figure, median, note, ROOT, sampleOf, table } from "./kit.js";
import { read, Server } from "./serve/servers.js";

const LANES = 16;
/** Slices of a measurement's requests, which the two servers get in turn. */
const SLICES = 10;
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
const before = programOf(other, "before");
const now = programOf(ROOT, "now");
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
  // Both directories have the same files, so that only the changed listings are compiled again.
  writeChanged(given, published, () => false);
  const records = writeChanged(given, changed, (i) => i % 100 === 7);
  const input = { published, changed, records };
  const former: Figures[] = [];
  const present: Figures[] = [];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    const builds = [builtBy(before, input), builtBy(now, input)] as const;
    const answers = await answersOf([before, now], targetsOf(records));
    former.push({ ...builds[0], ...answers[0] });
    present.push({ ...builds[1], ...answers[1] });
    note(`round ${round} of ${options.rounds}`);
  }
  const rows = Object.keys(present[0] ?? {}).map((name) => {
    const [one, other] = [former, present].map((rounds) =>
      rounds.map((figures) => figures[name] ?? Number.NaN),
    ) as [number[], number[]];
    const ratios = one.map((value, round) => other[round]! / value);
    return [name, figure(median(one)), figure(median(other)), figure(median(ratios))];
  });
  return table(["", commit ?? "", "now", "ratio"], rows);
}

interface Input {
  readonly published: string;
  /** The same directory after one listing in a hundred has changed. */
  readonly changed: string;
  readonly records: Records;
}

/** A program, and the store that it has built. */
interface Program {
  readonly command: string;
  readonly store: string;
}

function builtBy({ command, store }: Program, { published, changed }: Input): Figures {
  rmSync(store, { recursive: true, force: true });
  const build = (input: string) => usageOf([command, "build", input, "--store", store, "--quiet"]);
  const full = build(published);
  const update = build(changed);
  return {
    "full build, s of CPU": full.cpuS,
    "full build, peak MB": full.peakMb,
    "1 % changed, s of CPU": update.cpuS,
    "1 % changed, peak MB": update.peakMb,
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

async function answersOf(
  programs: readonly [Program, Program],
  targets: Record<string, string[]>,
): Promise<[Figures, Figures]> {
  // The first start has only the store; later ones find what the first one has left.
  const figures: [Figures, Figures] = [
    await firstStart(programs[0]),
    await firstStart(programs[1]),
  ];
  const caches = { cached: "256", uncached: "0" };
  for (const [name, megabytes] of Object.entries(caches)) {
    const servers: Server[] = [];
    try {
      for (const [at, program] of programs.entries()) {
        const started = await startedBy(program, megabytes, "later start");
        servers.push(started.server);
        if (name === "cached") Object.assign(figures[at]!, started.figures);
      }
      for (const [read, list] of Object.entries(targets)) {
        const us = await usOf(servers, list);
        for (const [at, one] of us.entries()) figures[at]![`${read}, ${name}, µs of CPU`] = one;
      }
      if (name === "uncached") continue;
      const tags = await tagsOf(servers[0]!, targets.report ?? []);
      for (const [at, one] of (await usOf(servers, targets.report ?? [], tags)).entries()) {
        figures[at]!["report as a 304, cached, µs of CPU"] = one;
        figures[at]!["resident after all answers, MB"] = servers[at]!.residentMb();
        figures[at]!["peak after all answers, MB"] = servers[at]!.peakMb();
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
  return figures;
}

async function firstStart(program: Program): Promise<Figures> {
  const { server, figures } = await startedBy(program, "256", "first start");
  await server.stop();
  return figures;
}

async function startedBy({ command, store }: Program, megabytes: string, start: string) {
  const started = performance.now();
  const server = await Server.ours(store, ["--cache-mb", megabytes], command);
  await load(server, ["/api/sites?limit=1"], 1);
  const figures = {
    [`${start} to the first answer, ms`]: performance.now() - started,
    [`${start}, s of CPU`]: server.cpuSeconds(),
    [`${start}, resident MB`]: server.residentMb(),
    [`${start}, peak MB`]: server.peakMb(),
  };
  return { server, figures };
}

/** Microseconds of processors' time that a request takes, by server. */
async function usOf(
  servers: readonly Server[],
  list: readonly string[],
  tags?: readonly string[],
): Promise<number[]> {
  // Three times: the cache keeps what was requested twice, and the compiler has seen all.
  for (const server of servers) await load(server, list, 3 * list.length, tags);
  const sums = servers.map(() => 0);
  const slice = Math.ceil(requests / SLICES);
  for (let turn = 0; turn < SLICES; turn += 1) {
    for (const [at, server] of servers.entries()) {
      const before = server.cpuUs();
      await load(server, list, slice, tags);
      sums[at]! += server.cpuUs() - before;
    }
  }
  return sums.map((sum) => sum / (SLICES * slice));
}

async function tagsOf(server: Server, list: readonly string[]): Promise<string[]> {
  const tags: string[] = [];
  for (const target of list) {
    const { headers } = await read(server.url + target);
    tags.push(headers[headers.indexOf("ETag") + 1] ?? "");
  }
  return tags;
}

function programOf(root: string, name: string): Program {
  return { command: join(root, "dist/cli/index.js"), store: join(work, name) };
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

/**
 * Sends requests, the targets in turn, some at the same time.
 * @param tags of the answers that the client has, by target
 */
async function load(
  { url }: Server,
  targets: readonly string[],
  requests: number,
  tags?: readonly string[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      const at = next % targets.length;
      next += 1;
      const headers = tags === undefined ? {} : { "If-None-Match": tags[at] };
      await answered(
        url + (targets[at] ?? "/"),
        { agent, headers },
        tags === undefined ? 200 : 304,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, requests) }, lane));
  agent.destroy();
}

function answered(address: string, options: RequestOptions, status: number): Promise<void> {
  return new Promise((done, failed) => {
    const request = get(address, options, (response) => {
      if (response.statusCode !== status)
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
