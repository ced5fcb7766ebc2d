import { messageOf } from "../files/errors.js";
import { BadSnapshotError, unlikeManifest } from "../store/bad-snapshot.js";
import type { Manifest, StoredFile } from "../store/format.js";
import { STORE_FORMAT } from "../store/names.js";
import { sha256Of } from "./bytes.js";
import { type ByteRange, type FetchStore, FILE_BYTES_MAX } from "./store.js";

/** How often a file is fetched before it counts as missing or damaged. */
const TRIES = 2;

/** Fetches files of a store, and checks every byte. */
export class CheckedFiles {
  readonly #store: FetchStore;

  constructor(store: FetchStore) {
    this.#store = store;
  }

  /**
   * Fetches a whole file.
   * @param folder the folder of the file's path, with a slash at its end
   * @throws BadSnapshotError if it is missing or does not match the manifest
   */
  file({ file, bytes, sha256 }: StoredFile, folder = ""): Promise<Uint8Array> {
    return this.#fetch(folder + file, undefined, bytes, sha256);
  }

  /**
   * Fetches a part of a file.
   * @param digest the part's sha256 in hex, or its first 128 bits
   * @throws BadSnapshotError if it is missing or damaged
   */
  part(path: string, range: ByteRange, digest: string): Promise<Uint8Array> {
    const { offset, length } = range;
    return this.#fetch(path, { offset, length }, length, digest);
  }

  /** @param digest the sha256 in hex, or its beginning */
  async #fetch(
    path: string,
    range: ByteRange | undefined,
    length: number,
    digest: string,
  ): Promise<Uint8Array> {
    if (length > FILE_BYTES_MAX) {
      throw new BadSnapshotError(`${path} should have more than ${FILE_BYTES_MAX} bytes`);
    }
    let failure = unlikeManifest(path);
    for (let tried = 0; tried < TRIES; tried += 1) {
      try {
        const bytes = await this.#store(path, range, length);
        if (bytes.length === length && (await sha256Of(bytes)).startsWith(digest)) return bytes;
      } catch (error) {
        failure = new BadSnapshotError(`${path} cannot be fetched: ${messageOf(error)}`, {
          cause: error,
        });
      }
    }
    throw failure;
  }
}

/** The most bytes of a manifest that the handler reads: an isolate has little memory. One of a million listings has as many. */
export const EDGE_MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The most commas and opening brackets of a manifest, besides one in 16 bytes: a file's entry has four in 140. JSON.parse
 * takes 30 ms for a manifest with as many, and ten times as long for 4 MB of empty objects.
 */
const MARKS_MAX = 32_768;

/** The members of a manifest that a snapshot is read from. */
export type ReadManifest = Pick<
  Manifest,
  "content" | "directory" | "counts" | "vocabulary" | "segments" | "public"
>;

/**
 * Reads a manifest. Its bytes must have the digest that is its id, so a build made them, and only their format is
 * checked.
 * @throws BadSnapshotError
 */
export async function manifestFrom(bytes: Uint8Array, id: string): Promise<ReadManifest> {
  const name = `${id}/manifest.json`;
  if (!(await sha256Of(bytes)).startsWith(id)) {
    throw new BadSnapshotError(`${name} does not match its id`);
  }
  if (entryMarksIn(bytes) > MARKS_MAX + bytes.length / 16) {
    throw new BadSnapshotError(`${name} has too many entries for its size`);
  }
  const manifest: ReadManifest & { readonly format: number } = JSON.parse(
    new TextDecoder().decode(bytes),
  );
  if (manifest.format === STORE_FORMAT) return manifest;
  throw new BadSnapshotError(
    `${name} has format ${Number(manifest.format)}, and this version of crawldex reads format ${STORE_FORMAT}: run crawldex build again`,
  );
}

function entryMarksIn(bytes: Uint8Array): number {
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  return marks;
}

/** Values that were used recently, up to a number of bytes. */
export class ByteCache<T extends object> {
  readonly #most: number;
  /** The value that was used last is the last one. */
  readonly #values = new Map<string, { readonly value: T; readonly size: number }>();
  #bytes = 0;

  /** @param most bytes of all values together */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  /** Adds a value of `size` bytes, and drops those that were unused for longest. One that is too large is not kept. */
  set(key: string, value: T, size: number): void {
    if (size > this.#most || this.#values.has(key)) return;
    this.#values.set(key, { value, size });
    this.#bytes += size;
    for (const [oldest, old] of this.#values) {
      if (this.#bytes <= this.#most) return;
      this.#values.delete(oldest);
      this.#bytes -= old.size;
    }
  }
}
