import { type Content, madeContent, type SnapshotView } from "../../answer/content.js";
import { readOnce } from "../../answer/page-facts.js";
import { FIGURES_MIN } from "../../contract/figures.js";
import { own } from "../../contract/tables.js";
import { ALL_LISTINGS, addValues, TRENDS_DOCUMENT, type Trends } from "../../store/trends.js";
import type { TrendPoint } from "./bodies.js";
import type { TrendsQuery } from "./reads.js";

/** The most points that are read: a point a day for 90 days, then one a week for 75 years. */
const POINTS_MAX = 4_000;

const trendsOf = readOnce(TRENDS_DOCUMENT, (trends: Trends) => {
  if (trends.points.length <= POINTS_MAX) return trends;
  throw new RangeError(`it has more than ${POINTS_MAX} points`);
});

export async function trendsContent(query: TrendsQuery, snapshot: SnapshotView): Promise<Content> {
  const { category = null, check = null } = query;
  const points = trendPoints(await trendsOf(snapshot), query);
  return madeContent(JSON.stringify({ data: { category, check, points } }), snapshot);
}

/**
 * The points of a category, or of the whole directory, with the figures of a check if one is given. Figures of very
 * few sites are left out: they would still tell the score of a site that has been removed since.
 */
export function trendPoints({ points }: Trends, { category, check }: TrendsQuery): TrendPoint[] {
  const figures = new Map<string, Record<string, number | null>>();
  const asked = category ?? ALL_LISTINGS;
  return points.map((point) => {
    addValues(figures, point, [...new Set([ALL_LISTINGS, asked])]);
    const all = figures.get(ALL_LISTINGS) ?? {};
    const group = figures.get(asked) ?? {};
    const count = (name: string) => own(group, name) ?? 0;
    const bands = Object.entries(all).flatMap(([name, value]) =>
      value !== null && name.startsWith("band ") ? [[name.slice(5), count(name)] as const] : [],
    );
    const { generation, publishedAt, scannedTo, scoreVersion } = point;
    const scored = count("scored");
    const isFew = scored < FIGURES_MIN;
    return {
      generation,
      publishedAt,
      scannedTo,
      scoreVersion,
      listings: count("listed"),
      scored,
      median: isFew ? null : (own(group, "median") ?? null),
      bands: isFew ? {} : Object.fromEntries(bands),
      ...(check !== undefined && (own(all, `passed ${check}`) ?? null) !== null
        ? passedShare(count(`passed ${check}`), count("listed") - count(`exempt ${check}`))
        : UNKNOWN),
    };
  });
}

const UNKNOWN = { passed: null, n: null, share: null };

function passedShare(passed: number, n: number): Pick<TrendPoint, "passed" | "n" | "share"> {
  if (n < FIGURES_MIN) return { ...UNKNOWN, n };
  return { passed, n, share: Math.round((10_000 * passed) / n) / 10_000 };
}
