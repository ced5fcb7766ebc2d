import { el, type TreeElement } from "../kit/tree.js";
import { addressOf, type SearchState } from "./search-state.js";

/** Links in this room are relative to `/`, so `./` is the explorer. */
const HOME = "./";

/** A link to another state of the explorer. `nofollow` keeps search engines from crawling every combination. */
export function stateLink(
  state: SearchState,
  attributes: TreeElement["attributes"],
  ...children: Parameters<typeof el>[2][]
): TreeElement {
  const href = addressOf(state) || HOME;
  return el("a", { href, rel: "nofollow", "data-state": true, ...attributes }, ...children);
}
