import { countPassing, countSubject, type GroupFigures } from "../../contract/figures.js";
import { csvText } from "../../pages/kit/escape.js";
import { binGroups } from "../../pages/kit/histogram.js";
import { type Html, html } from "../../pages/kit/html.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import type { FigureKind } from "../../pages/kit/page-names.js";
import { licenseName } from "../../pages/kit/publisher-links.js";
import type { NamedCheck } from "../../pages/kit/quote.js";
import { BAR_COLOURS, counted, dayOf, numberOf, tenth } from "../../pages/kit/words.js";

/** What charts of a group of sites show. */
export interface FigureData {
  readonly group: GroupFigures;
  /** The category's name and slug; null for the whole directory. */
  readonly title: string | null;
  readonly slug: string | null;
  readonly checks: readonly NamedCheck[];
  readonly lastScannedAt: string | null;
}

/** The numbers of a chart as CSV. */
export function figureCsv(kind: FigureKind, { group, checks }: FigureData): string {
  if (kind === "scores") return csvText(["score", "sites"], group.scores);
  return csvText(
    ["check", "name", "passed", "applies", "sites"],
    checks.map(({ id, name }) => [
      id,
      name,
      countPassing(group, id),
      countSubject(group, id),
      group.listed,
    ]),
  );
}

const INK = "#12171f";
const QUIET = "#525c6b";
const LINE = "#d8dde5";
const BAR = "#0a5c70";
const LEFT = 60;
const TOP = 130;
const BOTTOM = 540;
const SIZE = { width: 1_200, height: 630 };
const WIDTH = SIZE.width - 2 * LEFT;
/** The most checks that a chart has room for. */
const ROWS_MAX = 18;
/** The characters that charts draw: some of those in the fonts with which PNGs are made. */
const DRAWN = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+$/;

/** A chart as a picture of the size that social networks show, in the light colours, with its source. */
export function figureSvg(kind: FigureKind, data: FigureData, context: PageContext): string {
  const { width, height } = SIZE;
  const { group, slug, lastScannedAt } = data;
  const directory = drawableText(context.name, new URL(context.siteUrl).host);
  const subject = data.title === null ? directory : drawableText(data.title, slug ?? "");
  const title = kind === "scores" ? `Scores: ${subject}` : `Sites that pass each check: ${subject}`;
  const sites = counted(kind === "scores" ? group.scored : group.listed, "site");
  const scans = lastScannedAt === null ? "" : `, scans up to ${dayOf(lastScannedAt)}`;
  const license = licenseName(context);
  const terms = license === null ? "" : `. License: ${license}`;
  const source = `${directory}, ${context.siteUrl}${scans}${terms}`;
  const about = `${sites}${kind === "scores" ? " with a current score" : ""}`;
  const size = html` width="${width}" height="${height}"`;
  const view = html` viewBox="0 0 ${width} ${height}"`;
  return html`<svg xmlns="http://www.w3.org/2000/svg"${view}${size} font-family="Inter, sans-serif">
<title>${title}</title>
<rect${size} fill="#ffffff"/>
${figureText(LEFT, 60, title, { size: 32, weight: 700, most: 58 })}
${figureText(LEFT, 98, about, { size: 22, colour: QUIET })}
${kind === "scores" ? scoreBars(group, context) : checkBars(data)}
${figureText(LEFT, height - 24, source, { size: 18, colour: QUIET, most: 110 })}
</svg>
`.markup;
}

/** The bars of the histogram, with the count over each. */
function scoreBars({ scores }: GroupFigures, { rubric }: PageContext): Html[] {
  const bins = binGroups(rubric, scores).flatMap(({ level, bins }) =>
    bins.map((bin) => ({ ...bin, level })),
  );
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const step = WIDTH / bins.length;
  return bins.map(({ from, count, level }, at) => {
    const x = LEFT + at * step;
    const high = ((BOTTOM - TOP - 30) * count) / most;
    const middle = { size: 16, anchor: "middle", colour: QUIET } as const;
    const number = figureText(x + step / 2, BOTTOM - high - 8, numberOf(count), middle);
    return html`${bar(x + 2, BOTTOM - high, step - 4, high, BAR_COLOURS[level][0])}
      ${count === 0 ? null : number}
      ${figureText(x + 2, BOTTOM + 22, String(from), { size: 16, colour: QUIET })}
`;
  });
}

/** A rectangle. Its sizes are rounded to tenths. */
function bar(x: number, y: number, width: number, height: number, colour: string): Html {
  const corner = html`x="${tenth(x)}" y="${tenth(y)}"`;
  return html`<rect ${corner} width="${tenth(width)}" height="${tenth(height)}" fill="${colour}"/>`;
}

/** A bar for each check that can bring points, the most passed first. */
function checkBars({ group, checks }: FigureData): Html[] {
  const rows = checks
    .filter(({ isScored }) => isScored)
    .map(({ id, name }) => ({
      id,
      name,
      passing: countPassing(group, id),
      subject: countSubject(group, id),
    }))
    .filter(({ subject }) => subject > 0)
    .sort((a, b) => b.passing / b.subject - a.passing / a.subject)
    .slice(0, ROWS_MAX);
  const step = Math.min(40, (BOTTOM + 20 - TOP) / Math.max(1, rows.length));
  const start = LEFT + 330;
  const room = WIDTH - 530;
  return rows.map(({ id, name, passing, subject }, at) => {
    const y = TOP + at * step;
    const label = drawableText(name, id);
    const share = Math.round((100 * passing) / subject);
    const base = y + step * 0.7;
    const text = `${share}% of ${numberOf(subject)}`;
    const top = y + step * 0.2;
    return html`${figureText(LEFT, base, label, { size: 18, most: 32 })}
      ${bar(start, top, room, step * 0.6, LINE)}
      ${bar(start, top, (room * passing) / subject, step * 0.6, BAR)}
      ${figureText(start + room + 14, base, text, { size: 18, colour: QUIET })}
`;
  });
}

interface TextLook {
  readonly size: number;
  readonly colour?: string;
  readonly weight?: number;
  readonly anchor?: "start" | "middle";
  /** The most characters. */
  readonly most?: number;
}

function figureText(x: number, y: number, text: string, look: TextLook): Html {
  const { size, colour = INK, weight = 400, anchor = "start", most = 200 } = look;
  const cut = text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
  const font = html`font-size="${size}" font-weight="${weight}" fill="${colour}"`;
  return html`<text x="${tenth(x)}" y="${tenth(y)}" ${font} text-anchor="${anchor}">${cut}</text>`;
}

/** The text if charts draw all its characters, else `otherwise`. */
function drawableText(text: string, otherwise: string): string {
  return DRAWN.test(text) && text.trim() !== "" ? text.trim() : otherwise;
}
