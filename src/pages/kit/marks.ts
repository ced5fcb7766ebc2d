import { foldText } from "../../contract/order.js";
import { el, type Tree } from "./tree.js";

/** A text with all parts that a search for `sought` finds in it in `mark` elements. */
export function withMarks(text: string, sought: string): Tree[] {
  const [folded, part] = [foldText(text), foldText(sought)];
  // Folding may change the length of a text. Then nothing is marked, rather than a wrong part.
  if (part === "" || folded.length !== text.length) return [text];
  const trees: Tree[] = [];
  let from = 0;
  for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, from)) {
    trees.push(text.slice(from, at), el("mark", {}, text.slice(at, at + part.length)));
    from = at + part.length;
  }
  return [...trees, text.slice(from)].filter((tree) => tree !== "");
}
