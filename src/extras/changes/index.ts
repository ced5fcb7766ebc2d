import type { Extra } from "../../extra.js";
import { CHANGES } from "./addition.js";

/** What has changed between publications: the log of changes, feeds of searches, and trends. */
export const CHANGES_EXTRA: Extra = {
  name: CHANGES,
  beginAddition: async (start) => (await import("./change-log.js")).beginChanges(start),
  verifyAddition: async (snapshot, facts) =>
    (await import("./verify-changes.js")).verifyChanges(snapshot, facts),
};
