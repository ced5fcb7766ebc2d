import type { TrendsQuery } from "../../contract/trends.js";
import { TRENDS_DOCUMENT, type Trends, trendPoints } from "../../store/trends.js";
import type { SnapshotView } from "../answer/content.js";
import { readOnce } from "../answer/page-facts.js";

const trendsOf = readOnce(TRENDS_DOCUMENT, (trends: Trends) => trends);

/** The body of `/api/trends`, in UTF-8. */
export async function trendsBody(query: TrendsQuery, snapshot: SnapshotView): Promise<Uint8Array> {
  const { category = null, check = null } = query;
  const points = trendPoints(await trendsOf(snapshot), query);
  return new TextEncoder().encode(JSON.stringify({ data: { category, check, points } }));
}
