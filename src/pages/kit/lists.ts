import { type Html, html, type Part } from "./html.js";
import type { Section } from "./page-context.js";
import { NO_VALUE } from "./words.js";

/* Tables and lists that several kinds of pages have. */

/** How a table looks and what its columns are called. */
export interface TableHead {
  /** What the table shows, for screen readers. */
  readonly name: string;
  /** Default: the name. */
  readonly caption?: string;
  /** Whether the caption is visible. Default: screen readers alone get it. */
  readonly hasVisibleCaption?: true;
  readonly className?: string;
  /** The columns' names, or complete `th` elements. */
  readonly columns: readonly (string | Html | null)[];
}

/** A table that scrolls in a box of its own, so that the page stays as wide as the window. @param body its `tbody` */
export function scrollingTable(
  { name, caption = name, hasVisibleCaption, className, columns }: TableHead,
  body: Part,
): Html {
  const heads = columns.map((one) =>
    typeof one === "string" ? html`<th scope="col">${one}</th>` : one,
  );
  return html`<div class="scroll" role="region" aria-label="Table: ${name}" tabindex="0">
    <table${className === undefined ? null : html` class="${className}"`}>
      <caption class="${hasVisibleCaption === true ? "quiet" : "hidden"}">${caption}</caption>
      <thead><tr>${heads}</tr></thead>
      ${body}
    </table></div>`;
}

/** The head of a column of numbers. */
export function numberHead(name: string): Html {
  return html`<th scope="col" class="number">${name}</th>`;
}

/** A table in Markdown (GFM). Cells are Markdown; an empty one becomes `—`. "" without rows. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => (cell === "" ? NO_VALUE : cell)).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The list of a page's sections. */
export function contentsList(sections: readonly Section[]): Html {
  return html`<nav class="contents" aria-label="On this page"><ul>${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}

/** Some sites under a title. @param about how many there are, and which of them are shown */
export function titledList(title: string, about: string, items: readonly Html[]): Html {
  return html`<div><h3>${title}</h3>
<p class="quiet">${about}.</p>
<ol class="named">${items.map((item) => html`<li>${item}</li>`)}</ol></div>`;
}

/** A line of a chart of shares: a link, the share as a bar, and the share in words. */
export function shareLine(address: string, name: string, bar: Html, text: string): Html {
  return html`<li>
    <a href="${address}" dir="auto">${name}</a> ${bar}
    <span class="share">${text}</span></li>`;
}
