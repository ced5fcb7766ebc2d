import {
  type Adder,
  type PublicationEnd,
  type PublicationStart,
  writeAdded,
} from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import type { AddedFile } from "../../store/format.js";
import { currentId, StoredSnapshot } from "../../store/reader.js";
import { storedJson } from "../../store/stored-json.js";
import { TRENDS_EXTRA, type Trends, trendsWith } from "./stored-trends.js";

/**
 * Begins the trends of a publication: those of the current snapshot, or of the latest intact one if it is damaged, with
 * a point for this publication unless they have it already. They are not part of a snapshot's `content`, as they depend
 * on earlier publications.
 */
export function beginTrends({ store, now }: PublicationStart): Adder {
  let bytesWritten = 0;
  return {
    end: async (publication) => {
      const { file, written } = await trendsFile(store, now, publication);
      bytesWritten = written;
      return { facts: {}, files: [file] };
    },
    get bytesWritten() {
      return bytesWritten;
    },
  };
}

/** @throws StoreWriteError */
async function trendsFile(
  store: string,
  now: number,
  { generation, publications, figures, standards }: PublicationEnd,
): Promise<{ readonly file: AddedFile; readonly written: number }> {
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
  const text = Buffer.from(JSON.stringify(trends));
  const { file, written } = await writeAdded(store, TRENDS_EXTRA, text);
  return { file: { ...file, facts: {} }, written };
}

interface StoredTrends {
  readonly file: AddedFile;
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
      const file = snapshot.addition(TRENDS_EXTRA)?.files[0];
      if (file === undefined) return null;
      return { file, trends: await snapshot.readAdded(file, storedJson<Trends>) };
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}
