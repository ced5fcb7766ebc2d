import type { Figures } from "../contract/figures.js";
import type { Standards } from "../contract/standards.js";
import { BadSnapshotError } from "../store/bad-snapshot.js";
import { currentId, StoredSnapshot } from "../store/reader.js";
import { storedJson } from "../store/stored-json.js";
import { TRENDS_DOCUMENT, type Trends, trendsWith } from "../store/trends.js";
import { documentAt, type PublicDocument } from "./publish.js";

/**
 * The trends of a publication: those of the current snapshot, or of the latest intact one if it is damaged, with a
 * point for this publication unless they have it already. They are not part of a snapshot's `content`, as they depend
 * on earlier publications.
 * @param publications ids of the published snapshots, oldest first
 * @param moment the number of the publication, and its time in milliseconds since 1970
 */
export async function trendsDocument(
  store: string,
  publications: readonly string[],
  { generation, now }: { readonly generation: number; readonly now: number },
  figures: Figures,
  standards: Standards,
): Promise<PublicDocument> {
  const former = await formerTrends(store, publications);
  if (former?.points.at(-1)?.generation === generation) return documentAt(TRENDS_DOCUMENT, former);
  const moment = {
    generation,
    // The first publication of a store has no time, so that equal records give equal bytes.
    publishedAt: generation === 1 ? null : new Date(now).toISOString(),
    scannedTo: figures.lastScannedAt,
    scoreVersion: standards.rubric.version,
  };
  return documentAt(TRENDS_DOCUMENT, trendsWith(former, moment, figures, standards));
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
    return storedJson<Trends>(bytes);
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
