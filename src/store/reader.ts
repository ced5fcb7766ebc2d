import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { hasCode } from "../files/errors.js";
import { isInside, openRegular, readRegular } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "./bad-snapshot.js";
import { changesIn, inflatedBytes, type LoggedChange } from "./change-log.js";
import { gunzip } from "./compression.js";
import {
  type AnswerLocation,
  type ChangesFile,
  MANIFEST_BYTES_MAX,
  type Manifest,
  type Segment,
  type StoredFile,
} from "./format.js";
import { layout, sha256, snapshotId } from "./layout.js";
import { OWN_NAMES, STORE_FORMAT } from "./names.js";
import { FolderSource } from "./packs/folder-source.js";
import { parseManifest } from "./parse-manifest.js";
import { POINTER_BYTES_MAX, type Pointer, readPointer, unlikeFormat } from "./pointer.js";
import type { DirectoryEntry } from "./segments/directory.js";
import { StoredSegments } from "./segments/set.js";
import { checking } from "./segments/table.js";
import { CheckedFiles } from "./source.js";

/** A listing of a snapshot, with the number of its segment. */
export interface StoredListing extends DirectoryEntry {
  readonly segment: number;
}

/** The id that `current.json` names; null if nothing was published yet. @throws BadSnapshotError */
export async function currentId(store: string): Promise<string | null> {
  return (await currentPointer(store))?.id ?? null;
}

/** The content of `current.json`; null if nothing was published yet. @throws BadSnapshotError */
export async function currentPointer(store: string): Promise<Pointer | null> {
  let bytes: Buffer;
  try {
    bytes = await readRegular(layout.current(store), POINTER_BYTES_MAX);
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return null;
    throw unreadable("current.json", error);
  }
  return readPointer("current.json", bytes);
}

/** The ids of all snapshots in a store, in no order of time. @throws BadSnapshotError if it cannot be read */
export async function snapshotIds(store: string): Promise<string[]> {
  const names = await readdir(store).catch((error: unknown) => {
    if (hasCode(error, ["ENOENT"])) return [];
    throw unreadable(store, error);
  });
  return names.filter((name) => OWN_NAMES.snapshot.test(name)).sort(byCodeUnit);
}

/** A published snapshot on disk. Every read is checked against its chain of checksums. */
export class StoredSnapshot {
  readonly id: string;
  readonly manifest: Manifest;
  /** The store's folder. */
  readonly store: string;
  /** The listings, as the segments store them. */
  readonly listings: StoredSegments;
  readonly #folder: FolderSource;
  readonly #files: CheckedFiles;

  private constructor(store: string, id: string, manifest: Manifest) {
    this.id = id;
    this.manifest = manifest;
    this.store = store;
    this.listings = new StoredSegments(store, manifest.segments, manifest.vocabulary);
    // With a clock that stands still, packs are always read in this thread. Nothing else waits for it.
    this.#folder = new FolderSource(store, { clock: () => 0 });
    this.#files = new CheckedFiles(this.#folder.read, async (bytes) => sha256(bytes));
  }

  /**
   * Opens a snapshot by reading only its manifest. The other files may be in any state.
   * @throws BadSnapshotError if the manifest is missing, damaged or does not match its id
   */
  static async openManifest(store: string, id: string): Promise<StoredSnapshot> {
    return new StoredSnapshot(store, id, await readStoredManifest(store, id));
  }

  /** The folder of the public documents. */
  get publicFolder(): string {
    return layout.publicFolder(this.store, this.id);
  }

  /** Reads a public document. @throws BadSnapshotError if it is missing or damaged */
  readDocument(file: StoredFile): Promise<Buffer> {
    return readChecked(this.publicFolder, file);
  }

  /** The changes in a file of the history. @throws BadSnapshotError */
  async readChanges(file: ChangesFile): Promise<LoggedChange[]> {
    const lines = await readInflated(this.store, file);
    return checking(file.file, () => changesIn(lines, file));
  }

  /** The live listings of a segment, in the order of its directory. @throws BadSnapshotError */
  entries(segment: number): StoredListing[] {
    return this.listings.entries(segment).map((entry) => ({ ...entry, segment }));
  }

  /** All listings, segment after segment. @throws BadSnapshotError */
  *allEntries(): Generator<StoredListing> {
    for (const segment of this.manifest.segments.keys()) yield* this.entries(segment);
  }

  /** A host's listing; undefined if it has no report. @throws BadSnapshotError */
  entryOf(host: string): StoredListing | undefined {
    const found = this.listings.find(host, hostHash(host));
    if (found === null) return undefined;
    const [entry] = this.listings.entries(found.segment, Uint32Array.of(found.row));
    return entry && { ...entry, segment: found.segment };
  }

  /**
   * Reads the body of one answer from its segment's pack, and checks its sha256.
   * @throws BadSnapshotError if the pack is missing, too short, or damaged at this answer
   */
  async readAnswer(segment: number, [offset, length, hash]: AnswerLocation): Promise<Uint8Array> {
    const { file, bytes } = this.#segment(segment).pack;
    if (!isInside(offset, length, bytes)) {
      throw new BadSnapshotError(`${file} cannot have ${length} bytes at byte ${offset}`);
    }
    return this.#files.part(file, { offset, length }, hash);
  }

  /** Closes the packs once the reads in progress end. */
  close(): void {
    this.#folder.close();
  }

  #segment(segment: number): Segment {
    const files = this.manifest.segments[segment];
    if (files === undefined) throw new BadSnapshotError(`${this.id} has no segment ${segment}`);
    return files;
  }
}

/**
 * Reads a manifest.
 * @param known its bytes, if they were read before and their digest matches the id
 * @throws BadSnapshotError if it is missing, damaged or does not match its id
 */
export async function readStoredManifest(
  store: string,
  id: string,
  known?: Uint8Array,
): Promise<Manifest> {
  const bytes = known ?? (await readManifestBytes(store, id));
  const manifest = await parseManifest(bytes);
  if (manifest === null) throw unlikeFormat(`${id}/manifest.json`, bytes, STORE_FORMAT);
  return manifest;
}

/** Reads a manifest's bytes. @throws BadSnapshotError if they are missing, too many, or do not match its id */
export async function readManifestBytes(store: string, id: string): Promise<Buffer> {
  const name = `${id}/manifest.json`;
  const bytes = await readStored(join(store, name), name, MANIFEST_BYTES_MAX);
  if (snapshotId(bytes) !== id) throw new BadSnapshotError(`${name} does not match its id`);
  return bytes;
}

/** Reads a whole file. @throws BadSnapshotError if it is missing or does not match the manifest */
export async function readChecked(folder: string, file: StoredFile): Promise<Buffer> {
  const bytes = await readStored(join(folder, file.file), file.file);
  if (bytes.length !== file.bytes || sha256(bytes) !== file.sha256) {
    throw unlikeManifest(file.file);
  }
  return bytes;
}

/** Reads a file of changes, inflated. @throws BadSnapshotError */
export async function readInflated(store: string, file: ChangesFile): Promise<Uint8Array> {
  const bytes = await readChecked(store, file);
  return checking(file.file, () => gunzip(bytes, inflatedBytes(file)));
}

/** Checks a file of any size without holding it in memory. @throws BadSnapshotError */
export async function checkHash(store: string, { file, bytes, sha256 }: StoredFile): Promise<void> {
  const hash = createHash("sha256");
  let length = 0;
  try {
    const opened = await openRegular(join(store, file));
    // The stream closes the file.
    const chunks: AsyncIterable<Buffer> = opened.createReadStream();
    for await (const chunk of chunks) {
      hash.update(chunk);
      length += chunk.length;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (length !== bytes || hash.digest("hex") !== sha256) {
    throw unlikeManifest(file);
  }
}

/** Whether a file of any size is there and matches the manifest. */
export function isWhole(store: string, file: StoredFile): Promise<boolean> {
  return checkHash(store, file).then(
    () => true,
    () => false,
  );
}

async function readStored(path: string, name: string, max?: number): Promise<Buffer> {
  try {
    return await readRegular(path, max);
  } catch (error) {
    throw unreadable(name, error);
  }
}
