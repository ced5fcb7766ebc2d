import { LIST_FILTER_NAMES, STATUS_FILTER, type Status } from "../../contract/filters.js";
import { el, type TreeElement, unseen } from "../kit/tree.js";
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
): TreeElement[] {
  // Where nothing is found, choices that find nothing either would only be a wall of zeros.
  const isShort = counts?.facets.total === 0;
  const groups = facetGroups(state, directory, counts);
  return [...groups.map((group) => groupView(group, isShort, use)), statusView(state)];
}

/** @param isShort whether choices that find nothing are left out */
function groupView(
  group: FacetGroup,
  isShort: boolean,
  { unfolded, narrowed, kept }: FacetUse,
): TreeElement {
  const { name, title, items } = group;
  const chosen = items.filter(({ isChosen }) => isChosen).length;
  const text = (narrowed.get(name) ?? "").trim().toLowerCase();
  const isFull = group.isFull && chosen < items.length;
  const isLong = items.length > FOLDED_MAX;
  const isFolded = isLong && text === "" && !unfolded.has(name);
  const rows = items.map((item, index) => {
    const stays = item.isChosen || kept.has(`${name}=${item.value}`);
    const isEmpty = isShort && item.count === 0;
    const isOther = text !== "" && !item.label.toLowerCase().includes(text);
    const isOut = !stays && (isEmpty || isOther);
    const isMore = index >= FOLDED_MAX || item.count === 0;
    return itemView(group, item, isOut, isFolded && isMore && !stays);
  });
  const found = rows.filter(({ attributes }) => attributes.hidden !== true).length;
  return el(
    "details",
    {
      class: "facet",
      id: `facet-${name}`,
      open: chosen > 0 || group.isOpen,
      hidden: found === 0 && text === "",
    },
    el("summary", {}, title, chosenText(chosen)),
    el(
      "div",
      { role: "group", "aria-label": group.needsAll ? `${title}: all must match` : title },
      items.length < NARROWED_FROM ? null : narrowView(name, title),
      group.needsAll ? el("p", { class: "quiet" }, "A site must pass all that you choose.") : null,
      // The element is always there, only hidden, so that the positions of its later siblings do not change.
      el("p", { class: "quiet", hidden: !isFull }, "You cannot choose more than these."),
      el("ul", { class: "choices" }, rows),
      el("p", { class: "quiet", hidden: found > 0 }, "Nothing in the list has these letters."),
      isLong ? unfoldView(name, items.length, isFolded, text !== "") : null,
    ),
  );
}

function chosenText(chosen: number): TreeElement {
  const text = chosen === 0 ? "" : ` ${numberOf(chosen)} chosen`;
  return el("span", { class: "chosen", hidden: chosen === 0 }, text);
}

function itemView(
  { name, isFull }: FacetGroup,
  { value, label, count, isChosen }: FacetGroup["items"][number],
  isOut: boolean,
  isMore: boolean,
): TreeElement {
  const classes = ["choice", ...(count === 0 ? ["empty"] : []), ...(isMore ? ["more"] : [])];
  return el(
    "li",
    { class: classes.join(" "), hidden: isOut },
    el(
      "label",
      {},
      el("input", {
        type: "checkbox",
        name,
        value,
        checked: isChosen,
        disabled: isFull && !isChosen,
      }),
      el("span", { class: "choice-name", dir: "auto" }, label),
      count === null
        ? null
        : el("span", { class: "count" }, numberOf(count), unseen(count === 1 ? " site" : " sites")),
    ),
  );
}

function narrowView(name: string, title: string): TreeElement {
  return el("input", {
    type: "search",
    class: "narrow needs-script",
    "data-narrow": name,
    "aria-label": `${title}: show only entries with these letters`,
    placeholder: "Narrow the list",
    autocomplete: "off",
    spellcheck: "false",
  });
}

function unfoldView(
  name: string,
  length: number,
  isFolded: boolean,
  isNarrowed: boolean,
): TreeElement {
  return el(
    "button",
    {
      type: "button",
      class: "unfold needs-script",
      "data-unfold": name,
      "aria-expanded": isFolded ? "false" : "true",
      hidden: isNarrowed,
    },
    isFolded ? `Show all ${numberOf(length)}` : "Show fewer",
  );
}

const STATUSES: readonly (readonly [value: Status | "", label: string])[] = [
  ["", "All listings"],
  ["claimed", "Claimed by their owners"],
  ["unclaimed", "Not claimed"],
];

function statusView({ status }: SearchState): TreeElement {
  return el(
    "fieldset",
    { class: "facet" },
    el("legend", {}, STATUS_FILTER.title),
    el(
      "ul",
      { class: "choices" },
      STATUSES.map(([value, label]) =>
        el(
          "li",
          { class: "choice" },
          el(
            "label",
            {},
            el("input", {
              type: "radio",
              name: "status",
              value,
              checked: (status ?? "") === value,
            }),
            el("span", { class: "choice-name" }, label),
          ),
        ),
      ),
    ),
  );
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
