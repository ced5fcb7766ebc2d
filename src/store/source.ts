import { codeOf, messageOf } from "../files/errors.js";
import {
  BadSnapshotError,
  MalformedSnapshotError,
  namedError,
  StoreAwayError,
  unlikeManifest,
  unreadable,
} from "./bad-snapshot.js";
import type { StoredFile } from "./format.js";

/** A part of a file. */
export interface ByteRange {
  /** Bytes before the part. */
  readonly offset: number;
  /** Bytes of the part. */
  readonly length: number;
}

/**
 * Reads a file of a store by its path, or a part of it. Rejects if the file cannot be read, or has more than `most`
 * bytes; with StoreAwayError if another try may succeed. The bytes may be wrong, so each use checks them.
 * @param isAgain whether the bytes were wrong before: a source that keeps files open opens this one again
 */
export type ByteSource = (
  path: string,
  range?: ByteRange,
  most?: number,
  isAgain?: boolean,
) => Promise<Uint8Array>;

/** The most bytes of any file that is read whole, and of any part: a worker at an edge has no more memory. */
export const FILE_BYTES_MAX = 128 * 1024 * 1024;

/** How often a file is read before it counts as missing or damaged. */
const TRIES = 2;

/** The functions for reading that differ between platforms. */
export interface FilePlatform {
  /** The sha256 of bytes in hex. */
  sha256(bytes: Uint8Array): Promise<string>;
  /** Inflates a file. @param most the most bytes that it may become @throws BadColumnsError */
  gunzip(bytes: Uint8Array, most: number): Promise<Uint8Array>;
}

/** Reads files of a store, and checks every byte. */
export class CheckedFiles {
  readonly #read: ByteSource;
  readonly #platform: FilePlatform;
  /** The files that are being read: requests that come meanwhile share them. */
  readonly #reading = new Map<string, Promise<unknown>>();
  /** By path, why files were refused that have the right bytes. They are not read again. */
  readonly #refused = new Map<string, MalformedSnapshotError>();

  constructor(read: ByteSource, platform: FilePlatform) {
    this.#read = read;
    this.#platform = platform;
  }

  /**
   * Reads a file once for all requests that come meanwhile. If its content was refused, it is not read again.
   * @param path names the file, or a part of it. It always stands for values of the same type
   */
  once<T>(path: string, read: () => Promise<T>): Promise<T> {
    const refused = this.#refused.get(path);
    if (refused !== undefined) return Promise.reject(refused);
    const shared = this.#reading.get(path);
    if (shared !== undefined) return shared as Promise<T>;
    const reading = read()
      .catch((error: unknown) => {
        if (error instanceof MalformedSnapshotError) this.#refused.set(path, error);
        throw error;
      })
      .finally(() => this.#reading.delete(path));
    this.#reading.set(path, reading);
    return reading;
  }

  /**
   * Reads and inflates a whole file.
   * @param most returns the most bytes that it may become @throws BadSnapshotError
   */
  async inflated(file: StoredFile, most: () => number): Promise<Uint8Array> {
    const bytes = await this.file(file);
    try {
      return await this.#platform.gunzip(bytes, most());
    } catch (error) {
      return namedError(file.file, error);
    }
  }

  /**
   * Reads a whole file.
   * @param folder the folder of the file's path, with a slash at its end
   * @throws BadSnapshotError if it is missing or does not match the manifest
   */
  file({ file, bytes, sha256 }: StoredFile, folder = ""): Promise<Uint8Array> {
    return this.#checked(folder + file, undefined, bytes, sha256);
  }

  /**
   * Reads a part of a file.
   * @param digest the part's sha256 in hex
   * @throws BadSnapshotError if it is missing or damaged
   */
  part(path: string, range: ByteRange, digest: string): Promise<Uint8Array> {
    return this.#checked(path, range, range.length, digest);
  }

  /**
   * Reads a part of a file that tells by itself whether it is damaged.
   * @param read makes a value of the part; null if the part is damaged
   * @throws BadSnapshotError if it is missing or damaged
   */
  partAs<T>(
    path: string,
    range: ByteRange,
    read: (bytes: Uint8Array) => Promise<T | null>,
  ): Promise<T> {
    return this.#tried(path, range, range.length, read);
  }

  #checked(
    path: string,
    range: ByteRange | undefined,
    length: number,
    digest: string,
  ): Promise<Uint8Array> {
    return this.#tried(path, range, length, async (bytes) =>
      (await this.#platform.sha256(bytes)) === digest ? bytes : null,
    );
  }

  async #tried<T>(
    path: string,
    range: ByteRange | undefined,
    length: number,
    read: (bytes: Uint8Array) => Promise<T | null>,
  ): Promise<T> {
    if (length > FILE_BYTES_MAX) {
      throw new BadSnapshotError(`${path} should have more than ${FILE_BYTES_MAX} bytes`);
    }
    let failure: unknown;
    for (let tried = 0; tried < TRIES; tried += 1) {
      try {
        const bytes = await this.#read(path, range, length, tried > 0);
        const value = bytes.length === length ? await read(bytes) : null;
        if (value !== null) return value;
      } catch (error) {
        failure = error;
      }
    }
    if (failure !== undefined) throw notRead(path, failure);
    if (range === undefined) throw unlikeManifest(path);
    throw new BadSnapshotError(`${path} is damaged at byte ${range.offset}`);
  }
}

/** The error for a file that its source cannot give. */
export function notRead(path: string, error: unknown): BadSnapshotError {
  if (error instanceof StoreAwayError) return error;
  if (codeOf(error) !== undefined) return unreadable(path, error);
  return new BadSnapshotError(`${path} cannot be fetched: ${messageOf(error)}`, { cause: error });
}

/** The most bytes of a signature: more than ten times as many as one has. */
export const SIGNATURE_BYTES_MAX = 4096;

/**
 * The text of a snapshot's signature; null if it is not signed, where the source can tell.
 * @throws BadSnapshotError if it cannot be read
 */
export async function readSignatureFrom(read: ByteSource, id: string): Promise<string | null> {
  const path = `${id}/manifest.json.minisig`;
  try {
    return new TextDecoder().decode(await read(path, undefined, SIGNATURE_BYTES_MAX));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw notRead(path, error);
  }
}

/** Values that were used recently, up to a number of bytes. */
export class ByteCache<K, T extends object> {
  readonly #most: number;
  /** The value that was used last is the last one. */
  readonly #values = new Map<K, { readonly value: T; readonly size: number }>();
  #bytes = 0;

  /** @param most bytes of all values together */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): T | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  /** Adds a value of `size` bytes, and drops those that were unused for longest. One that is too large is not kept. */
  set(key: K, value: T, size: number): void {
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
