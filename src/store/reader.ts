import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hostHash } from "../contract/host.js";
import { byCodeUnit } from "../contract/order.js";
import { hasCode } from "../files/errors.js";
import { jsonIn } from "../files/lines.js";
import { isInside, openRegular, readRegular, readRegularSync } from "../files/regular.js";
import { BadSnapshotError, reading, unlikeManifest, unreadable } from "./bad-snapshot.js";
import {
  type AnswerLocation,
  Current,
  MANIFEST_BYTES_MAX,
  type Manifest,
  POINTER_BYTES_MAX,
  type Shard,
  type ShardEntry,
  type StoredFile,
} from "./format.js";
import { layout, sha256, snapshotId } from "./layout.js";
import { OWN_NAMES, SHARD_FORMAT } from "./names.js";
import { PackFiles } from "./packs/packs.js";
import { parseManifest } from "./parse-manifest.js";

/** The id that `current.json` names; null if nothing was published yet. @throws BadSnapshotError */
export async function currentId(store: string): Promise<string | null> {
  return (await currentPointer(store))?.id ?? null;
}

/** The content of `current.json`; null if nothing was published yet. @throws BadSnapshotError */
export async function currentPointer(store: string): Promise<Current | null> {
  let bytes: Buffer;
  try {
    bytes = await readRegular(layout.current(store), POINTER_BYTES_MAX);
  } catch (error) {
    if (hasCode(error, ["ENOENT"])) return null;
    throw unreadable("current.json", error);
  }
  const { data } = Current.safeParse(jsonIn(bytes.toString("utf8")));
  if (data === undefined) throw unlikeFormats("current.json");
  return data;
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
  readonly #packs: PackFiles;

  private constructor(
    store: string,
    id: string,
    manifest: Manifest,
    clock: (() => number) | undefined,
  ) {
    this.id = id;
    this.manifest = manifest;
    this.store = store;
    const paths = manifest.buckets.map(({ pack }) => join(store, pack.file));
    this.#packs = new PackFiles(paths, { clock });
  }

  /**
   * Opens a snapshot by reading only its manifest. The other files may be in any state.
   * @param clock returns milliseconds. If given, packs are read in the calling thread while that is fast
   * @throws BadSnapshotError if the manifest is missing, damaged or does not match its id
   */
  static async openManifest(
    store: string,
    id: string,
    clock?: () => number,
  ): Promise<StoredSnapshot> {
    const manifest = await parseManifest(await readManifestBytes(store, id));
    if (manifest === null) throw unlikeFormats(`${id}/manifest.json`);
    return new StoredSnapshot(store, id, manifest, clock);
  }

  /** The folder of the public documents. */
  get publicFolder(): string {
    return layout.publicFolder(this.store, this.id);
  }

  /** The number of the bucket that has a host's listing, if the snapshot has that listing. */
  bucketOf(host: string): number {
    return Math.floor((hostHash(host) * this.manifest.buckets.length) / 2 ** 32);
  }

  /** Reads a public document. @throws BadSnapshotError if it is missing or damaged */
  readDocument(file: StoredFile): Promise<Buffer> {
    return readChecked(this.publicFolder, file);
  }

  /** Reads the entries of one bucket's shard. @throws BadSnapshotError if it is missing or damaged */
  async readShard(bucket: number): Promise<readonly ShardEntry[]> {
    return readShard(this.store, this.#bucket(bucket).shard);
  }

  /**
   * Reads the body of one answer from its bucket's pack, and checks its sha256. Returns no promise if it can read
   * synchronously.
   * @throws BadSnapshotError if the pack is missing, too short, or damaged at this answer
   */
  readAnswer(bucket: number, [offset, length, hash]: AnswerLocation): Buffer | Promise<Buffer> {
    const { pack } = this.#bucket(bucket);
    if (!isInside(offset, length, pack.bytes)) {
      throw new BadSnapshotError(`${pack.file} cannot have ${length} bytes at byte ${offset}`);
    }
    const body = this.#packs.read(bucket, offset, length);
    const isGood = (read: Buffer) => read.length === length && sha256(read) === hash;
    if (!(body instanceof Promise) && isGood(body)) return body;
    return this.#readAgain(body, bucket, offset, length, isGood);
  }

  /** Closes the packs once the reads in progress end. */
  close(): void {
    this.#packs.close();
  }

  /** Waits for a body. If it is damaged, reads it again from the file that now has the pack's name. */
  async #readAgain(
    read: Buffer | Promise<Buffer>,
    bucket: number,
    offset: number,
    length: number,
    isGood: (body: Buffer) => boolean,
  ): Promise<Buffer> {
    const { file } = this.#bucket(bucket).pack;
    let body: Buffer;
    try {
      body = await read;
    } catch (error) {
      throw unreadable(file, error);
    }
    if (isGood(body)) return body;
    const repaired = await this.#packs.readAfresh(bucket, offset, length, isGood);
    if (repaired === null) throw new BadSnapshotError(`${file} is damaged at byte ${offset}`);
    return repaired;
  }

  #bucket(bucket: number): Manifest["buckets"][number] {
    const files = this.manifest.buckets[bucket];
    if (files === undefined) throw new BadSnapshotError(`${this.id} has no bucket ${bucket}`);
    return files;
  }
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

/** Like `readChecked`, but synchronous. */
export function readCheckedSync(folder: string, file: StoredFile): Buffer {
  const bytes = reading(file.file, () => readRegularSync(join(folder, file.file)));
  if (bytes.length !== file.bytes || sha256(bytes) !== file.sha256) throw unlikeManifest(file.file);
  return bytes;
}

/** Reads the entries of a shard. @throws BadSnapshotError if it is missing or does not match the manifest */
export async function readShard(store: string, file: StoredFile): Promise<readonly ShardEntry[]> {
  return parseShard(await readChecked(store, file), file.file);
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

async function readStored(path: string, name: string, max?: number): Promise<Buffer> {
  try {
    return await readRegular(path, max);
  } catch (error) {
    throw unreadable(name, error);
  }
}

/**
 * Parses JSON that a build wrote and whose checksum was checked. So its shape is the build's, and is not checked
 * again.
 */
export function checkedJson<T>(bytes: Buffer): T {
  return JSON.parse(bytes.toString("utf8"));
}

/** Checks only the format: the manifest's checksum vouches for every byte of the shard. */
export function parseShard(bytes: Buffer, name: string): readonly ShardEntry[] {
  const shard = checkedJson<Shard>(bytes);
  if (shard.format !== SHARD_FORMAT)
    throw new BadSnapshotError(`${name} has a format that this version does not read`);
  return shard.entries;
}

function unlikeFormats(name: string): BadSnapshotError {
  return new BadSnapshotError(
    `${name} does not match any format that this version of crawldex reads: run crawldex build again`,
  );
}
