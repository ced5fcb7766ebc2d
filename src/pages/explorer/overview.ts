import { medianScore } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import { flag, type Html, html } from "../kit/html.js";
import { dayOf, numberOf } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { histogramView } from "./histogram.js";
import type { Found } from "./results-view.js";
import { isReversed, isStart, REVERSED_TEXT, type SearchState } from "./search-state.js";

/**
 * The top of the explorer: at the start a headline and the directory's figures, and always the scores of the results,
 * by which readers can filter.
 */
export function overviewView(state: SearchState, directory: Directory, found: Found): Html {
  const isFirst = isStart(state);
  // The elements are always there, so that a box for a score keeps its focus.
  return html`<div class="${isFirst ? "intro" : "intro hidden"}"><h1>What AI crawlers can read</h1>
    <p class="lead">A score from 0 to 100 for each website: how readable it is to AI crawlers, what is missing, and what to do first.</p>${
      isFirst && directory.about ? html`<p class="about"><bdi>${directory.about}</bdi></p>` : null
    }${isFirst ? figuresView(found) : null}</div>
    <div class="${isNobody(found) ? "scores nobody" : "scores"}">${histogramView(state, directory, found.facets.scores)}${rangeView(state)}</div>`;
}

/** Whether no score is left to choose. */
function isNobody({ facets }: Found): boolean {
  const { points, olderScoring, unscored } = facets.scores;
  return points.length + olderScoring + unscored === 0;
}

/** The figures of the whole directory. @param found what the start of the explorer shows */
function figuresView({ facets, sites }: Found): Html {
  const { points } = facets.scores;
  const scored = points.reduce((sum, [, count]) => sum + count, 0);
  const median = medianScore({ scored, scores: points });
  const last = sites[0]?.latestScannedAt ?? null;
  const figure = (label: string, value: string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<dl class="key-figures">${figure("Sites", numberOf(facets.total))}${
    median === null ? null : figure("Median score", numberOf(median))
  }${last === null ? null : figure("Last scan", dayOf(last))}</dl>`;
}

/** The boxes for a range of scores. */
function rangeView(state: SearchState): Html {
  const isWrong = isReversed(state);
  const box = (name: "minScore" | "maxScore", label: string) =>
    html`<label><span>${label}</span>
      <input type="number" name="${name}" min="${LIMITS.scoreMin}" max="${LIMITS.scoreMax}" step="1" inputmode="numeric" value="${state[name] ?? ""}" data-kept aria-describedby="range-wrong" aria-invalid="${String(isWrong)}"></label>`;
  return html`<fieldset class="range"><legend class="hidden">Score</legend>
    <div>${box("minScore", "Score from")}${box("maxScore", "to")}</div>
    <p id="range-wrong" class="wrong"${flag("hidden", !isWrong)}>${REVERSED_TEXT}</p></fieldset>`;
}

/**
 * Why a search has no result:
 * - `offline`: the browser has no network; the search is retried once it has.
 * - `failed`: anything else; the reader may retry.
 */
export type Problem = "offline" | "failed";

/** Each problem in a sentence, both for display and for screen readers. */
export const PROBLEM_TEXTS: Readonly<Record<Problem, string>> = {
  offline: "You are offline. The search resumes when the network is back.",
  failed: "The search did not answer. Your choices are kept.",
};

export function problemView(problem: Problem): Html {
  return html`<div class="notice problem"><p>${PROBLEM_TEXTS[problem]} The results below are from an earlier search.
    </p><button type="button" class="button" data-retry>Try again</button></div>`;
}
