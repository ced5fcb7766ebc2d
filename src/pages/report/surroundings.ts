import type { Figures } from "../../contract/figures.js";
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
  /** Whether the badge is a file, which has one look and ignores queries. */
  readonly isBadgeFile: boolean;
}

export const NO_SURROUNDINGS: Surroundings = {
  listing: null,
  figures: null,
  hasTarget: false,
  isBadgeFile: false,
};

/** The facts of a listing's summary that its report's page shows, as a text that changes when they do. */
export function listingFactsText(summary: ListingFacts | undefined): string {
  if (summary === undefined) return "";
  const { category, latestScore, latestBand, latestScoreVersion, latestScannedAt } = summary;
  const { slug, name } = category ?? {};
  return JSON.stringify([slug, name, latestScore, latestBand, latestScoreVersion, latestScannedAt]);
}
