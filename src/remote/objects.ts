import { createHash } from "node:crypto";
import { join } from "node:path";
import { openRegular } from "../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "../store/bad-snapshot.js";
import type { StoredFile } from "../store/format.js";
import { sha256 } from "../store/layout.js";

/*
 * The objects of a remote store. They have the paths of a local store.
 */

const DIGEST = "[0-9a-f]{32}";
/** No segment is `.` or `..`: an address would lead to another object. */
const DOCUMENT = "public(?:/(?!\\.{1,2}(?:/|$))[\\w.-]+)+";

/** The files of snapshots. A push deletes only these. */
const CONTENT = new RegExp(
  `^(?:segments/${DIGEST}\\.(?:brief|pack|changes\\.gz)|${DIGEST}/(?:manifest\\.json(?:\\.minisig)?|${DOCUMENT}))$`,
);
const IN_FOLDER = new RegExp(`^(${DIGEST})/`);

export const POINTER = "current.json";

export const manifestPath = (id: string) => `${id}/manifest.json`;
export const signaturePath = (id: string) => `${id}/manifest.json.minisig`;

export const isContent = (path: string) => CONTENT.test(path);

/** The id of the snapshot in whose folder a file lies; null if it lies in a folder that snapshots share. */
export function folderId(path: string): string | null {
  return IN_FOLDER.exec(path)?.[1] ?? null;
}

/** Media types by the ending of a path. */
const TYPES: Record<string, string> = {
  json: "application/json",
  minisig: "text/plain; charset=utf-8",
  "api-catalog": "application/linkset+json",
};

const NEVER_CHANGES = "public, max-age=31536000, immutable";

/** The headers of a file. Only files whose content never changes may be cached. */
function headersFor(path: string): Pick<NewObject, "contentType" | "cacheControl"> {
  const [, ending = ""] = /[./]([^./]+)$/.exec(path) ?? [];
  const isFixed = isContent(path) && !path.endsWith(".minisig");
  return {
    contentType: TYPES[ending] ?? "application/octet-stream",
    cacheControl: isFixed ? NEVER_CHANGES : "no-cache",
  };
}

/** An object to write. The store compares the bytes with their sha256. */
export interface NewObject {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Called once for each try. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

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
