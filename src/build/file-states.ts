import { join } from "node:path";
import { type FileState, fileState, isSameState } from "../files/regular.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { Manifest, StoredFile } from "../store/format.js";
import { checkHash } from "../store/reader.js";
import type { BuiltBucket } from "./notes.js";

/** The states of a bucket's files. */
export type BucketStates = Readonly<Record<keyof NamedBucketFiles, FileState>>;
export type NamedBucketFiles = Manifest["buckets"][number];

const FILE_KINDS = ["shard", "columns", "pack", "details"] as const;

/** The states of a bucket's files if they are as noted, else null. */
export function notedStates(
  store: string,
  files: NamedBucketFiles,
  noted: BuiltBucket,
): BucketStates | null {
  const states = statesOf(store, files);
  const isNoted = (kind: keyof BucketStates) => isSameState(noted[kind], states?.[kind]);
  return FILE_KINDS.every(isNoted) ? states : null;
}

/** Returns null if one of the files does not exist. */
function statesOf(store: string, files: NamedBucketFiles): BucketStates | null {
  const [shard, columns, pack, details] = FILE_KINDS.map((kind) =>
    fileState(join(store, files[kind].file)),
  );
  return shard && columns && pack && details ? { shard, columns, pack, details } : null;
}

/** The states of a bucket's files if their bytes match the manifest, else null. */
export async function statesIfWhole(
  store: string,
  files: NamedBucketFiles,
): Promise<BucketStates | null> {
  const states = statesOf(store, files);
  for (const kind of FILE_KINDS) {
    if (states !== null && (await stateIfWhole(store, files[kind])) === null) return null;
  }
  return states;
}

/** The state of a file from before its bytes were compared with the manifest; null if they differ. */
export async function stateIfWhole(store: string, file: StoredFile): Promise<FileState | null> {
  const state = fileState(join(store, file.file));
  try {
    if (state !== null) await checkHash(store, file);
    return state;
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
