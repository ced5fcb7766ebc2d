import {
  FIGURES_MIN,
  type Figures,
  type GroupFigures,
  type Rank,
  rankOf,
} from "../../contract/figures.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { Report } from "../../contract/report.js";
import type { PageContext } from "../kit/page-context.js";
import type { NamedRoute } from "../kit/routes.js";
import { counted, numberOf } from "../kit/words.js";

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
   * The directory's figures; null if the build did not count them. A page in a file must not change when another
   * listing does, so its script fetches them (`fetched`).
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

/** Where a reader can follow the site of a report; null if nowhere. */
export function followingOf(
  { scan }: Report,
  { pages, tree, extensions }: PageContext,
  { listing }: Surroundings,
): NonNullable<NamedRoute["follows"]> | null {
  // A tree has feeds of those sites alone that have changed, which a page in a file must not depend on.
  if (scan.historical || listing === null || tree !== undefined || extensions === false)
    return null;
  return pages?.find(({ follows }) => follows !== undefined)?.follows ?? null;
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
export function rankText(figures: Figures, { score, category }: Ranked): string {
  const { group, name, joint } = comparedGroup(figures, category);
  return group.scored < FIGURES_MIN ? "" : rankIn(rankOf(group, score), name, joint);
}

/** The sites with which a score is compared. */
interface ComparedGroup {
  readonly group: GroupFigures;
  /** The name of the group, after `joint`. */
  readonly name: string;
  readonly joint: "in" | "of";
}

function comparedGroup({ all, categories }: Figures, category: Ranked["category"]): ComparedGroup {
  if (category !== null && Object.hasOwn(categories, category.slug)) {
    const own = categories[category.slug];
    if (own !== undefined && own.scored >= FIGURES_MIN)
      return { group: own, name: category.name, joint: "in" };
  }
  return { group: all, name: "all sites", joint: "of" };
}

/**
 * The place that a site would have with another score, if all others kept theirs; and its place now.
 * @returns "" if the directory has too few scores to compare
 */
export function placeText(figures: Figures, { score, category }: Ranked, after: number): string {
  const { group, name } = comparedGroup(figures, category);
  if (group.scored < FIGURES_MIN) return "";
  const scores = group.scores.map(([one, count]) => [one, count - Number(one === score)] as const);
  const above = (mark: number) =>
    scores.reduce((sum, [one, count]) => sum + (one > mark ? count : 0), 0);
  const tied = scores.find(([one]) => one === after)?.[1] ?? 0;
  const ties = tied === 0 ? "" : `, with ${counted(tied, "other")}`;
  const place = `${ordinal(above(after) + 1)} of ${numberOf(group.scored)} in ${name}`;
  return `Would be ${place}${ties}; now ${ordinal(above(score) + 1)}`;
}

function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${numberOf(number)}${ending}`;
}

/** If more than this share of the others has the same score, the share of lower ones would make a tie look bad. */
const TIES_MAX = 0.3;

/** If fewer than this share of the scores are lower, that share would sound like praise. */
const LOW_PERCENT = 10;
/** The words for a rank from the lowest score, by the number of lower ones. */
const LOW_RANKS = [undefined, "second", "third"] as const;

/** @param group the name of the sites that are compared, after `in` or `of` */
function rankIn({ lower, same, higher, of }: Rank, group: string, joint: "in" | "of"): string {
  const others = lower + same + higher;
  const where = joint === "in" ? `other sites in ${group}` : "other sites";
  const tied = `with ${numberOf(same)} of ${numberOf(others)} ${where}`;
  if (higher === 0) {
    return same === 0 ? `The highest score ${joint} ${group}` : `Shares the top score ${tied}`;
  }
  if (lower === 0) {
    return same === 0 ? `The lowest score ${joint} ${group}` : `Shares the lowest score ${tied}`;
  }
  if (same > TIES_MAX * others) {
    return `Shares its score ${tied}; ${numberOf(higher)} ${higher === 1 ? "is" : "are"} higher`;
  }
  const percent = Math.floor((100 * lower) / of);
  const ties =
    same === 0 ? "" : `; ${counted(same, "other")} ${same === 1 ? "has" : "have"} the same score`;
  if (percent >= LOW_PERCENT) return `Higher than ${percent}% of ${group}${ties}`;
  const rank = same === 0 ? LOW_RANKS[lower] : undefined;
  return rank === undefined
    ? `Among the lowest ${joint} ${group}${ties}`
    : `The ${rank} lowest score ${joint} ${group}`;
}
