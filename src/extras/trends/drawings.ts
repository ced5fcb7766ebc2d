import { type Content, madeContent, type SnapshotView } from "../../answer/content.js";
import { figuresOf, filledCategories, standardsOf } from "../../answer/page-facts.js";
import type { AskedPage, Drawing, SectionDrawing } from "../../answer/page-types.js";
import { linkedFrom } from "../../pages/kit/links.js";
import type { LinkedContext } from "../../pages/kit/page-context.js";
import { CSV } from "../../pages/kit/routes.js";
import { tenth } from "../../pages/kit/words.js";
import type { TrendPoint } from "./bodies.js";
import { TREND_NAMES, TRENDS_PAGE, trendFileNamed, trendFiles, trendsAddress } from "./names.js";
import type { TrendsQuery } from "./reads.js";
import { seriesOf } from "./series.js";
import { trendCsv, trendSvg } from "./trend-files.js";
import { type PassedShare, sharesOver, trendPoints, trendsOf } from "./trends.js";
import { type CheckPoint, type CheckTrend, type TrendsShown, trendsPage } from "./trends-page.js";

/* Draws the pages of trends, and the charts of the directory as files. */

export const TRENDS_DRAWING: Drawing = {
  draw: async (asked) => {
    const context = linkedFrom(TRENDS_PAGE, asked.context);
    const { section = null, until } = await latestOf(asked, context);
    const shown = await trendsShown(null, asked.snapshot, context);
    const content = await madeContent(
      trendsPage({ ...shown, latest: section }, context),
      asked.snapshot,
    );
    return until === undefined ? content : { ...content, until };
  },
};

/** The pages of categories. */
export const CATEGORY_DRAWING: Drawing = {
  draw: async ({ own, snapshot, context }) => {
    const category = (await filledCategories(snapshot)).find(({ slug }) => slug === own);
    if (category === undefined) return null;
    const linked = linkedFrom(trendsAddress(category), context);
    return trendsPage(await trendsShown(category, snapshot, linked), linked);
  },
  addresses: async (snapshot) => (await filledCategories(snapshot)).map(trendsAddress),
};

/** What a page shows, without the latest changes. */
async function trendsShown(
  category: TrendsShown["category"],
  snapshot: SnapshotView,
  { rubric }: LinkedContext,
): Promise<TrendsShown> {
  const query = category === null ? {} : { category: category.slug };
  const points = trendPoints(await trendsOf(snapshot), query, snapshot.directory.former);
  const earlier = earlierPoints(points);
  return {
    category,
    series: seriesOf(points, rubric),
    times: earlier.map((at) => points[at]?.publishedAt ?? null),
    checks: await checkTrends(earlier, points, query, snapshot),
    lastScannedAt: (await figuresOf(snapshot)).lastScannedAt,
    latest: null,
  };
}

export const TREND_FILE_DRAWING: Drawing = {
  draw: async ({ own, context, snapshot }): Promise<Content | string | null> => {
    const points = trendPoints(await trendsOf(snapshot), {});
    const named = trendFileNamed(own);
    const series = seriesOf(points, context.rubric).find(({ name }) => name === named?.name);
    if (named === null || series === undefined) return null;
    if (named.form === "svg")
      return trendSvg(series, (await figuresOf(snapshot)).lastScannedAt, context);
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
/** The present is compared with the publications of so many days ago, and with the one before it. */
const DAYS = [30, 7];

/** The places of the points that are compared with the last one, the earliest first; none for one publication. */
function earlierPoints(points: readonly TrendPoint[]): number[] {
  const last = points.length - 1;
  const end = dayNumber(points[last]);
  const longAgo = DAYS.map((days) =>
    points.findLastIndex((point, at) => at < last && end - dayNumber(point) >= days),
  );
  return [...new Set([...longAgo, last - 1])].filter((at) => at >= 0);
}

/** The day of a publication, counted from 1970; NaN if its time is not known. */
function dayNumber(point: TrendPoint | undefined): number {
  return Math.floor(Date.parse(point?.publishedAt ?? "") / DAY_MS);
}

/** The checks with their shares, those that have moved farthest first. */
async function checkTrends(
  earlier: readonly number[],
  points: readonly TrendPoint[],
  { category }: TrendsQuery,
  snapshot: SnapshotView,
): Promise<CheckTrend[]> {
  if (earlier.length === 0) return [];
  await snapshot.pause();
  const checks = (await standardsOf(snapshot)).checks.filter(({ kind }) => kind !== "penalty");
  const places = [...earlier, points.length - 1];
  const shares = sharesOver(
    await trendsOf(snapshot),
    category,
    { checks: checks.map(({ id }) => id), places },
    snapshot.directory.former,
  );
  const version = points.at(-1)?.scoreVersion;
  const shown = checks.flatMap(({ id, name }): CheckTrend[] => {
    const compared = places.map((place, at) =>
      points[place]?.scoreVersion === version ? checkPoint(shares.get(id)?.[at]) : null,
    );
    const now = compared.at(-1)?.share ?? null;
    const moves = compared.map((one) => (one === null || now === null ? 0 : one.share - now));
    // A move that the page would round to nothing is none.
    const moved = tenth(100 * Math.max(...moves.map(Math.abs)));
    const isCompared = compared.slice(0, -1).some((point) => point !== null);
    return now !== null && isCompared ? [{ id, name, points: compared, moved }] : [];
  });
  return shown.sort((a, b) => b.moved - a.moved);
}

/** Null if it is not known. */
function checkPoint(point: PassedShare | undefined): CheckPoint | null {
  if (point === undefined) return null;
  const { passed, n, share } = point;
  return passed === null || n === null || share === null ? null : { passed, n, share };
}
