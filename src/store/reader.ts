import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnit } from "../contract/order.js";
import { hasCode } from "../files/errors.js";
import { openRegular, readRegular } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "./bad-snapshot.js";
import { blockingStore, FolderSource, folderStore, NODE_FILES } from "./folder-source.js";
import { MANIFEST_BYTES_MAX, type Manifest, type Segment, type StoredFile } from "./format.js";
import { layout, sha256, snapshotId } from "./layout.js";
import { OWN_NAMES, STORE_FORMAT } from "./names.js";
import { parseManifest } from "./parse-manifest.js";
import { POINTER_BYTES_MAX, type Pointer, readPointer, unlikeFormat } from "./pointer.js";
import type { StoredTerms } from "./segments/rows.js";
import type { VerifyManifest } from "./signature.js";
import { type InflatedFile, SnapshotReader } from "./snapshot-reader.js";
import { CheckedFiles, readSignatureFrom } from "./source.js";
import { type StoredListing, StoredSegments } from "./stored-segments.js";

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

/** A published snapshot on disk, for a process that answers no requests meanwhile: reads block the thread. */
export class StoredSnapshot extends SnapshotReader {
  /** The store's folder. */
  readonly store: string;
  declare readonly listings: StoredSegments;
  readonly #folder: FolderSource;

  private constructor(store: string, id: string, manifest: Manifest) {
    // With a clock that stands still, open packs are always read in this thread.
    const folder = new FolderSource(store, { clock: () => 0 });
    // Only answers are read from files that stay open.
    const listings = segmentsIn(store, manifest.segments, manifest.vocabulary);
    super(new CheckedFiles(folder.read, NODE_FILES), { id, manifest }, {}, listings);
    this.store = store;
    this.#folder = folder;
  }

  /**
   * Opens a snapshot by reading only its manifest. The other files may be in any state.
   * @throws BadSnapshotError if the manifest is missing, damaged or does not match its id
   */
  static async openManifest(store: string, id: string): Promise<StoredSnapshot> {
    return new StoredSnapshot(store, id, await readStoredManifest(store, id));
  }

  /** A host's listing; undefined if it has no report. */
  async entryOf(host: string): Promise<StoredListing | undefined> {
    const found = await this.listings.find(host);
    return found === null ? undefined : (await this.listings.entriesAt([found])).get(host);
  }

  /** Closes the packs once the reads in progress end. */
  close(): void {
    this.#folder.close();
  }
}

/** The most tables in memory: one of a full build, and the small ones of later builds. */
const TABLES_MAX = 20;

/** Segments in a store's folder, of one snapshot or of none yet. Reads block the thread. */
export function segmentsIn(
  store: string,
  segments: readonly Segment[],
  terms: StoredTerms,
): StoredSegments {
  return new StoredSegments(filesIn(store), segments, terms, { tablesMax: TABLES_MAX });
}

function filesIn(store: string): CheckedFiles {
  return new CheckedFiles(blockingStore(store), NODE_FILES);
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
async function readManifestBytes(store: string, id: string): Promise<Buffer> {
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

/** Reads a file that an extra added, inflated. @throws BadSnapshotError */
export async function readInflated(store: string, file: InflatedFile): Promise<Uint8Array> {
  return filesIn(store).inflated(file, () => file.length);
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

/** The text of a snapshot's signature; null if it is not signed. @throws BadSnapshotError if it cannot be read */
export function readSignature(store: string, id: string): Promise<string | null> {
  return readSignatureFrom(folderStore(store), id);
}

/**
 * Checks the signature of a snapshot in a store.
 * @param verify checks it
 * @returns its generation
 * @throws SignatureError; BadSnapshotError if the manifest is missing or damaged
 */
export async function requireSignature(
  store: string,
  id: string,
  verify: VerifyManifest,
  leastGeneration?: number,
): Promise<number> {
  const manifest = await readManifestBytes(store, id);
  const signature = await readSignature(store, id);
  return verify({ manifest, id, signature, leastGeneration });
}

/** The highest generation of all snapshots in a store whose signatures are good; 0 if there is none. */
export async function highestSigned(store: string, verify: VerifyManifest): Promise<number> {
  let highest = 0;
  for (const id of await snapshotIds(store)) {
    const generation = await requireSignature(store, id, verify).catch(() => 0);
    highest = Math.max(highest, generation);
  }
  return highest;
}

/**
 * Like `requireSignature`, but no other snapshot of the store may be signed with a higher generation: `current.json` is
 * not signed, and may have been set back. (A build that dies just before it writes `current.json` leaves the same
 * state; the next build repairs it.)
 */
export async function requireNewestSignature(
  store: string,
  id: string,
  verify: VerifyManifest,
): Promise<number> {
  return requireSignature(store, id, verify, await highestSigned(store, verify));
}
