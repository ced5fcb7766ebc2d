import { setImmediate as pause } from "node:timers/promises";
import { LIMITS } from "../../contract/limits.js";
import type { Engine } from "../../engine/answering.js";
import { openEngineInSlices } from "../../engine/engine.js";
import type { PublicKey } from "../../signing/verify.js";
import { BadColumnsError } from "../../store/columns/file.js";
import { textAt } from "../../store/columns/texts.js";
import { inflatePage } from "../../store/compression.js";
import type { Segment } from "../../store/format.js";
import { sha256 } from "../../store/layout.js";
import { FolderSource } from "../../store/packs/folder-source.js";
import { publicationChanges } from "../../store/publication-changes.js";
import { readStoredManifest } from "../../store/reader.js";
import type { StoredAnswers } from "../../store/segments/answer-table.js";
import type { SegmentDirectory } from "../../store/segments/directory.js";
import { storedTables } from "../../store/segments/table.js";
import { requireSignature } from "../../store/signature.js";
import { ByteCache, type ByteSource, CheckedFiles } from "../../store/source.js";
import { loadIndex } from "./load.js";
import { Snapshot, type SnapshotPlatform, unlikeCounts } from "./snapshot.js";

const NODE: SnapshotPlatform = {
  sha256: async (bytes) => sha256(bytes),
  readTable: storedTables(async (bytes, length) => {
    const inflated = inflatePage(bytes, length);
    if (inflated === null) throw new BadColumnsError("it is not compressed data");
    return inflated;
  }),
  pause: () => pause(),
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
  /** Bytes of a remote store's public documents that stay in memory. Those in a folder need no cache: answers have one. */
  readonly cacheBytes?: number;
  /** If there are any, the snapshot is compared only with those that one of them has signed. */
  readonly publicKeys?: readonly PublicKey[];
}

/** A store that is not in a folder: its tables are brought into one, everything else is read when it is needed. */
export interface RemoteFiles {
  readonly read: ByteSource;
  /** Brings the tables of segments into the folder. @throws Error */
  bringTables(segments: readonly Segment[]): Promise<void>;
}

/**
 * Loads a snapshot's index from a store's folder, and asks it a first question. If the whole store is in the folder,
 * public documents are checked at once, and so are the directories of all packs.
 * @throws BadSnapshotError if any part of it is missing, damaged or inconsistent
 */
export async function loadSnapshot(
  store: string,
  id: string,
  { bytes, isAside = false, remote, cacheBytes = 0, publicKeys = [] }: LoadOptions = {},
): Promise<LoadedSnapshot> {
  const manifest = await readStoredManifest(store, id, bytes);
  await remote?.bringTables(manifest.segments);
  const folder = new FolderSource(store, { clock: () => performance.now() });
  try {
    const read = remote?.read ?? folder.read;
    const files = new CheckedFiles(read, NODE.sha256);
    const hasPacks = remote === undefined;
    if (hasPacks) for (const file of manifest.public) await files.file(file, `${id}/public/`);
    const { index, answers } = await loadIndex({ store, manifest }, { isAside, hasPacks });
    const engine = await openEngineInSlices(index, () => pause());
    const directories = new ByteCache<number, SegmentDirectory>(Number.POSITIVE_INFINITY);
    for (const [segment, one] of answers?.directories.entries() ?? []) {
      directories.set(segment, one, 0);
    }
    const isTrusted = async (other: string) =>
      publicKeys.length === 0 ||
      requireSignature(store, other, publicKeys).then(
        () => true,
        () => false,
      );
    // The rows of a store that is elsewhere are not in the folder.
    const changes = hasPacks
      ? () => publicationChanges(store, id, { isTrusted, pause: NODE.pause })
      : undefined;
    const options = {
      platform: NODE,
      cacheBytes,
      engine,
      directories,
      ...(changes && { changes }),
    };
    const snapshot = await Snapshot.open(read, { id, manifest }, options);
    const best = await bestHosts(engine);
    const exampleHost = best[0] ?? (answers && anyHost(answers));
    const example = await snapshot.listing(exampleHost ?? "");
    // Detects unreadable packs before the first request needs one.
    if (example) await snapshot.readAnswer(example.report);
    const { reports, searchable } = manifest.counts;
    const isWhole = (answers?.size ?? reports) === reports && engine.size === searchable;
    if (!isWhole || best.length !== Math.min(searchable, LIMITS.pageSizeDefault)) {
      throw unlikeCounts(id);
    }
    return { snapshot, listings: engine.size, exampleHost, close: () => folder.close() };
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** Some host that has a report; null if there is none. */
function anyHost({ directories }: StoredAnswers): string | null {
  const directory = directories.find(({ hashes }) => hashes.length > 0);
  return directory === undefined ? null : textAt(directory.hosts, 0);
}

/** The hosts of the first page of a search without filters: the best listings. */
async function bestHosts(engine: Engine): Promise<string[]> {
  const query = { sort: "score", page: 1, limit: LIMITS.pageSizeDefault } as const;
  const body = new TextDecoder().decode(await engine.search(query));
  return (JSON.parse(body) as { data: { host: string }[] }).data.map(({ host }) => host);
}
