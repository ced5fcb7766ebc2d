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
import { contentOf, describe as describeFile } from "../../src/build/segment-writer.js";
import type { SiteSummary } from "../../src/contract/listing.js";
import type { Manifest } from "../../src/store/format.js";
import { layout } from "../../src/store/layout.js";
import { type DirectoryEntry, writeDirectory } from "../../src/store/segments/directory.js";
import { StoredSegments } from "../../src/store/segments/set.js";
import { writeTable } from "../../src/store/segments/write-table.js";
import { writeSample } from "../sample/larger.js";
import { sha256 } from "../store/trees.js";
import type { Product } from "./product.js";
import { chance } from "./repetitions.js";
import { byteMutants, columnMutants, jsonMutants } from "./store-mutants.js";

/** Of segments: the bytes of a table, its values, the columns of a directory, its values. */
type Kind = "table" | "summaries" | "directory" | "entries" | "manifest" | "pointer" | "file";

/** A mutant of the whole store. */
export interface StoreMutant {
  readonly kind: Kind;
  readonly name: string;
  /**
   * Puts it into a copy of the good store.
   * @returns the id of its snapshot, which is not current yet; null if the writer of segments refuses it
   */
  readonly publish: (store: string) => string | null;
  /** What must be answered where the mutant is not refused: null for anything, as it may be other data. */
  readonly truth: "good answers" | "reports and searches" | null;
}

/** A store with a good snapshot of several segments. */
export interface GoodStore {
  readonly store: string;
  readonly id: string;
  readonly manifest: Manifest;
  /** Of the first segment. */
  readonly entries: readonly DirectoryEntry[];
  readonly summaries: readonly SiteSummary[];
}

const LISTINGS = 300;

export async function aGoodStore({ build }: Product, folder: string): Promise<GoodStore> {
  const published = join(folder, "published");
  await writeSample(published, { listings: LISTINGS, seed: 1 });
  const store = join(folder, "good");
  const { id } = await build(published, { store, jobs: 1, keep: 1 });
  const manifest = readJson<Manifest>(join(store, id, "manifest.json"));
  const entries = new StoredSegments(store, manifest.segments, manifest.vocabulary).entries(0);
  const summaries = entries
    .flatMap(({ search }) => search?.summary ?? [])
    .sort((a, b) => (a.host < b.host ? -1 : 1));
  return { store, id, manifest, entries, summaries };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** Bytes of a table between two that are changed. */
const TABLE_STEP = 16;

/** The mutants of a store, in an order that never changes. */
export function storeMutants(good: GoodStore): StoreMutant[] {
  const { store, manifest, entries, summaries } = good;
  const [segment] = manifest.segments;
  if (segment === undefined) throw new Error("the store has no segment");
  const pack = readFileSync(join(store, segment.pack.file));
  const directory = pack.subarray(pack.length - segment.directory.bytes);
  const table = readFileSync(join(store, segment.table.file));
  const mutant = (kind: Kind, name: string, parts: () => SegmentParts): StoreMutant => ({
    kind,
    name,
    publish: (copy) => publishSegment(copy, good, parts),
    truth: null,
  });
  return [
    ...byteMutants(table, TABLE_STEP, chance("tables")).map(({ name, bytes }) =>
      mutant("table", name, () => ({ table: bytes() })),
    ),
    ...jsonMutants(summaries).map(({ name, document }) =>
      mutant("summaries", name, () => ({ table: writeTable(document() as SiteSummary[]) })),
    ),
    ...columnMutants(directory).map(({ name, bytes }) =>
      mutant("directory", name, () => ({ directory: bytes() })),
    ),
    ...jsonMutants(entries.map(({ search: _, ...entry }) => entry)).map(({ name, document }) =>
      mutant("entries", name, () => {
        const changed = document() as DirectoryEntry[];
        return {
          directory: writeDirectory(
            changed.map((entry) => ({ ...entry, content: contentOf({ ...entry, search: null }) })),
          ),
        };
      }),
    ),
    ...jsonMutants(manifest).map(
      ({ name, document }): StoreMutant => ({
        kind: "manifest",
        name,
        publish: (copy) => publishManifest(copy, good, document()),
        // Tables name categories and tags by their slugs.
        truth: name.includes("vocabulary") ? null : "reports and searches",
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

interface SegmentParts {
  readonly table?: Uint8Array;
  readonly directory?: Uint8Array;
}

/** Publishes the good snapshot with parts of its first segment replaced, and every checksum made right again. */
function publishSegment(store: string, good: GoodStore, make: () => SegmentParts): string | null {
  const manifest = structuredClone(good.manifest);
  const segment = manifest.segments[0]!;
  let parts: SegmentParts;
  try {
    parts = make();
  } catch {
    return null;
  }
  const { table, directory } = parts;
  if (table !== undefined) {
    segment.table = describeFile(table, layout.table);
    writeFileSync(join(store, segment.table.file), table);
  }
  if (directory !== undefined) {
    const pack = readFileSync(join(good.store, segment.pack.file));
    const bytes = Buffer.concat([
      pack.subarray(0, pack.length - segment.directory.bytes),
      directory,
    ]);
    segment.pack = describeFile(bytes, layout.pack);
    segment.directory = { bytes: directory.length, sha256: sha256(directory) };
    writeFileSync(join(store, segment.pack.file), bytes);
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
  manifest.content = sha256(Buffer.from("twin")).slice(0, 32);
  edit(manifest);
  return publishManifest(store, good, manifest);
}

/** Each file of the store replaced by what is no regular file. */
function fileMutants(good: GoodStore): StoreMutant[] {
  const [segment] = good.manifest.segments;
  const [document] = good.manifest.public;
  if (segment === undefined || document === undefined) throw new Error("the store is empty");
  const places = {
    manifest: (id: string) => `${id}/manifest.json`,
    document: (id: string) => `${id}/public/${document.file}`,
    table: () => segment.table.file,
    pack: () => segment.pack.file,
    notes: () => ".notes",
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
        truth: "good answers",
      }),
    ),
  );
}
