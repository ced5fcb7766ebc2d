import {
  type Adder,
  latestAdded,
  type PublicationEnd,
  type PublicationStart,
  writeAdded,
} from "../../publish/additions.js";
import type { AddedFile } from "../../store/format.js";
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
  const former = await latestAdded<Trends>(store, TRENDS_EXTRA, publications);
  if (former?.value.points.at(-1)?.generation === generation)
    return { file: former.file, written: 0 };
  const moment = {
    generation,
    // The first publication of a store has no time, so that equal records give equal bytes.
    publishedAt: generation === 1 ? null : new Date(now).toISOString(),
    scannedTo: figures.lastScannedAt,
    scoreVersion: standards.rubric.version,
  };
  const trends = trendsWith(former?.value ?? null, moment, figures, standards);
  const text = Buffer.from(JSON.stringify(trends));
  const { file, written } = await writeAdded(store, TRENDS_EXTRA, text);
  return { file: { ...file, facts: {} }, written };
}
