import type { Extra } from "../../extra.js";
import { CHANGES_EXTRA } from "./addition.js";

/** What has changed from publication to publication. */
export const changes: Extra = {
  name: CHANGES_EXTRA,
  beginAddition: async (start) => (await import("./change-log.js")).beginChanges(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./verify-changes.js")).verifyChanges(snapshot, facts),
};
