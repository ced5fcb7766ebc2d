import type { AnyManifest, StoredFile } from "./format.js";

/** All files that a snapshot's manifest names, each with its path relative to the store. */
export function storedFiles(id: string, { buckets, public: documents }: AnyManifest): StoredFile[] {
  return [
    ...buckets.flatMap((bucket) => Object.values(bucket)),
    ...documents.map((document) => ({ ...document, file: `${id}/public/${document.file}` })),
  ];
}
