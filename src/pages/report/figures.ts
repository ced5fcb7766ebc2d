/*
 * Numbers of figures, which are SVG without inline styles. Places along a line are percentages of its width, so that
 * letters keep their size while a figure stretches. Text beside each figure says the same.
 */

/** A share as a percentage with at most one decimal: `42.5%`. */
export function percentOf(share: number): string {
  return `${tenth(100 * share)}%`;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
