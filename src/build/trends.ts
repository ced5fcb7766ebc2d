import type { Figures } from "../contract/figures.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { readDocumentOf } from "../store/directory-facts.js";
import type { Manifest } from "../store/format.js";
import { checkedJson, currentId, StoredSnapshot } from "../store/reader.js";
import { TRENDS_DOCUMENT, type Trends, trendsWith } from "../store/trends.js";
import { documentAt } from "./public-documents.js";
import type { PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";

/** A publication whose figures the trends get. */
interface TrendPublication {
  /** Without the trends, which are no part of its `content`: they depend on what was published before. */
  readonly manifest: Manifest;
  readonly documents: readonly PublicDocument[];
  readonly figures: Figures;
  readonly standards: Standards;
}

/**
 * Adds the trends to a publication: those of the current snapshot, with a point for the publication unless it has the
 * same content. If the current snapshot is damaged, those of the latest one that is not.
 * @param publications ids of the published snapshots, oldest first
 * @param now milliseconds since 1970
 */
export async function withTrends(
  store: string,
  publications: readonly string[],
  now: number,
  { manifest, documents, figures, standards }: TrendPublication,
): Promise<Pick<TrendPublication, "manifest" | "documents">> {
  const current = await currentId(store).catch(() => null);
  const ids = [...(current === null ? [] : [current]), ...publications.toReversed()];
  let former: FormerTrends | null = null;
  for (const id of ids) former ??= await trendsIn(store, id);
  const isSame = former !== null && former.id === current && former.content === manifest.content;
  const moment = {
    generation: null,
    // The first publication of a store has no time, so that equal records give equal bytes.
    publishedAt: former === null ? null : new Date(now).toISOString(),
    scannedTo: figures.lastScannedAt,
    scoreVersion: standards.rubric.version,
  };
  const trends =
    former !== null && isSame
      ? former.trends
      : trendsWith(former?.trends ?? null, moment, figures, standards);
  const document = documentAt(TRENDS_DOCUMENT, trends);
  const file = describe(document.bytes, () => TRENDS_DOCUMENT);
  return {
    manifest: { ...manifest, public: [...manifest.public, file] },
    documents: [...documents, document],
  };
}

interface FormerTrends {
  readonly id: string;
  readonly content: string;
  readonly trends: Trends;
}

/** The trends of a snapshot; null if it has none, or is damaged. */
async function trendsIn(store: string, id: string): Promise<FormerTrends | null> {
  try {
    const snapshot = await StoredSnapshot.openManifest(store, id);
    const bytes = await readDocumentOf(snapshot, TRENDS_DOCUMENT).finally(() => snapshot.close());
    return { id, content: snapshot.manifest.content, trends: checkedJson<Trends>(bytes) };
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
