import { byCodeUnit } from "../../contract/order.js";
import type { Report } from "../../contract/report.js";

/** The name of this extra, and the kind of its one file. */
export const COMPARE = "compare";

/** The ids of the checks that a report passes in part, with spaces between them. */
export function partialGist({ checks }: Pick<Report, "checks">): string {
  return checks
    .filter(({ status }) => status === "warn")
    .map(({ checkId }) => checkId)
    .sort(byCodeUnit)
    .join(" ");
}
