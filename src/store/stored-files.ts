import type { AnyManifest, StoredFile } from "./format.js";

/** All files that a snapshot's manifest names, each with its path relative to the store. */
export function storedFiles(id: string, manifest: AnyManifest): StoredFile[] {
  const { buckets, public: documents } = manifest;
  return [
    ...buckets.flatMap((bucket): StoredFile[] => Object.values(bucket)),
    ...("search" in manifest ? manifest.search : []),
    ...documents.map((document) => ({ ...document, file: `${id}/public/${document.file}` })),
  ];
}
