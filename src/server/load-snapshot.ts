import { setImmediate as pause } from "node:timers/promises";
import { hostsOf } from "../answer/bodies.js";
import { Snapshot, type SnapshotPlatform, unlikeCounts } from "../answer/snapshot.js";
import { LIMITS } from "../contract/limits.js";
import type { Engine } from "../engine/answering.js";
import { openEngineInSlices } from "../engine/engine.js";
import { downloadsOf, installedExtras } from "../extra.js";
import { textAt } from "../store/columns/columns.js";
import { FolderSource, NODE_FILES } from "../store/folder-source.js";
import type { Manifest, Segment } from "../store/format.js";
import { readStoredManifest } from "../store/reader.js";
import type { SegmentDirectory } from "../store/segments/directory.js";
import { type ByteSource, CheckedFiles } from "../store/source.js";
import { dropIndexFile } from "./index-file.js";
import { rescueFrom } from "./index-rescue.js";
import { checkPackSizes, loadIndex, type StoredFacts } from "./load.js";
import { type OpenedIndex, openBlock } from "./loaded-index.js";
import type { Log } from "./observer.js";

const NODE: SnapshotPlatform = {
  ...NODE_FILES,
  pause: () => pause(),
  now: () => Date.now(),
};

/** A snapshot of a store's folder that is in memory, ready to answer. */
export interface LoadedSnapshot {
  readonly snapshot: Snapshot;
  /** Listings in search. */
  readonly listings: number;
  /** A host that has a report, for examples; null if there is none. */
  readonly exampleHost: string | null;
  /** What other threads need to open it, too; null if its engine is elsewhere. */
  readonly shared: SharedIndex | null;
  /** Closes the snapshot's files. A later read opens its file again. */
  close(): void;
}

/** An index in memory that threads share. */
export interface SharedIndex {
  readonly block: SharedArrayBuffer;
  /** The index file, which the thread that has loaded it closes; null if the block has everything. */
  readonly file: { readonly path: string; readonly descriptor: number } | null;
}

export interface LoadOptions {
  /** The bytes of its manifest, if they were read and checked before. */
  readonly bytes?: Uint8Array;
  /** Whether another snapshot answers meanwhile: its requests take priority. Default: false. */
  readonly isAside?: boolean;
  /** The store, if it is not in the folder. */
  readonly remote?: RemoteFiles | undefined;
  /**
   * Bytes of a remote store's public documents that stay in memory. Those in a folder need no cache: answers have
   * one.
   */
  readonly cacheBytes?: number;
  /** Makes an engine that is elsewhere. Default: an index in memory. */
  readonly makeEngine?: EngineMaker | undefined;
  /** The folder of index files. Default: the index is made from the tables, and not kept. */
  readonly indexFolder?: string | null | undefined;
  /** The index, if another thread has loaded it. */
  readonly shared?: SharedIndex | undefined;
  /** Receives a message if the index file is damaged while it is in use. */
  readonly log?: Log | undefined;
}

/** What an engine elsewhere is made from. */
export interface EngineSource {
  /** The folder that has the segments' tables once `bringTables` has resolved. */
  readonly store: string;
  readonly manifest: Manifest;
  bringTables(): Promise<void>;
  /** Resolves after other requests have had a turn. */
  pause(): Promise<void>;
}

export interface MadeEngine {
  readonly engine: Engine;
  /** Called when the engine is no longer used. */
  close(): void;
}

/** @throws Error, which refuses the snapshot */
export type EngineMaker = (source: EngineSource) => Promise<MadeEngine>;

/** A store that is not in a folder: its tables are brought into one, everything else is read when it is needed. */
export interface RemoteFiles {
  readonly read: ByteSource;
  /** Brings the tables of segments into the folder. @throws Error */
  bringTables(segments: readonly Segment[]): Promise<void>;
}

/**
 * Loads a snapshot's index from a store's folder, and asks it a first question. If the whole store is in the folder,
 * also checks the public documents and the directories of all packs.
 * @throws BadSnapshotError if any part of it is missing, damaged or inconsistent
 */
export async function loadSnapshot(
  store: string,
  id: string,
  options: LoadOptions = {},
): Promise<LoadedSnapshot> {
  const { bytes, remote, cacheBytes = 0, makeEngine } = options;
  const manifest = await readStoredManifest(store, id, bytes);
  const bringTables = async () => remote?.bringTables(manifest.segments);
  const folder = new FolderSource(store, { clock: () => performance.now() });
  let made: MadeEngine | null = null;
  let index: InMemoryIndex | null = null;
  try {
    const read = remote?.read ?? folder.read;
    const files = new CheckedFiles(read, NODE);
    const hasPacks = remote === undefined;
    if (hasPacks) for (const file of manifest.public) await files.file(file, `${id}/public/`);
    if (makeEngine === undefined) {
      await bringTables();
      index = await openIndex({ store, id, manifest }, hasPacks, options);
      const { opened, close } = index;
      made = {
        engine: await openEngineInSlices(opened.index, opened.summaryAt, NODE.pause),
        close,
      };
    } else {
      await checkPackSizes({ store, hasPacks, segments: manifest.segments }, NODE.pause);
      made = await makeEngine({ store, manifest, bringTables, pause: NODE.pause });
    }
    const { engine } = made;
    const { directories = null, reports = null } = index?.opened ?? {};
    const snapshot = await Snapshot.open(
      read,
      { id, manifest },
      {
        platform: NODE,
        cacheBytes,
        engine,
        downloads: downloadsOf(installedExtras()),
        // All directories are in memory with the index; with an engine elsewhere, those that were used last.
        ...(makeEngine === undefined && { directories: directories ?? [] }),
      },
    );
    const exampleHost = await tried(snapshot, engine, { manifest, directories, reports });
    const close = () => {
      made?.close();
      folder.close();
    };
    return { snapshot, listings: engine.size, exampleHost, shared: index?.shared ?? null, close };
  } catch (error) {
    (made ?? index)?.close();
    folder.close();
    throw error;
  }
}

/** An index that this thread answers from. */
interface InMemoryIndex {
  readonly opened: OpenedIndex;
  readonly shared: SharedIndex;
  close(): void;
}

async function openIndex(
  source: StoredFacts,
  hasPacks: boolean,
  { isAside = false, indexFolder, shared, log }: LoadOptions,
): Promise<InMemoryIndex> {
  const open = ({ block, file }: SharedIndex): OpenedIndex => {
    const rescue = rescueFrom(source.store, source.manifest, () => {
      log?.(
        `${file?.path} is damaged: the store is read in its place, until the next start`,
        "trouble",
      );
      if (file !== null) void dropIndexFile(file.path);
    });
    return openBlock(block, file?.descriptor ?? null, rescue);
  };
  if (shared !== undefined) return { opened: open(shared), shared, close: () => {} };
  const { block, file } = await loadIndex(source, { isAside, hasPacks, indexFolder });
  const loaded = { block, file: file && { path: file.path, descriptor: file.file.fd } };
  const close = () => void file?.file.close();
  return { opened: open(loaded), shared: loaded, close };
}

/**
 * Asks a snapshot its first question, and reads an answer.
 * @returns a host that has a report, for examples; null if there is none
 * @throws BadSnapshotError if it does not have what its manifest says
 */
async function tried(
  snapshot: Snapshot,
  engine: Engine,
  loaded: Pick<OpenedIndex, "directories" | "reports"> & { readonly manifest: Manifest },
): Promise<string | null> {
  const { manifest, directories } = loaded;
  const query = { sort: "score", page: 1, limit: LIMITS.pageSizeDefault } as const;
  const { summaries } = await engine.search(query);
  const [best = null] = hostsOf(summaries.slice(0, 1));
  const exampleHost = best ?? anyHost(directories ?? []);
  const example = await snapshot.listing(exampleHost ?? "");
  // Detects unreadable packs before the first request needs one.
  if (example) await snapshot.readAnswer(example.report);
  const { reports, searchable } = manifest.counts;
  const isWhole = (loaded.reports ?? reports) === reports && engine.size === searchable;
  if (!isWhole || summaries.length !== Math.min(searchable, LIMITS.pageSizeDefault)) {
    throw unlikeCounts(snapshot.id);
  }
  return exampleHost;
}

/** Some host that has a report; null if there is none. */
function anyHost(directories: readonly SegmentDirectory[]): string | null {
  const directory = directories.find(({ hashes }) => hashes.length > 0);
  return directory === undefined ? null : textAt(directory.hosts, 0);
}
