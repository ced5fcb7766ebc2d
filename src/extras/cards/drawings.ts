import { drawnReportOf } from "../../answer/drawn-reports.js";
import { adoptionOf } from "../../answer/page-facts.js";
import type { Drawing } from "../../answer/page-types.js";
import { cardSvg, directoryCardSvg } from "./card.js";

/** Draws the card of a report. */
export const CARD: Drawing = {
  draw: async ({ own, snapshot, tools: { rasterize } }) => {
    if (rasterize === null) return null;
    const drawn = await drawnReportOf(snapshot, own, undefined);
    return "error" in drawn
      ? drawn
      : rasterize(cardSvg(drawn.report, snapshot.directory), snapshot);
  },
};

/** Draws the card of the directory. */
export const DIRECTORY_CARD: Drawing = {
  draw: async ({ context, snapshot, tools: { rasterize } }) => {
    const { figures } = await adoptionOf(snapshot);
    return rasterize?.(directoryCardSvg(figures.all, context), snapshot) ?? null;
  },
};
