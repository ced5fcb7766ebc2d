import { type Content, madeContent, type SnapshotView } from "../../answer/content.js";
import { figuresOf, standardsOf } from "../../answer/page-facts.js";
import type { AskedPage, Drawing, SectionDrawing } from "../../answer/page-types.js";
import { linkedFrom } from "../../pages/kit/links.js";
import type { LinkedContext } from "../../pages/kit/page-context.js";
import { CSV } from "../../pages/kit/routes.js";
import { tenth } from "../../pages/kit/words.js";
import type { TrendPoint } from "./bodies.js";
import { TREND_NAMES, TRENDS_PAGE, trendFileNamed, trendFiles } from "./names.js";
import { seriesOf } from "./series.js";
import { trendCsv, trendSvg } from "./trend-files.js";
import { trendPoints, trendsOf } from "./trends.js";
import {
  type CheckPoint,
  type CheckTrend,
  type ComparedTime,
  type TrendsShown,
  trendsPage,
} from "./trends-page.js";

/* Draws the page of trends, and its charts as files. */

export const TRENDS_DRAWING: Drawing = {
  draw: async (asked) => {
    const { snapshot } = asked;
    const context = linkedFrom(TRENDS_PAGE, asked.context);
    const trends = await trendsOf(snapshot);
    const points = trendPoints(trends, {});
    const times = earlierPoints(points);
    const { section = null, until } = await latestOf(asked, context);
    const shown: TrendsShown = {
      series: seriesOf(points, context.rubric),
      times,
      checks: await changedChecks(times, points, snapshot),
      lastScannedAt: (await figuresOf(snapshot)).lastScannedAt,
      latest: section,
    };
    const content = await madeContent(trendsPage(shown, context), snapshot);
    return until === undefined ? content : { ...content, until };
  },
};

export const TREND_FILE_DRAWING: Drawing = {
  draw: async ({ own, context, snapshot }): Promise<Content | string | null> => {
    const points = trendPoints(await trendsOf(snapshot), {});
    const named = trendFileNamed(own);
    const series = seriesOf(points, context.rubric).find(({ name }) => name === named?.name);
    if (named === null || series === undefined) return null;
    if (named.form === "svg") return trendSvg(series, context);
    return { ...(await madeContent(trendCsv(series), snapshot)), contentType: CSV };
  },
  addresses: async () => TREND_NAMES.flatMap(trendFiles).map(({ address }) => address),
};

/** The section of another page about the latest publications. */
async function latestOf(
  { tools, snapshot }: AskedPage,
  context: LinkedContext,
): Promise<Partial<Awaited<ReturnType<SectionDrawing>>>> {
  const load = tools.pages.find(({ latest }) => latest !== undefined)?.latest;
  return load === undefined ? {} : (await load())({ snapshot }, context);
}

const DAY_MS = 86_400_000;
/** How long ago the points are with which the present is compared, in days; 0 for the publication before. */
const TIMES = [
  { past: "30 days ago", moved: "30 days", days: 30 },
  { past: "7 days ago", moved: "7 days", days: 7 },
  { past: "Before", moved: "Last publication", days: 0 },
] as const;

/** A point with which the present is compared. */
interface ComparedPoint extends ComparedTime {
  readonly at: number;
}

/** The points that are compared with the last one, the earliest first; none if there is one publication. */
function earlierPoints(points: readonly TrendPoint[]): ComparedPoint[] {
  const last = points.length - 1;
  const end = dayNumber(points[last]);
  const found = TIMES.flatMap(({ past, moved, days }): ComparedPoint[] => {
    const at = points.findLastIndex(
      (point, index) => index < last && end - dayNumber(point) >= days,
    );
    return at < 0 ? [] : [{ past, moved, at }];
  });
  // Where several are the same point, the shortest time names it.
  return found.filter(({ at }, index) => found[index + 1]?.at !== at);
}

/** The day of a publication, counted from 1970. The first publication may have no time. */
function dayNumber(point: TrendPoint | undefined): number {
  return Math.floor(Date.parse(point?.publishedAt ?? point?.scannedTo ?? "1970-01-01") / DAY_MS);
}

/** The checks whose share has changed, those that have moved farthest first. */
async function changedChecks(
  times: readonly ComparedPoint[],
  points: readonly TrendPoint[],
  snapshot: SnapshotView,
): Promise<CheckTrend[]> {
  const { former } = snapshot.directory;
  const trends = await trendsOf(snapshot);
  const { checks } = await standardsOf(snapshot);
  const version = points.at(-1)?.scoreVersion;
  const shown: (CheckTrend & { readonly moved: number })[] = [];
  for (const { id, name, kind } of checks) {
    if (kind === "penalty" || times.length === 0) continue;
    const own = trendPoints(trends, { check: id }, former);
    const compared = [...times.map(({ at }) => own[at]), own.at(-1)].map((point) =>
      checkPoint(point, version),
    );
    const now = compared.at(-1)?.share ?? null;
    const moves = compared.map((one) => (one === null || now === null ? 0 : one.share - now));
    // A move that the page would round to nothing is none.
    const moved = tenth(100 * Math.max(...moves.map(Math.abs)));
    if (moved > 0) shown.push({ id, name, points: compared, moved });
    await snapshot.pause();
  }
  return shown.sort((a, b) => b.moved - a.moved);
}

/** @param version the present one; shares by others cannot be compared with its shares */
function checkPoint(point: TrendPoint | undefined, version: string | undefined): CheckPoint | null {
  if (point === undefined || point.scoreVersion !== version) return null;
  const { passed, n, share } = point;
  return passed === null || n === null || share === null ? null : { passed, n, share };
}
