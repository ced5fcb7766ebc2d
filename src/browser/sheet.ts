import { elements } from "./page-elements.js";

/**
 * The filters of a narrow window: a modal dialog that the filters move into, so that the browser keeps the focus in it
 * and gives it back. In a wide window they stand beside the results.
 */
export function useSheet(): void {
  const { filters, toggle, sheet, sheetBody, sheetClose, sheetDone } = elements;
  toggle.addEventListener("click", () => {
    sheetBody.append(filters);
    sheet.showModal();
  });
  const close = () => sheet.close();
  sheetClose.addEventListener("click", close);
  sheetDone.addEventListener("click", close);
  sheet.addEventListener("click", ({ target }) => {
    // Outside of its content there is only the backdrop.
    if (target === sheet) close();
  });
  sheet.addEventListener("close", () => toggle.after(filters));
  matchMedia("(min-width: 56rem)").addEventListener("change", close);
}
