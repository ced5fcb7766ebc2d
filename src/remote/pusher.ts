import { messageOf } from "../files/errors.js";
import { PHASES } from "../options/defaults.js";
import type { StoredFile } from "../store/format.js";
import { commitGeneration } from "./commit.js";
import { requireConditions } from "./conditions.js";
import { RemoteBusyError } from "./errors.js";
import { hintText, readGeneration, readHint } from "./generations.js";
import { type Inventory, takeInventory } from "./inventory.js";
import { type CheckedManifest, findPaths, pathsOf } from "./manifests.js";
import { objectOf, objectOfFile } from "./new-objects.js";
import type { PushSettings } from "./options.js";
import { HINT, signaturePath } from "./paths.js";
import type { PushResult } from "./push.js";
import { inParallel, waitAfter } from "./retrying.js";
import type { S3Bucket } from "./s3-bucket.js";
import { isSweepDue, sweep } from "./sweep.js";
import { isSettled, isTimely, uploadsFor } from "./uploads.js";

/** How many files are sent at the same time. Each of them holds about a megabyte. */
const UPLOADED_AT_ONCE = 16;
/**
 * How often a push lists the bucket before it gives up, and the wait for another push's sweep, as for a fifth try: 96
 * seconds or more in all, which outlast the mark of a push that was killed.
 */
const ROUNDS_MAX = 60;
const SWEEP_WAIT_TRIES = 5;

/** A local snapshot that is to be pushed. */
export interface PushedSnapshot extends CheckedManifest {
  /** The signature of the snapshot as this generation; null if it is not signed. */
  readonly sign: (generation: number) => Promise<Uint8Array | null>;
}

/** The bucket's newest generation. */
interface NewestGeneration {
  readonly generation: number;
  /** Null if there is no generation. */
  readonly id: string | null;
  /** The files of its snapshot. */
  readonly named: ReadonlySet<string>;
}

/** One push of one snapshot. */
export class Pusher {
  readonly #bucket: S3Bucket;
  readonly #snapshot: PushedSnapshot;
  readonly #settings: PushSettings;
  readonly #warnings: string[] = [];
  #uploaded = 0;
  #bytes = 0;

  constructor(bucket: S3Bucket, snapshot: PushedSnapshot, settings: PushSettings) {
    this.#bucket = bucket;
    this.#snapshot = snapshot;
    this.#settings = settings;
  }

  async run(): Promise<PushResult> {
    const { id, files } = this.#snapshot;
    const { inventory, newest } = await this.#uploadMissing();
    const isNewest = newest.id === id;
    const generation = isNewest ? newest.generation : await this.#commit(newest.generation + 1);
    const isLate = !isNewest && !isTimely(inventory.now, this.#bucket.storeTime);
    if (isNewest) await this.#putSignature(generation);
    await this.#warnIfFails("current.json was not updated", () => this.#writeHint(generation));
    if (isLate) {
      const problem = "the commit took long, and files of the snapshot may be missing: push again";
      await this.#warnIfFails(problem, () => this.#repair(generation));
    }
    let deleted = 0;
    await this.#warnIfFails("old files were not deleted", async () => {
      deleted = await this.#sweep(inventory, newest, generation);
    });
    return {
      ...{ id, generation, changed: !isNewest, files: files.length + 1 },
      ...{ uploaded: this.#uploaded, bytes: this.#bytes, deleted, warnings: this.#warnings },
    };
  }

  /**
   * Uploads until a list of the bucket shows that all files are there to stay (`uploads.ts`).
   * @param committed the snapshot's own files, if a generation names them; otherwise undefined
   */
  async #uploadMissing(
    committed?: ReadonlySet<string>,
  ): Promise<{ inventory: Inventory; newest: NewestGeneration }> {
    const { file, files } = this.#snapshot;
    const { graceMs, allowUnconditional, signal, onProgress } = this.#settings;
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const inventory = await takeInventory(this.#bucket, signal);
      const newest = await this.#newestIn(inventory);
      const isProbed = round > 1 || committed !== undefined || allowUnconditional;
      const probed = isProbed ? null : await this.#probe(inventory);
      const open = [...files, file].filter((one) => one.file !== probed);
      const uploads = uploadsFor(open, inventory, committed ?? newest.named, graceMs);
      const { absent, stale, bytes } = uploads;
      let sent = 0;
      await inParallel(absent, UPLOADED_AT_ONCE, async (one) => {
        await this.#upload(one);
        sent += one.bytes;
        onProgress?.(sent, bytes, PHASES.uploading);
      });
      await inParallel(stale, UPLOADED_AT_ONCE, (one) => this.#renew(one));
      if (isSettled(inventory, uploads, this.#bucket.storeTime, graceMs)) {
        return { inventory, newest };
      }
      if (inventory.marks.length > 0) await waitAfter(SWEEP_WAIT_TRIES, signal);
    }
    throw new RemoteBusyError(
      `${this.#bucket.name}: other pushes have been deleting files for too long; try again when they are done, or a minute after one was killed`,
    );
  }

  /** Uploads again what another push has deleted before this one's late commit (`uploads.ts`, rule 4). */
  async #repair(generation: number): Promise<void> {
    const { inventory } = await this.#uploadMissing(new Set(pathsOf(this.#snapshot)));
    const isSigned = inventory.content.has(signaturePath(this.#snapshot.id));
    if (!isSigned) await this.#putSignature(generation);
  }

  /** @returns the file that the probe has uploaded; null if it has not */
  async #probe({ content }: Inventory): Promise<string | null> {
    const { files, file } = this.#snapshot;
    const smallest = files.reduce((a, b) => (b.bytes < a.bytes ? b : a), file);
    const isListed = content.has(smallest.file);
    const { signal } = this.#settings;
    const object = objectOfFile(this.#settings.store, smallest);
    const isUploaded = await requireConditions(this.#bucket, object, isListed, signal);
    if (isUploaded) this.#count(smallest);
    return isUploaded ? smallest.file : null;
  }

  async #newestIn({ newest: generation }: Inventory): Promise<NewestGeneration> {
    const id = generation === 0 ? null : await readGeneration(this.#bucket, generation);
    const paths = id === null ? null : await this.#findPaths(id);
    return { generation, id, named: new Set(paths) };
  }

  /** The paths of all files of a snapshot; null if its manifest is lost. */
  async #findPaths(id: string): Promise<string[] | null> {
    const { store } = this.#settings;
    if (id === this.#snapshot.id) return pathsOf(this.#snapshot);
    return findPaths(store, this.#bucket, id);
  }

  async #upload(file: StoredFile): Promise<void> {
    const { store, signal } = this.#settings;
    await this.#bucket.put(objectOfFile(store, file), signal);
    this.#count(file);
  }

  #count({ bytes }: StoredFile): void {
    this.#uploaded += 1;
    this.#bytes += bytes;
  }

  /** Resets a file's time, so that no sweep deletes the file soon. */
  async #renew(file: StoredFile): Promise<void> {
    const { store, signal } = this.#settings;
    const isTouched = await this.#bucket.touch(objectOfFile(store, file), signal);
    if (!isTouched) await this.#upload(file);
  }

  #commit(from: number): Promise<number> {
    const { allowUnconditional: unconditional, signal } = this.#settings;
    const prepare = (generation: number) => this.#putSignature(generation);
    return commitGeneration(this.#bucket, {
      ...{ id: this.#snapshot.id, from, prepare, unconditional, signal },
    });
  }

  /** Uploads the signature before the commit, because readers may ask for it from then on. */
  async #putSignature(generation: number): Promise<void> {
    const { id, sign } = this.#snapshot;
    const signature = await sign(generation);
    if (signature === null) return;
    await this.#bucket.put(objectOf(signaturePath(id), signature), this.#settings.signal);
  }

  /** Writes the hint, unless it names this generation or a newer one. Readers also find newer generations without it. */
  async #writeHint(generation: number): Promise<void> {
    // A damaged hint is overwritten.
    const hint = await readHint(this.#bucket).catch(() => null);
    if ((hint?.generation ?? 0) >= generation) return;
    const text = Buffer.from(hintText(generation, this.#snapshot.id));
    await this.#bucket.put(objectOf(HINT, text));
  }

  async #sweep(
    inventory: Inventory,
    newest: NewestGeneration,
    generation: number,
  ): Promise<number> {
    const { keep, graceMs, onProgress } = this.#settings;
    const own = pathsOf(this.#snapshot);
    const named = new Set([...own, ...newest.named]);
    const { storeTime } = this.#bucket;
    if (!isSweepDue(inventory, named, storeTime, { keep, graceMs })) return 0;
    const filesOf = async (number: number) => {
      if (number === generation) return own;
      const id = await readGeneration(this.#bucket, number);
      return id === null ? null : this.#findPaths(id);
    };
    const deleted = await sweep(this.#bucket, filesOf, { keep, graceMs }, onProgress);
    if (deleted === null) {
      this.#warnings.push("no old files were deleted: the manifest of a kept generation is lost");
    }
    return deleted ?? 0;
  }

  /** Runs a step after the commit: if it fails, the push has still succeeded. */
  async #warnIfFails(problem: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#warnings.push(`${problem}: ${messageOf(error)}`);
    }
  }
}
