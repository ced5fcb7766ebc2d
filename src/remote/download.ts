import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { UnfinishedFile } from "../files/disk.js";
import { unfinishedName } from "../files/random-name.js";
import { type FileState, fileState, isSameState } from "../files/regular.js";
import type { Reply } from "../lib/http.js";
import type { StoredFile } from "../store/format.js";
import { isWhole } from "../store/reader.js";
import { RemoteSnapshotError, retrying, WrongBytes } from "./failures.js";
import type { Origin } from "./origin.js";

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
