import { execFile, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { storedFiles } from "../../src/remote/manifests.js";
import { manifestPath } from "../../src/remote/objects.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import { Passage } from "../remote/passage.js";
import type { Store } from "../stores/servers/access.js";
import { startRgw } from "../stores/servers/rgw.js";
import { editRecords, linkedCopy, recordFiles } from "./edit.js";
import { median, table } from "./engine/statistics.js";
import { COMMAND, FOLDER, sampleOf } from "./engine/stores.js";
import { dated, MACHINE, report } from "./kit.js";

/**
 * `npm run bench:push [-- listings [rounds]]`: pushes to Ceph RGW, and pulls from it, beside `rclone copy` of the same
 * files (Debian: rclone), in turn; then pushes one changed listing. Medians go into RESULTS.md. RGW's objects lie in
 * memory: two copies of the files take 5 GB.
 */
/** rclone moves as many files at the same time as we do, and does not ask whether the bucket exists. */
const RCLONE = ["--transfers", "16", "--checkers", "16", "--s3-no-check-bucket", "--quiet"];
/** What two buckets and the one that was just deleted take. */
const BYTES_A_LISTING = 100_000;

const [given = "100000", times = "3"] = process.argv.slice(2);
const [listings, rounds] = [Number(given), Number(times)];
const store = join(FOLDER, `push-${listings}`);
const files = join(FOLDER, "push-files");
const copy = join(FOLDER, "push-copy");
const edited = join(FOLDER, "push-edited");
const measured = new Map<string, number[]>();
const changes: { readonly requests: number; readonly uploaded: number }[] = [];

const published = sampleOf(listings);
for (const old of [edited, copy]) rmSync(old, { recursive: true, force: true });
linkedCopy(published, edited);
await build();
const server = await startRgw({ bytes: listings * BYTES_A_LISTING + 2 ** 30 });
try {
  for (let round = 0; round < rounds; round += 1) await compare(round);
} finally {
  await server.stop();
  for (const made of [edited, files, copy]) rmSync(made, { recursive: true, force: true });
}
report(figures());

async function compare(round: number): Promise<void> {
  const [ours, theirs] = [await server.bucket(), await server.bucket()];
  const url = `s3://${ours}/snapshots`;
  await linkFiles();
  const pull = ["pull", url, "--store", copy, "--quiet"];
  await inPair(round, [
    ["push", () => crawldex(["push", url, "--store", store, "--quiet"], server)],
    ["rclone up", () => rclone(["copy", files, `bench:${theirs}`])],
  ]);
  await inPair(round, [
    ["pull", () => crawldex(pull, server)],
    ["rclone down", () => rclone(["copy", `bench:${theirs}`, copy])],
  ]);
  await pushChange(url, round);
  await rclone(["purge", `bench:${ours}`]);
  await rclone(["purge", `bench:${theirs}`]);
}

type Named = readonly [name: string, run: () => Promise<unknown>];

/** Who comes first changes with each round. */
async function inPair(round: number, pair: readonly [Named, Named]): Promise<void> {
  for (const [name, run] of round % 2 === 0 ? pair : pair.toReversed()) {
    rmSync(copy, { recursive: true, force: true });
    await time(name, run);
  }
}

/** Counts the requests on their way, so the time is a little longer than without. */
async function pushChange(url: string, round: number): Promise<void> {
  const [first = ""] = recordFiles(edited, "listings");
  const lines = readFileSync(first, "utf8").split("\n").length - 1;
  editRecords(first, lines - round, { name: `Edited at ${Date.now()}` });
  await build();
  let close = async () => {};
  const passage = await Passage.to(server.endpoint, (end) => {
    close = end;
  });
  const through = { ...server, env: { ...server.env, AWS_ENDPOINT_URL_S3: passage.url } };
  await time("push of one changed listing", async () => {
    const printed = await crawldex(["push", url, "--store", store, "--json", "--quiet"], through);
    changes.push({ requests: passage.passed.length, uploaded: JSON.parse(printed).uploaded });
  });
  await close();
}

/** The files of the store's snapshot, and no others. */
async function linkFiles(): Promise<void> {
  rmSync(files, { recursive: true, force: true });
  const id = (await currentId(store)) ?? "";
  const { manifest } = await StoredSnapshot.openManifest(store, id);
  const paths = storedFiles(id, manifest).map(({ file }) => file);
  for (const path of [...paths, manifestPath(id)]) {
    mkdirSync(dirname(join(files, path)), { recursive: true });
    linkSync(join(store, path), join(files, path));
  }
}

async function build(): Promise<void> {
  await crawldex(["build", edited, "--out", store, "--keep", "1", "--quiet"]);
}

function crawldex(words: readonly string[], { env }: Partial<Store> = {}): Promise<string> {
  return run(process.execPath, [COMMAND, ...words], env);
}

function rclone(words: readonly string[]): Promise<string> {
  const { endpoint, accessKey, secretKey } = server;
  return run("rclone", [...words, ...RCLONE], {
    RCLONE_CONFIG: "",
    // Debian's rclone does not start with it.
    AWS_CA_BUNDLE: undefined,
    RCLONE_CONFIG_BENCH_TYPE: "s3",
    RCLONE_CONFIG_BENCH_PROVIDER: "Ceph",
    RCLONE_CONFIG_BENCH_ENDPOINT: endpoint,
    RCLONE_CONFIG_BENCH_ACCESS_KEY_ID: accessKey,
    RCLONE_CONFIG_BENCH_SECRET_ACCESS_KEY: secretKey,
  });
}

async function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 24 };
  return (await promisify(execFile)(command, words, options)).stdout;
}

async function time(name: string, run: () => Promise<unknown>): Promise<void> {
  // What an earlier run has written is not the next one's work.
  spawnSync("sync");
  const began = performance.now();
  await run();
  const seconds = (performance.now() - began) / 1_000;
  measured.set(name, [...(measured.get(name) ?? []), seconds]);
  process.stderr.write(`${name}: ${seconds.toFixed(2)} s\n`);
}

function figures(): string[] {
  const all = (name: string) => measured.get(name) ?? [];
  const listed = (values: readonly number[]) => values.map((one) => one.toFixed(2)).join(", ");
  const row = (name: string, other: string) => {
    const ratios = all(name).map((seconds, round) => seconds / (all(other)[round] ?? 0));
    const [mine, its] = [median(all(name)), median(all(other))].map((one) => one.toFixed(2));
    return [name, "1.20", median(ratios).toFixed(2), listed(ratios), mine!, its!];
  };
  const change = all("push of one changed listing");
  const beyond = changes.map(({ requests, uploaded }) => requests - uploaded);
  const sent = changes.map(({ uploaded }) => uploaded);
  const [version] = spawnSync("rclone", ["version"], { encoding: "utf8" }).stdout.split("\n");
  return [
    dated(`push and pull, ${listings} listings`),
    `${MACHINE}; Ceph RGW on the same machine, objects in memory; ${version}: \`rclone copy ${RCLONE.join(" ")}\` of the same files; ${rounds} pairs in turn, medians`,
    table(
      ["", "bar", "of rclone", "pairs", "seconds", "rclone's"],
      [row("push", "rclone up"), row("pull", "rclone down")],
    ),
    `One listing changed: push took ${median(change).toFixed(2)} s (${listed(change)}; bar 2), sent ${sent.join(", ")} files and ${beyond.join(", ")} requests beyond them (bar 12).`,
  ];
}
