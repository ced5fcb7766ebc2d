import {
  CATEGORY_SORTS,
  type CategoryOrder,
  type CategorySort,
  orderAfter,
  orderQuery,
  readOrder,
  type SortedFacts,
  sortedCategories,
} from "../pages/categories/category-order.js";
import "./quote.js";

/*
 * Sorts the list of categories in place, on a server and in a tree alike. The address holds the order. Without this
 * script, a server answers with the list in that order.
 */

interface CategoryRows extends SortedFacts {
  readonly element: HTMLTableSectionElement;
}

function useTable(table: HTMLTableElement): void {
  const categories = [...table.tBodies]
    .filter(({ dataset }) => dataset.sites !== undefined)
    .map(factsOf);
  const show = (order: CategoryOrder) => {
    table.append(...sortedCategories(categories, order).map(({ element }) => element));
    for (const by of CATEGORY_SORTS) {
      const head = table.querySelector(`th[data-sort="${by}"]`);
      if (head !== null) showHead(head, by, order);
    }
  };
  const current = () => readOrder(location.search);
  table.tHead?.addEventListener("click", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!isPlain || link === null) return;
    event.preventDefault();
    const order = readOrder(link.search);
    const query = orderQuery(order);
    history.pushState(null, "", query === "" ? location.pathname : `?${query}`);
    show(order);
  });
  addEventListener("popstate", () => show(current()));
  show(current());
}

function factsOf(element: HTMLTableSectionElement): CategoryRows {
  const { sites, share, change, median, failed } = element.dataset;
  const numberIn = (text: string | undefined) => (text === undefined ? null : Number(text));
  return {
    element,
    name: element.querySelector("th a")?.textContent ?? "",
    sites: Number(sites),
    share: numberIn(share),
    change: numberIn(change),
    median: numberIn(median),
    failed: numberIn(failed),
  };
}

function showHead(head: Element, by: CategorySort, order: CategoryOrder): void {
  if (by === order.by) head.setAttribute("aria-sort", order.direction);
  else head.removeAttribute("aria-sort");
  const query = orderQuery(orderAfter(order, by));
  head.querySelector("a")?.setAttribute("href", query === "" ? location.pathname : `?${query}`);
}

const table = document.querySelector<HTMLTableElement>(".groups");
if (table !== null) useTable(table);
