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
import { checkPackSizes, type LoadedIndex, loadIndex } from "./load.js";

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
  /** Closes the snapshot's files. A later read opens its file again. */
  close(): void;
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
  const { bytes, isAside = false, remote, cacheBytes = 0, makeEngine } = options;
  const manifest = await readStoredManifest(store, id, bytes);
  const bringTables = async () => remote?.bringTables(manifest.segments);
  const folder = new FolderSource(store, { clock: () => performance.now() });
  let made: MadeEngine | null = null;
  try {
    const read = remote?.read ?? folder.read;
    const files = new CheckedFiles(read, NODE);
    const hasPacks = remote === undefined;
    if (hasPacks) for (const file of manifest.public) await files.file(file, `${id}/public/`);
    let loaded: Omit<LoadedIndex, "index"> = { directories: null, reports: null };
    if (makeEngine === undefined) {
      await bringTables();
      const { index, ...others } = await loadIndex({ store, manifest }, { isAside, hasPacks });
      loaded = others;
      const inMemory = await openEngineInSlices(index, () => pause());
      made = { engine: inMemory, close: () => {} };
    } else {
      if (hasPacks) checkPackSizes(store, manifest.segments);
      made = await makeEngine({ store, manifest, bringTables, pause: NODE.pause });
    }
    const { engine } = made;
    const snapshot = await Snapshot.open(
      read,
      { id, manifest },
      {
        platform: NODE,
        cacheBytes,
        engine,
        downloads: downloadsOf(installedExtras()),
        // All directories are in memory with the index; with an engine elsewhere, those that were used last.
        ...(makeEngine === undefined && { directories: loaded.directories ?? [] }),
      },
    );
    const query = { sort: "score", page: 1, limit: LIMITS.pageSizeDefault } as const;
    const { summaries } = await engine.search(query);
    const [best = null] = hostsOf(summaries.slice(0, 1));
    const exampleHost = best ?? anyHost(loaded.directories ?? []);
    const example = await snapshot.listing(exampleHost ?? "");
    // Detects unreadable packs before the first request needs one.
    if (example) await snapshot.readAnswer(example.report);
    const { reports, searchable } = manifest.counts;
    const isWhole = (loaded.reports ?? reports) === reports && engine.size === searchable;
    if (!isWhole || summaries.length !== Math.min(searchable, LIMITS.pageSizeDefault)) {
      throw unlikeCounts(id);
    }
    const { close: closeEngine } = made;
    const close = () => {
      closeEngine();
      folder.close();
    };
    return { snapshot, listings: engine.size, exampleHost, close };
  } catch (error) {
    made?.close();
    folder.close();
    throw error;
  }
}

/** Some host that has a report; null if there is none. */
function anyHost(directories: readonly SegmentDirectory[]): string | null {
  const directory = directories.find(({ hashes }) => hashes.length > 0);
  return directory === undefined ? null : textAt(directory.hosts, 0);
}
