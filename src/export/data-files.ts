import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { ROUTES } from "../contract/routes.js";
import { own } from "../contract/tables.js";
import { installedExtras } from "../extra.js";
import { readRegular } from "../files/regular.js";
import { unreadable } from "../store/bad-snapshot.js";
import type { AddedFile, Manifest, StoredFile } from "../store/format.js";
import { sha256, shortDigest, layout as storeLayout } from "../store/layout.js";
import { pointerText } from "../store/pointer.js";
import { publicationsUpTo } from "../store/publications.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { dataName, packPieces } from "../store/segments/directory.js";

/* The files of a tree in which scripts search and read reports without a server. */

/** A file of the tree that belongs to no single listing. */
export interface TreeDocument {
  /** Identifies the content. */
  readonly digest: string;
  /** Its length in bytes, if that is known before it is made. */
  readonly bytes?: number;
  make(): Promise<Uint8Array>;
}

/** A document that copies a stored file. Its `make` rejects with BadSnapshotError if the file is missing or damaged. */
export function storedDocument(folder: string, file: StoredFile): TreeDocument {
  const { bytes, sha256: hash } = file;
  return { digest: shortDigest(hash), bytes, make: () => readChecked(folder, file) };
}

export function madeDocument(bytes: Uint8Array): TreeDocument {
  return { digest: shortDigest(sha256(bytes)), bytes: bytes.length, make: async () => bytes };
}

const deflated = promisify(deflateRaw);

const DATA = "data/";
/** Names the snapshot of all other data files, so it is written after them. */
const DATA_CURRENT = `${DATA}current.json`;

/** Whether a data file's name is a hash of its content. @param path in the tree */
export function isNamedByHash(path: string): boolean {
  return path.startsWith(DATA) && path !== DATA_CURRENT;
}

/** The data files of a tree, by path. */
export function dataFiles(snapshot: StoredSnapshot, isPacked: boolean): Map<string, TreeDocument> {
  const { manifest, store } = snapshot;
  const documents = new Map<string, TreeDocument>();
  const { files, hasTables } = addedData(manifest);
  for (const file of files) documents.set(DATA + dataName(file.file), storedDocument(store, file));
  for (const segment of manifest.segments) {
    const { table, pack } = segment;
    if (hasTables) documents.set(DATA + table.file, storedDocument(store, table));
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
  const named = dataManifest(snapshot, isPacked);
  documents.set(`${DATA}${named.digest}/manifest.json`, named);
  const current = pointerText({ id: named.digest, ...publicationsUpTo(manifest) });
  documents.set(DATA_CURRENT, madeDocument(Buffer.from(current)));
  return documents;
}

/**
 * The files that each search of a tree reads first, by their paths, the manifest before all others: the explorer's
 * first script loads them at the same time.
 */
export function searchStart(snapshot: StoredSnapshot, isPacked: boolean): string[] {
  const { extras = {} } = snapshot.manifest;
  const added = installedExtras().flatMap(
    ({ name, tree }) => tree?.data?.readFirst(own(extras, name)?.files ?? []) ?? [],
  );
  return [
    `${DATA}${dataManifest(snapshot, isPacked).digest}/manifest.json`,
    ROUTES.standards.document,
    ...added.map(({ file }) => DATA + dataName(file)),
  ];
}

/**
 * The manifest that scripts read. Its digest is the snapshot's id in the tree. If scripts read neither tables nor
 * packs, it lacks the segments, which are most of it, and the files that are not in the tree.
 */
function dataManifest({ id, manifest, store }: StoredSnapshot, isPacked: boolean): TreeDocument {
  const { files, hasTables } = addedData(manifest);
  if (isPacked || hasTables) {
    return { digest: id, make: () => storedManifest(store, id, `${id}/manifest.json`) };
  }
  const isCopied = new Set(files);
  const extras = Object.entries(manifest.extras ?? {}).map(([name, addition]) => {
    return [name, { ...addition, files: addition.files.filter((file) => isCopied.has(file)) }];
  });
  const lean = { ...manifest, segments: [], extras: Object.fromEntries(extras) };
  return madeDocument(Buffer.from(JSON.stringify(lean)));
}

/** The files of extras that scripts read, and whether they also read tables. */
function addedData({ extras = {} }: Manifest) {
  const files: AddedFile[] = [];
  let hasTables = true;
  for (const { name, tree } of installedExtras()) {
    const data = tree?.data;
    const some = own(extras, name)?.files.filter(({ facts }) => data?.copies(facts)) ?? [];
    if (some.length > 0 && data?.replacesTables) hasTables = false;
    files.push(...some);
  }
  return { files, hasTables };
}

/** @throws BadSnapshotError, if a build has deleted the snapshot meanwhile: the export then takes the next one */
function storedManifest(store: string, id: string, name: string): Promise<Buffer> {
  return readRegular(storeLayout.manifest(store, id)).catch((error: unknown) => {
    throw unreadable(name, error);
  });
}
