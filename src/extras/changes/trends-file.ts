import { type PublicationEnd, writeAdded } from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { publicationsUpTo } from "../../store/publications.js";
import { currentId, StoredSnapshot } from "../../store/reader.js";
import type { InflatedFile } from "../../store/snapshot-reader.js";
import { storedJson } from "../../store/stored-json.js";
import { CHANGES, changesUpTo, KINDS } from "./addition.js";
import { type Trends, trendsWith } from "./stored-trends.js";

/**
 * The trends of a publication: those of the current snapshot, or of the latest intact one if it is damaged, with a
 * point for this publication unless they have it already. They are not part of a snapshot's `content`, as they depend
 * on earlier publications.
 * @param now in milliseconds since 1970
 * @throws StoreWriteError
 */
export async function trendsFile(
  store: string,
  now: number,
  { generation, publications, figures, standards }: Omit<PublicationEnd, "isSame">,
): Promise<{ readonly file: InflatedFile; readonly written: number }> {
  const former = await formerTrends(store, publications);
  if (former?.trends.points.at(-1)?.generation === generation)
    return { file: former.file, written: 0 };
  const moment = {
    generation,
    // The first publication of a store has no time, so that equal records give equal bytes.
    publishedAt: generation === 1 ? null : new Date(now).toISOString(),
    scannedTo: figures.lastScannedAt,
    scoreVersion: standards.rubric.version,
  };
  const trends = trendsWith(former?.trends ?? null, moment, figures, standards);
  return writeAdded(store, KINDS.trends, Buffer.from(JSON.stringify(trends)));
}

interface StoredTrends {
  readonly file: InflatedFile;
  readonly trends: Trends;
}

/** The trends of the current snapshot, or of the latest one that has some. */
async function formerTrends(
  store: string,
  publications: readonly string[],
): Promise<StoredTrends | null> {
  const current = await currentId(store).catch(() => null);
  for (const id of [current, ...publications.toReversed()]) {
    const found = id === null ? null : await trendsIn(store, id);
    if (found !== null) return found;
  }
  return null;
}

/** The trends of a snapshot; null if it has none, or is damaged. */
async function trendsIn(store: string, id: string): Promise<StoredTrends | null> {
  try {
    const snapshot = await StoredSnapshot.openManifest(store, id);
    try {
      const history = publicationsUpTo(snapshot.manifest);
      const { trends: file } = changesUpTo({ id, history, addition: snapshot.addition(CHANGES) });
      if (file === null) return null;
      return { file, trends: await snapshot.readAdded(file, storedJson<Trends>) };
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
