import type { Manifest, StoredFile } from "./format.js";

/** All files that a snapshot's manifest names, each with its path relative to the store. */
export function storedFiles(id: string, manifest: Manifest): StoredFile[] {
  const { buckets, public: documents } = manifest;
  return [
    ...buckets.flatMap((bucket): StoredFile[] => Object.values(bucket)),
    ...manifest.search,
    ...documents.map((document) => ({ ...document, file: `${id}/public/${document.file}` })),
  ];
}
