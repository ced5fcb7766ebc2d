import type { Standards } from "../../contract/standards.js";
import { own } from "../../contract/tables.js";
import { oneLine } from "../../pages/kit/escape.js";
import type { Fact } from "../../pages/kit/quote.js";
import { counted, dayOf, decimalOf, numberOf, tenth, visible } from "../../pages/kit/words.js";
import type { TrendPoint } from "./bodies.js";
import type { TrendName } from "./names.js";

/* The figures of the directory as series over its publications, and what they say in words. */

/** A value of a series. */
export interface SeriesPoint {
  /** When it was published; null for the first publication, whose time is not known. */
  readonly time: string | null;
  readonly scoreVersion: string;
  /** Null with too few sites to say. */
  readonly value: number | null;
  /** The sites that it is about. */
  readonly n: number;
}

export interface Series {
  readonly name: TrendName;
  readonly title: string;
  /** What the title counts, where that has a name of its own: the label of the band, in quotation marks. */
  readonly subject: string;
  readonly unit: "" | "%";
  /** Whether it depends on the methodology, so that values of different scoring versions cannot be compared. */
  readonly isScore: boolean;
  /** Oldest first. */
  readonly points: readonly SeriesPoint[];
}

/**
 * The first publication, which has no time, is left out once two others have one: a chart could not tell how long ago
 * it was.
 * @param all the points of all listings, oldest first
 */
export function seriesOf(
  all: readonly TrendPoint[],
  { bands }: Pick<Standards["rubric"], "bands">,
): Series[] {
  const dated = all.filter(({ publishedAt }) => publishedAt !== null);
  const points = dated.length < 2 ? all : dated;
  const top = bands.toSorted((one, other) => other.min - one.min)[0];
  const label = oneLine(visible(top?.label ?? null) ?? top?.band ?? "");
  const subject = `“${label}”`;
  const made = (
    valueAt: (point: TrendPoint) => number | null,
    countAt: (point: TrendPoint) => number,
  ) =>
    points.map((point): SeriesPoint => {
      const { publishedAt: time, scoreVersion } = point;
      return { time, scoreVersion, value: valueAt(point), n: countAt(point) };
    });
  const scored = ({ scored: n }: TrendPoint) => n;
  const median = made(({ median: value }) => value, scored);
  const share = made((point) => topShare(point, top?.band ?? ""), scored);
  const sites = made(
    ({ listings }) => listings,
    ({ listings }) => listings,
  );
  return [
    { name: "median", title: "Median score", subject: "", unit: "", isScore: true, points: median },
    {
      name: "top-band",
      title: `Sites in ${subject}`,
      subject,
      unit: "%",
      isScore: true,
      points: share,
    },
    { name: "sites", title: "Sites", subject: "", unit: "", isScore: false, points: sites },
  ];
}

/** The share of a band in percent, to a tenth; null if it is not known. */
function topShare({ bands, scored }: TrendPoint, band: string): number | null {
  const count = own(bands, band);
  return count === undefined || scored === 0 ? null : tenth((100 * count) / scored);
}

/** The points that can be compared with the last one: those since the last change of the methodology. */
export function comparablePoints({ points, isScore }: Series): readonly SeriesPoint[] {
  const version = points.at(-1)?.scoreVersion;
  const other = points.findLastIndex(({ scoreVersion }) => scoreVersion !== version);
  return points.slice(isScore ? other + 1 : 0).filter(({ value }) => value !== null);
}

/** A value with its unit: `61`, `12.0%`. */
export function valueText(value: number, { unit }: Pick<Series, "unit">): string {
  return unit === "%" ? `${decimalOf(value)}%` : numberOf(value);
}

/** ` on 9 August 2026`, or ` in the first publication`. */
function onDay({ time }: SeriesPoint): string {
  return time === null ? " in the first publication" : ` on ${dayOf(time)}`;
}

/**
 * What a series says, as a sentence to quote; null if it has no value now.
 * @param group what it is about, after `in`
 */
export function seriesFact(series: Series, group: string): Fact | null {
  const known = comparablePoints(series);
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined || last !== series.points.at(-1)) return null;
  const { n } = last;
  const nowIs = valueText(last.value ?? 0, series);
  const was = valueText(first.value ?? 0, series);
  const firstN = numberOf(first.n);
  const day = onDay(last);
  const sites = `the ${counted(n, "scored site")} in ${group}`;
  const after = (before: string) => (first === last ? "" : `, after ${before}${onDay(first)}`);
  const sentences: Readonly<Record<TrendName, string>> = {
    sites: `In ${group}, there ${n === 1 ? "was" : "were"} ${counted(n, "site")}${day}${after(was)}`,
    median: `The median score of ${sites} was ${nowIs} of 100${day}${after(`${was} for ${firstN}`)}`,
    "top-band": `The band ${series.subject} had ${nowIs} of ${sites}${day}${after(`${was} of ${firstN}`)}`,
  };
  return { sentence: `${sentences[series.name]}.`, n };
}

/** The series in words, in place of its chart. */
export function seriesText(series: Series): string {
  const known = series.points.flatMap((point) =>
    point.value === null ? [] : [{ ...point, value: point.value }],
  );
  const first = known[0];
  const last = known.at(-1);
  if (first === undefined || last === undefined) return `${series.title}: not known yet.`;
  const values = known.map(({ value }) => value);
  const at = (point: (typeof known)[number]) => `${valueText(point.value, series)}${onDay(point)}`;
  if (first === last) return `${series.title}: ${at(first)}.`;
  const least = valueText(Math.min(...values), series);
  const most = valueText(Math.max(...values), series);
  const changed = versionChanges(series).map(
    ({ to, version }) => ` Version ${oneLine(version)} of the methodology counts${onDay(to)}.`,
  );
  return (
    `${series.title}: ${at(first)}, ${at(last)}. Lowest ${least}, highest ${most}, in ` +
    `${counted(known.length, "publication")}.${changed.join("")}`
  );
}

/** The points with which another version of the methodology begins. */
export function versionChanges({ points }: Pick<Series, "points">) {
  return points.flatMap((to, at) => {
    const from = points[at - 1];
    if (from === undefined || from.scoreVersion === to.scoreVersion) return [];
    return [{ at, to, version: to.scoreVersion }];
  });
}
