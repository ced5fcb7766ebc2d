import { itemAt } from "../contract/tables.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { BadColumnsError } from "../store/columns/file.js";
import { readSearchFile, type SearchBucket } from "../store/columns/search-file.js";
import type { StoredFile } from "../store/format.js";
import type { CheckedFiles } from "./checked-files.js";
import { inflate } from "./inflate.js";
import type { ReadManifest } from "./manifest.js";

/** Search files that are fetched at the same time: an edge worker may have six connections. */
const FETCHES = 6;
/** The most bytes of an inflated search file. A group of buckets has about 4,000 listings and takes 1 MB. */
const SEARCH_MAX = 512 * 1024 * 1024;

/** Fetches all search files, a few at the same time, and reads their columns. @returns the buckets of each group */
export async function readSearchFiles(
  files: CheckedFiles,
  { search }: ReadManifest,
): Promise<SearchBucket[][]> {
  const groups: SearchBucket[][] = [];
  let next = 0;
  const lane = async () => {
    for (let group = next; group < search.length; group = next) {
      next += 1;
      groups[group] = await readSearchFileOf(files, itemAt(search, group));
    }
  };
  await Promise.all(Array.from({ length: FETCHES }, lane));
  return groups;
}

/** Fetches a search file and reads its columns. */
export async function readSearchFileOf(
  files: CheckedFiles,
  file: StoredFile,
): Promise<SearchBucket[]> {
  const compressed = await files.file(file);
  return checkingBlock(file.file, async () =>
    readSearchFile(await inflate(compressed, SEARCH_MAX)),
  );
}

/** Runs an action that reads columns of a file. @throws BadSnapshotError that names the file */
export async function checkingBlock<T>(file: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof BadColumnsError)) throw error;
    throw new BadSnapshotError(`${file}: ${error.message}`, { cause: error });
  }
}
