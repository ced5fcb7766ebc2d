import type { AnswerExtra } from "../../answer/extra.js";

export const PNG = "image/png";

const drawings = () => import("./drawings.js");

/** What cards add wherever a program can draw them. */
export const CARD_PAGES: AnswerExtra = {
  name: "cards",
  pages: [
    /** A picture of the score, for links on other sites. */
    {
      name: "card",
      after: "badge",
      path: "/sites/{host}/card.png",
      contentType: PNG,
      hasApiErrors: true,
      needsRasterizer: () => true,
      load: async () => (await drawings()).CARD,
    },
    /** The same for the directory, with its figures. */
    {
      name: "directoryCard",
      after: "card",
      path: "/card.png",
      contentType: PNG,
      needsRasterizer: () => true,
      load: async () => (await drawings()).DIRECTORY_CARD,
    },
  ],
  socialImage: async () => (await import("./social-image.js")).cardOf,
};
