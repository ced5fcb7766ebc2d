import { join } from "node:path";
import { requireCurrent } from "../build/snapshots.js";
import { inParallel } from "../contract/tables.js";
import { messageOf } from "../files/errors.js";
import { readRegular } from "../files/regular.js";
import { PHASES } from "../options/defaults.js";
import { signManifest } from "../signing/sign.js";
import { statedGeneration } from "../signing/verify.js";
import { BadSnapshotError, unreadable } from "../store/bad-snapshot.js";
import type { StoredFile } from "../store/format.js";
import { currentId } from "../store/reader.js";
import { readSignature } from "../store/signature.js";
import { bucketAddress, s3Access } from "./address.js";
import { RemoteRefusedError } from "./errors.js";
import { commitGeneration, hintText, readGeneration, requireConditions } from "./generations.js";
import { type CheckedManifest, checkedManifest, findPaths, pathsOf } from "./manifests.js";
import { HINT, manifestPath, objectOf, objectOfFile, signaturePath } from "./objects.js";
import { type PushOptions, type PushSettings, pushSettings } from "./options.js";
import { S3Bucket } from "./s3-bucket.js";
import {
  type Inventory,
  isSweepDue,
  oldPaths,
  settledInventory,
  sweep,
  takeInventory,
} from "./sweep.js";

/** The result of `push`. */
export interface PushResult {
  /** The snapshot that is in the bucket now. */
  readonly id: string;
  /** Its generation. */
  readonly generation: number;
  /** Whether the snapshot became the newest one. If not, it was that already. */
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
 * Copies a store's current snapshot to a bucket and makes it the bucket's newest generation. Sends only files that the
 * bucket does not have. Readers see the former snapshot or this one, whenever the push ends; the next push completes
 * one that was killed. The credentials come from the environment (docs/push-and-pull.md).
 * @param url the bucket's address, such as s3://bucket/prefix
 * @throws BadSnapshotError if a local file is damaged; NoSnapshotError if nothing was built yet; RemoteError if the
 * bucket cannot be used; RemoteRefusedError if it does not honour conditional writes, or if the
 * snapshot is signed as another generation and no key is given; RemoteBusyError if another push
 * publishes meanwhile; TypeError for a wrong argument
 */
export async function push(url: string, options: PushOptions = {}): Promise<PushResult> {
  const settings = pushSettings(url, options);
  const address = bucketAddress(url);
  if (address === null) throw new TypeError("the address was not checked");
  const bucket = new S3Bucket(address, s3Access());
  const { store } = settings;
  for (let tries = 1; ; tries += 1) {
    const id = await requireCurrent(store);
    try {
      const checked = await localManifest(store, id);
      const snapshot = { ...checked, sign: await signerOf(checked, settings) };
      return await new Pusher(bucket, snapshot, settings).run();
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

/** How a snapshot gets its signature: from the key or, without a key, from its build. */
async function signerOf(
  { id, bytes }: CheckedManifest,
  { store, key }: PushSettings,
): Promise<PushedSnapshot["sign"]> {
  if (key !== undefined) {
    return async (generation) => Buffer.from(signManifest(bytes, id, generation, key));
  }
  const signature = await readSignature(store, id);
  return async (generation) => {
    if (signature === null) return null;
    const stated = statedGeneration(signature);
    if (stated === generation) return Buffer.from(signature);
    throw new RemoteRefusedError(
      `snapshot ${id} is signed as generation ${stated}, but becomes generation ${generation} in the bucket, which readers with a public key would refuse sooner or later: set CRAWLDEX_SIGNING_KEY for crawldex push, too`,
    );
  };
}

/** A local snapshot that is to be pushed. */
interface PushedSnapshot extends CheckedManifest {
  /** The signature of the snapshot as this generation; null if it is not signed. */
  readonly sign: (generation: number) => Promise<Uint8Array | null>;
}

/** One push of one snapshot. */
class Pusher {
  readonly #bucket: S3Bucket;
  readonly #snapshot: PushedSnapshot;
  readonly #settings: PushSettings;
  readonly #warnings: string[] = [];
  #uploaded = 0;
  #bytes = 0;
  #deleted = 0;

  constructor(bucket: S3Bucket, snapshot: PushedSnapshot, settings: PushSettings) {
    this.#bucket = bucket;
    this.#snapshot = snapshot;
    this.#settings = settings;
  }

  async run(): Promise<PushResult> {
    const { id, files } = this.#snapshot;
    const inventory = await settledInventory(this.#bucket, this.#settings.signal);
    const { newest, hinted } = inventory;
    const newestId = newest === 0 ? null : await readGeneration(this.#bucket, newest);
    await this.#uploadMissing(inventory);
    const changed = newestId !== id;
    const isDue = isSweepDue(inventory, this.#settings);
    let generation = newest;
    if (changed) generation = await this.#publish(newest + 1, isDue);
    else if (isDue && (await this.#canPublishAgain(inventory))) {
      generation = await this.#publish(newest + 1, true);
    } else {
      await this.#putSignature(newest);
      if (hinted !== newest) await this.#writeHint(newest);
    }
    return {
      ...{ id, generation, changed, files: files.length + 1 },
      ...{ uploaded: this.#uploaded, bytes: this.#bytes },
      ...{ deleted: this.#deleted, warnings: this.#warnings },
    };
  }

  /** Uploads the files that the bucket does not have, or has with another size. */
  async #uploadMissing(inventory: Inventory): Promise<void> {
    const { files, file: manifest } = this.#snapshot;
    const { onProgress, allowUnconditional } = this.#settings;
    const probed = allowUnconditional ? null : await this.#probe(inventory);
    const absent = [...files, manifest].filter(
      ({ file, bytes }) => file !== probed && inventory.content.get(file)?.bytes !== bytes,
    );
    const total = absent.reduce((sum, { bytes }) => sum + bytes, 0);
    let sent = 0;
    await inParallel(absent, UPLOADED_AT_ONCE, async (file) => {
      await this.#bucket.put(this.#objectOf(file), this.#settings.signal);
      this.#count(file);
      sent += file.bytes;
      onProgress?.(sent, total, PHASES.uploading);
    });
  }

  /** @returns the file that the probe has uploaded; null if it has uploaded none */
  async #probe({ content }: Inventory): Promise<string | null> {
    const { files, file } = this.#snapshot;
    const smallest = files.reduce((a, b) => (b.bytes < a.bytes ? b : a), file);
    const isListed = content.has(smallest.file);
    const object = this.#objectOf(smallest);
    const { signal } = this.#settings;
    const isUploaded = await requireConditions(this.#bucket, object, isListed, signal);
    if (isUploaded) this.#count(smallest);
    return isUploaded ? smallest.file : null;
  }

  #objectOf(file: StoredFile) {
    return objectOfFile(this.#settings.store, file);
  }

  #count({ bytes }: StoredFile): void {
    this.#uploaded += 1;
    this.#bytes += bytes;
  }

  /**
   * Makes the snapshot the newest generation, deletes old files if that is due, and then writes the hint: other pushes
   * wait for it.
   */
  async #publish(generation: number, isDue: boolean): Promise<number> {
    const { id } = this.#snapshot;
    const { allowUnconditional, signal } = this.#settings;
    // Readers may ask for the signature from the commit on.
    await this.#putSignature(generation);
    const isOurs = await commitGeneration(this.#bucket, generation, id, allowUnconditional, signal);
    // Another push of the same snapshot may have created it, and be deleting files.
    if (!isOurs) return generation;
    const isOver =
      !isDue ||
      (await this.#warnIfFails("old files were not deleted", () => this.#sweep(generation)));
    if (isOver) await this.#writeHint(generation);
    return generation;
  }

  /** Uploads the signature of the snapshot as a generation, if it has one. @throws RemoteRefusedError if it has another one */
  async #putSignature(generation: number): Promise<void> {
    const { id, sign } = this.#snapshot;
    const signature = await sign(generation);
    if (signature === null) return;
    await this.#bucket.put(objectOf(signaturePath(id), signature), this.#settings.signal);
  }

  /** Readers also find newer generations without the hint. */
  async #writeHint(generation: number): Promise<void> {
    const hint = Buffer.from(hintText(generation, this.#snapshot.id));
    await this.#warnIfFails("current.json was not updated", () =>
      this.#bucket.put(objectOf(HINT, hint)),
    );
  }

  /** Whether a snapshot that is already the newest can be published again, so that old files can be deleted. */
  async #canPublishAgain(inventory: Inventory): Promise<boolean> {
    const old = await this.#oldPaths(inventory);
    if (old.length === 0) return false;
    return this.#warnIfFails("old files were not deleted", async () => {
      await this.#snapshot.sign(inventory.newest + 1);
    });
  }

  async #sweep(generation: number): Promise<void> {
    const inventory = await takeInventory(this.#bucket);
    const { onProgress } = this.#settings;
    const old = await this.#oldPaths(inventory);
    await sweep(this.#bucket, old, inventory.generations.get(generation) ?? 0, (deleted) => {
      this.#deleted = deleted;
      onProgress?.(deleted, old.length, PHASES.removing);
    });
  }

  async #oldPaths(inventory: Inventory): Promise<string[]> {
    const generations = {
      idOf: (generation: number) => readGeneration(this.#bucket, generation),
      pathsOf: (id: string) => this.#pathsOf(id),
    };
    const old = await oldPaths(inventory, generations, this.#settings);
    if (old !== null) return old;
    this.#warnings.push("no old files were deleted: the manifest of a kept generation is lost");
    return [];
  }

  /** The paths of all files of a snapshot; null if its manifest is lost. */
  async #pathsOf(id: string): Promise<string[] | null> {
    if (id === this.#snapshot.id) return pathsOf(this.#snapshot);
    return findPaths(this.#settings.store, this.#bucket, id);
  }

  /** Runs a step without which the push still succeeds. @returns whether it did not fail */
  async #warnIfFails(problem: string, step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      this.#warnings.push(`${problem}: ${messageOf(error)}`);
      return false;
    }
  }
}
