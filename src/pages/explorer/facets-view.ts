import { LIST_FILTER_NAMES, STATUS_FILTER, type Status } from "../../contract/filters.js";
import { flag, type Html, html, unseen } from "../kit/html.js";
import { counted, numberOf } from "../kit/words.js";
import { type Counts, type Directory, type FacetGroup, facetGroups } from "./facet-groups.js";
import type { SearchState } from "./search-state.js";

/** The most items that a long group shows before the reader unfolds it. It shows none that find nothing. */
const FOLDED_MAX = 8;
/** A group with at least this many items gets a text box that narrows them. */
const NARROWED_FROM = 13;

/** The reader's changes to the display of the groups. They are not part of the address. */
export interface FacetUse {
  /** Names of the groups that show all items. */
  readonly unfolded: ReadonlySet<string>;
  /** The narrowing text by group name. */
  readonly narrowed: ReadonlyMap<string, string>;
  /** Items, as `name=value`, that stay visible although their group is folded or narrowed. */
  readonly kept: ReadonlySet<string>;
}

const UNUSED: FacetUse = { unfolded: new Set(), narrowed: new Map(), kept: new Set() };

/**
 * The filters of a search as form controls. Without a script, all of them are visible; with one, long lists fold
 * (`needs-script` and `more` in the stylesheet).
 */
export function facetsView(
  state: SearchState,
  directory: Directory,
  counts: Counts | null,
  use: FacetUse = UNUSED,
): Html {
  // Where nothing is found, choices that find nothing either would only be a wall of zeros.
  const isShort = counts?.facets.total === 0;
  const groups = facetGroups(state, directory, counts);
  return html`${groups.map((group) => groupView(group, isShort, use))}${statusView(state)}`;
}

/** @param isShort whether choices that find nothing are left out */
function groupView(
  group: FacetGroup,
  isShort: boolean,
  { unfolded, narrowed, kept }: FacetUse,
): Html {
  const { name, title, items, needsAll } = group;
  const chosen = items.filter(({ isChosen }) => isChosen).length;
  const text = (narrowed.get(name) ?? "").trim().toLowerCase();
  const isFull = group.isFull && chosen < items.length;
  const isLong = items.length > FOLDED_MAX;
  const isFolded = isLong && text === "" && !unfolded.has(name);
  let found = 0;
  const rows = items.map((item, index) => {
    const stays = item.isChosen || kept.has(`${name}=${item.value}`);
    const isEmpty = isShort && item.count === 0;
    const isOther = text !== "" && !item.label.toLowerCase().includes(text);
    const isOut = !stays && (isEmpty || isOther);
    const isMore = index >= FOLDED_MAX || item.count === 0;
    if (!isOut) found += 1;
    return itemView(group, item, isOut, isFolded && isMore && !stays);
  });
  const isOpen = chosen > 0 || group.isOpen;
  const isHidden = found === 0 && text === "";
  const chosenText = chosen === 0 ? "" : ` ${numberOf(chosen)} chosen`;
  // Elements that may be hidden are always there, so that the positions of their later siblings do not change.
  return html`<details class="facet" id="facet-${name}"${flag("open", isOpen)}${flag("hidden", isHidden)}><summary>${title}<span class="chosen"${flag("hidden", chosen === 0)}>${chosenText}</span></summary><div role="group" aria-label="${needsAll ? `${title}: all must match` : title}">${
    items.length < NARROWED_FROM ? null : narrowView(name, title)
  }${
    needsAll ? html`<p class="quiet">A site must pass all that you choose.</p>` : null
  }<p class="quiet"${flag("hidden", !isFull)}>You cannot choose more than these.</p><ul class="choices">${rows}</ul><p class="quiet"${flag("hidden", found > 0)}>Nothing in the list has these letters.</p>${
    isLong ? unfoldView(name, items.length, isFolded, text !== "") : null
  }</div></details>`;
}

function itemView(
  { name, isFull }: FacetGroup,
  { value, label, count, isChosen }: FacetGroup["items"][number],
  isOut: boolean,
  isMore: boolean,
): Html {
  const classes = `choice${count === 0 ? " empty" : ""}${isMore ? " more" : ""}`;
  const number =
    count === null
      ? null
      : html`<span class="count">${numberOf(count)}${unseen(count === 1 ? " site" : " sites")}</span>`;
  return html`<li class="${classes}"${flag("hidden", isOut)}><label><input type="checkbox" name="${name}" value="${value}"${flag("checked", isChosen)}${flag("disabled", isFull && !isChosen)}><span class="choice-name" dir="auto">${label}</span>${number}</label></li>`;
}

function narrowView(name: string, title: string): Html {
  return html`<input type="search" class="narrow needs-script" data-narrow="${name}" aria-label="${title}: show only entries with these letters" placeholder="Narrow the list" autocomplete="off" spellcheck="false">`;
}

function unfoldView(name: string, length: number, isFolded: boolean, isNarrowed: boolean): Html {
  const text = isFolded ? `Show all ${numberOf(length)}` : "Show fewer";
  return html`<button type="button" class="unfold needs-script" data-unfold="${name}" aria-expanded="${String(!isFolded)}"${flag("hidden", isNarrowed)}>${text}</button>`;
}

const STATUSES: readonly (readonly [value: Status | "", label: string])[] = [
  ["", "All listings"],
  ["claimed", "Claimed by their owners"],
  ["unclaimed", "Not claimed"],
];

function statusView({ status }: SearchState): Html {
  const choices = STATUSES.map(
    ([value, label]) =>
      html`<li class="choice"><label><input type="radio" name="status" value="${value}"${flag("checked", (status ?? "") === value)}><span class="choice-name">${label}</span></label></li>`,
  );
  return html`<fieldset class="facet"><legend>${STATUS_FILTER.title}</legend><ul class="choices">${choices}</ul></fieldset>`;
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
