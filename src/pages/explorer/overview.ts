import { medianScore } from "../../contract/figures.js";
import { LIMITS } from "../../contract/limits.js";
import { el, type TreeElement } from "../kit/tree.js";
import { dayOf, numberOf } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { histogramView } from "./histogram.js";
import type { Found } from "./results-view.js";
import { isReversed, isStart, REVERSED_TEXT, type SearchState } from "./search-state.js";

/**
 * The top of the explorer: at the start a headline and the directory's figures, and always the scores of what is found,
 * by which readers filter.
 */
export function overviewView(
  state: SearchState,
  directory: Directory,
  found: Found,
): TreeElement[] {
  const isFirst = isStart(state);
  // The elements are always there, so that a box for a score keeps its focus.
  return [
    el(
      "div",
      { class: isFirst ? "intro" : "intro hidden" },
      el("h1", {}, "What AI crawlers can read"),
      el(
        "p",
        { class: "lead" },
        "A score from 0 to 100 for each website: how readable it is to AI crawlers, what is missing, and what to do first.",
      ),
      isFirst ? figuresView(found) : null,
    ),
    el(
      "div",
      { class: isNobody(found) ? "scores nobody" : "scores" },
      histogramView(state, directory, found.facets.scores),
      rangeView(state),
    ),
  ];
}

/** Whether no score is left to choose. */
function isNobody({ facets }: Found): boolean {
  const { points, olderScoring, unscored } = facets.scores;
  return points.length + olderScoring + unscored === 0;
}

/** The figures of the whole directory. @param found what the start of the explorer shows */
function figuresView({ facets, sites }: Found): TreeElement {
  const { points } = facets.scores;
  const scored = points.reduce((sum, [, count]) => sum + count, 0);
  const median = medianScore({ scored, scores: points });
  const last = sites[0]?.latestScannedAt ?? null;
  const figure = (label: string, value: string) =>
    el("div", {}, el("dt", {}, label), el("dd", {}, value));
  return el(
    "dl",
    { class: "key-figures" },
    figure("Sites", numberOf(facets.total)),
    median === null ? null : figure("Median score", numberOf(median)),
    last === null ? null : figure("Last scan", dayOf(last)),
  );
}

/** The boxes for a range of scores. */
function rangeView(state: SearchState): TreeElement {
  const { minScore, maxScore } = state;
  const isWrong = isReversed(state);
  const box = (name: string, label: string, value: number | null) =>
    el(
      "label",
      {},
      el("span", {}, label),
      el("input", {
        type: "number",
        name,
        min: LIMITS.scoreMin,
        max: LIMITS.scoreMax,
        step: 1,
        inputmode: "numeric",
        value: value === null ? "" : String(value),
        "data-kept": true,
        "aria-describedby": "range-wrong",
        "aria-invalid": isWrong ? "true" : "false",
      }),
    );
  return el(
    "fieldset",
    { class: "range" },
    el("legend", { class: "hidden" }, "Score"),
    el("div", {}, box("minScore", "Score from", minScore), box("maxScore", "to", maxScore)),
    el("p", { id: "range-wrong", class: "wrong", hidden: !isWrong }, REVERSED_TEXT),
  );
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

export function problemView(problem: Problem): TreeElement[] {
  const text = `${PROBLEM_TEXTS[problem]} The results below are from an earlier search.`;
  return [
    el(
      "div",
      { class: "notice problem" },
      el("p", {}, text),
      el("button", { type: "button", class: "button", "data-retry": true }, "Try again"),
    ),
  ];
}
