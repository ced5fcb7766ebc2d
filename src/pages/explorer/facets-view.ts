import { LIST_FILTER_NAMES, STATUS_FILTER, type Status } from "../../contract/filters.js";
import { flag, type Html, html, unseen } from "../kit/html.js";
import { counted, numberOf } from "../kit/words.js";
import {
  type Counts,
  type Directory,
  type FacetGroup,
  type FacetItem,
  facetGroups,
} from "./facet-groups.js";
import type { SearchState } from "./search-state.js";

/** The most items that a long group shows before the reader unfolds it. */
const FOLDED_MAX = 8;

/** The filters of a search as form controls. */
export function facetsView(state: SearchState, directory: Directory, counts: Counts | null): Html {
  // Where nothing is found, choices that find nothing either would only be a wall of zeros.
  const isShort = counts?.facets.total === 0;
  const groups = facetGroups(state, directory, counts);
  return html`${groups.map((group) => groupView(group, isShort))}${statusView(state)}`;
}

/** @param isShort whether choices that find nothing are left out */
function groupView(group: FacetGroup, isShort: boolean): Html {
  const { name, title, items, needsAll } = group;
  const chosen = items.filter(({ isChosen }) => isChosen).length;
  const isFull = group.isFull && chosen < items.length;
  const isOut = (item: FacetItem) => isShort && item.count === 0 && !item.isChosen;
  const choices = (shown: readonly FacetItem[]) =>
    html`<ul class="choices">${shown.map((item) => itemView(group, item, isOut(item)))}</ul>`;
  const more = items.slice(FOLDED_MAX);
  const rest =
    more.length === 0
      ? null
      : html`<details${flag(
          "open",
          more.some(({ isChosen }) => isChosen),
        )}><summary>${numberOf(more.length)} more</summary>${choices(more)}</details>`;
  const chosenText = chosen === 0 ? "" : ` ${numberOf(chosen)} chosen`;
  // Elements that may be hidden are always there, so that the positions of their later siblings do not change.
  return html`<details class="facet" id="facet-${name}"${flag("open", chosen > 0 || group.isOpen)}${flag("hidden", items.every(isOut))}><summary>${title}<span class="chosen"${flag("hidden", chosen === 0)}>${chosenText}</span></summary><div role="group" aria-label="${needsAll ? `${title}: all must match` : title}">${
    needsAll ? html`<p class="quiet">A site must pass all that you choose.</p>` : null
  }<p class="quiet"${flag("hidden", !isFull)}>You cannot choose more than these.
    </p>${choices(items.slice(0, FOLDED_MAX))}${rest}</div></details>`;
}

function itemView(
  { name, isFull }: FacetGroup,
  { value, label, count, isChosen }: FacetItem,
  isOut: boolean,
): Html {
  const number =
    count === null
      ? null
      : html`<span class="count">${numberOf(count)}${unseen(count === 1 ? " site" : " sites")}</span>`;
  return html`<li class="${count === 0 ? "choice empty" : "choice"}"${flag("hidden", isOut)}><label>
    <input type="checkbox" name="${name}" value="${value}"${flag("checked", isChosen)}${flag("disabled", isFull && !isChosen)}><span class="choice-name" dir="auto">${label}</span>${number}</label></li>`;
}

const STATUSES: readonly (readonly [value: Status | "", label: string])[] = [
  ["", "All listings"],
  ["claimed", "Claimed by their owners"],
  ["unclaimed", "Not claimed"],
];

function statusView({ status }: SearchState): Html {
  const choices = STATUSES.map(
    ([value, label]) =>
      html`<li class="choice"><label>
        <input type="radio" name="status" value="${value}"${flag("checked", (status ?? "") === value)}>
        <span class="choice-name">${label}</span></label></li>`,
  );
  return html`<fieldset class="facet"><legend>${STATUS_FILTER.title}</legend><ul class="choices">${choices}</ul>
    </fieldset>`;
}

/** The text of the button that opens the filters in a narrow window. */
export function filtersText(state: SearchState): string {
  const { status, minScore, maxScore } = state;
  const chosen =
    LIST_FILTER_NAMES.flatMap((name) => state[name]).length +
    [status, minScore, maxScore].filter((one) => one !== null).length;
  return chosen === 0 ? "Filters" : `Filters: ${counted(chosen, "choice")}`;
}

/** The text of the button that closes the filters in a narrow window. */
export function sheetText(total: number): string {
  return `Show ${counted(total, "site")}`;
}
