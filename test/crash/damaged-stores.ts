import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe as describeFile } from "../../src/build/segment-writer.js";
import { writeColumns } from "../../src/store/columns/columns.js";
import type { Manifest, Shard, StoredFile } from "../../src/store/format.js";
import { columnEntries } from "../../src/store/shard-entries.js";
import { writeSample } from "../sample/generator/write.js";
import { sha256 } from "../store/trees.js";
import type { Product } from "./product.js";
import { repetitions } from "./repetitions.js";
import { columnMutants, jsonMutants } from "./store-mutants.js";

type Kind = "columns" | "shard" | "shard and columns" | "manifest" | "pointer" | "file";

/** A mutant of the whole store. */
export interface StoreMutant {
  readonly kind: Kind;
  readonly name: string;
  /** Puts it into a copy of the good store. @returns the id of its snapshot, which is not current yet */
  readonly publish: (store: string) => string;
  /**
   * What must be answered where the mutant is not refused: null for anything. `no answer` is right where the shards take
   * the place of columns that say something else: those may be answered from.
   */
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
  const { id } = await build(published, { store, jobs: 1, keep: 1 });
  const manifest = readJson<Manifest>(join(store, id, "manifest.json"));
  const shard = readJson<Shard>(join(store, manifest.buckets[0]?.shard.file ?? ""));
  return { store, id, manifest, shard };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** The mutants of a store, in an order that never changes. */
export function storeMutants(good: GoodStore): StoreMutant[] {
  const { store, manifest, shard } = good;
  const [bucket] = manifest.buckets;
  if (bucket === undefined) throw new Error("the store has no bucket");
  const columns = readFileSync(join(store, bucket.columns.file));
  const stride = repetitions("strideOfShardMutants");
  const shards = jsonMutants(shard).filter((_, at) => at % stride === 0);
  const withFiles = (name: string, kind: Kind, files: () => Partial<Record<FileKind, Buffer>>) =>
    ({ kind, name, publish: (copy: string) => publishFiles(copy, good, files()) }) as const;
  return [
    ...columnMutants(columns).map(({ name, bytes }) => ({
      ...withFiles(name, "columns", () => ({ columns: bytes() })),
      truth: "good answers" as const,
    })),
    ...shards.flatMap(({ name, document }): StoreMutant[] => {
      const bytes = () => Buffer.from(JSON.stringify(document()) ?? "");
      const rebuilt = () => columnsOf(document());
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

/** What a shard's entries are as columns; null where they have no such shape. */
function columnsOf(document: unknown): Buffer | null {
  try {
    return Buffer.from(writeColumns(columnEntries((document as Shard).entries)));
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
    notes: () => ".notes.json",
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
