import { el, type TreeElement } from "../kit/tree.js";

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
