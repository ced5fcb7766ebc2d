import { LIMITS } from "../../contract/limits.js";
import type { FacetScores } from "../../contract/listing.js";
import { el, type TreeElement, unseen } from "../kit/tree.js";
import { bandLevel, counted, type Level, numberOf, visible } from "../kit/words.js";
import type { Directory } from "./facet-groups.js";
import { changed, type SearchState, stateLink } from "./search-state.js";

/** About as many points as a bar stands for. */
const BIN_POINTS = 5;
/** The height of the drawing, in its own units, and that of the shortest bar. */
const [HEIGHT, LEAST] = [100, 4];

/** Scores that one bar counts. */
export interface ScoreBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A band of the rubric with the bars that count its scores. Scores between bands have a group without a label. */
export interface BinGroup {
  readonly label: string | null;
  readonly level: Level;
  readonly bins: readonly ScoreBin[];
}

/** The bars of a histogram by rising score. No bar spans two bands, and together they have every score from 0 to 100. */
export function binGroups(
  { bands }: Pick<Directory["rubric"], "bands">,
  points: FacetScores["points"],
): BinGroup[] {
  const groups: BinGroup[] = [];
  let next: number = LIMITS.scoreMin;
  const add = (to: number, label: string | null, level: Level) => {
    if (to < next) return;
    groups.push({ label, level, bins: binsBetween(next, to, points) });
    next = to + 1;
  };
  for (const { band, label, min, max } of bands.toSorted((one, other) => one.min - other.min)) {
    add(min - 1, null, "none");
    add(max, visible(label) ?? band, bandLevel(band, { bands }));
  }
  add(LIMITS.scoreMax, null, "none");
  return groups;
}

function binsBetween(from: number, to: number, points: FacetScores["points"]): ScoreBin[] {
  const size = to - from + 1;
  const bins = Math.max(1, Math.round(size / BIN_POINTS));
  const startOf = (index: number) => from + Math.round((index * size) / bins);
  return Array.from({ length: bins }, (_, index) => {
    const [first, last] = [startOf(index), startOf(index + 1) - 1];
    const own = points.filter(([score]) => score >= first && score <= last);
    return { from: first, to: last, count: own.reduce((sum, [, count]) => sum + count, 0) };
  });
}

/** A range as `80` or `80–84`. */
function rangeText(from: number, to: number): string {
  return from === to ? numberOf(from) : `${numberOf(from)}–${numberOf(to)}`;
}

/** A link that limits the search to a range of scores, or lifts the limit if it is this range already. */
function rangeLink(
  state: SearchState,
  { from, to }: Pick<ScoreBin, "from" | "to">,
  attributes: TreeElement["attributes"],
  ...children: Parameters<typeof el>[2][]
): TreeElement {
  const isChosen = state.minScore === from && state.maxScore === to;
  const range = isChosen ? { minScore: null, maxScore: null } : { minScore: from, maxScore: to };
  const current = isChosen ? { "aria-current": "true" } : {};
  return stateLink(changed(state, range), { ...attributes, ...current }, ...children);
}

/**
 * How many of the sites that pass the other filters have which score: bars in the colours of the bands, and the bands
 * with their numbers. Each is a link that filters by its scores.
 */
export function histogramView(
  state: SearchState,
  { rubric }: Pick<Directory, "rubric">,
  { points, unscored, olderScoring }: FacetScores,
): TreeElement {
  const groups = binGroups(rubric, points);
  const bins = groups.flatMap((group) => group.bins);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [least, greatest] = [state.minScore ?? LIMITS.scoreMin, state.maxScore ?? LIMITS.scoreMax];
  const isIn = ({ from, to }: ScoreBin) => to >= least && from <= greatest;
  // One bar can be reached by Tab; the script moves from it by arrow keys.
  const stop = bins.find(isIn) ?? bins[0];
  const bar = (bin: ScoreBin) => {
    const { from, to, count } = bin;
    const height = count === 0 ? 0 : Math.max(LEAST, Math.round((HEIGHT * count) / most));
    return rangeLink(
      state,
      bin,
      {
        class: isIn(bin) ? "bin" : "bin out",
        tabindex: bin === stop ? 0 : -1,
        "data-from": from,
        "data-to": to,
      },
      el(
        "svg",
        { viewBox: `0 0 10 ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        el("rect", { y: HEIGHT - height, width: 10, height }),
      ),
      el("span", { class: "tip" }, `${rangeText(from, to)}: ${counted(count, "site")}`),
    );
  };
  return el(
    "div",
    { class: "histogram" },
    el(
      "div",
      { class: "chart", role: "group", "aria-label": "Sites by score" },
      groups.map(({ level, bins }) =>
        el(
          "div",
          { class: `bins level-${level} grow-${bins.length}` },
          bins.map(bar),
          el("span", { class: "axis", "aria-hidden": "true" }, numberOf(bins[0]?.from ?? 0)),
        ),
      ),
    ),
    el(
      "ul",
      { class: "legend", "aria-label": "Bands" },
      groups.map((group) => legendItem(state, group)),
    ),
    restView(unscored, olderScoring),
  );
}

function legendItem(state: SearchState, { label, level, bins }: BinGroup): TreeElement | null {
  const [first, last] = [bins[0], bins.at(-1)];
  if (label === null || first === undefined || last === undefined) return null;
  const count = bins.reduce((sum, one) => sum + one.count, 0);
  const range = { from: first.from, to: last.to };
  return el(
    "li",
    {},
    rangeLink(
      state,
      range,
      { class: `legend-band level-${level}` },
      el("span", { class: "legend-name", dir: "auto" }, label),
      " ",
      el("span", { class: "quiet" }, rangeText(range.from, range.to)),
      " ",
      el("b", {}, numberOf(count), unseen(count === 1 ? " site" : " sites")),
    ),
  );
}

/** The sites that no bar counts. */
function restView(unscored: number, olderScoring: number): TreeElement {
  const parts = [
    ...(unscored === 0 ? [] : [`${counted(unscored, "site")} without a score`]),
    ...(olderScoring === 0 ? [] : [`${numberOf(olderScoring)} scored by an older methodology`]),
  ];
  return el(
    "p",
    { class: "quiet rest" },
    parts.length === 0 ? "" : `Not in the chart: ${parts.join(", ")}.`,
  );
}
