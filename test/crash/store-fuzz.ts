import { type ChildProcess, execFileSync, fork } from "node:child_process";
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readColumns, writeColumns } from "../../src/columns/columns.js";
import { writeSample } from "../../src/sample/sample.js";
import type { Manifest, Shard, StoredFile } from "../../src/store/format.js";
import { columnEntries, describe as describeFile } from "../../src/store/writer.js";
import { sha256 } from "../store/trees.js";
import type { Product } from "./product.js";
import { columnMutants, jsonMutants } from "./store-mutants.js";
import type { Served } from "./store-server.js";

/** What a mutant was found to do. Only the first three are allowed. */
export type Outcome =
  | "refused"
  | "right"
  | "withdrawn"
  | "wrong"
  | "crash"
  | "hang"
  | "memory";

export type Kind = "columns" | "shard" | "shard and columns" | "manifest" | "pointer" | "file";

/** A mutant of the whole store. */
export interface StoreMutant {
  readonly kind: Kind;
  readonly name: string;
  /** Puts it into a copy of the good store. @returns the id of its snapshot, which is not current yet */
  readonly publish: (store: string) => string;
  /** What must be answered where the mutant is not refused: null for anything. */
  readonly truth: "good answers" | "only a refusal" | "reports and searches" | null;
}

/** A store with a good snapshot of two buckets. */
export interface GoodStore {
  readonly store: string;
  readonly id: string;
  readonly manifest: Manifest;
  readonly shard: Shard;
}

const LISTINGS = 300;

export async function aGoodStore({ build }: Product, folder: string): Promise<GoodStore> {
  const published = join(folder, "published");
  await writeSample(published, { listings: LISTINGS, seed: 1 });
  const store = join(folder, "good");
  const { id } = await build(published, { out: store, keep: 1 });
  const manifest = readJson<Manifest>(join(store, id, "manifest.json"));
  const shard = readJson<Shard>(join(store, manifest.buckets[0]?.shard.file ?? ""));
  return { store, id, manifest, shard };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** All mutants of a store, in an order that never changes. */
export function storeMutants(good: GoodStore): StoreMutant[] {
  const { store, manifest, shard } = good;
  const [bucket] = manifest.buckets;
  if (bucket === undefined) throw new Error("the store has no bucket");
  const columns = readFileSync(join(store, bucket.columns.file));
  const withFiles = (name: string, kind: Kind, files: () => Partial<Record<FileKind, Buffer>>) =>
    ({ kind, name, publish: (copy: string) => publishFiles(copy, good, files()) }) as const;
  return [
    ...columnMutants(columns).map(({ name, bytes }) => ({
      ...withFiles(name, "columns", () => ({ columns: bytes() })),
      truth: "good answers" as const,
    })),
    ...jsonMutants(shard).flatMap(({ name, document }): StoreMutant[] => {
      const bytes = () => Buffer.from(JSON.stringify(document()) ?? "");
      const rebuilt = () => columnsOf(document(), columns);
      const mutant = withFiles(name, "shard", () => ({ shard: bytes() }));
      const kind = rebuilt()?.equals(columns);
      if (kind !== false) return [{ ...mutant, truth: kind ? "good answers" : "only a refusal" }];
      const both = withFiles(name, "shard and columns", () => ({
        shard: bytes(),
        columns: rebuilt() ?? columns,
      }));
      return [
        { ...mutant, truth: "only a refusal" },
        { ...both, truth: null },
      ];
    }),
    ...jsonMutants(manifest).map(({ name, document }): StoreMutant => ({
      kind: "manifest",
      name,
      publish: (copy) => publishManifest(copy, good, document()),
      truth: "reports and searches",
    })),
    ...jsonMutants({ format: 1, id: good.id }).map(({ name, document }): StoreMutant => ({
      kind: "pointer",
      name,
      publish: () => JSON.stringify(document()) ?? "",
      truth: "good answers",
    })),
    ...fileMutants(good),
  ];
}

type FileKind = "shard" | "columns" | "pack";

/** What a shard's entries are as columns, with the CRCs of the good ones; null where they have no such shape. */
function columnsOf(document: unknown, good: Buffer): Buffer | null {
  try {
    const { entries } = document as Shard;
    const { answers } = readColumns(Uint8Array.from(good));
    const text = (at: number) =>
      Buffer.from(
        answers.scans.bytes.subarray(answers.scans.starts[at], answers.scans.starts[at + 1]),
      ).toString();
    const checksums = entries.map(({ historical }, at) => {
      const scans = JSON.parse(text(at)) as { historical: { report: { crc: number } }[] };
      const crcs = scans.historical.map(({ report }) => report.crc);
      const [first = 0, second = 0] = answers.crcs.subarray(2 * at);
      return [first, second, ...historical.map((_, one) => crcs[one] ?? 0)];
    });
    return Buffer.from(writeColumns(columnEntries(entries, checksums)));
  } catch {
    return null;
  }
}

function publishFiles(
  store: string,
  good: GoodStore,
  files: Partial<Record<FileKind, Buffer>>,
): string {
  const manifest = structuredClone(good.manifest);
  const ends = { shard: "json", columns: "bin", pack: "ndjson" };
  for (const [kind, bytes] of Object.entries(files) as [FileKind, Buffer][]) {
    const folder = kind === "pack" ? "reports" : "index";
    const file: StoredFile = describeFile(
      bytes,
      (hash) => `${folder}/0-${hash.slice(0, 32)}.${ends[kind]}`,
    );
    writeFileSync(join(store, file.file), bytes);
    Object.assign(manifest.buckets[0] ?? {}, { [kind]: file });
  }
  return publishManifest(store, good, manifest);
}

function publishManifest(store: string, good: GoodStore, manifest: unknown): string {
  const bytes = Buffer.from(JSON.stringify(manifest) ?? "");
  const id = sha256(bytes).slice(0, 32);
  mkdirSync(join(store, id), { recursive: true });
  rmSync(join(store, id, "public"), { recursive: true, force: true });
  linkTree(join(store, good.id, "public"), join(store, id, "public"));
  writeFileSync(join(store, id, "manifest.json"), bytes);
  return id;
}

function linkTree(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, path.slice(from.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    linkSync(path, target);
  }
}

/** A mutant whose snapshot has the good one's content and an id of its own, so that a server takes it up. */
function twin(store: string, good: GoodStore, edit: (manifest: Manifest) => void = () => {}) {
  const manifest = structuredClone(good.manifest);
  manifest.records = sha256(Buffer.from("twin"));
  edit(manifest);
  return publishManifest(store, good, manifest);
}

/** Each file of the store replaced by what is no regular file. */
function fileMutants(good: GoodStore): StoreMutant[] {
  const [bucket] = good.manifest.buckets;
  const [document] = good.manifest.public;
  if (bucket === undefined || document === undefined) throw new Error("the store is empty");
  const places = {
    manifest: (id: string) => `${id}/manifest.json`,
    document: (id: string) => `${id}/public/${document.file}`,
    shard: () => bucket.shard.file,
    columns: () => bucket.columns.file,
    pack: () => bucket.pack.file,
    notes: () => "store.json",
  };
  const kinds: Readonly<Record<string, (path: string) => void>> = {
    "a FIFO": (path) => execFileSync("mkfifo", [path]),
    "a folder": (path) => mkdirSync(path),
    "a link to a device": (path) => symlinkSync("/dev/zero", path),
    "a link to itself": (path) => symlinkSync(path, path),
    "a link to a FIFO": (path) => {
      execFileSync("mkfifo", [`${path}.fifo`]);
      symlinkSync(`${path}.fifo`, path);
    },
  };
  return Object.entries(places).flatMap(([what, place]) =>
    Object.entries(kinds).map(([kind, put]): StoreMutant => ({
      kind: "file",
      name: `${what} is ${kind}`,
      publish: (store) => {
        const id = twin(store, good);
        const path = join(store, place(id));
        rmSync(path, { force: true });
        put(path);
        return id;
      },
      truth: what === "shard" ? null : "good answers",
    })),
  );
}

const API = "/api/sites";

/** Addresses of which some differ with every value that a column holds. */
export function pathsOf({ shard }: GoodStore): string[] {
  const { entries } = shard;
  const last = entries.length - 1;
  const some = [0, 1, Math.floor(entries.length / 2), last - 1, last].map((at) => entries[at]!);
  const summaries = entries.flatMap(({ search }) => (search === null ? [] : [search.summary]));
  const [first, second] = summaries;
  const searches = [
    ...[1, 2, 3].map((page) => `limit=100&page=${page}`),
    ...["recent", "host", "score-asc"].map((sort) => `limit=100&sort=${sort}`),
    ...["e", "th", "web", "com", first?.host, second?.name?.slice(0, 8)].map(
      (q) => `limit=100&q=${encodeURIComponent(q ?? "a")}`,
    ),
    ...[...new Set(summaries.map(({ category }) => category?.slug))].map(
      (slug) => `limit=5&category=${slug ?? "none"}`,
    ),
    ...[...new Set(summaries.map(({ status }) => status))].map((one) => `limit=5&status=${one}`),
    ...[...new Set(summaries.flatMap(({ platforms }) => platforms))].map(
      (one) => `limit=100&platform=${one}`,
    ),
    ...(first?.capabilities ?? []).map((one) => `limit=100&capability=${one}`),
    ...(first?.tags ?? []).map(({ slug }) => `limit=100&tag=${slug}`),
    ...[0, 50, 90].map((score) => `limit=100&minScore=${score}`),
  ];
  return [
    ...searches.map((query) => `${API}?${query}`),
    ...["", "?minScore=50", "?q=e"].map((query) => `${API}/facets${query}`),
    ...["a", "we", first?.name ?? "x"].map(
      (q) => `${API}/suggestions?q=${encodeURIComponent(q.slice(0, 60))}`,
    ),
    ...some.flatMap(({ host, historical, locked }) => [
      `${API}/${host}/report`,
      `${API}/${host}/enrichment`,
      ...[...historical.map(({ scan }) => scan), ...locked, "none"].map(
        (scan) => `${API}/${host}/scans/${scan}/report`,
      ),
    ]),
  ];
}

/** A child process that serves mutants, one at a time; another takes its place when it is ended. */
class Server {
  readonly #dist: string;
  #child: ChildProcess | null = null;

  constructor(dist: string) {
    this.#dist = dist;
  }

  async run(task: object, watchdogMs: number): Promise<Served | "crash" | "hang"> {
    const child = this.#child ?? (await this.#start());
    this.#child = child;
    const outcome = await new Promise<Served | "crash" | "hang">((resolve) => {
      const timer = setTimeout(() => resolve("hang"), watchdogMs);
      const settle = (result: Served | "crash") => {
        clearTimeout(timer);
        child.off("exit", onExit);
        child.off("message", settle);
        resolve(result);
      };
      const onExit = () => settle("crash");
      child.once("exit", onExit);
      child.once("message", settle);
      child.send(task);
    });
    if (typeof outcome === "string" || outcome.peakMemory > MEMORY_MAX) this.end();
    return outcome;
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }

  #start(): Promise<ChildProcess> {
    const child = fork(fileURLToPath(new URL("./store-server.ts", import.meta.url)), [this.#dist], {
      execArgv: ["--import", "tsx"],
      serialization: "advanced",
    });
    return new Promise((resolve, reject) => {
      child.once("message", () => resolve(child));
      child.once("error", reject);
    });
  }
}

/** Bytes of memory that no mutant of so small a store may take: a server takes a fifth. */
const MEMORY_MAX = 1024 ** 3;

export interface Fuzzed {
  readonly mutant: StoreMutant;
  readonly isReload: boolean;
  readonly outcome: Outcome;
  readonly refusal: string;
}

/**
 * Has each mutant served by a process of its own, in turn by one that answers from the good snapshot and by one
 * that starts with the mutant.
 * @param watchdogMs until a process is taken to hang
 */
export async function fuzzStore(
  dist: string,
  good: GoodStore,
  mutants: readonly StoreMutant[],
  { processes = 2, watchdogMs = 20_000 } = {},
): Promise<Fuzzed[]> {
  const paths = pathsOf(good);
  const expected = await goodAnswers(dist, good, paths);
  const found: Fuzzed[] = [];
  let next = 0;
  const work = async (folder: string) => {
    const server = new Server(dist);
    for (let at = next++; at < mutants.length; at = next++) {
      const mutant = mutants[at]!;
      const isReload = at % 2 === 0 && mutant.kind !== "pointer";
      rmSync(folder, { recursive: true, force: true });
      cpSync(good.store, folder, { recursive: true });
      found.push(await tryMutant(server, folder, { paths, expected, watchdogMs }, mutant, isReload));
    }
    server.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const folders = Array.from({ length: processes }, (_, at) => `${good.store}-try-${at}`);
  await Promise.all(folders.map(work));
  return found;
}

interface Trial {
  readonly paths: readonly string[];
  readonly expected: readonly string[];
  readonly watchdogMs: number;
}

async function tryMutant(
  server: Server,
  store: string,
  { paths, expected, watchdogMs }: Trial,
  mutant: StoreMutant,
  isReload: boolean,
): Promise<Fuzzed> {
  const id = mutant.publish(store);
  const pointer = mutant.kind === "pointer" ? id : JSON.stringify({ format: 1, id });
  if (!isReload) writeFileSync(join(store, "current.json"), pointer);
  const asked =
    mutant.truth === "reports and searches" ? paths.filter((p) => !p.includes("facets")) : paths;
  const truth = {
    "good answers": expected,
    "only a refusal": [],
    "reports and searches": expected.filter((_, at) => asked.includes(paths[at]!)),
  };
  const right = mutant.truth === null ? null : truth[mutant.truth];
  const task = { store, id: mutant.kind === "pointer" ? "" : id, isReload };
  const served = await server.run({ ...task, paths: asked, expected: right }, watchdogMs);
  const result = { mutant, isReload };
  if (typeof served === "string") return { ...result, outcome: served, refusal: "" };
  const refusal = served.refusal ?? "";
  return { ...result, outcome: outcomeOf(served, right), refusal };
}

function outcomeOf(served: Served, expected: readonly string[] | null): Outcome {
  if (served.peakMemory > MEMORY_MAX) return "memory";
  if (served.isWithdrawn) return "withdrawn";
  if (served.refusal !== null) return "refused";
  return served.isRight || expected === null ? "right" : "wrong";
}

async function goodAnswers(
  dist: string,
  good: GoodStore,
  paths: readonly string[],
): Promise<readonly string[]> {
  const server = new Server(dist);
  const task = { store: good.store, id: good.id, isReload: false };
  const served = await server.run({ ...task, paths, expected: null }, 60_000);
  server.end();
  if (typeof served === "string" || served.refusal !== null) {
    throw new Error(`the good store is not served: ${JSON.stringify(served)}`);
  }
  return served.answers;
}

/** How many mutants of each kind did what. */
export function tally(found: readonly Fuzzed[]): Record<string, Partial<Record<Outcome, number>>> {
  const counts: Record<string, Partial<Record<Outcome, number>>> = {};
  for (const { mutant, outcome } of found) {
    for (const kind of [mutant.kind, "all"]) {
      const ofKind = (counts[kind] ??= {});
      ofKind[outcome] = (ofKind[outcome] ?? 0) + 1;
    }
  }
  return counts;
}
