import { markupText } from "./escape.js";
import { Html } from "./html.js";
import type { Tree } from "./tree.js";

/** Elements that have no end tag and nothing in them (HTML, void elements); of SVG's, `rect` is ended all the same. */
const VOID = ["input"];

/** Trees as markup: every text and attribute escaped for its place. Tags and names of attributes are ours alone. */
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
