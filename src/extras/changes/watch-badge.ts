import { medianScore } from "../../contract/figures.js";
import type { SiteSummary } from "../../contract/listing.js";
import type { PageContext } from "../../pages/kit/page-context.js";
import { bandLabel, counted, levelOf } from "../../pages/kit/words.js";
import { BADGE_COLOURS, drawnBadge, drawnBadgeSize } from "../../pages/report/badge.js";
import { DEFAULT_LOOK } from "../../pages/report/badge-look.js";

/** What the badge of a list says. */
interface ListBadge {
  readonly value: string;
  /** Whether it is the median of several scores. */
  readonly isMedian: boolean;
  /** The same at length. */
  readonly meaning: string;
  readonly colour: string;
}

/** The badge of a list as an SVG: the median score of its sites. @param sites those in search */
export function watchBadge(sites: readonly SiteSummary[], context: PageContext): string {
  const { value, meaning, colour } = listBadge(sites, context);
  return drawnBadge(value, colour, DEFAULT_LOOK, meaning);
}

/** The text of the badge, whether it is a median, and its width and height in pixels. */
export function watchBadgeFacts(sites: readonly SiteSummary[], context: PageContext) {
  const { value, meaning, isMedian } = listBadge(sites, context);
  return { meaning, isMedian, ...drawnBadgeSize(value, DEFAULT_LOOK) };
}

/** Scores of former methodologies do not compare, so they do not count. */
function listBadge(sites: readonly SiteSummary[], context: PageContext): ListBadge {
  const { version, bands } = context.rubric;
  const scores = sites
    .filter(({ latestScoreVersion }) => latestScoreVersion === version)
    .flatMap(({ latestScore }) => latestScore ?? [])
    .sort((a, b) => a - b);
  const pairs = scores.map((score) => [score, 1] as const);
  const median = medianScore({ scored: scores.length, scores: pairs });
  if (median === null) {
    const meaning = "No site of this list has a crawler-readiness score that counts today.";
    return { value: "no score", isMedian: false, meaning, colour: BADGE_COLOURS.none };
  }
  const own = bands.find(({ min, max }) => min <= median && median <= max);
  const banded = { band: own?.band ?? null, scoreVersion: version };
  const label = bandLabel(banded, context);
  const band = label === null ? "" : ` (${label})`;
  const colour = BADGE_COLOURS[levelOf(banded, context)];
  const score = `${median} of 100`;
  if (scores.length === 1) {
    const meaning = `One site with a crawler-readiness score: ${score}${band}.`;
    return { value: score, isMedian: false, meaning, colour };
  }
  const count = counted(scores.length, "site");
  const about = `The median crawler-readiness score of the ${count} of this list that have one`;
  const meaning = `${about}: ${score}${band}.`;
  return { value: `median ${median} of ${count}`, isMedian: true, meaning, colour };
}
