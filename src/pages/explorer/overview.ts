import { medianScore } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import { binGroups, histogram, type ScoreBin } from "../kit/histogram.js";
import { flag, type Html, html } from "../kit/html.js";
import { counted, dayOf, numberOf } from "../kit/words.js";
import type { Counts, Directory } from "./facets.js";
import type { Listed } from "./results-view.js";
import { changed, isStart, type SearchState, scoreRange, stateLink } from "./search-state.js";

/**
 * The top of the explorer: at the start a headline and the directory's figures, and always the scores of the results,
 * by which readers can filter. All of it is as high before its numbers are known as afterwards.
 * @param listed null if the sites are not known yet
 * @param counts null if they are not known yet
 */
export function overviewView(
  state: SearchState,
  directory: Directory,
  listed: Listed | null,
  counts: Counts | null,
): Html {
  const isFirst = isStart(state);
  const about =
    isFirst && directory.about ? html`<p class="about"><bdi>${directory.about}</bdi></p>` : null;
  const scores = histogramView(state, directory, counts?.facets.scores ?? null);
  const isNone = isFirst && counts !== null && isNobody(counts);
  return html`<div class="${isFirst ? "intro" : "intro hidden"}">
      <h1 dir="auto">${directory.headline ?? "What AI crawlers can read"}</h1>
      <p class="lead">A score from 0 to 100 for each website: how readable it is to AI crawlers, 
        what is missing, and what to do first.</p>
      ${about}${isFirst ? figuresView(listed, counts) : null}
    </div>
    <div class="${isNone ? "scores nobody" : "scores"}">${scores}</div>`;
}

/** Whether no score is left to choose. */
function isNobody({ facets }: Counts): boolean {
  const { points, olderScoring, unscored } = facets.scores;
  return points.length + olderScoring + unscored === 0;
}

/** As wide as a day, so that the figures do not wrap otherwise once they are known. */
const UNKNOWN = "\u00a0".repeat(14);

/** The figures of the whole directory. @param listed the sites that were scanned last */
function figuresView(listed: Listed | null, counts: Counts | null): Html {
  const figure = (label: string, value: string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  if (listed === null || counts === null) {
    const labels = ["Sites", "Median score", "Last scan"];
    return html`<dl class="key-figures">${labels.map((label) => figure(label, UNKNOWN))}</dl>`;
  }
  const { facets } = counts;
  const { points } = facets.scores;
  const scored = points.reduce((sum, [, count]) => sum + count, 0);
  const median = medianScore({ scored, scores: points });
  const last = listed.sites[0]?.latestScannedAt ?? null;
  return html`<dl class="key-figures">${figure("Sites", numberOf(facets.total))}${
    median === null ? null : figure("Median score", numberOf(median))
  }${last === null ? null : figure("Last scan", dayOf(last))}</dl>`;
}

/**
 * Why a search has no result:
 * - `offline`: the browser has no network; the search is retried once it has.
 * - `uncounted`: it has found sites, but they could not be counted; the reader may retry.
 * - `failed`: anything else; the reader may retry.
 */
export type Problem = "offline" | "uncounted" | "failed";

/** Each problem in a sentence, both for display and for screen readers. */
export const PROBLEM_TEXTS: Readonly<Record<Problem, string>> = {
  offline: "You are offline. The search resumes when the network is back.",
  uncounted: "The numbers beside the filters did not load.",
  failed: "The search did not answer. Your choices are kept.",
};

/** @param isOlder whether the page shows the results of an earlier search */
export function problemView(problem: Problem, isOlder: boolean): Html {
  const older = isOlder ? " The results shown are from an earlier search." : "";
  return html`<div class="notice problem">
    <p>${PROBLEM_TEXTS[problem]}${older}</p>
    <button type="button" class="button" data-retry>Try again</button></div>`;
}

/**
 * The scores of the sites that pass the other filters: bars in the colours of the bands, and the bands with their
 * numbers. A bar is a link to the sites with its scores, of all bands; a band is a link to its sites alone. If it is in
 * use, the link removes it.
 * @param scores null if they are not known yet
 */
export function histogramView(
  state: SearchState,
  { rubric, to }: Pick<Directory, "rubric" | "to">,
  scores: FacetScores | null,
): Html {
  const { bands, points } = scores ?? { bands: [], points: [] };
  const groups = binGroups(rubric, points);
  const all = groups.flatMap(({ band, bins }) => bins.map((bin) => ({ band, bin })));
  const least = state.minScore ?? LIMITS.scoreMin;
  const greatest = state.maxScore ?? LIMITS.scoreMax;
  const isOfBand = (band: string | null) =>
    state.band.length === 0 || (band !== null && state.band.includes(band));
  const chosen = new Set(
    all
      .filter(({ band, bin }) => bin.to >= least && bin.from <= greatest && isOfBand(band))
      .map(({ bin }) => bin),
  );
  // One bar can be reached by Tab; the script moves from it to the others and to the bands by arrow keys.
  const stop = all.find(({ bin }) => chosen.has(bin)) ?? all[0];
  const link = (isChosen: boolean, next: Partial<SearchState>, attributes: Html, drawn: Html) =>
    stateLink(
      changed(state, next),
      to,
      html`${attributes}${flag('aria-current="true"', isChosen)}`,
      drawn,
    );
  const bar = (bin: ScoreBin, drawn: Html) => {
    const { from, to: last } = bin;
    const isChosen = state.minScore === from && state.maxScore === last && state.band.length === 0;
    return link(
      isChosen,
      isChosen ? { minScore: null, maxScore: null } : scoreRange(from, last),
      html` class="${chosen.has(bin) ? "bin" : "bin out"}" tabindex="${bin === stop?.bin ? 0 : -1}" 
        data-from="${from}" data-to="${last}"`,
      drawn,
    );
  };
  const band = (id: string, attributes: Html, drawn: Html) => {
    const isChosen = state.band.includes(id);
    const rest = state.band.filter((one) => one !== id);
    return link(
      isChosen,
      { band: isChosen ? rest : [id] },
      html`${attributes} tabindex="-1"`,
      drawn,
    );
  };
  const count = (id: string) => bands.find((one) => one.band === id)?.count;
  return histogram(groups, { bar, band, count }, scores && leftText(scores));
}

/** The sites that no bar counts, in words. */
function leftText({ unscored, olderScoring }: FacetScores): string {
  return [
    ...(unscored === 0 ? [] : [`${counted(unscored, "site")} without a score`]),
    ...(olderScoring === 0 ? [] : [`${numberOf(olderScoring)} scored by an older methodology`]),
  ].join(", ");
}
