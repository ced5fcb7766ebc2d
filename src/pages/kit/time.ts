import { type Html, html } from "./html.js";

/** More digits of a second than HTML allows. */
const FINER_THAN_MS = /(\.\d{3})\d+/;

/** A point in time for people and machines. @param text what is shown; alone, if HTML cannot write the date-time */
export function timeElement(dateTime: string, text: string): Html | string {
  // HTML has no year 0.
  if (Number.isNaN(Date.parse(dateTime)) || dateTime.startsWith("0000")) return text;
  return html`<time datetime="${dateTime.replace(FINER_THAN_MS, "$1")}">${text}</time>`;
}
