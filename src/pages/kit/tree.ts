/*
 * Markup as data: what the runtime writes into a page and what the browser later puts in its place come from the same
 * functions. A text is a text wherever it goes: `tree-html.ts` escapes it, the browser makes a text node of it.
 */

/** An element with all that is in it. */
export interface TreeElement {
  readonly tag: string;
  /** False leaves an attribute out; true is one without a value. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly Tree[];
}

/** An element, or the text of a text node. */
export type Tree = TreeElement | string;

/** What an element may be given: null is nothing. */
type Child = Tree | number | null | readonly Child[];

export function el(
  tag: string,
  attributes: TreeElement["attributes"] = {},
  ...children: readonly Child[]
): TreeElement {
  return { tag, attributes, children: children.flatMap(flat) };
}

function flat(child: Child): Tree[] {
  if (child === null) return [];
  if (typeof child === "number") return [String(child)];
  return isList(child) ? child.flatMap(flat) : [child];
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** A text for those who hear a page: it takes no room on it. */
export function unseen(text: string): TreeElement {
  return el("span", { class: "hidden" }, text);
}
