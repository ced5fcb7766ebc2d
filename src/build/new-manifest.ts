import { type DirectoryContext, publisherFacts, signalsOf } from "../compile/directory.js";
import { itemAt } from "../contract/tables.js";
import type { DirectoryRecord } from "../published/checking/schemas.js";
import {
  type Manifest,
  type Segment,
  type StoredFile,
  segmentFiles,
  storedFiles,
} from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import { STORE_FORMAT } from "../store/names.js";
import { contentAt } from "../store/segments/directory.js";
import type { StoredSegments } from "../store/snapshot-reader.js";
import { TRENDS_DOCUMENT } from "../store/trends.js";
import type { BuildPlan } from "./plan.js";
import type { PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";
import type { DoneSegments } from "./segments.js";

/** The manifest of a build. @param documents its public documents */
export async function manifestOf(
  { segments, counts }: DoneSegments,
  set: StoredSegments,
  directory: DirectoryRecord,
  context: DirectoryContext,
  documents: readonly PublicDocument[],
  { untouched, former }: BuildPlan,
): Promise<Omit<Manifest, "history">> {
  const files = documents.map(({ path, bytes }) => describe(bytes, () => path));
  return {
    format: STORE_FORMAT,
    // The same program makes the same answers from the same input.
    content: untouched && former !== null ? former.manifest.content : await contentId(set, files),
    directory: {
      name: directory.name,
      baseUrl: directory.baseUrl,
      siteUrl: context.siteUrl,
      publisher: publisherFacts(directory),
      ...(!directory.extensions && { extensions: false as const }),
    },
    counts,
    vocabulary: {
      categories: [...context.categories],
      tags: [...context.tags],
      signals: signalsOf(context.standards),
      platforms: [...context.platforms],
    },
    segments: [...segments],
    public: files,
  };
}

/**
 * A digest of all live listings and all documents except the trends. So it depends neither on how listings are divided
 * into segments nor on earlier publications.
 */
export async function contentId(
  set: StoredSegments,
  documents: readonly StoredFile[],
): Promise<string> {
  const directories = await set.directories();
  const contents = (await set.live()).flatMap((rows, segment) =>
    Array.from(rows, (row) => contentAt(itemAt(directories, segment), row)),
  );
  const files = documents
    .filter(({ file }) => file !== TRENDS_DOCUMENT)
    .map(({ file, sha256 }) => `${file} ${sha256}`);
  return shortDigest(sha256([...contents.sort(), ...files.sort()].join("\n")));
}

/** Bytes of all files that a manifest names. */
export function snapshotBytes(manifest: Manifest): number {
  return totalBytes(storedFiles("", manifest));
}

/** Bytes of the segments that the last build did not have. */
export function newSegmentBytes(segments: readonly Segment[], { former }: BuildPlan): number {
  const known = new Set(former?.manifest.segments.map(({ pack }) => pack.file));
  return totalBytes(segmentFiles(segments.filter(({ pack }) => !known.has(pack.file))));
}

function totalBytes(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
