import { markupText } from "./escape.js";
import { Html } from "./html.js";
import type { LinkTo } from "./links.js";

/*
 * Markup as data. The same functions make the markup that the runtime writes into a page and the markup that the
 * browser later replaces it with. Texts are always safe: `tree-html.ts` escapes them, the browser makes text nodes.
 */

/** An element with its content. */
export interface TreeElement {
  readonly tag: string;
  /** False omits the attribute; true adds it without a value. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly Tree[];
}

/** An element, or the text of a text node. */
export type Tree = TreeElement | string;

/** The values that `el` accepts as children: null adds nothing. */
type Child = Tree | number | null | readonly Child[];

export function el(
  tag: string,
  attributes: TreeElement["attributes"] = {},
  ...children: readonly Child[]
): TreeElement {
  const trees: Tree[] = [];
  appendTrees(trees, children);
  return { tag, attributes, children: trees };
}

function appendTrees(trees: Tree[], children: readonly Child[]): void {
  for (const child of children) {
    if (isList(child)) appendTrees(trees, child);
    else if (child !== null) trees.push(typeof child === "number" ? String(child) : child);
  }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

/** A text for screen readers only: it is not visible and takes up no space. */
export function unseen(text: string): TreeElement {
  return el("span", { class: "hidden" }, text);
}

/** Void elements of HTML: no content and no end tag. SVG's `rect` and `path` are not listed, because they do get end tags. */
const VOID = ["input", "img", "wbr"];

/**
 * Renders trees as markup. Escapes texts and attribute values; tags and attribute names come only from our code.
 * @param to writes the links, whose addresses are relative to `/`
 */
export function treesHtml(trees: readonly Tree[], to: LinkTo = (address) => address): Html {
  return new Html(markupOf(trees, to));
}

function markupOf(trees: readonly Tree[], to: LinkTo): string {
  let markup = "";
  for (const tree of trees)
    markup += typeof tree === "string" ? markupText(tree) : elementOf(tree, to);
  return markup;
}

function elementOf({ tag, attributes, children }: TreeElement, to: LinkTo): string {
  let start = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) start += ` ${name}`;
    else if (value !== false) {
      const text = name === "href" ? to(String(value)) : String(value);
      start += ` ${name}="${markupText(text)}"`;
    }
  }
  return VOID.includes(tag) ? `${start}>` : `${start}>${markupOf(children, to)}</${tag}>`;
}
