import {
  ariaSort,
  type CheckMark,
  filterText,
  isInMatrix,
  type MatrixRow,
  type MatrixState,
  matrixOrder,
  matrixQuery,
  readMatrix,
  sortAfter,
  stateText,
} from "../matrix.js";
import "../../../browser/register.js";
import "../../../browser/search-key.js";

/*
 * Orders and filters the matrix of checks in place, on a server and in a tree alike. The address holds the choice.
 * Without this script, a server answers with the table in that order.
 */

interface MatrixTableRow extends MatrixRow {
  readonly element: HTMLTableRowElement;
}

const MARKS: readonly CheckMark[] = ["pass", "warn", "fail", "na"];

function useMatrix(main: HTMLElement, form: HTMLFormElement, table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll<HTMLElement>("th[data-check]")];
  const checkIds = heads.map(({ dataset }) => dataset.check ?? "");
  const [body] = table.tBodies;
  const rows = [...(body?.rows ?? [])].map((element) => tableRow(element, checkIds));
  const told = document.querySelector("#told");
  const nameOf = (id: string) => heads[checkIds.indexOf(id)]?.textContent.trim() ?? id;
  let state = readMatrix(location.search, checkIds);

  const show = () => {
    for (const row of matrixOrder(rows, state)) {
      row.element.hidden = !isInMatrix(row, state);
      body?.append(row.element);
    }
    main.classList.toggle("one-check", state.filter !== null);
    showColumns(table, state, checkIds);
    showForm(form, state);
    if (told !== null) told.textContent = stateText(state, rows, nameOf);
  };
  const choose = (next: MatrixState) => {
    state = next;
    history.replaceState(null, "", location.pathname + matrixQuery(state));
    show();
  };
  const chosen = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) query.set(name, String(value));
    return readMatrix(query.toString(), checkIds);
  };
  form.addEventListener("change", () => choose(chosen()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose(chosen());
  });
  main.addEventListener("click", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const { sort, sites } = link?.dataset ?? {};
    if (!isPlain || (sort === undefined && sites === undefined)) return;
    event.preventDefault();
    if (sort !== undefined) choose({ ...state, sort: sortAfter(state, sort) });
    if (sites === undefined) return;
    choose({ ...state, filter: readMatrix(sites, checkIds).filter });
    form.scrollIntoView();
    form.querySelector("select")?.focus({ preventScroll: true });
  });
  show();
}

function tableRow(element: HTMLTableRowElement, checkIds: readonly string[]): MatrixTableRow {
  const cells = [...element.cells].slice(-checkIds.length);
  const marks = new Map(
    checkIds.map((id, at) => [id, MARKS.find((one) => cells[at]?.classList.contains(one)) ?? null]),
  );
  return {
    element,
    index: Number(element.dataset.place),
    host: element.dataset.host ?? "",
    mark: (check) => marks.get(check) ?? null,
  };
}

/** Marks the column of the chosen check and the head of the sorted column. */
function showColumns(
  table: HTMLTableElement,
  state: MatrixState,
  checkIds: readonly string[],
): void {
  for (const cell of table.querySelectorAll(".chosen")) cell.classList.remove("chosen");
  const at = checkIds.indexOf(state.filter?.check ?? "");
  for (const { cells } of at < 0 ? [] : table.rows)
    cells[cells.length - checkIds.length + at]?.classList.add("chosen");
  for (const link of table.querySelectorAll<HTMLAnchorElement>("a[data-sort]")) {
    const column = link.dataset.sort ?? "";
    const order = ariaSort(state, column);
    const head = link.closest("th");
    if (order === null) head?.removeAttribute("aria-sort");
    else head?.setAttribute("aria-sort", order);
    link.search = matrixQuery({ ...state, sort: sortAfter(state, column) });
  }
}

function showForm(form: HTMLFormElement, { filter, sort, extras, table }: MatrixState): void {
  const values = { sites: filter === null ? "" : filterText(filter), sort };
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === "checkbox")
      control.checked = control.name === "table" ? table : extras === (control.value === "1");
    else if (control instanceof HTMLSelectElement || control instanceof HTMLInputElement)
      control.value = Object.entries(values).find(([name]) => name === control.name)?.[1] ?? "";
  }
}

const main = document.querySelector<HTMLElement>("#matrix");
const form = document.querySelector<HTMLFormElement>("#choices");
const table = document.querySelector<HTMLTableElement>(".matrix");
if (main !== null && form !== null && table !== null) useMatrix(main, form, table);
