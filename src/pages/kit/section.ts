import type { Html } from "./html.js";

/** A section of a page; the table of contents lists it. */
export interface Section {
  /** The section's id within the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** The id of a check's element on the methodology page; other pages link to it. */
export function checkAnchor(checkId: string): string {
  return `check-${checkId}`;
}
