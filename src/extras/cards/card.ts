import { type GroupFigures, medianScore } from "../../contract/figures.js";
import type { Report } from "../../contract/report.js";
import { type Html, html } from "../../pages/kit/html.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import {
  BAR_COLOURS,
  type Banded,
  bandLabel,
  bandLevel,
  counted,
  dayOf,
  hostInScript,
  levelOf,
  numberOf,
  visible,
} from "../../pages/kit/words.js";

/*
 * The picture that other sites show beside a link to a report. It is drawn as SVG, which another program converts to
 * PNG, because social networks do not show SVG.
 */

/** The part of a listing's latest report that its card shows. */
export interface CardData {
  readonly site: Pick<Report["site"], "host" | "name">;
  readonly scan: Pick<Report["scan"], "score" | "band" | "scoreVersion" | "finishedAt">;
}

/** In pixels. */
export const CARD_SIZE = { width: 1_200, height: 630 } as const;

const INK = "#12171f";
const QUIET = "#525c6b";
const PAPER = "#ffffff";

const LEFT = 80;
const WIDTH = CARD_SIZE.width - 2 * LEFT;
/** The advance of a bold letter, as a share of the font's size, over all letters of hosts. */
const ADVANCE = 0.6;
/**
 * The characters that the card's fonts have: Latin, Greek and Cyrillic letters, and the punctuation that names use
 * (`.build/scripts.ts` chooses the fonts). A test draws one of each range.
 */
const DRAWN = new RegExp(
  "^[\\u0020-\\u007e\\u00a0-\\u0148\\u014a-\\u01c3\\u01c5-\\u0233\\u0386\\u0388-\\u038a\\u038c" +
    "\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u045f\\u0490\\u0491\\u1e00-\\u1e9b\\u1e9e-\\u1eff" +
    "\\u2013\\u2014\\u2018-\\u201a\\u201c-\\u201e\\u2022\\u2026\\u20ac]+$",
);

/** What a card measures. */
const MEASURE = "Readable to AI crawlers";

/** The card of a listing's latest report, as SVG. */
export function cardSvg({ site, scan }: CardData, context: PageContext): string {
  const hostName = drawable(hostInScript(site.host));
  const names = [drawable(site.name), hostName === null ? null : site.host];
  const measure = scan.score === null ? null : textLine(MEASURE, 408, { size: 30, colour: QUIET });
  const score =
    scan.score === null
      ? textLine("No score", 480, { size: 64, colour: QUIET })
      : scoreOnCard(scan.score, scan, context);
  return cardWith(
    context,
    linesFrom(172, [
      { text: hostName ?? site.host, size: 64, colour: INK },
      { text: names.filter((name) => name !== null).join(" · "), size: 36, colour: QUIET },
    ]),
    html`${measure}
${score}
${textLine(`Scanned on ${dayOf(scan.finishedAt)}`, 590, { size: 26, colour: QUIET })}`,
  );
}

/** The card of the directory, as SVG: how its scored sites divide into the bands. @param figures of all its sites */
export function directoryCardSvg(
  { listed, scored, scores }: GroupFigures,
  context: PageContext,
): string {
  const { bands } = context.rubric;
  const median = medianScore({ scored, scores });
  let x = LEFT;
  const parts = bands
    .toSorted((a, b) => a.min - b.min)
    .map(({ band, label, min, max }) => {
      const count = scores.reduce((sum, [at, n]) => sum + (min <= at && at <= max ? n : 0), 0);
      const width = scored === 0 ? 0 : (WIDTH * count) / scored;
      const [colour] = BAR_COLOURS[bandLevel(band, context.rubric)];
      const percent = Math.round((100 * count) / Math.max(1, scored));
      const name = drawable(label) ?? `${min} to ${max}`;
      const part = html`<rect x="${x}" y="420" width="${width}" height="56" fill="${colour}"/>${
        // A text in a narrow part would run into the next one.
        width < 130
          ? null
          : html`<text x="${x}" y="522" font-size="26" font-weight="700" fill="${colour}">${percent}%</text>
            <text x="${x}" y="556" font-size="24" fill="${QUIET}">${cutToFit(name, Math.floor(width / 15))}</text>`
      }`;
      x += width;
      return part;
    });
  const facts = `${counted(listed, "site")}${median === null ? "" : `, median score ${numberOf(median)} of 100`}`;
  return cardWith(
    context,
    linesFrom(190, [
      {
        text: `How ${MEASURE.toLowerCase().replace("ai", "AI")} websites are`,
        size: 60,
        colour: INK,
      },
      { text: facts, size: 36, colour: QUIET },
    ]),
    html`${parts}`,
  );
}

function cardWith(context: PageContext, lines: Html, rest: Html): string {
  const { width, height } = CARD_SIZE;
  const directory = drawable(context.name) ?? new URL(context.siteUrl).host;
  const room = Math.floor((WIDTH - 64) / (ADVANCE * 34));
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter">
<rect width="${width}" height="${height}" fill="${PAPER}"/>
${MARK}<text x="${LEFT + 64}" y="80" font-size="34" font-weight="700" fill="${INK}">${cutToFit(directory, room)}</text>
${lines}
${rest}
</svg>
`.markup;
}

/** The four rising bars of the icon. */
const MARK: Html = html`<path d="M80 82v-16h9v16z" fill="${BAR_COLOURS[0][0]}"/>
  <path d="M93 82V58h9v24z" fill="${BAR_COLOURS[1][0]}"/>
  <path d="M106 82V50h9v32z" fill="${BAR_COLOURS[2][0]}"/>
  <path d="M119 82V42h9v40z" fill="${BAR_COLOURS[3][0]}"/>`;

/** The score and its band, above a track that shows all bands. */
function scoreOnCard(score: number, scan: Banded, context: PageContext): Html {
  const level = levelOf(scan, context);
  const { bands } = context.rubric;
  const at = (points: number) => LEFT + (WIDTH * points) / 100;
  // A score by another rubric does not belong to any band of this one.
  const ground =
    level === "none"
      ? html`<rect x="${LEFT}" y="508" width="${WIDTH}" height="36" fill="${BAR_COLOURS.none[1]}"/>`
      : bands.map(({ band, min, max }) => {
          const width = at(Math.min(100, max + 1)) - at(min);
          const [, back] = BAR_COLOURS[bandLevel(band, context.rubric)];
          return html`<rect x="${at(min)}" y="508" width="${width}" height="36" fill="${back}"/>`;
        });
  const ticks = bands.map(({ min }) =>
    min === 0
      ? null
      : html`<rect x="${at(min) - 2}" y="508" width="4" height="36" fill="${PAPER}"/>`,
  );
  const [colour] = BAR_COLOURS[level];
  const label = drawable(bandLabel(scan, context));
  const name =
    label &&
    html`<tspan font-size="44" font-weight="700" fill="${colour}" dx="32">${cutToFit(label, 26)}</tspan>`;
  return html`<text x="${LEFT}" y="484" font-size="84" font-weight="700" fill="${colour}">${score}
    <tspan font-size="36" font-weight="400" fill="${QUIET}" dx="16">of 100</tspan>
    ${name}</text>
<clipPath id="track"><rect x="${LEFT}" y="508" width="${WIDTH}" height="36" rx="18"/></clipPath>
<g clip-path="url(#track)">${ground}
  <rect x="${LEFT}" y="508" width="${at(score) - LEFT}" height="36" fill="${colour}"/>
  ${level === "none" ? null : ticks}</g>`;
}

/** A text if the card's fonts have all its characters, else null. */
function drawable(text: string | null): string | null {
  const composed = text?.normalize("NFC") ?? null;
  return visible(composed) !== null && DRAWN.test(composed ?? "")
    ? (composed?.trim() ?? null)
    : null;
}

interface CardLine {
  readonly text: string;
  /** In pixels. The first line is bold. */
  readonly size: number;
  readonly colour: string;
}

/** Texts below each other, starting at the height `top`, each on at most two lines. */
function linesFrom(top: number, texts: readonly CardLine[]): Html {
  let y = top;
  const lines = texts.flatMap((line, index) =>
    inTwo(line.text, Math.floor(WIDTH / (ADVANCE * line.size))).map((text) => {
      const drawn = textLine(text, y, line, index === 0);
      y += Math.round(1.15 * line.size);
      return drawn;
    }),
  );
  return html`${lines}`;
}

function textLine(
  text: string,
  y: number,
  { size, colour }: Omit<CardLine, "text">,
  isBold = false,
): Html {
  const font = html`font-size="${size}" font-weight="${isBold ? 700 : 400}"`;
  return html`<text x="${LEFT}" y="${y}" ${font} fill="${colour}">${text}</text>`;
}

/** A text on one line or two, broken after a space, a dot or a hyphen where it has one, and cut if it is longer. */
function inTwo(text: string, most: number): string[] {
  if (text === "") return [];
  if (text.length <= most) return [text];
  const start = text.slice(0, most);
  const end = Math.max(...[" ", ".", "-"].map((mark) => start.lastIndexOf(mark))) + 1;
  const at = end > most / 3 ? end : most;
  return [text.slice(0, at).trimEnd(), cutToFit(text.slice(at), most)];
}

function cutToFit(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
