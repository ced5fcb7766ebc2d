import { type Html, html, unseen } from "./html.js";
import { numberOf, tenth } from "./words.js";

/**
 * How far a number has moved: `▲4`, in the colour of what is better or worse. Screen readers hear `up 4`.
 * @param textOf writes the size
 * @param isJudged whether more is better; otherwise it has no colour
 */
export function movedView(
  difference: number,
  textOf: (size: number) => string = numberOf,
  isJudged = true,
): Html {
  const rounded = tenth(difference);
  if (rounded === 0) return html`<span class="quiet">unchanged</span>`;
  const isUp = rounded > 0;
  const colour = isUp ? "moved moved-up" : "moved moved-down";
  return html`<span class="${isJudged ? colour : "moved"}">
    <span aria-hidden="true">${isUp ? "▲" : "▼"}</span>
    ${unseen(isUp ? "up " : "down ")}${textOf(Math.abs(rounded))}</span>`;
}
