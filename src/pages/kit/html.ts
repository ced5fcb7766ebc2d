import { linkTarget, markupText } from "./escape.js";
import { visible } from "./words.js";

/** Markup that is safe to put into a page. `html` makes it, and for what they escape themselves `tree-html.ts`, `head.ts` and `explorer-page.ts`. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: texts are escaped, null is nothing. */
export type Part = Html | string | number | null | readonly Part[];

/**
 * Markup with parts put in: each text is escaped for an element's text and for an attribute in double quotes,
 * which are the only places where parts may stand.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let markup = strings[0]!;
  for (const [place, part] of parts.entries()) markup += rendered(part) + strings[place + 1]!;
  return new Html(markup);
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "string") return markupText(part);
  if (typeof part === "number") return String(part);
  return part === null ? "" : part.map(rendered).join("");
}

/** A stranger's text as a paragraph; null where there is none, or nothing of it is seen. */
export function paragraph(text: string | null, className?: string): Html | null {
  if (visible(text) === null) return null;
  return className === undefined
    ? html`<p dir="auto">${text}</p>`
    : html`<p class="${className}" dir="auto">${text}</p>`;
}

/**
 * An address as a link to it where it is one to follow, else as text. Links lead to strangers' sites.
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
