import { linkTarget, markupText } from "./escape.js";
import { type Level, numberOf, tenth, visible } from "./words.js";

/**
 * Markup that is safe to put into a page: `html` creates it. The explorer's script makes elements of it
 * (`browser/dom.ts`), so that the runtime and the browser draw with the same functions.
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value for a template: texts are escaped, null adds nothing. */
export type Part = Html | string | number | null | readonly Part[];

/**
 * Markup from a template. Each text part is escaped for an element's text or an attribute in double quotes; parts must
 * not appear anywhere else. A newline before an indented line of the template, and its indentation, are left out.
 */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const strings = unindented(template);
  let markup = strings[0]!;
  // Pages are made of thousands of templates: an iterator over the parts would double their cost.
  for (let at = 0; at < parts.length; at += 1)
    markup += rendered(parts[at] ?? null) + (strings[at + 1] ?? "");
  return new Html(markup);
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

function unindented(template: TemplateStringsArray): readonly string[] {
  let strings = templates.get(template);
  if (strings === undefined) {
    strings = template.map((text) => text.replaceAll(/\n +/g, ""));
    templates.set(template, strings);
  }
  return strings;
}

function rendered(part: Part): string {
  if (typeof part === "string") return markupText(part);
  if (part instanceof Html) return part.markup;
  if (typeof part === "number") return String(part);
  if (part === null) return "";
  let markup = "";
  for (const one of part) markup += rendered(one);
  return markup;
}

/** An untrusted text as a paragraph; null if it is missing or has no visible character. */
export function paragraph(text: string | null, className?: string): Html | null {
  if (visible(text) === null) return null;
  return className === undefined
    ? html`<p dir="auto">${text}</p>`
    : html`<p class="${className}" dir="auto">${text}</p>`;
}

/**
 * A link to an untrusted site, or plain text if the address is not a valid link target.
 * @param target the address's `linkTarget`
 */
export function outsideLink(
  address: string,
  text: string = address,
  target: string | null = linkTarget(address),
): Html {
  const label = html`<bdi>${visible(text) ?? address}</bdi>`;
  return target === null
    ? html`<span class="address">${label}</span>`
    : html`<a class="address" href="${target}" rel="nofollow noopener noreferrer ugc">${label}</a>`;
}

/** Lets a host wrap after each of its dots. */
export function brokenAtDots(host: string): Html {
  return html`${host.split(".").map((label, index) => (index === 0 ? label : html`.<wbr>${label}`))}`;
}

/** A bar that shows a share. Hidden from screen readers: the text beside it has the number. @param percent 0 to 100 */
export function shareBar(percent: number, level: Level | null = null): Html {
  const name = level === null ? "bar-value" : `level-${level}`;
  return html`<svg class="bar" aria-hidden="true"><rect class="${name}" width="${percent}%" height="100%"/></svg>`;
}

/** A text for screen readers only: it is not visible and takes up no space. */
export function unseen(text: string): Html {
  return html`<span class="hidden">${text}</span>`;
}

/**
 * How far a number has moved: `▲4`, in the colour of what is better or worse. Screen readers hear `up 4`.
 * @param textOf writes the size
 * @param isJudged whether more is better; otherwise it has no colour
 */
export function movedView(
  difference: number,
  textOf: (size: number) => string = numberOf,
  isJudged = true,
): Html {
  const rounded = tenth(difference);
  if (rounded === 0) return html`<span class="quiet">unchanged</span>`;
  const isUp = rounded > 0;
  const colour = isUp ? "moved moved-up" : "moved moved-down";
  return html`<span class="${isJudged ? colour : "moved"}">
    <span aria-hidden="true">${isUp ? "▲" : "▼"}</span>
    ${unseen(isUp ? "up " : "down ")}${textOf(Math.abs(rounded))}</span>`;
}

/** An attribute without a value, if it is set. @param name an attribute's name, which comes from our code */
export function flag(name: string, isSet: boolean): Html | null {
  return isSet ? new Html(` ${name}`) : null;
}

/** More digits of a second than HTML allows. */
const FINER_THAN_MS = /(\.\d{3})\d+/;

/** A point in time for people and machines. @param text what is shown; alone, if HTML cannot write the date-time */
export function timeElement(dateTime: string, text: string): Html | string {
  // HTML has no year 0.
  if (Number.isNaN(Date.parse(dateTime)) || dateTime.startsWith("0000")) return text;
  return html`<time datetime="${dateTime.replace(FINER_THAN_MS, "$1")}">${text}</time>`;
}
