import { FIGURES_DOCUMENT, type Figures } from "../contract/figures.js";
import type { Standards } from "../contract/standards.js";
import type { Manifest, SnapshotCounts } from "../store/format.js";
import { readChecked, type StoredSnapshot } from "../store/reader.js";
import type { StoredSegments } from "../store/snapshot-reader.js";
import { TRENDS_DOCUMENT } from "../store/trends.js";
import type { ChangeLog } from "./change-log.js";
import { contentId } from "./new-manifest.js";
import { documentAt } from "./public-documents.js";
import type { PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";
import { withTrends } from "./trends.js";

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
