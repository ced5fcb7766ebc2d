import { join } from "node:path";
import { inParallel } from "../../contract/tables.js";
import { messageOf } from "../../files/errors.js";
import { randomName } from "../../files/random-name.js";
import { readRegular } from "../../files/regular.js";
import { PHASES } from "../../lib/options.js";
import { requireCurrent } from "../../publish/snapshots.js";
import { BadSnapshotError, unreadable } from "../../store/bad-snapshot.js";
import type { StoredFile } from "../../store/format.js";
import { isSamePublication, type Pointer } from "../../store/pointer.js";
import { currentId, readSignature } from "../../store/reader.js";
import type { SignManifest } from "../../store/signature.js";
import { signerFor } from "../../store/signers.js";
import { bucketAddress, s3Access } from "./address.js";
import {
  commit,
  hasText,
  readForPush,
  readStored,
  requireConditions,
  type StoredPointer,
} from "./commit.js";
import { PATIENCE, RemoteError, RemoteRefusedError, within } from "./failures.js";
import {
  type CheckedManifest,
  checkedManifest,
  findManifest,
  folderId,
  isContent,
  manifestPath,
  objectOf,
  objectOfFile,
  pathsOf,
  signaturePath,
} from "./objects.js";
import { type PushOptions, type PushSettings, pushSettings } from "./options.js";
import { type ListedObject, S3Bucket } from "./s3-bucket.js";

/** The result of `push`. */
export interface PushResult {
  /** The snapshot that is in the bucket now. */
  readonly id: string;
  /** The number of its publication. */
  readonly generation: number;
  /** Whether the snapshot became the current one. If not, it was that already. */
  readonly changed: boolean;
  /** The number of files of the snapshot, its manifest included. */
  readonly files: number;
  /** How many of them were uploaded. */
  readonly uploaded: number;
  /** Bytes of the uploaded files. */
  readonly bytes: number;
  /** How many old objects were deleted. */
  readonly deleted: number;
  /** Non-fatal problems, such as old files that could not be deleted. */
  readonly warnings: readonly string[];
}

/** How many files are sent at the same time. Each of them holds about a megabyte. */
const UPLOADED_AT_ONCE = 16;
/** How often a push begins again because a build has replaced the local snapshot. */
const TRIES_MAX = 3;

/**
 * Copies a store's current snapshot to a bucket and makes it current there. Sends only files that the bucket does not
 * have. Readers see the former snapshot or this one, whenever the push ends; the next push completes one that was
 * killed. The credentials come from the environment (docs/push-and-pull.md).
 * @param url the bucket's address, such as s3://bucket/prefix
 * @throws BadSnapshotError if a local file is damaged; NoSnapshotError if nothing was built yet; RemoteError if the
 * bucket cannot be used; RemoteRefusedError if it does not honour conditional writes, or has a later publication;
 * RemoteBusyError if another push publishes or deletes files meanwhile; TypeError for a wrong argument
 */
export async function push(url: string, options: PushOptions = {}): Promise<PushResult> {
  const settings = pushSettings(url, options);
  const sign = await signerFor(options);
  const address = bucketAddress(url);
  if (address === null) throw new TypeError("the address was not checked");
  const bucket = new S3Bucket(address, s3Access());
  const { store } = settings;
  for (let tries = 1; ; tries += 1) {
    const id = await requireCurrent(store);
    try {
      const checked = await localManifest(store, id);
      const signature = await signatureOf(checked, store, sign);
      return await new Pusher(bucket, { ...checked, signature }, settings).run();
    } catch (error) {
      // A build may have published another snapshot meanwhile, and deleted the one being sent.
      const isOver = !(error instanceof BadSnapshotError) || tries === TRIES_MAX;
      if (isOver || (await currentId(store)) === id) throw error;
    }
  }
}

async function localManifest(store: string, id: string) {
  const name = manifestPath(id);
  const bytes = await readRegular(join(store, name)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
  const checked = await checkedManifest(id, bytes);
  if (typeof checked !== "string") return checked;
  throw new BadSnapshotError(`${name} has the ${checked}`);
}

/** The signature of a snapshot: a new one, or the one of its build; null if it is not signed. */
async function signatureOf(
  { pointer: { id, generation }, bytes }: CheckedManifest,
  store: string,
  sign: SignManifest | undefined,
): Promise<Uint8Array | null> {
  const text = sign === undefined ? await readSignature(store, id) : sign(bytes, id, generation);
  return text === null ? null : Buffer.from(text);
}

/** A local snapshot that is to be pushed. */
interface PushedSnapshot extends CheckedManifest {
  readonly signature: Uint8Array | null;
}

/** One push of one snapshot. */
class Pusher {
  readonly #bucket: S3Bucket;
  readonly #snapshot: PushedSnapshot;
  readonly #settings: PushSettings;
  readonly #warnings: string[] = [];
  /** The random name of this push. */
  readonly #name = randomName();
  #uploaded = 0;
  #bytes = 0;
  #deleted = 0;

  constructor(bucket: S3Bucket, snapshot: PushedSnapshot, settings: PushSettings) {
    this.#bucket = bucket;
    this.#snapshot = snapshot;
    this.#settings = settings;
  }

  async run(): Promise<PushResult> {
    const { pointer, files, signature } = this.#snapshot;
    const { signal } = this.#settings;
    const before = await readForPush(this.#bucket, signal);
    const isOther = before === null || !isSamePublication(before.pointer, pointer);
    if (before !== null) await this.#requireNext(before.pointer);
    const inventory = await takeInventory(this.#bucket, signal);
    await this.#uploadMissing(inventory, before === null, isOther);
    // Readers may ask for the signature from the commit on.
    if (signature !== null) {
      await this.#bucket.put(objectOf(signaturePath(pointer.id), signature), signal);
    }
    const old = await this.#oldPaths(inventory, isOther);
    const changed = await this.#publish(before, old, isOther);
    const { id, generation } = pointer;
    return {
      id,
      generation,
      changed,
      files: files.length + 1,
      uploaded: this.#uploaded,
      bytes: this.#bytes,
      deleted: this.#deleted,
      warnings: this.#warnings,
    };
  }

  /**
   * A reader never goes back to a lower number, and takes equal numbers for equal content.
   * @throws RemoteRefusedError if the bucket has a later publication, or another one with this number
   */
  async #requireNext(theirs: Pointer): Promise<void> {
    const { pointer: ours, content } = this.#snapshot;
    // The manifest counts: a pointer to this snapshot with another number is wrong, and is replaced.
    if (ours.id === theirs.id) return;
    const isSameHistory = ours.origin === theirs.origin;
    let problem = ours.generation < theirs.generation ? "an older one" : null;
    if (isSameHistory && ours.generation === theirs.generation) {
      const other = await this.#manifestOf(theirs.id);
      if (other !== null && other.content !== content) problem = "another one";
    }
    if (problem !== null) {
      throw new RemoteRefusedError(
        `${this.#bucket.name} has generation ${theirs.generation}, and this snapshot, generation ` +
          `${ours.generation}, is ${problem}, which readers would miss: run crawldex pull into ` +
          `${isSameHistory ? "this store" : "an empty store"}, build there, and push again`,
      );
    }
    if (!isSameHistory) {
      this.#warnings.push(
        "this store was built without the bucket's history, so readers of changes begin again: run " +
          "crawldex pull before the build to continue it",
      );
    }
  }

  #manifestOf(id: string): Promise<CheckedManifest | null> {
    return findManifest(this.#settings.store, this.#bucket, id);
  }

  /**
   * Uploads the files that the bucket does not have, or has with another size. The manifest comes last, and is always
   * sent before a commit: its time in the bucket says when its snapshot became current.
   */
  async #uploadMissing({ content }: Inventory, isFirst: boolean, isOther: boolean): Promise<void> {
    const { files, file: manifest } = this.#snapshot;
    const { store, allowUnconditional, signal, onProgress } = this.#settings;
    const [smallest = manifest, ...others] = files.toSorted((a, b) => a.bytes - b.bytes);
    const isMissing = (one: StoredFile) =>
      content.get(one.file)?.bytes !== one.bytes || (isOther && one === manifest);
    const missing = [smallest, ...others, manifest].filter(isMissing);
    const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
    const upload = async (file: StoredFile) => {
      await this.#bucket.put(objectOfFile(store, file), signal);
      this.#uploaded += 1;
      this.#bytes += file.bytes;
      onProgress?.(this.#bytes, total, PHASES.uploading);
    };
    // The smallest file goes first, to find out whether the store can commit before gigabytes are sent.
    if (isMissing(smallest)) await upload(smallest);
    if (!allowUnconditional) {
      await requireConditions(this.#bucket, objectOfFile(store, smallest), isFirst, signal);
    }
    await inParallel(others.filter(isMissing), UPLOADED_AT_ONCE, upload);
    if (isMissing(manifest)) await upload(manifest);
  }

  /**
   * Makes the snapshot current, and deletes old files, if there are any, before other pushes may go on.
   * @param isOther whether another snapshot is current, or none. If not, only files are deleted
   * @returns whether this push has made the snapshot current
   */
  async #publish(
    before: StoredPointer | null,
    old: readonly string[],
    isOther: boolean,
  ): Promise<boolean> {
    const pointer = { ...this.#snapshot.pointer, push: this.#name };
    const { signal } = this.#settings;
    if (!isOther && old.length === 0) return false;
    if (old.length === 0) return (await this.#commit(pointer, before, signal)) !== null;
    const marked: Pointer = { ...pointer, deleting: true };
    const written = await this.#commit(marked, before, signal).catch((error: unknown) => {
      if (isOther) throw error;
      this.#warnings.push(`old files were not deleted: ${messageOf(error)}`);
      return null;
    });
    if (written === null) return false;
    try {
      await this.#deleteOld(old, pointer, written);
    } catch (error) {
      this.#warnings.push(`not all old files were deleted: ${messageOf(error)}`);
    }
    return isOther;
  }

  /** @param marked what this push has written into `current.json` */
  async #deleteOld(old: readonly string[], pointer: Pointer, marked: Pointer): Promise<void> {
    const stored = await readStored(this.#bucket);
    // A push that was stopped for longer than the others wait has lost its turn.
    if (stored === null || !hasText(stored, marked)) {
      throw new RemoteError(`${this.#bucket.name} was pushed to again meanwhile`);
    }
    await deleteFiles(this.#bucket, old, stored.modified, (deleted) => {
      this.#deleted = deleted;
      this.#settings.onProgress?.(deleted, old.length, PHASES.removing);
    });
    await this.#commit(pointer, stored);
  }

  #commit(pointer: Pointer, before: StoredPointer | null, signal?: AbortSignal) {
    return commit(this.#bucket, pointer, before, this.#settings.allowUnconditional, signal);
  }

  async #oldPaths(inventory: Inventory, isOther: boolean): Promise<string[]> {
    const { pointer } = this.#snapshot;
    const pathsOfSnapshot = async (id: string) => {
      const manifest = id === pointer.id ? this.#snapshot : await this.#manifestOf(id);
      return manifest && pathsOf(manifest);
    };
    const current = { id: pointer.id, isNew: isOther };
    const old = await oldPaths(inventory, this.#settings, current, pathsOfSnapshot);
    if (old !== null) return old;
    this.#warnings.push("no old files were deleted: the manifest of a kept snapshot is lost");
    return [];
  }
}

/*
 * The files of a bucket that no kept snapshot needs. A push deletes them after its commit, while `current.json` says
 * so: another push that has begun before the commit cannot commit, and one that begins later does not start before
 * the end.
 */

/** How many objects are deleted at the same time. */
const DELETED_AT_ONCE = 16;

/** What stays in a bucket. */
interface Retention {
  /** How many of the newest snapshots keep their files. */
  readonly keep: number;
  readonly graceMs: number;
}

/** The files of snapshots in a bucket, at one moment. */
interface Inventory {
  /** The store's time, in milliseconds since 1970. All ages are measured by the store's clock. */
  readonly now: number;
  /** By path. Objects with names that are not ours are left out. */
  readonly content: ReadonlyMap<string, ListedObject>;
}

/** @throws RemoteError */
async function takeInventory(bucket: S3Bucket, signal?: AbortSignal): Promise<Inventory> {
  const content = new Map<string, ListedObject>();
  for (const object of await bucket.list(signal)) {
    if (isContent(object.path)) content.set(object.path, object);
  }
  return { now: bucket.storeTime, content };
}

/**
 * The paths of files that no kept snapshot names. A snapshot is kept if it is one of the newest `keep`, or was one less
 * than the grace time ago. Files younger than the grace time stay: a push that was refused may be run again.
 * @param current the snapshot that is current after the push, and whether another one was before
 * @param pathsOf reads the paths of all files of a snapshot; null if its manifest is lost
 * @returns null if the manifest of a kept snapshot is lost, so that the old files cannot be known
 */
async function oldPaths(
  { now, content }: Inventory,
  { keep, graceMs }: Retention,
  { id: current, isNew }: { readonly id: string; readonly isNew: boolean },
  pathsOf: (id: string) => Promise<readonly string[] | null>,
): Promise<string[] | null> {
  const isOld = ({ modified }: ListedObject) => now - modified >= graceMs;
  const own = new Set(await pathsOf(current));
  const candidates = [...content.values()].filter(
    (object) => isOld(object) && folderId(object.path) !== current && !own.has(object.path),
  );
  if (candidates.length === 0) return [];
  // A push that was killed may have sent the manifest long ago.
  const writtenAt = (id: string) =>
    isNew && id === current ? now : (content.get(manifestPath(id))?.modified ?? now);
  const found = [...content.keys()].flatMap((path) => {
    const id = folderId(path);
    return id !== null && id !== current && path === manifestPath(id) ? [id] : [];
  });
  const newest = [current, ...found.sort((a, b) => writtenAt(b) - writtenAt(a))];
  const kept = newest.filter((_, index) => {
    const replacedBy = newest[index - keep];
    return replacedBy === undefined || now - writtenAt(replacedBy) < graceMs;
  });
  const named = new Set<string>();
  for (const id of kept) {
    const paths = await pathsOf(id);
    if (paths === null) return null;
    for (const path of paths) named.add(path);
  }
  return candidates
    .map(({ path }) => path)
    .filter((path) => {
      // Signatures are in no manifest: all files in the folder of a kept snapshot stay.
      const id = folderId(path);
      return id === null ? !named.has(path) : !kept.includes(id);
    });
}

/**
 * Deletes old files, right after a push has marked `current.json`. A later push deletes those that are left after a
 * third of `PATIENCE.deletingMs`; other pushes wait three times as long, for requests that are late.
 * @param marked when the mark was written, by the store's clock. The answer may have been late
 * @param onDeleted called with the number of deleted objects
 * @throws RemoteError
 */
async function deleteFiles(
  bucket: S3Bucket,
  paths: readonly string[],
  marked: number,
  onDeleted: (deleted: number) => void,
): Promise<void> {
  const ms = PATIENCE.deletingMs / 3;
  let deleted = 0;
  await within(ms, `${bucket.name} takes too long to delete files`, undefined, (signal) =>
    inParallel(paths, DELETED_AT_ONCE, async (path) => {
      if (bucket.storeTime - marked > ms) return;
      await bucket.remove(path, signal);
      deleted += 1;
      onDeleted(deleted);
    }),
  );
}
