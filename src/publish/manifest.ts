import { type DirectoryContext, publisherFacts, signalsOf } from "../compile/directory.js";
import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import { formerList } from "../contract/former.js";
import { apiCatalog, openApiDocument } from "../contract/openapi.js";
import { ROUTES } from "../contract/routes.js";
import type { Standards } from "../contract/standards.js";
import { itemAt } from "../contract/tables.js";
import { installedDescriptions } from "../extra.js";
import type { DirectoryRecord } from "../input/checking/schemas.js";
import {
  type Manifest,
  type Segment,
  type SnapshotCounts,
  type StoredFile,
  segmentFiles,
  storedFiles,
  type Withdrawal,
} from "../store/format.js";
import { sha256, shortDigest } from "../store/layout.js";
import { STORE_FORMAT } from "../store/names.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import { contentAt } from "../store/segments/directory.js";
import type { StoredSegments } from "../store/stored-segments.js";
import type { Additions, Shift } from "./additions.js";
import { documentAt, type PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";

/** What a publication serves: all of a snapshot except its number and what extras add. */
export interface Content {
  /** The facts about the directory. */
  readonly facts: Pick<Manifest, "directory" | "vocabulary">;
  readonly listings: StoredSegments;
  readonly counts: SnapshotCounts;
  readonly figures: Figures;
  /** The methodology. */
  readonly standards: Standards;
  readonly documents: readonly PublicDocument[];
  /** Its digest, if it is known that another snapshot has the same content. */
  readonly digest?: string | undefined;
}

/** What the next publication of a store follows. */
export interface Publishing {
  /** Ids of the published snapshots, oldest first. */
  readonly publications: readonly string[];
  /** Must have received all changes. */
  readonly additions: Additions;
  /** The withdrawals that the next builds must respect. */
  readonly withdrawn: readonly Withdrawal[];
  readonly shift: Shift | null;
  /** Whether some former answers may not stay in any file, as far as is known. */
  readonly hasErased: boolean;
}

/**
 * The manifest and all documents of a publication. Writes the files that extras add.
 * @throws StoreWriteError
 */
export async function snapshotOf(
  { facts, listings, counts, figures, standards, documents, digest }: Content,
  { publications, additions, withdrawn, shift, hasErased }: Publishing,
): Promise<{ readonly manifest: Manifest; readonly documents: readonly PublicDocument[] }> {
  const files = documents.map(({ path, bytes }) => describe(bytes, () => path));
  const content =
    digest ?? (await contentId(listings, { public: files, vocabulary: facts.vocabulary }));
  const rows = () => listings.searchRows();
  const gistsOf = (extra: string) => listings.gists(extra);
  const known = { publications, figures, standards, shift, rows, gistsOf, hasErased };
  const added = await additions.end(content, known);
  const manifest: Manifest = {
    format: STORE_FORMAT,
    content,
    directory: facts.directory,
    counts,
    vocabulary: facts.vocabulary,
    segments: [...listings.segments],
    public: files,
    ...added,
    ...(withdrawn.length > 0 && { withdrawn: [...withdrawn] }),
  };
  return { manifest, documents };
}

/** The facts and the documents of a build. */
export async function builtContent(
  directory: DirectoryRecord,
  context: DirectoryContext,
  figures: Figures,
): Promise<Omit<Content, "listings" | "counts">> {
  const former = formerList(context.former);
  const bodies = {
    [ROUTES.catalog.document]: apiCatalog(directory),
    [ROUTES.categories.document]: { data: context.categories },
    [ROUTES.openapi.document]: openApiDocument(directory, await installedDescriptions()),
    [ROUTES.standards.document]: { data: context.standards },
    [ROUTES.tags.document]: { data: context.tags },
    [FIGURES_DOCUMENT]: figures,
  };
  return {
    facts: {
      directory: {
        name: directory.name,
        baseUrl: directory.baseUrl,
        siteUrl: context.siteUrl,
        publisher: publisherFacts(directory),
        ...(!directory.extensions && { extensions: false as const }),
      },
      vocabulary: {
        categories: [...context.categories],
        tags: [...context.tags],
        signals: signalsOf(context.standards),
        platforms: [...context.platforms],
        ...(former.length > 0 && { former }),
      },
    },
    figures,
    standards: context.standards,
    documents: Object.entries(bodies).map(([path, body]) => documentAt(path, body)),
  };
}

/**
 * The facts and the documents of a snapshot, with new figures: for listings that were compiled before.
 * @throws BadSnapshotError if a document of the snapshot is damaged
 */
export async function contentLike(
  snapshot: StoredSnapshot,
  figures: Figures,
): Promise<Omit<Content, "listings" | "counts">> {
  const documents: PublicDocument[] = [];
  for (const document of snapshot.manifest.public) {
    if (document.file === FIGURES_DOCUMENT) continue;
    const file = `${snapshot.id}/public/${document.file}`;
    const bytes = await readChecked(snapshot.store, { ...document, file });
    documents.push({ path: document.file, bytes });
  }
  documents.push(documentAt(FIGURES_DOCUMENT, figures));
  const standards = await snapshot.readStandards();
  return { facts: snapshot.manifest, figures, standards, documents };
}

/**
 * A digest of all live listings, all documents, all former slugs and the names of platforms. So it depends neither on
 * how listings are divided into segments nor on earlier publications.
 */
export async function contentId(
  set: StoredSegments,
  { public: documents, vocabulary }: Pick<Manifest, "public" | "vocabulary">,
): Promise<string> {
  const directories = await set.directories();
  const contents = (await set.live()).flatMap((rows, segment) =>
    Array.from(rows, (row) => contentAt(itemAt(directories, segment), row)),
  );
  const files = documents.map(({ file, sha256 }) => `${file} ${sha256}`);
  const former = (vocabulary.former ?? []).map(
    ({ filter, slug, now }) => `${filter} ${slug} ${now}`,
  );
  // The names of all other terms are in documents.
  const platforms = vocabulary.platforms.map(({ slug, name }) => `${slug} ${name}`);
  const all = [contents, files, former, platforms].flatMap((lines) => lines.sort());
  return shortDigest(sha256(all.join("\n")));
}

/** Bytes of all files that a manifest names. */
export function snapshotBytes(manifest: Manifest): number {
  return totalBytes(storedFiles("", manifest));
}

/** Bytes of the segments that an earlier snapshot did not have. */
export function newSegmentBytes(
  segments: readonly Segment[],
  before: readonly Segment[] = [],
): number {
  const packs = new Set(before.map(({ pack }) => pack.file));
  return totalBytes(segmentFiles(segments.filter(({ pack }) => !packs.has(pack.file))));
}

function totalBytes(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
