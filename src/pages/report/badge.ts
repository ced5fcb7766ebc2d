import type { Report } from "../../contract/report.js";
import { type Banded, bandLabel, levelOf } from "../kit/bands.js";
import { html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";

const LABEL = "crawler readiness";
/** The bands' colours; white letters are readable on each. */
const COLOURS = {
  0: "#b42318",
  1: "#935000",
  2: "#4c6c15",
  3: "#0e7a4b",
  none: "#525c6b",
} as const;
/** The approximate width of a character in pixels; `textLength` stretches the letters to fit. */
const CHARACTER_WIDTH = 6.6;
const PADDING = 8;
/** The maximum length, in characters, of a band that fits on a badge. */
const BAND_MAX = 24;

/** An SVG badge for the site's own pages: the score and its band, or `no score`. A band that is too long is omitted. */
export function badge(
  { scan }: { readonly scan: Banded & Pick<Report["scan"], "score"> },
  context: PageContext,
): string {
  const band = bandLabel(scan, context);
  const room = band !== null && [...band].length <= BAND_MAX ? ` · ${band}` : "";
  const value = scan.score === null ? "no score" : `${scan.score} of 100${room}`;
  const colour = COLOURS[scan.score === null ? "none" : levelOf(scan, context)];
  const [left, right] = [badgeTextWidth(LABEL), badgeTextWidth(value)];
  const text = (x: number, width: number, content: string) =>
    html`<text x="${x + width / 2}" y="14" text-anchor="middle" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${value}"><title>${LABEL}: ${value}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#2b2f36"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, left, LABEL)}${text(left, right, value)}</g></svg>
`;
  return drawn.markup;
}

function badgeTextWidth(text: string): number {
  return Math.round([...text].length * CHARACTER_WIDTH) + 2 * PADDING;
}
