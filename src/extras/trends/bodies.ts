import * as z from "zod";
import { Count, DateTime, field, Ordinal, Score, Slug, textField } from "../../contract/field.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { TRENDS } from "./reads.js";

/* What the API's description says of the read of trends: the schema of its body, and texts. */

const TrendsBody = z.strictObject({
  data: field(
    z.strictObject({
      category: field(Slug.nullable(), "The category; null for all listings.", "health"),
      check: field(Slug.nullable(), "The check; null if none was asked for.", "llms-txt"),
      points: field(
        z.array(
          z.strictObject({
            generation: field(Ordinal, "The number of the publication.", 12),
            publishedAt: field(
              DateTime.nullable(),
              "When it was published; null for the first publication of a store.",
            ),
            scannedTo: field(
              DateTime.nullable(),
              "When the last of the listings was scanned; null if none was.",
            ),
            scoreVersion: textField(
              "The scoring version of the figures. Scores of other versions are not in them.",
              "2026.1",
            ),
            listings: field(Count, "The listings in search.", 132),
            scored: field(Count, "Those of them that have a score.", 120),
            median: field(
              Score.nullable(),
              "The lower median of the scores; null with fewer than 5.",
              71,
            ),
            bands: field(
              z.record(z.string(), Count),
              "Scored listings by the id of their band; empty with fewer than 5.",
              { exemplary: 12 },
            ),
            passed: field(
              Count.nullable(),
              "Listings that pass the check; null if none was asked for, if the methodology did not have it, " +
                "or if `n` is below 5.",
              31,
            ),
            n: field(
              Count.nullable(),
              "Listings to which the check applies; null if none was asked for, or if the methodology did not have it.",
              124,
            ),
            share: field(
              z.number().min(0).max(1).nullable(),
              "`passed` divided by `n`, to four decimals; null like `passed`.",
              0.25,
            ),
          }),
        ),
        "The publications, oldest first.",
      ),
    }),
    "The figures.",
  ),
});

/** The figures of one publication. */
export type TrendPoint = z.infer<typeof TrendsBody>["data"]["points"][number];

export const TRENDS_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: TRENDS,
    body: TrendsBody,
    texts: {
      summary: "Read how the figures have changed",
      description:
        "A point for each publication, oldest first: for 90 days the last one of each day, before that " +
        "of each week. Unknown but well-formed slugs match nothing.",
    },
  },
];
