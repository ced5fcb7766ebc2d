import type { Extra } from "../../extra.js";
import { flag, flagUnless } from "../../lib/options.js";

declare module "../../server/options.js" {
  interface ExtraServeOptions {
    /**
     * Whether each report has a card: a picture of its score that other sites show beside a link. The first card loads
     * the program that draws them, which takes 30 MB. Default: true.
     */
    readonly cards?: boolean | undefined;
  }
}

declare module "../../export/options.js" {
  interface ExtraExportOptions {
    /**
     * Whether each report gets a card: a picture of its score that other sites show beside a link. Drawing one takes
     * about 25 ms and 25 kB. Default: false.
     */
    readonly cards?: boolean | undefined;
  }
}

/** The options that cards add to the commands. */
export const CARD_OPTIONS: NonNullable<Extra["options"]> = {
  serve: {
    cards: {
      ...flagUnless("--no-cards", "draw no pictures of scores for links on other sites"),
      after: "metrics",
    },
  },
  exportSite: {
    cards: {
      ...flag("--cards", "draw a picture of each report's score, for links on other sites"),
      after: "only",
    },
  },
};
