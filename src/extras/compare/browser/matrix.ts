import { counted } from "../../../pages/kit/words.js";
import {
  type CheckMark,
  isInMatrix,
  type MatrixRow,
  type MatrixState,
  matrixOrder,
  matrixQuery,
  readMatrix,
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

const MARKS: readonly CheckMark[] = ["pass", "fail", "na"];

function useMatrix(form: HTMLFormElement, body: HTMLTableSectionElement): void {
  const heads = [...document.querySelectorAll<HTMLElement>("th[data-check]")];
  const checkIds = heads.map(({ dataset }) => dataset.check ?? "");
  const rows = [...body.rows].map((element): MatrixTableRow => {
    const cells = [...element.cells].slice(-checkIds.length);
    return {
      element,
      index: Number(element.dataset.place),
      host: element.dataset.host ?? "",
      mark: (check) => {
        const cell = cells[checkIds.indexOf(check)];
        return MARKS.find((one) => cell?.classList.contains(one)) ?? null;
      },
    };
  });
  const told = document.querySelector("#told");

  const show = (state: MatrixState) => {
    let count = 0;
    for (const row of matrixOrder(rows, state)) {
      row.element.hidden = !isInMatrix(row, state);
      if (!row.element.hidden) count += 1;
      body.append(row.element);
    }
    showChoice(form, heads, state);
    if (told !== null)
      told.textContent = state.fails === null ? "" : `${count} of ${counted(rows.length, "site")}`;
  };
  const choose = (state: MatrixState) => {
    history.replaceState(null, "", location.pathname + matrixQuery(state));
    show(state);
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
  for (const head of heads) {
    head.addEventListener("click", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
      if (!isPlain || !(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      choose({ ...chosen(), sort: head.dataset.check ?? "score" });
    });
  }
  show(readMatrix(location.search, checkIds));
}

/** Shows a state in the form and in the heads of the columns. */
function showChoice(
  form: HTMLFormElement,
  heads: readonly HTMLElement[],
  { sort, fails }: MatrixState,
): void {
  for (const head of heads) {
    if (head.dataset.check === sort) head.setAttribute("aria-sort", "ascending");
    else head.removeAttribute("aria-sort");
  }
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement)
      control.value = (control.name === "sort" ? sort : fails) ?? "";
  }
}

const form = document.querySelector<HTMLFormElement>("#choices");
const body = document.querySelector<HTMLTableSectionElement>(".matrix tbody");
if (form !== null && body !== null) useMatrix(form, body);
