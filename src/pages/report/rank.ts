import { type Figures, percentBelow } from "../../contract/figures.js";

/** A score to compare, and the category of its site; null if it has none. */
export interface Ranked {
  readonly score: number;
  readonly category: { readonly slug: string; readonly name: string } | null;
}

/**
 * How a score compares with those of the site's category, or of all sites if the category has too few. The server and
 * the page's script both write this sentence.
 * @returns "" if the directory has too few scores to compare
 */
export function rankText({ all, categories }: Figures, { score, category }: Ranked): string {
  if (category !== null && Object.hasOwn(categories, category.slug)) {
    const own = categories[category.slug];
    const within = own === undefined ? null : percentBelow(own, score);
    if (within !== null) return higherThan(within, category.name, "in");
  }
  const overall = percentBelow(all, score);
  return overall === null ? "" : higherThan(overall, "all sites", "of");
}

function higherThan(percent: number, group: string, joint: string): string {
  return percent === 0
    ? `Among the lowest ${joint} ${group}`
    : `Higher than ${percent} % of ${group}`;
}
