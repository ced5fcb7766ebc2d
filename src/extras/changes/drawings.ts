import { standardsOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import { changesPage } from "./changes-page.js";
import { publicationChanges } from "./publication-changes.js";

/** Draws the page of the latest changes. */
export const CHANGES_PAGE: Drawing = {
  draw: async ({ context, snapshot }) => {
    const { checks } = await standardsOf(snapshot);
    return changesPage(await publicationChanges(snapshot), checks, context);
  },
};
