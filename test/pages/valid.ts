import { expect } from "vitest";
import { htmlErrors } from "../../.build/pages/html-errors.js";

/** Expects a whole page to be valid HTML. @param about names the page where it is not */
export function expectValid(markup: string, about = ""): void {
  expect([about, htmlErrors(markup)]).toEqual([about, []]);
}
