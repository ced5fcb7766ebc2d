import { type Content, madeContent, madeOnce, type SnapshotView } from "../../answer/content.js";
import type { EarlierFigures } from "../../answer/page-types.js";
import { FIGURES_MIN } from "../../contract/figures.js";
import { type FormerSlugs, slugsBefore } from "../../contract/former.js";
import { own } from "../../contract/tables.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { storedJson } from "../../store/stored-json.js";
import type { TrendPoint } from "./bodies.js";
import type { TrendsQuery } from "./reads.js";
import {
  ALL_LISTINGS,
  addValues,
  type StoredPoint,
  TRENDS_EXTRA,
  type Trends,
} from "./stored-trends.js";

/** The most points that are read: a point a day for 90 days, then one a week for 75 years. */
const POINTS_MAX = 4_000;

type TrendsSource = Pick<SnapshotView, "addition" | "readAdded">;

/** Rejects if the file of the trends is damaged. */
export const trendsOf = madeOnce(async (snapshot: TrendsSource): Promise<Trends> => {
  const file = snapshot.addition(TRENDS_EXTRA)?.files[0];
  return file === undefined ? { points: [] } : snapshot.readAdded(file, trendsIn);
});

function trendsIn(bytes: Uint8Array): Trends {
  const trends = parsedTrends(bytes);
  if (trends.points.length <= POINTS_MAX) return trends;
  throw new BadColumnsError(`it has more than ${POINTS_MAX} points`);
}

function parsedTrends(bytes: Uint8Array): Trends {
  try {
    return { points: [...storedJson<Trends>(bytes).points] };
  } catch (cause) {
    throw new BadColumnsError("it is malformed", { cause });
  }
}

export async function trendsContent(query: TrendsQuery, snapshot: SnapshotView): Promise<Content> {
  const { category = null, check = null } = query;
  const points = trendPoints(await trendsOf(snapshot), query, snapshot.directory.former);
  return madeContent(JSON.stringify({ data: { category, check, points } }), snapshot);
}

/** The figures of a publication. They change once the next publication is read. */
interface FiguresAt {
  readonly point: StoredPoint;
  /** Those of all listings. */
  readonly all: FigureValues;
  /** Those of the category, or of all listings. */
  readonly group: FigureValues;
}

type FigureValues = Readonly<Record<string, number | null>>;

/** Goes through the publications, oldest first. @param category undefined for all listings */
function* figuresOver(
  { points }: Trends,
  category: string | undefined,
  former: FormerSlugs | undefined,
): Generator<FiguresAt> {
  const figures = new Map<string, Record<string, number | null>>();
  // Earlier publications know a category by its former slugs.
  const groups =
    category === undefined
      ? [ALL_LISTINGS]
      : [category, ...slugsBefore("category", category, former)];
  for (const point of points) {
    addValues(figures, point, [...new Set([ALL_LISTINGS, ...groups])]);
    const known = groups.map((name) => figures.get(name) ?? {});
    const group = known.find((one) => (own(one, "listed") ?? null) !== null) ?? {};
    yield { point, all: figures.get(ALL_LISTINGS) ?? {}, group };
  }
}

/**
 * The points of a category, or of the whole directory, with the figures of a check if one is given. Figures of very
 * few sites are left out: they would still tell the score of a site that has been removed since.
 */
export function trendPoints(
  trends: Trends,
  { category, check }: TrendsQuery,
  former?: FormerSlugs,
): TrendPoint[] {
  const ids = check === undefined ? [] : namesOver(check, former);
  return Array.from(figuresOver(trends, category, former), (at) => {
    const { point, all, group } = at;
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
      ...shareAt(at, ids),
    };
  });
}

/** How many sites passed a check. */
export type PassedShare = Pick<TrendPoint, "passed" | "n" | "share">;

/**
 * How many sites of a category, or of the whole directory, passed each check, in one pass over the publications.
 * @param places those of the publications to tell, ascending
 */
export function sharesOver(
  trends: Trends,
  category: string | undefined,
  { checks, places }: { readonly checks: readonly string[]; readonly places: readonly number[] },
  former: FormerSlugs | undefined,
): ReadonlyMap<string, readonly PassedShare[]> {
  const shares = new Map(checks.map((check): [string, PassedShare[]] => [check, []]));
  let place = 0;
  for (const at of figuresOver(trends, category, former)) {
    if (places.includes(place))
      for (const [check, known] of shares) known.push(shareAt(at, namesOver(check, former)));
    place += 1;
  }
  return shares;
}

/** The present slug of a check and its former ones. */
function namesOver(check: string, former: FormerSlugs | undefined): string[] {
  return [check, ...slugsBefore("capability", check, former)];
}

/** @param names the slugs of a check */
function shareAt({ all, group }: FiguresAt, names: readonly string[]): PassedShare {
  const id = names.find((name) => (own(all, `passed ${name}`) ?? null) !== null);
  if (id === undefined) return UNKNOWN;
  const count = (name: string) => own(group, name) ?? 0;
  return passedShare(count(`passed ${id}`), count("listed") - count(`exempt ${id}`));
}

/** The shares of the highest band in the publication before, as `trendPoints` gives them. */
export const earlierShares: EarlierFigures = madeOnce(async (snapshot: SnapshotView) => {
  const { points } = await trendsOf(snapshot);
  const [before, now] = points.slice(-2);
  if (before === undefined || now?.scoreVersion !== before.scoreVersion) return null;
  const figures = new Map<string, Record<string, number | null>>();
  for (const point of points.slice(0, -1)) addValues(figures, point);
  const { former, rubric } = snapshot.directory;
  const top = rubric.bands.reduce((one, other) => (other.min > one.min ? other : one));
  const shareOf = (group: string) => {
    const values = figures.get(group) ?? {};
    const scored = own(values, "scored") ?? 0;
    if (scored < FIGURES_MIN) return null;
    return (own(values, `band ${top.band}`) ?? 0) / scored;
  };
  const shareIn = (slug: string) =>
    [slug, ...slugsBefore("category", slug, former)].map(shareOf).find((share) => share !== null);
  return {
    publishedAt: before.publishedAt,
    shareOf: (slug: string | null) =>
      slug === null ? shareOf(ALL_LISTINGS) : (shareIn(slug) ?? null),
  };
});

const UNKNOWN = { passed: null, n: null, share: null };

function passedShare(passed: number, n: number): PassedShare {
  if (n < FIGURES_MIN) return { ...UNKNOWN, n };
  return { passed, n, share: Math.round((10_000 * passed) / n) / 10_000 };
}
