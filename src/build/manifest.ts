import { type DirectoryContext, publisherFacts, signalsOf } from "../compile/directory.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { apiCatalog, openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { itemAt } from "../contract/tables.js";
import type { DirectoryRecord } from "../published/checking/schemas.js";
import {
  type Manifest,
  type Segment,
  type SnapshotCounts,
  type StoredFile,
  segmentFiles,
  storedFiles,
} from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import { STORE_FORMAT } from "../store/names.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { contentAt } from "../store/segments/directory.js";
import type { StoredSegments } from "../store/snapshot-reader.js";
import { TRENDS_DOCUMENT } from "../store/trends.js";
import type { ChangeLog } from "./change-log.js";
import type { BuildPlan } from "./plan.js";
import { documentAt, type PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";
import type { DoneSegments } from "./segments.js";
import { withTrends } from "./trends.js";

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

/** The documents that do not belong to one listing, as final bytes, in the order of their paths. */
export function publicDocuments(
  directory: DirectoryRecord,
  context: DirectoryContext,
  figures: Figures,
): PublicDocument[] {
  const bodies = {
    [ROUTES.catalog.document]: apiCatalog(directory),
    [ROUTES.categories.document]: { data: context.categories },
    [ROUTES.openapi.document]: openApiDocument(directory),
    [ROUTES.standards.document]: { data: context.standards },
    [ROUTES.tags.document]: { data: context.tags },
  };
  return [
    ...Object.entries(bodies).map(([path, body]) => documentAt(path, body)),
    documentAt(FIGURES_DOCUMENT, figures),
  ];
}

/** The listings of a publication, and its store. */
interface RepublishedListings {
  readonly store: string;
  readonly set: StoredSegments;
  readonly counts: SnapshotCounts;
  readonly figures: Figures;
  /** The methodology of the snapshot. */
  readonly standards: Standards;
  /** Must have received all changes. */
  readonly log: ChangeLog;
  /** Ids of the published snapshots, oldest first. */
  readonly publications: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The manifest and the documents of a publication that takes everything but the listings from a snapshot: for a
 * rollback, or a join of parts. Writes its change files.
 * @throws BadSnapshotError if a document of the snapshot is damaged; StoreWriteError
 */
export async function republished(
  snapshot: StoredSnapshot,
  { store, set, counts, figures, standards, log, publications, now }: RepublishedListings,
): Promise<{ readonly manifest: Manifest; readonly documents: readonly PublicDocument[] }> {
  const documents = await documentsWith(figures, snapshot);
  const files = documents.map(({ path, bytes }) => describe(bytes, () => path));
  const content = await contentId(set, files);
  const history = await log.end(store, content);
  const segments = [...set.segments];
  const manifest = { ...snapshot.manifest, content, counts, segments, public: files, history };
  return withTrends(store, publications, now, { figures, standards, documents, manifest });
}

/**
 * The public documents of a snapshot with new figures, and without trends.
 * @throws BadSnapshotError if one is damaged
 */
async function documentsWith(
  figures: Figures,
  snapshot: StoredSnapshot,
): Promise<PublicDocument[]> {
  const others = snapshot.manifest.public.filter(
    ({ file }) => file !== FIGURES_DOCUMENT && file !== TRENDS_DOCUMENT,
  );
  const documents: PublicDocument[] = [];
  for (const document of others) {
    const file = `${snapshot.id}/public/${document.file}`;
    const bytes = await readChecked(snapshot.store, { ...document, file });
    documents.push({ path: document.file, bytes });
  }
  return [...documents, documentAt(FIGURES_DOCUMENT, figures)];
}
