import type { Report } from "../../contract/report.js";
import { html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { type Banded, bandLabel, levelOf } from "../kit/words.js";
import { type BadgeLook, DEFAULT_LOOK } from "./badge-look.js";

/** The bands' colours; white letters are readable on each. */
export const BADGE_COLOURS = {
  0: "#b42318",
  1: "#935000",
  2: "#4c6c15",
  3: "#0e7a4b",
  none: "#525c6b",
} as const;
/** The approximate width of a character in pixels; `textLength` stretches the letters to fit. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 8;
const HEIGHT = 20;
/** The maximum length, in characters, of a band that fits on a badge. */
const BAND_MAX = 24;

/** The part of a scan that a badge shows. */
interface BadgeFacts {
  readonly scan: Banded & Pick<Report["scan"], "score">;
}

/** An SVG badge for the site's own pages: the score and its band, or `no score`. */
export function badge(
  { scan }: BadgeFacts,
  context: PageContext,
  look: BadgeLook = DEFAULT_LOOK,
): string {
  const colour = BADGE_COLOURS[scan.score === null ? "none" : levelOf(scan, context)];
  return drawnBadge(badgeValue({ scan }, context), colour, look);
}

/** The badge of a site that has no report, or none any more: it shows `not listed`. */
export function missingBadge(look: BadgeLook): string {
  return drawnBadge("not listed", BADGE_COLOURS.none, look);
}

/** @param meaning what the badge says at length. Default: its label and value */
export function drawnBadge(
  value: string,
  colour: string,
  { label, style }: BadgeLook,
  meaning = `${label}: ${value}`,
): string {
  const left = badgeTextWidth(label);
  const right = badgeTextWidth(value);
  const width = left + right;
  const size = html` width="${width}" height="${HEIGHT}"`;
  const text = (x: number, own: number, content: string) => {
    const length = html` textLength="${own - 2 * PADDING}" lengthAdjust="spacingAndGlyphs"`;
    return html`<text x="${x + own / 2}" y="14" text-anchor="middle"${length}>${content}</text>`;
  };
  const shine = html`<linearGradient id="s" x2="0" y2="1">
    <stop offset="0" stop-color="#fff" stop-opacity=".2"/>
    <stop offset="1" stop-opacity=".2"/>
    </linearGradient>`;
  const isShiny = style === "plastic";
  const drawn = html`
    <svg xmlns="http://www.w3.org/2000/svg"${size} role="img" aria-label="${meaning}">
      <title>${meaning}</title>
      ${isShiny ? shine : null}
      <clipPath id="r"><rect${size} rx="${style === "flat-square" ? 0 : 4}"/></clipPath>
      <g clip-path="url(#r)">
        <rect width="${left}" height="${HEIGHT}" fill="#2b2f36"/>
        <rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}"/>
        ${isShiny ? html`<rect${size} fill="url(#s)"/>` : null}
      </g>
      <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
        ${text(0, left, label)}${text(left, right, value)}</g></svg>
`;
  return drawn.markup;
}

/** The width and height of a badge in pixels. */
interface BadgeSize {
  readonly width: number;
  readonly height: number;
}

export function badgeSize(facts: BadgeFacts, context: PageContext, look: BadgeLook): BadgeSize {
  return drawnBadgeSize(badgeValue(facts, context), look);
}

/** The size of a badge with a value. */
export function drawnBadgeSize(value: string, { label }: BadgeLook): BadgeSize {
  return { width: badgeTextWidth(label) + badgeTextWidth(value), height: HEIGHT };
}

/** The score and its band. A band that is too long is omitted. */
function badgeValue({ scan }: BadgeFacts, context: PageContext): string {
  if (scan.score === null) return "no score";
  const band = bandLabel(scan, context);
  const room = band !== null && [...band].length <= BAND_MAX ? ` · ${band}` : "";
  return `${scan.score} of 100${room}`;
}

function badgeTextWidth(text: string): number {
  return Math.round([...text].length * CHARACTER_WIDTH) + 2 * PADDING;
}
