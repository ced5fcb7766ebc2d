import { createHash } from "node:crypto";
import { join } from "node:path";
import { openRegular, readRegular } from "../../files/regular.js";
import { BadSnapshotError, unlikeManifest, unreadable } from "../../store/bad-snapshot.js";
import { MANIFEST_BYTES_MAX, type StoredFile, storedFiles } from "../../store/format.js";
import { layout, sha256, shortDigest } from "../../store/layout.js";
import { parseManifest } from "../../store/parse-manifest.js";
import type { Pointer } from "../../store/pointer.js";
import { publicationsUpTo } from "../../store/publications.js";
import { highestSigned } from "../../store/reader.js";
import type { VerifyManifest } from "../../store/signature.js";
import { retrying } from "./failures.js";
import type { Origin } from "./origin.js";

/*
 * The objects of a remote store. They have the paths of a local store.
 */

const DIGEST = "[0-9a-f]{32}";
/** No segment is `.` or `..`: an address would lead to another object. */
const DOCUMENT = "public(?:/(?!\\.{1,2}(?:/|$))[\\w.-]+)+";

/** The files of snapshots. A push deletes only these. */
const CONTENT = new RegExp(
  `^(?:segments/${DIGEST}\\.(?:brief|pack|[a-z]{1,16}\\.gz)|${DIGEST}/(?:manifest\\.json(?:\\.minisig)?|${DOCUMENT}))$`,
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

/** A snapshot's manifest whose digest is the snapshot's id. */
export interface CheckedManifest {
  /** The snapshot's id, the number of its publication, and the history that the number belongs to. */
  readonly pointer: Pointer;
  /** The digest of everything that it serves. */
  readonly content: string;
  readonly bytes: Uint8Array;
  /** The manifest itself, as a file. */
  readonly file: StoredFile;
  /** All files that it names, with paths relative to the store. */
  readonly files: readonly StoredFile[];
}

/** Checks a manifest's digest and shape. @returns what is wrong, if either is */
export async function checkedManifest(
  id: string,
  bytes: Uint8Array,
): Promise<CheckedManifest | "wrong digest" | "wrong format"> {
  const digest = sha256(bytes);
  if (shortDigest(digest) !== id) return "wrong digest";
  const data = await parseManifest(bytes);
  if (data === null) return "wrong format";
  const file = { file: manifestPath(id), bytes: bytes.length, sha256: digest };
  const { generation, origin } = publicationsUpTo(data);
  const pointer = { id, generation, origin };
  return { pointer, content: data.content, bytes, file, files: storedFiles(id, data) };
}

/** A snapshot's manifest in the local store or at the origin; null if neither is good. */
export async function findManifest(
  store: string,
  origin: Origin,
  id: string,
): Promise<CheckedManifest | null> {
  const good = async (bytes: Uint8Array | null) => {
    const checked = bytes && (await checkedManifest(id, bytes));
    return typeof checked === "string" ? null : checked;
  };
  const local = await good(await readRegular(layout.manifest(store, id)).catch(() => null));
  const read = () => origin.get(manifestPath(id), (reply) => reply.bytes(MANIFEST_BYTES_MAX));
  return local ?? good(await retrying(undefined, read));
}

/** The paths of a snapshot's files, the manifest's included. */
export function pathsOf({ file, files }: CheckedManifest): string[] {
  return [file, ...files].map((one) => one.file);
}

/** The signatures that a pull requires. */
export interface Trust {
  readonly verify: VerifyManifest;
  /** The highest signed generation of the local snapshots; 0 if none is signed. */
  readonly highest: number;
}

/** The demands of a store whose pulls check signatures. Its snapshots remember which generations were accepted. */
export async function trustIn(store: string, verify: VerifyManifest): Promise<Trust> {
  return { verify, highest: await highestSigned(store, verify) };
}
