import { markupText } from "./escape.js";
import { Html } from "./html.js";
import type { Tree, TreeElement } from "./tree.js";

/** Void elements of HTML: no content and no end tag. SVG's `rect` and `path` are not listed, because they do get end tags. */
const VOID = ["input", "img"];

/** Renders trees as markup. Escapes texts and attribute values; tags and attribute names come only from our code. */
export function treesHtml(trees: readonly Tree[]): Html {
  return new Html(markupOf(trees));
}

function markupOf(trees: readonly Tree[]): string {
  let markup = "";
  for (const tree of trees) markup += typeof tree === "string" ? markupText(tree) : elementOf(tree);
  return markup;
}

function elementOf({ tag, attributes, children }: TreeElement): string {
  let start = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) start += ` ${name}`;
    else if (value !== false) start += ` ${name}="${markupText(String(value))}"`;
  }
  return VOID.includes(tag) ? `${start}>` : `${start}>${markupOf(children)}</${tag}>`;
}
