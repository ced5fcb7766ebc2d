import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { readRegular } from "../files/regular.js";
import { unreadable } from "../store/bad-snapshot.js";
import { publicationsUpTo } from "../store/change-log.js";
import type { StoredFile } from "../store/format.js";
import { layout, sha256, shortDigest } from "../store/layout.js";
import { pointerText } from "../store/pointer.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { packPieces } from "../store/segments/directory.js";

const deflated = promisify(deflateRaw);

/** A file of the tree that belongs to no single listing. */
export interface TreeDocument {
  /** Identifies the content. */
  readonly digest: string;
  /** Its length in bytes, if that is known before it is made. */
  readonly bytes?: number;
  make(): Promise<Uint8Array>;
}

/** The folder of the files in which scripts search and read reports without a server. */
const DATA = "data/";
/** Names the snapshot of all other data files, so it is written after them. */
const DATA_CURRENT = `${DATA}current.json`;

/** A document that copies a stored file. Its `make` rejects with BadSnapshotError if the file is missing or damaged. */
export function storedDocument(folder: string, file: StoredFile): TreeDocument {
  const { bytes, sha256: hash } = file;
  return { digest: shortDigest(hash), bytes, make: () => readChecked(folder, file) };
}

export function madeDocument(bytes: Uint8Array): TreeDocument {
  return { digest: shortDigest(sha256(bytes)), bytes: bytes.length, make: async () => bytes };
}

/** The data files of a tree, by path. */
export function dataFiles(
  { id, manifest, store }: StoredSnapshot,
  isPacked: boolean,
): Map<string, TreeDocument> {
  const documents = new Map<string, TreeDocument>();
  for (const segment of manifest.segments) {
    const { table, pack } = segment;
    documents.set(DATA + table.file, storedDocument(store, table));
    // All pieces of a pack are made in a row.
    let read: Promise<Buffer> | null = null;
    for (const { file, offset, length } of isPacked ? packPieces(segment) : []) {
      const isLast = offset + length === pack.bytes;
      documents.set(DATA + file, {
        digest: shortDigest(sha256(file)),
        make: async () => {
          read ??= readChecked(store, pack);
          const bytes = await read;
          if (isLast) read = null;
          return deflated(bytes.subarray(offset, offset + length));
        },
      });
    }
  }
  // Its name is the digest of its bytes.
  const named = `${id}/manifest.json`;
  documents.set(DATA + named, { digest: id, make: () => storedManifest(store, id, named) });
  const current = pointerText({ id, ...publicationsUpTo(manifest) });
  documents.set(DATA_CURRENT, madeDocument(Buffer.from(current)));
  return documents;
}

/** @throws BadSnapshotError, if a build has deleted the snapshot meanwhile: the export then takes the next one */
function storedManifest(store: string, id: string, name: string): Promise<Buffer> {
  return readRegular(layout.manifest(store, id)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
}

/** Whether other files refer to a file by a hash of its content. It is written before them and removed after them. */
export function isNamedByContent(path: string): boolean {
  return path.startsWith("assets/") || (path.startsWith(DATA) && path !== DATA_CURRENT);
}
