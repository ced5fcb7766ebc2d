import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { recordFiles } from "./edit.js";
import { figure, median, table } from "./engine/statistics.js";
import { crawldex, FOLDER, sampleOf } from "./engine/stores.js";
import { dated, MACHINE, report } from "./kit.js";
import { makingText } from "./pages/making.js";
import { read, Server } from "./serve/servers.js";

/**
 * `npm run bench:pages [-- options]`: the page of a large scan beside that of an ordinary one, in turn, as processors' time
 * of one server, and how long `/healthz` waits meanwhile; what an ordinary page takes to make, in parts, and the rate of
 * kept pages beside a bare server of node:http. It needs wrk. The figures go into RESULTS.md. Options:
 *
 *     --rounds 5      of each measurement
 *     --only hostile  prints only the reports with this text in their name, and needs no wrk
 *     --print         leaves RESULTS.md as it is
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    print: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
/** Requests a measurement, so that each takes some hundred milliseconds: the system counts hundredths of a second. */
const ORDINARY_REQUESTS = 200;
const LARGE_REQUESTS = 50;
const MEGABYTE = 1_000_000;
/** Pages of the largest scans that are asked for at once. */
const AT_ONCE = 5;
const LARGEST = 12.8 * MEGABYTE;
/** Times an ordinary page that the page of a scan of 3 MB, or of one with hostile texts, may cost. */
const BAR = 10;
const FORMS = [
  ["page", ""],
  ["Markdown", "/report.md"],
] as const;
/** Texts that are repeated to 64 kB. */
const HOSTILE = {
  newlines: "\n",
  returns: "\r",
  backticks: "`",
  "backticks and letters": "`x",
  pipes: "|",
  brackets: "[",
  spaces: " ",
  asterisks: "*",
  "marks of direction": "\u202e",
};
const HOSTILE_BYTES = 64_000;

type Json = Record<string, unknown>;

const work = join(FOLDER, "pages");
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const cases = casesOf();
const store = join(work, "store");
crawldex("build", publishedOf(cases), "--out", store, "--quiet");

// Nothing is kept: each request draws its page.
const server = await Server.ours(store, ["--cache-mb", "0"]);
const rows: string[][] = [];
const page = (host: string, twin = "") => `${server.url}/sites/${host}${twin}`;
await cpuOf("ordinary.example", "", 2 * ORDINARY_REQUESTS);
for (const { host, about } of cases) {
  if (host === "ordinary.example" || !about.includes(options.only)) continue;
  await cpuOf(host, "", 5);
  for (const [form, twin] of FORMS) {
    const ratios: number[] = [];
    const [ordinary, large]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ordinary.push(await cpuOf("ordinary.example", twin, ORDINARY_REQUESTS));
      large.push(await cpuOf(host, twin, LARGE_REQUESTS));
      ratios.push(large.at(-1)! / ordinary.at(-1)!);
    }
    rows.push([
      `${about}: ${form}`,
      figure(median(ordinary)),
      figure(median(large)),
      figure(median(ratios)),
    ]);
  }
}
const costs = table(["", "ordinary, ms", "large, ms", "times"], rows);
if (options.only !== "") {
  await server.stop();
  process.stdout.write(`${costs}\n`);
  process.exit();
}
const waits = await longestWaits();
await server.stop();
rmSync(work, { recursive: true });

const making = await makingText(rounds);
const text = [
  dated("pages"),
  `${MACHINE}; CPU time of the server per ` +
    `request, with the cache off, in turn with an ordinary page, medians of ${rounds} (bar for 3 MB: ${BAR} times)`,
  costs,
  `Longest wait of \`/healthz\` while ${AT_ONCE} pages of 12.8 MB scans are requested at once: ` +
    `${figure(median(waits))} ms (${waits.map(figure).join(", ")}).`,
  making,
];
report(text, options.print);

/** Milliseconds of processors' time that a page takes. */
async function cpuOf(host: string, twin: string, requests: number): Promise<number> {
  const before = server.cpuSeconds();
  for (let at = 0; at < requests; at += 1) await read(page(host, twin));
  return (1_000 * (server.cpuSeconds() - before)) / requests;
}

/** By round, the milliseconds that the slowest `/healthz` took while large pages were made. */
async function longestWaits(): Promise<number[]> {
  const longest: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let isDone = false;
    const pages = Array.from({ length: AT_ONCE }, () => read(page("largest.example")));
    const all = Promise.all(pages).then(() => {
      isDone = true;
    });
    let slowest = 0;
    while (!isDone) {
      const start = performance.now();
      await read(`${server.url}/healthz`);
      slowest = Math.max(slowest, performance.now() - start);
      await sleep(1);
    }
    await all;
    longest.push(slowest);
  }
  return longest;
}

/** Hosts whose scans are an ordinary one of the sample with parts made larger. */
function casesOf(): { host: string; about: string; changes: Json }[] {
  const { observations, checks, fixes, profile } = theScan();
  const [fix, ...others] = fixes as Json[];
  const hostile = Object.entries(HOSTILE).map(([name, part], at) => {
    const text = `x${part.repeat(HOSTILE_BYTES / Buffer.byteLength(part))}x`;
    return {
      host: `hostile-${at}.example`,
      about: `three hostile texts: ${name}`,
      changes: {
        summary: text,
        fixes: [{ ...fix, prompt: text }, ...others],
        profile: { ...(profile as Json), text },
      },
    };
  });
  return [
    { host: "ordinary.example", about: "ordinary", changes: {} },
    {
      host: "profile.example",
      about: "profile, 3 MB",
      changes: { profile: profileOf(3 * MEGABYTE) },
    },
    {
      host: "observations.example",
      about: "observations, 3 MB",
      changes: { observations: filled(observations as Json[], 3 * MEGABYTE) },
    },
    {
      host: "parts.example",
      about: "profile, checks and observations, 1 MB each",
      changes: {
        profile: profileOf(MEGABYTE),
        observations: filled(observations as Json[], MEGABYTE),
        checks: filled(checks as Json[], MEGABYTE).map((check, place) => ({
          ...check,
          checkId: `check-${place}`,
        })),
      },
    },
    {
      host: "largest.example",
      about: "profile, 12.8 MB",
      changes: { profile: profileOf(LARGEST) },
    },
    ...hostile,
  ];
}

function profileOf(bytes: number): Json {
  const feature = (place: number) => ({
    observed: place % 2 === 0,
    evidence: [`https://example.com/page/${place}`],
    note: `A sign-in form was found at ${place}`,
  });
  const count = Math.ceil(bytes / JSON.stringify({ "feature-10000": feature(10_000) }).length);
  return Object.fromEntries(
    Array.from({ length: count }, (_, place) => [`feature-${place}`, feature(place)]),
  );
}

/** Items, again and again, until they have so many bytes of JSON. */
function filled(items: readonly Json[], bytes: number): Json[] {
  const count = Math.ceil((bytes * items.length) / JSON.stringify(items).length);
  return Array.from({ length: count }, (_, place) => items[place % items.length]!);
}

/** The sample's first scored scan that has most parts, of 14 kB or more. */
function theScan(): Json {
  for (const file of recordFiles(sampleOf(500), "scans")) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line.length < 13_000 || !line.startsWith("{")) continue;
      const scan = JSON.parse(line) as Json;
      const hasParts = ["score", "accessPolicy", "pages"].every((part) => scan[part] !== null);
      if (hasParts && (scan.observations as Json[]).length > 0) return scan;
    }
  }
  throw new Error("the sample has no scan of that size");
}

function publishedOf(hosts: readonly { host: string; changes: Json }[]): string {
  const folder = join(work, "published");
  for (const name of ["listings", "scans"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["directory.json", "standards.json", "taxonomy.json"]) {
    cpSync(join(sampleOf(500), name), join(folder, name));
  }
  const scan = theScan();
  for (const { host, changes } of hosts) {
    const listing = { host, url: `https://${host}/`, name: host, status: "unclaimed" };
    writeFileSync(join(folder, "listings", `${host}.json`), JSON.stringify(listing));
    const record = JSON.stringify({ ...scan, host, ...changes });
    writeFileSync(join(folder, "scans", `${host}.json`), record);
  }
  return folder;
}
