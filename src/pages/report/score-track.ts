import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { bandLevel, percentOf } from "../kit/words.js";

/** All bands as a strip from 0 to 100, with a mark at the score. One of a former methodology has no bands. */
export function scoreTrack(
  score: number,
  scoreVersion: string | null,
  { rubric }: Pick<PageContext, "rubric">,
): Html {
  const bands = scoreVersion === rubric.version ? rubric.bands : [];
  const segments = bands
    .toSorted((one, other) => one.min - other.min)
    .map(({ band, min, max }) => {
      const level = `level-${bandLevel(band, rubric)}`;
      const width = percentOf((max - min + 1) / STEPS);
      const x = percentOf(min / STEPS);
      return html`<rect class="${level}" x="${x}" width="${width}" y="10" height="12"/>`;
    });
  const whole = html`<rect class="level-none" width="100%" y="10" height="12"/>`;
  return html`<svg class="track" width="100%" height="26" aria-hidden="true">
    ${segments.length > 0 ? segments : whole}
    <svg x="${markPosition(score)}" overflow="visible">
      <path class="mark" d="M-7 0h14l-7 11z"/>
      <path class="mark" d="M-1 9h2v15h-2z"/>
    </svg></svg>`;
}

/** The track has one step for each of the 101 scores. */
const STEPS = 101;

/** The position of the mark at a score. */
export function markPosition(score: number): string {
  return percentOf((score + 0.5) / STEPS);
}
