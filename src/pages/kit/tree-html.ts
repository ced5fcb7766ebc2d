import { markupText } from "./escape.js";
import { Html } from "./html.js";
import type { Tree } from "./tree.js";

/** Void elements of HTML: no content and no end tag. SVG's `rect` and `path` are not listed, because they do get end tags. */
const VOID = ["input", "img"];

/** Renders trees as markup. Escapes texts and attribute values; tags and attribute names come only from our code. */
export function treesHtml(trees: readonly Tree[]): Html {
  return new Html(trees.map(markupOf).join(""));
}

function markupOf(tree: Tree): string {
  if (typeof tree === "string") return markupText(tree);
  const attributes = Object.entries(tree.attributes)
    .filter(([, value]) => value !== false)
    .map(([name, value]) =>
      value === true ? ` ${name}` : ` ${name}="${markupText(String(value))}"`,
    );
  const start = `<${tree.tag}${attributes.join("")}>`;
  if (VOID.includes(tree.tag)) return start;
  return `${start}${tree.children.map(markupOf).join("")}</${tree.tag}>`;
}
