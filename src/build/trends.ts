import type { Figures } from "../contract/figures.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import type { History, Manifest } from "../store/format.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import { checkedJson } from "../store/source.js";
import { TRENDS_DOCUMENT, type Trends, trendsWith } from "../store/trends.js";
import { documentAt, type PublicDocument } from "./publish.js";
import { describe } from "./segment-writer.js";

/** A publication whose figures the trends get. */
interface TrendPublication {
  /** Without the trends, which are not part of its `content`: they depend on earlier publications. */
  readonly manifest: Manifest & { readonly history: History };
  readonly documents: readonly PublicDocument[];
  readonly figures: Figures;
  readonly standards: Standards;
}

/**
 * Adds the trends to a publication: those of the current snapshot, or of the latest intact one if it is damaged, with
 * a point for this publication unless they have it already.
 * @param publications ids of the published snapshots, oldest first
 * @param now milliseconds since 1970
 */
export async function withTrends(
  store: string,
  publications: readonly string[],
  now: number,
  { manifest, documents, figures, standards }: TrendPublication,
): Promise<Pick<TrendPublication, "manifest" | "documents">> {
  const { generation } = manifest.history;
  const former = await formerTrends(store, publications);
  const moment = {
    generation,
    // The first publication of a store has no time, so that equal records give equal bytes.
    publishedAt: generation === 1 ? null : new Date(now).toISOString(),
    scannedTo: figures.lastScannedAt,
    scoreVersion: standards.rubric.version,
  };
  const isSame = former?.points.at(-1)?.generation === generation;
  const trends =
    former !== null && isSame ? former : trendsWith(former, moment, figures, standards);
  const document = documentAt(TRENDS_DOCUMENT, trends);
  const file = describe(document.bytes, () => TRENDS_DOCUMENT);
  return {
    manifest: { ...manifest, public: [...manifest.public, file] },
    documents: [...documents, document],
  };
}

/** The trends of the current snapshot, or of the latest one that has some. */
async function formerTrends(
  store: string,
  publications: readonly string[],
): Promise<Trends | null> {
  const current = await currentId(store).catch(() => null);
  for (const id of [current, ...publications.toReversed()]) {
    const found = id === null ? null : await trendsIn(store, id);
    if (found !== null) return found;
  }
  return null;
}

/** The trends of a snapshot; null if it has none, or is damaged. */
async function trendsIn(store: string, id: string): Promise<Trends | null> {
  try {
    const snapshot = await StoredSnapshot.openManifest(store, id);
    const bytes = await snapshot.readDocument(TRENDS_DOCUMENT).finally(() => snapshot.close());
    return checkedJson<Trends>(bytes);
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
