import { createHash } from "node:crypto";
import { join } from "node:path";
import { openRegular } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "../store/bad-snapshot.js";
import type { StoredFile } from "../store/format.js";
import { sha256 } from "../store/layout.js";
import { headersFor } from "./paths.js";
import type { NewObject } from "./s3-bucket.js";

/** Bytes that are read and sent at a time. Memory follows this size and the number of uploads, not the files' sizes. */
const CHUNK_BYTES = 256 * 1024;

/** An object with these bytes. */
export function objectOf(path: string, bytes: Uint8Array): NewObject {
  const hash = sha256(bytes);
  return {
    path,
    bytes: bytes.length,
    sha256: hash,
    ...headersFor(path),
    open: () => oneChunk(bytes),
  };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/**
 * An object with the bytes of a local file, which are checked while they are sent. If the file is missing or damaged,
 * the upload fails before its last chunk, so nothing is stored, and opening the object again throws BadSnapshotError.
 */
export function objectOfFile(store: string, file: StoredFile): NewObject {
  const path = file.file;
  let damage: unknown = null;
  const open = () => {
    if (damage !== null) throw damage;
    return checkedChunks(store, file, (error) => {
      damage = error;
    });
  };
  return { path, bytes: file.bytes, sha256: file.sha256, ...headersFor(path), open };
}

/** Reads a file. Yields its last chunk only after it has compared the checksum. */
async function* checkedChunks(
  store: string,
  { file, bytes, sha256 }: StoredFile,
  onDamage: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    const opened = await openRegular(join(store, file));
    try {
      const hash = createHash("sha256");
      let held: Uint8Array | null = null;
      let length = 0;
      for (;;) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes + 1 - length));
        const { bytesRead } = await opened.read(chunk);
        length += bytesRead;
        if (bytesRead === 0 || length > bytes) break;
        if (held !== null) yield held;
        held = chunk.subarray(0, bytesRead);
        hash.update(held);
      }
      if (length !== bytes || hash.digest("hex") !== sha256) throw unlikeManifest(file);
      if (held !== null) yield held;
    } finally {
      await opened.close();
    }
  } catch (error) {
    onDamage(error instanceof BadSnapshotError ? error : unreadable(file, error));
    throw error;
  }
}
