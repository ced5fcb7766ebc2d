import { messageOf } from "../files/errors.js";
import { BadSnapshotError, unlikeManifest } from "../store/bad-snapshot.js";
import type { StoredFile } from "../store/format.js";
import { slowSha256 } from "./sha256.js";
import { type ByteRange, type FetchStore, FILE_BYTES_MAX } from "./store.js";
import { unshared } from "./unshared.js";

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

/** The sha256 of bytes in hex. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  // Browsers give it only to pages that came over https, or from localhost.
  const { subtle } = globalThis.crypto;
  const digest =
    subtle === undefined
      ? slowSha256(bytes)
      : new Uint8Array(await subtle.digest("SHA-256", unshared(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
