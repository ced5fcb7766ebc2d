import { type ZodType, z } from "zod";
import { BadInput, Count, ok, warnings } from "../../../cli/json-parts.js";

const Split = z.strictObject({
  ok,
  out: z.string().describe("The folder with the parts."),
  parts: Count.describe("The number of parts."),
  listings: Count.describe("Listings of all parts."),
  scans: Count.describe("Scans of all parts."),
  ...warnings,
});

/** What `crawldex split --json` prints. */
export const results: readonly ZodType[] = [Split, BadInput];
