import { slugsBefore } from "../../contract/former.js";
import type { TreeExtra } from "../../extra.js";
import { TRENDS } from "./reads.js";

const { cache } = TRENDS;
const ADDRESS = TRENDS.path.slice(1);

/** The trends of all listings and of each category in a tree. */
export const TRENDS_TREE: TreeExtra = {
  kinds: [`${ADDRESS}.json`, `${ADDRESS}/{category}.json`].map((file) => ({ file, cache })),
  files: async (snapshot) => {
    const { filledCategories } = await import("../../answer/page-facts.js");
    const categories = await filledCategories(snapshot);
    return [
      { path: `${ADDRESS}.json`, address: ADDRESS },
      ...categories.flatMap(({ slug }) =>
        [slug, ...slugsBefore("category", slug, snapshot.directory.former)].map((name) => ({
          path: `${ADDRESS}/${name}.json`,
          address: `${ADDRESS}?category=${slug}`,
        })),
      ),
    ];
  },
};
