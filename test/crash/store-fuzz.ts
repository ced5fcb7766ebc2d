import { type ChildProcess, execFileSync, fork } from "node:child_process";
import {
  cpSync,
  existsSync,
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
import { columnEntries } from "../../src/store/shard-entries.js";
import { describe as describeFile } from "../../src/store/writer.js";
import { sha256 } from "../store/trees.js";
import type { Product } from "./product.js";
import type { Indexed } from "./store-index.js";
import { columnMutants, jsonMutants } from "./store-mutants.js";
import type { Served } from "./store-server.js";

/** What a mutant was found to do. Only the first three are allowed. */
export type Outcome = "refused" | "right" | "corrected" | "wrong" | "crash" | "hang" | "memory";

export type Kind = "columns" | "shard" | "shard and columns" | "manifest" | "pointer" | "file";

/** A mutant of the whole store. */
export interface StoreMutant {
  readonly kind: Kind;
  readonly name: string;
  /** Puts it into a copy of the good store. @returns the id of its snapshot, which is not current yet */
  readonly publish: (store: string) => string;
  /** What must be answered where the mutant is not refused: null for anything. */
  readonly truth: "good answers" | "no answer" | "reports and searches" | null;
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
      if (kind !== false) return [{ ...mutant, truth: kind ? "good answers" : "no answer" }];
      const both = withFiles(name, "shard and columns", () => ({
        shard: bytes(),
        columns: rebuilt() ?? columns,
      }));
      return [
        { ...mutant, truth: "no answer" },
        { ...both, truth: null },
      ];
    }),
    ...jsonMutants(manifest).map(
      ({ name, document }): StoreMutant => ({
        kind: "manifest",
        name,
        publish: (copy) => publishManifest(copy, good, document()),
        truth: "reports and searches",
      }),
    ),
    ...jsonMutants({ format: 1, id: good.id }).map(
      ({ name, document }): StoreMutant => ({
        kind: "pointer",
        name,
        publish: () => JSON.stringify(document()) ?? "",
        truth: "good answers",
      }),
    ),
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
    Object.entries(kinds).map(
      ([kind, put]): StoreMutant => ({
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
      }),
    ),
  );
}

const API = "/api/sites";

function someEntries({ shard: { entries } }: GoodStore) {
  const last = entries.length - 1;
  const places = [0, 1, Math.floor(entries.length / 2), last - 1, last];
  return places.map((at) => entries[at]!);
}

function hostsOf(good: GoodStore): string[] {
  return someEntries(good).map(({ host }) => host);
}

/** Addresses of which some differ with every value that a column holds. */
function pathsOf(good: GoodStore, how: How): string[] {
  const summaries = good.shard.entries.flatMap(({ search }) =>
    search === null ? [] : [search.summary],
  );
  const [first, second] = summaries;
  const each = (name: string, values: readonly (string | undefined)[], limit = 100) =>
    [...new Set(values)].map(
      (value) => `limit=${limit}&${name}=${encodeURIComponent(value ?? "none")}`,
    );
  const searches = [
    ...each("page", ["1", "2", "3"]),
    ...each("sort", ["recent", "host", "score-asc"]),
    ...each("q", ["e", "th", "web", "com", first?.host, second?.name?.slice(0, 8)]),
    ...each(
      "category",
      summaries.map(({ category }) => category?.slug),
      5,
    ),
    ...each(
      "status",
      summaries.map(({ status }) => status),
    ),
    ...each(
      "platform",
      summaries.flatMap(({ platforms }) => platforms),
    ),
    ...each("capability", first?.capabilities ?? []),
    ...each("tag", first?.tags.map(({ slug }) => slug) ?? []),
    ...each("minScore", ["0", "50", "90"]),
  ];
  const reports = someEntries(good).flatMap(({ host, historical, locked }) => [
    `${API}/${host}/report`,
    `${API}/${host}/enrichment`,
    ...[...historical.map(({ scan }) => scan), ...locked, "none"].map(
      (scan) => `${API}/${host}/scans/${scan}/report`,
    ),
  ]);
  return [
    ...searches.map((query) => `${API}?${query}`),
    ...["", "?minScore=50", "?q=e"].map((query) => `${API}/facets${query}`),
    ...["a", "we", first?.name ?? "x"].map(
      (q) => `${API}/suggestions?q=${encodeURIComponent(q.slice(0, 60))}`,
    ),
    ...(how === "server" ? reports : []),
  ];
}

/** A child process that is told of one mutant at a time; another takes its place when it is ended. */
class Reader {
  readonly #script: string;
  readonly #dist: string;
  #child: ChildProcess | null = null;

  constructor(how: How, dist: string) {
    this.#script = fileURLToPath(new URL(`./store-${how}.ts`, import.meta.url));
    this.#dist = dist;
  }

  async run(task: object, watchdogMs: number): Promise<Read | "crash" | "hang"> {
    const child = this.#child ?? (await this.#start());
    this.#child = child;
    const outcome = await new Promise<Read | "crash" | "hang">((resolve) => {
      const settle = (result: Read | "crash" | "hang") => {
        clearTimeout(timer);
        child.off("exit", onExit);
        child.off("message", settle);
        resolve(result);
      };
      const timer = setTimeout(() => settle("hang"), watchdogMs);
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
    const child = fork(this.#script, [this.#dist], {
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

/** By a server over HTTP, or by an index that is made and asked in one thread, which is ten times as quick. */
export type How = "server" | "index";
type Read = Served | Indexed;

export interface Fuzzed {
  readonly mutant: StoreMutant;
  readonly outcome: Outcome;
  readonly refusal: string;
}

export interface FuzzOptions {
  readonly processes?: number;
  /** Milliseconds until a process is taken to hang. */
  readonly watchdogMs?: number;
}

/**
 * Has each mutant read by a process of its own kind. Servers in turn answer from the good snapshot and are then given
 * the mutant, and start with it.
 */
export async function fuzzStore(
  how: How,
  dist: string,
  good: GoodStore,
  mutants: readonly StoreMutant[],
  { processes = 2, watchdogMs = 30_000 }: FuzzOptions = {},
): Promise<Fuzzed[]> {
  const asked = { paths: pathsOf(good, how), hosts: hostsOf(good) };
  const expected = await goodAnswers(how, dist, good, asked);
  const found: Fuzzed[] = [];
  let next = 0;
  const work = async (folder: string) => {
    const reader = new Reader(how, dist);
    for (let at = next++; at < mutants.length; at = next++) {
      const mutant = mutants[at]!;
      // Only some mutants damage what the others share.
      if (!existsSync(folder) || how === "server") copyStore(good.store, folder);
      const isReload = at % 2 === 0 && mutant.kind !== "pointer";
      const trial = { ...asked, store: folder, expected, isReload };
      found.push(await tryMutant(reader, trial, mutant, watchdogMs));
    }
    reader.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const folders = Array.from({ length: processes }, (_, at) => `${good.store}-try-${at}`);
  await Promise.all(folders.map(work));
  return found;
}

function copyStore(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

interface Asked {
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
}

interface Trial extends Asked {
  readonly store: string;
  readonly expected: readonly string[];
  readonly isReload: boolean;
}

async function tryMutant(
  reader: Reader,
  { store, paths: all, hosts, expected, isReload }: Trial,
  { kind, truth, publish, ...named }: StoreMutant,
  watchdogMs: number,
): Promise<Fuzzed> {
  const id = publish(store);
  const isPointer = kind === "pointer";
  const pointer = isPointer ? id : JSON.stringify({ format: 1, id });
  if (!isReload) writeFileSync(join(store, "current.json"), pointer);
  const isAsked = (path: string) => truth !== "reports and searches" || !path.includes("facets");
  const paths = all.filter(isAsked);
  const answers = expected.filter((_, at) => isAsked(all[at] ?? ""));
  const right = truth === null ? null : truth === "no answer" ? [] : answers;
  const task = { store, id: isPointer ? "" : id, isReload, paths, hosts, expected: right };
  const read = await reader.run(task, watchdogMs);
  const mutant = { kind, truth, publish, ...named };
  if (typeof read === "string") return { mutant, outcome: read, refusal: "" };
  return { mutant, outcome: outcomeOf(read, truth), refusal: read.refusal ?? "" };
}

function outcomeOf(read: Read, truth: StoreMutant["truth"]): Outcome {
  if (read.peakMemory > MEMORY_MAX) return "memory";
  if (read.refusal !== null) return "refused";
  if ("isDifferent" in read ? read.isDifferent : read.isCorrected) return "corrected";
  return read.isRight || truth === null ? "right" : "wrong";
}

async function goodAnswers(
  how: How,
  dist: string,
  good: GoodStore,
  asked: Asked,
): Promise<readonly string[]> {
  const reader = new Reader(how, dist);
  const task = { store: good.store, id: good.id, isReload: false, ...asked, expected: null };
  const read = await reader.run(task, 60_000);
  reader.end();
  if (typeof read === "string" || read.refusal !== null) {
    throw new Error(`the good store is not read: ${JSON.stringify(read)}`);
  }
  return read.answers;
}

/** How many mutants of each kind did what. */
export function tally(found: readonly Fuzzed[]): Record<string, Partial<Record<Outcome, number>>> {
  const counts: Record<string, Partial<Record<Outcome, number>>> = {};
  for (const { mutant, outcome } of found) {
    for (const kind of [mutant.kind, "all"]) {
      counts[kind] ??= {};
      const ofKind = counts[kind];
      ofKind[outcome] = (ofKind[outcome] ?? 0) + 1;
    }
  }
  return counts;
}
