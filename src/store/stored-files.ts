import type { Manifest, StoredFile } from "./format.js";

/** All files that a snapshot's manifest names, each with its path relative to the store. */
export function storedFiles(id: string, manifest: Manifest): StoredFile[] {
  const { segments, public: documents, history } = manifest;
  return [
    ...(history?.changes.map(({ file, bytes, sha256 }) => ({ file, bytes, sha256 })) ?? []),
    ...segments.flatMap(({ table, pack }) => [table, pack]),
    ...documents.map((document) => ({ ...document, file: `${id}/public/${document.file}` })),
  ];
}
