import { pageOptionsOf, pagesOf } from "../answer/pages.js";
import type { MakePages } from "./handler.js";

const loadAssets = () => import("#scripts/texts");

/** Makes the pages for people and crawlers, for the option `pages` of `createFetchHandler`. */
export function pages(): MakePages {
  return (extras) => pagesOf(loadAssets, pageOptionsOf(extras));
}
