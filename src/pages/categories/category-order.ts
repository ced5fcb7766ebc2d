import { byCodeUnit, foldText } from "../../contract/order.js";

/* The orders of the list of categories. The page's script sorts with the same functions as the server. */

/** The facts of a category by which the list is sorted. Null: the category has too few sites to say. */
export interface SortedFacts {
  readonly name: string;
  readonly sites: number;
  /** The share of the scored sites that are in the highest band, from 0 to 1. */
  readonly share: number | null;
  /** How far that share has moved since the publication before, in points. */
  readonly change: number | null;
  readonly median: number | null;
  /** The share that does not pass the check that most do not pass, from 0 to 1. */
  readonly failed: number | null;
}

export type CategorySort = keyof SortedFacts;

/** The columns in their order. */
export const CATEGORY_SORTS: readonly CategorySort[] = [
  "name",
  "sites",
  "share",
  "change",
  "median",
  "failed",
];

export interface CategoryOrder {
  readonly by: CategorySort;
  readonly direction: "ascending" | "descending";
}

const USUAL: CategoryOrder = { by: "median", direction: "descending" };

/** The values of `sort` in addresses. The first one of each column is the order that its heading leads to first. */
const SORTS: readonly (readonly [value: string, order: CategoryOrder])[] = [
  ["name", { by: "name", direction: "ascending" }],
  ["name-desc", { by: "name", direction: "descending" }],
  ["sites", { by: "sites", direction: "descending" }],
  ["sites-asc", { by: "sites", direction: "ascending" }],
  ["share", { by: "share", direction: "descending" }],
  ["share-asc", { by: "share", direction: "ascending" }],
  ["change", { by: "change", direction: "descending" }],
  ["change-asc", { by: "change", direction: "ascending" }],
  ["median", USUAL],
  ["median-asc", { by: "median", direction: "ascending" }],
  ["failed", { by: "failed", direction: "descending" }],
  ["failed-asc", { by: "failed", direction: "ascending" }],
];

/** Reads the order from the query of an address. Without one that exists, it is the usual one. */
export function readOrder(query: string): CategoryOrder {
  const sort = new URLSearchParams(query).get("sort");
  return SORTS.find(([value]) => value === sort)?.[1] ?? USUAL;
}

/** The query of an order, without its `?`; "" for the usual one. */
export function orderQuery(order: CategoryOrder): string {
  if (isSame(order, USUAL)) return "";
  return `sort=${SORTS.find(([, one]) => isSame(one, order))?.[0] ?? ""}`;
}

function isSame(a: CategoryOrder, b: CategoryOrder): boolean {
  return a.by === b.by && a.direction === b.direction;
}

/** The order that the heading of a column leads to: its first one, or the other one if that is in use. */
export function orderAfter(order: CategoryOrder, by: CategorySort): CategoryOrder {
  const [first = USUAL, other = USUAL] = SORTS.map(([, one]) => one).filter((one) => one.by === by);
  return isSame(order, first) ? other : first;
}

/**
 * Sorts categories. Those without a value come last in both directions. Equal medians are sorted by the share of the
 * highest band, and what is still equal by name.
 */
export function sortedCategories<T extends SortedFacts>(
  categories: readonly T[],
  { by, direction }: CategoryOrder,
): T[] {
  const sign = direction === "ascending" ? 1 : -1;
  const byName = (a: T, b: T) =>
    byCodeUnit(foldText(a.name), foldText(b.name)) || byCodeUnit(a.name, b.name);
  if (by === "name") return categories.toSorted((a, b) => sign * byName(a, b));
  const known = categories.filter((one) => one[by] !== null);
  const unknown = categories.filter((one) => one[by] === null);
  const difference = (a: T, b: T, key: typeof by) => sign * ((a[key] ?? 0) - (b[key] ?? 0));
  return [
    ...known.toSorted(
      (a, b) =>
        difference(a, b, by) || (by === "median" ? difference(a, b, "share") : 0) || byName(a, b),
    ),
    ...unknown.toSorted(byName),
  ];
}
