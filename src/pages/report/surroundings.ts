import { type Figures, percentBelow } from "../../contract/figures.js";
import type { SiteSummary } from "../../contract/listing.js";

/** The facts of a listing's summary that its report's page shows. */
export type ListingFacts = Pick<
  SiteSummary,
  "category" | "latestScore" | "latestBand" | "latestScoreVersion" | "latestScannedAt"
>;

/** What the page of a report shows of the directory around the report. */
export interface Surroundings {
  /** The listing as the directory's search shows it; null if it is not in search. */
  readonly listing: ListingFacts | null;
  /**
   * The directory's figures; null if the build did not count them. A page in a file must not change when another listing
   * does, so its script fetches them (`fetched`).
   */
  readonly figures: Figures | "fetched" | null;
  /** Whether the site that the listing redirects to is in the directory's search. */
  readonly hasTarget: boolean;
}

export const NO_SURROUNDINGS: Surroundings = {
  listing: null,
  figures: null,
  hasTarget: false,
};

/** The facts of a listing's summary that its report's page shows, as a text that changes when they do. */
export function listingFactsText(summary: ListingFacts | undefined): string {
  if (summary === undefined) return "";
  const { category, latestScore, latestBand, latestScoreVersion, latestScannedAt } = summary;
  const { slug, name } = category ?? {};
  return JSON.stringify([slug, name, latestScore, latestBand, latestScoreVersion, latestScannedAt]);
}

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

/*
 * Numbers of figures, which are SVG without inline styles. Positions along a line are percentages of its width, so that
 * letters keep their size while a figure stretches. Text beside each figure says the same.
 */

/** A share as a percentage with at most one decimal: `42.5%`. */
export function percentOf(share: number): string {
  return `${tenth(100 * share)}%`;
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
