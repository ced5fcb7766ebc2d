import type { Report } from "../../contract/report.js";
import { BAR_COLOURS } from "../kit/colours.js";
import { oneLine } from "../kit/escape.js";
import { CARD_SIZE } from "../kit/frame.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { type Banded, bandLabel, bandLevel, dayOf, levelOf, visible } from "../kit/words.js";

/*
 * The picture that other sites show beside a link to a report. It is drawn as SVG, of which a program beside the pages
 * makes a PNG: networks show no SVG.
 */

/** The part of a listing's latest report that its card shows. */
export interface CardShown {
  readonly site: Pick<Report["site"], "host" | "name">;
  readonly scan: Pick<Report["scan"], "score" | "band" | "scoreVersion" | "finishedAt">;
}

const INK = "#12171f";
const QUIET = "#525c6b";
const PAPER = "#ffffff";

const LEFT = 80;
const WIDTH = CARD_SIZE.width - 2 * LEFT;
/** The advance of a bold letter, as a share of the font's size, over all letters of hosts. */
const ADVANCE = 0.6;
/** How small a long text may get, as a share of its line's size. */
const LEAST = 0.42;
/** The characters that the card's font has: Latin-1, and the punctuation that names use. */
const DRAWN = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+$/;

/** What a card says, as its alternative text: `example.com: 71 of 100, Readable`. */
export function cardText({ site, scan }: CardShown, context: PageContext): string {
  if (scan.score === null) return `${site.host}: no score`;
  const band = oneLine(bandLabel(scan, context) ?? "");
  return `${site.host}: ${scan.score} of 100${band === "" ? "" : `, ${band}`}`;
}

/** The card of a listing's latest report, as SVG. */
export function cardSvg({ site, scan }: CardShown, context: PageContext): string {
  const { width, height } = CARD_SIZE;
  const directory = drawable(context.name) ?? new URL(context.siteUrl).host;
  const name = drawable(site.name);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter">
<rect width="${width}" height="${height}" fill="${PAPER}"/>
${MARK}${line(directory, { size: 34, y: 107, colour: INK, x: LEFT + 64 })}
${line(site.host, { size: 76, y: name === null ? 240 : 222, colour: INK })}
${name === null ? null : line(name, { size: 38, y: 278, colour: QUIET, isPlain: true })}
${scan.score === null ? line("No score", { size: 76, y: 430, colour: QUIET }) : scoreOnCard(scan.score, scan, context)}
${line(`Scanned on ${dayOf(scan.finishedAt)}`, { size: 30, y: 565, colour: QUIET, isPlain: true })}
</svg>
`.markup;
}

/** The four rising bars of the icon. */
const MARK: Html = html`<path d="M80 108v-16h9v16z" fill="${BAR_COLOURS[0][0]}"/><path d="M93 108V84h9v24z" fill="${BAR_COLOURS[1][0]}"/><path d="M106 108V76h9v32z" fill="${BAR_COLOURS[2][0]}"/><path d="M119 108V68h9v40z" fill="${BAR_COLOURS[3][0]}"/>`;

/** The score and its band, above a track that shows all bands. */
function scoreOnCard(score: number, scan: Banded, context: PageContext): Html {
  const level = levelOf(scan, context);
  const { bands } = context.rubric;
  const at = (points: number) => LEFT + (WIDTH * points) / 100;
  // A score by another rubric does not belong to any band of this one.
  const ground =
    level === "none"
      ? html`<rect x="${LEFT}" y="450" width="${WIDTH}" height="40" fill="${BAR_COLOURS.none[1]}"/>`
      : bands.map(
          ({ band, min, max }) =>
            html`<rect x="${at(min)}" y="450" width="${at(Math.min(100, max + 1)) - at(min)}" height="40" fill="${BAR_COLOURS[bandLevel(band, context.rubric)][1]}"/>`,
        );
  const ticks = bands.map(({ min }) =>
    min === 0
      ? null
      : html`<rect x="${at(min) - 2}" y="450" width="4" height="40" fill="${PAPER}"/>`,
  );
  const [colour] = BAR_COLOURS[level];
  const label = drawable(bandLabel(scan, context));
  return html`<text x="${LEFT}" y="415" font-size="120" font-weight="700" fill="${colour}">${score}<tspan font-size="44" font-weight="400" fill="${QUIET}" dx="16">of 100</tspan>${
    label === null
      ? null
      : html`<tspan font-size="52" font-weight="700" fill="${colour}" dx="32">${cutToFit(label, 26)}</tspan>`
  }</text>
<clipPath id="track"><rect x="${LEFT}" y="450" width="${WIDTH}" height="40" rx="20"/></clipPath>
<g clip-path="url(#track)">${ground}<rect x="${LEFT}" y="450" width="${at(score) - LEFT}" height="40" fill="${colour}"/>${level === "none" ? null : ticks}</g>`;
}

/** A text if the card's font has all its characters, else null. */
function drawable(text: string | null): string | null {
  return text !== null && visible(text) !== null && DRAWN.test(text) ? text.trim() : null;
}

interface CardLine {
  /** The size of short texts, in pixels. Long ones get smaller, down to LEAST of it, and are then cut. */
  readonly size: number;
  /** The baseline. */
  readonly y: number;
  readonly x?: number;
  readonly colour: string;
  /** Bold, unless it is. */
  readonly isPlain?: boolean;
}

function line(text: string, { size, y, x = LEFT, colour, isPlain = false }: CardLine): Html {
  const room = (CARD_SIZE.width - LEFT - x) / ADVANCE;
  const shown = cutToFit(text, Math.floor(room / (LEAST * size)));
  const fitting = Math.min(size, Math.floor(room / shown.length));
  return html`<text x="${x}" y="${y}" font-size="${fitting}" font-weight="${isPlain ? 400 : 700}" fill="${colour}">${shown}</text>`;
}

function cutToFit(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
