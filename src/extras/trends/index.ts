import type { Extra } from "../../extra.js";
import { TRENDS_EXTRA } from "./stored-trends.js";

/** How the figures of a directory have developed. */
export const trends: Extra = {
  name: TRENDS_EXTRA,
  beginAddition: async (start) => (await import("./trends-file.js")).beginTrends(start),
};
