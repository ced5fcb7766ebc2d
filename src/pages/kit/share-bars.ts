import { FIGURES_MIN } from "../../contract/figures.js";
import { type Html, html } from "./html.js";
import type { Level } from "./words.js";

/* Bars of shares. A share of few sites is not published (contract/figures.ts). */

type Share = number | "few" | "most";

/** A bar of a share. Hidden from screen readers, because the text beside it has the number. @param percent 0 to 100 */
export function shareBar(percent: number, level: Level | null = null): Html {
  const name = level === null ? "bar-value" : `level-${level}`;
  return html`<svg class="bar" aria-hidden="true"><rect class="${name}" width="${percent}%" height="100%"/></svg>`;
}

/** The length of a bar. If the share is not published, the bar is only empty or full. */
export function barOf(share: Share): Html {
  if (share === "few") return shareBar(0);
  return shareBar(share === "most" ? 100 : share);
}

export function shareText(share: Share): string {
  if (typeof share === "number") return `${share} %`;
  return share === "few" ? `under ${FIGURES_MIN} sites` : "all but a few";
}
