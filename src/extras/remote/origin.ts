import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { UnfinishedFile } from "../../files/disk.js";
import { unfinishedName } from "../../files/random-name.js";
import { type FileState, fileState, isSameState } from "../../files/regular.js";
import { type Reply, rangeHeader, tooLarge } from "../../lib/http.js";
import type { StoredFile } from "../../store/format.js";
import { isWhole } from "../../store/reader.js";
import type { ByteRange } from "../../store/source.js";
import { bucketAddress, originAddress, s3Access } from "./address.js";
import {
  PASSING_STATUS,
  PassingFailure,
  RemoteError,
  RemoteSnapshotError,
  retrying,
  send,
  WrongBytes,
} from "./failures.js";
import { isFile, S3Bucket } from "./s3-bucket.js";

/** How a file is read from an origin. */
export interface GetOptions {
  /** Asks caches on the way for the origin's own answer. */
  readonly fresh?: boolean;
  /** The part of the file that is wanted. The origin may send the whole file with status 200. */
  readonly range?: ByteRange | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A place with published snapshots. */
export interface Origin {
  /** The address, for messages. */
  readonly name: string;
  /**
   * Reads a file, in one try.
   * @param use reads the body to its end
   * @returns the result of `use`; null if the file does not exist
   * @throws PassingFailure if another try may succeed; RemoteError
   */
  get<T>(path: string, use: (reply: Reply) => Promise<T>, options?: GetOptions): Promise<T | null>;
}

/**
 * The origin at an address that `PULL_ADDRESS` accepts.
 * @param allowRedirects whether a web server may redirect to other hosts. A bucket never may: requests to it are signed
 * @throws RemoteError if a bucket's credentials are missing
 */
export function originAt(address: string, allowRedirects: boolean): Origin {
  const bucket = bucketAddress(address);
  const url = originAddress(address);
  if (bucket !== null) return new S3Bucket(bucket, s3Access());
  if (url === null) throw new TypeError(`${address} is not an address`);
  return new HttpOrigin(url, allowRedirects);
}

/**
 * Reads the text of a small file, with retries and past all caches.
 * @returns null if it does not exist. Some hosts answer 200 with a page for every address that they do not have
 * @throws RemoteError if it has more than `max` bytes
 */
export function readSmallText(
  origin: Origin,
  path: string,
  max: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const name = `${origin.name}/${path}`;
  const use = async (reply: Reply) => {
    const start = await reply.start(max + 1);
    const text = Buffer.from(start).toString("utf8");
    if (text.trimStart().startsWith("<")) return null;
    if (start.length > max) throw tooLarge(name, max);
    return text;
  };
  return retrying(signal, () => origin.get(path, use, { fresh: true, signal }));
}

/** Servers of buckets answer 403 for a missing object if the reader may not list the bucket. */
const MISSING = [403, 404, 410];

/** Any server of plain files. It gets no credentials. */
class HttpOrigin implements Origin {
  readonly name: string;
  readonly #url: URL;
  readonly #allowRedirects: boolean;

  constructor(url: URL, allowRedirects: boolean) {
    this.#url = url;
    this.#allowRedirects = allowRedirects;
    this.name = url.href.replace(/\/$/, "");
  }

  async get<T>(
    path: string,
    use: (reply: Reply) => Promise<T>,
    { fresh = false, range, signal }: GetOptions = {},
  ): Promise<T | null> {
    const name = `${this.name}/${path}`;
    const url = new URL(path, this.#url);
    const past = fresh ? { "cache-control": "no-cache", pragma: "no-cache" } : {};
    const headers = { ...past, ...rangeHeader(range) };
    let asked = url;
    const onRedirect = (to: URL | null) => {
      asked = this.#followed(name, asked, to);
    };
    // Another host may be an internal one: no message repeats any part of its answer.
    const orElsewhere = (message: string) =>
      asked.origin === this.#url.origin
        ? message
        : `${name} redirects to ${asked.host}, which does not send the file`;
    try {
      return await send({ name, url, headers, signal, onRedirect }, async (reply) => {
        if (isFile(reply, range)) return use(reply);
        await reply.discard();
        if (MISSING.includes(reply.status)) return null;
        const message = orElsewhere(`${name} answered ${reply.status}`);
        throw PASSING_STATUS.includes(reply.status)
          ? new PassingFailure(message)
          : new RemoteError(message);
      });
    } catch (error) {
      const isConnection = error instanceof PassingFailure && !(error instanceof WrongBytes);
      throw isConnection ? new PassingFailure(orElsewhere(error.message)) : error;
    }
  }

  /** @throws RemoteError if a reply redirects to an address that must not be followed */
  #followed(name: string, from: URL, to: URL | null): URL {
    // Without the encryption that this one had, anyone on the way could answer.
    if (to === null || (to.protocol !== from.protocol && to.protocol !== "https:")) {
      throw new RemoteError(`${name} redirects to an address that cannot be followed`);
    }
    if (to.origin !== this.#url.origin && !this.#allowRedirects) {
      throw new RemoteError(
        `${name} redirects to ${to.host}, another host: pull from there, or use --allow-redirects if ` +
          "every host that this one names may be asked",
      );
    }
    return to;
  }
}

/** The states of local files whose bytes were compared with their checksums, by path. */
export type VerifiedFiles = Map<string, FileState>;

/**
 * Whether the local store has a file with the right bytes. Does not read a file that has not changed since it was
 * checked.
 */
export async function isStored(
  store: string,
  file: StoredFile,
  verified: VerifiedFiles,
): Promise<boolean> {
  const state = fileState(join(store, file.file));
  if (state?.bytes !== `${file.bytes}`) return false;
  const before = verified.get(file.file);
  if (before !== undefined && isSameState(before, state)) return true;
  const isGood = await isWhole(store, file);
  if (isGood) verified.set(file.file, state);
  return isGood;
}

/**
 * Downloads a file into the local store. It gets its name only after its bytes were compared. @throws as `receive`
 * does; StoreWriteError
 */
export function downloadFile(
  origin: Origin,
  store: string,
  file: StoredFile,
  signal: AbortSignal,
): Promise<void> {
  const path = join(store, file.file);
  return retrying(signal, async (tries) => {
    const unfinished = new UnfinishedFile(join(dirname(path), unfinishedName(basename(path))));
    try {
      await receive(origin, file, tries, signal, (chunk) => unfinished.append(chunk));
      await unfinished.finish(path);
    } catch (error) {
      unfinished.discard();
      throw error;
    }
  });
}

/** Downloads a small file into memory. @throws as `receive` does */
export function downloadBytes(
  origin: Origin,
  file: StoredFile,
  signal: AbortSignal,
): Promise<Buffer> {
  return retrying(signal, async (tries) => {
    const chunks: Uint8Array[] = [];
    await receive(origin, file, tries, signal, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks);
  });
}

/** The origin does not have a file that a manifest names. A newer snapshot may have replaced it. */
export class MissingFileError extends RemoteSnapshotError {}

/**
 * Receives a file in one try, and compares its bytes with the checksum.
 * @throws MissingFileError if the origin does not have it; WrongBytes; as `Origin.get` does
 */
async function receive(
  origin: Origin,
  { file, bytes, sha256 }: StoredFile,
  tries: number,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const hash = createHash("sha256");
  let length = 0;
  const use = async (reply: Reply) => {
    await reply.read((chunk) => {
      length += chunk.length;
      if (length > bytes) return false;
      hash.update(chunk);
      onChunk(chunk);
      return true;
    });
    return length === bytes && hash.digest("hex") === sha256;
  };
  // A cache on the way may have stored wrong bytes.
  const isRight = await origin.get(file, use, { fresh: tries > 1, signal });
  if (isRight) return;
  const name = `${origin.name}/${file}`;
  if (isRight === null) {
    throw new MissingFileError(
      `${name} is missing; the next push of the snapshot uploads it again`,
    );
  }
  throw new WrongBytes(
    `${name} does not match the manifest; delete it there, then push the snapshot again`,
  );
}
