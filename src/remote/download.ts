import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { UnfinishedFile } from "../files/disk.js";
import { unfinishedName } from "../files/random-name.js";
import { type FileState, fileState, isSameState } from "../files/regular.js";
import type { StoredFile } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { checkHash } from "../store/reader.js";
import { RemoteSnapshotError } from "./errors.js";
import type { Origin } from "./origin.js";
import { retrying, WrongBytes } from "./retrying.js";

/** The states of local files whose bytes were compared with their checksums, by path. */
export type VerifiedFiles = Map<string, FileState>;

/** Whether the local store has a file with the right bytes. A file that is as it was when it was checked is not read. */
export async function isStored(
  store: string,
  file: StoredFile,
  verified: VerifiedFiles,
): Promise<boolean> {
  const state = fileState(join(store, file.file));
  if (state?.bytes !== `${file.bytes}`) return false;
  const known = verified.get(file.file);
  if (known !== undefined && isSameState(known, state)) return true;
  const isGood = await checkHash(store, file).then(
    () => true,
    () => false,
  );
  if (isGood) verified.set(file.file, state);
  return isGood;
}

/**
 * Downloads a file into the local store. It gets its name only after its bytes were compared with the checksum.
 * @throws MissingFileError if the origin does not have it; RemoteSnapshotError if its bytes are wrong; StoreWriteError
 */
export function downloadFile(
  origin: Origin,
  store: string,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<void> {
  const path = join(store, file.file);
  return retrying(signal, async (tries) => {
    const unfinished = new UnfinishedFile(join(dirname(path), unfinishedName(basename(path))));
    try {
      const hash = createHash("sha256");
      let length = 0;
      await getFile(origin, file, tries, signal, (chunk) => {
        length += chunk.length;
        if (length > file.bytes) throw wrongBytes(origin, file);
        hash.update(chunk);
        unfinished.append(chunk);
      });
      if (length !== file.bytes || hash.digest("hex") !== file.sha256) {
        throw wrongBytes(origin, file);
      }
      await unfinished.finish(path);
    } catch (error) {
      unfinished.discard();
      throw error;
    }
  });
}

/** Downloads a small file into memory. @throws as `downloadFile` does */
export function downloadBytes(
  origin: Origin,
  file: StoredFile,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  return retrying(signal, async (tries) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    await getFile(origin, file, tries, signal, (chunk) => {
      length += chunk.length;
      if (length > file.bytes) throw wrongBytes(origin, file);
      chunks.push(chunk);
    });
    const bytes = Buffer.concat(chunks);
    if (bytes.length !== file.bytes || sha256(bytes) !== file.sha256) {
      throw wrongBytes(origin, file);
    }
    return bytes;
  });
}

/** The origin does not have a file that a manifest names. A newer snapshot may have replaced it. */
export class MissingFileError extends RemoteSnapshotError {}

async function getFile(
  origin: Origin,
  { file }: StoredFile,
  tries: number,
  signal: AbortSignal | undefined,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  // A cache on the way may have kept wrong bytes.
  const options = { fresh: tries > 1, signal };
  const use = async (reply: { chunks(): AsyncIterable<Uint8Array> }) => {
    for await (const chunk of reply.chunks()) onChunk(chunk);
    return true;
  };
  if ((await origin.get(file, use, options)) !== null) return;
  throw new MissingFileError(
    `${origin.name}/${file} is missing; the next push of the snapshot uploads it again`,
  );
}

function wrongBytes(origin: Origin, { file }: StoredFile): WrongBytes {
  return new WrongBytes(
    `${origin.name}/${file} does not match the manifest; delete it there, then push the snapshot again`,
  );
}
