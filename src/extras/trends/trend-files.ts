import { csvText, oneLine } from "../../pages/kit/escape.js";
import { html } from "../../pages/kit/html.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { licenseName } from "../../pages/kit/publisher-links.js";
import { cutText, dayOf, numberOf } from "../../pages/kit/words.js";
import { TRENDS_PAGE } from "./names.js";
import { type Series, seriesText } from "./series.js";
import {
  type ChartLook,
  type ChartSize,
  gridText,
  gridValues,
  heightOf,
  plot,
} from "./trend-chart.js";

/* The charts as files. */

const INK = "#12171f";
const QUIET = "#525c6b";
const LINE = "#d8dde5";
const BAR = "#0a5c70";

const FILE_LOOK: ChartLook = {
  grid: html` stroke="${LINE}"`,
  boundary: html` stroke="${QUIET}" stroke-dasharray="6 6"`,
  line: html` stroke="${BAR}" stroke-width="4" stroke-linejoin="round"`,
  dot: html` fill="${BAR}"`,
  text: html` fill="${QUIET}" font-size="18"`,
};
const FILE_SIZE: ChartSize = { top: 34, bottom: 380, height: 416, dot: 6 };
const WIDTH = 1_200;
const HEIGHT = 630;
const LEFT = 60;
/** The left and upper edges of the plot. */
const PLOT = { x: 140, y: 120 };
const TITLE_MAX = 60;
const SOURCE_MAX = 110;

/** A chart as a picture of the size that social networks show, in the light colours, with its source. */
export function trendSvg(
  series: Series,
  lastScannedAt: string | null,
  context: PageContext,
): string {
  const directory = oneLine(context.name);
  const license = licenseName(context);
  const terms = license === null ? "" : `. License: ${oneLine(license)}`;
  const source = cutText(`${directory}, ${context.siteUrl}/${TRENDS_PAGE}${terms}`, SOURCE_MAX);
  const scans = lastScannedAt === null ? "" : `, scans up to ${dayOf(lastScannedAt)}`;
  const about = `n = ${numberOf(series.points.at(-1)?.n ?? 0)}${scans}`;
  const title = cutText(`${series.title}: ${directory}`, TITLE_MAX);
  const values = series.points.flatMap(({ value }) => value ?? []);
  const grid = values.length === 0 ? [0, 100] : gridValues(values, series);
  const scale = grid.map((value) => {
    const y = PLOT.y + heightOf(value, grid, FILE_SIZE) + 6;
    return html`<text x="${PLOT.x - 14}" y="${y}" text-anchor="end" fill="${QUIET}" 
      font-size="18">${gridText(value, series)}</text>`;
  });
  const size = html`width="${WIDTH}" height="${HEIGHT}"`;
  const place = html`x="${PLOT.x}" y="${PLOT.y}" width="${WIDTH - PLOT.x - LEFT}" height="${FILE_SIZE.height}"`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ${size} font-family="sans-serif">
<title>${seriesText(series)}</title>
<rect ${size} fill="#ffffff"/>
<text x="${LEFT}" y="72" font-size="32" font-weight="700" fill="${INK}">${title}</text>
${scale}
<svg ${place} overflow="visible">${plot(series, grid, FILE_SIZE, FILE_LOOK)}</svg>
<text x="${LEFT}" y="${HEIGHT - 48}" font-size="18" fill="${QUIET}">${about}</text>
<text x="${LEFT}" y="${HEIGHT - 22}" font-size="18" fill="${QUIET}">${source}</text>
</svg>
`.markup;
}

/** The numbers of a chart. */
export function trendCsv({ name, points }: Series): string {
  if (name === "sites")
    return csvText(
      ["published_at", "methodology", "sites"],
      points.map(({ time, scoreVersion, value }) => [time, scoreVersion, value]),
    );
  return csvText(
    ["published_at", "methodology", "scored_sites", name === "median" ? "median" : "percent"],
    points.map(({ time, scoreVersion, n, value }) => [time, scoreVersion, n, value]),
  );
}
