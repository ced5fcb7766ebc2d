import * as z from "zod";
import { REMOVAL_NAMED_DAYS } from "./changes.js";
import { DateTime, field, Host, nullableText, Ordinal, Score, textField } from "./field.js";
import { SiteSummary } from "./listing.js";

/*
 * The changes read, which is beyond the contract: what changed in search, publication by publication. Only hosts and
 * facts that search shows, or has shown, are in it; a site that leaves search is named once more, as removed, and after
 * some time not at all.
 */

/** A value before and after a publication. */
function fromTo<T extends z.ZodType>(type: T) {
  return z.strictObject({
    from: field(type, "Before the publication; null if there was none."),
    to: field(type, "In the publication; null if there is none."),
  });
}

const Scores = fromTo(Score.nullable().meta({ examples: [71] }));
const Texts = fromTo(
  z
    .string()
    .nullable()
    .meta({ examples: ["readable"] }),
);

/** The former values of those members that filters compare and that have changed. */
const FormerTerms = z.strictObject({
  category: field(z.string().nullable().optional(), "Slug of the former category.", "science"),
  tags: field(z.array(z.string()).optional(), "Slugs of the former tags.", ["public-api"]),
  platforms: field(z.array(z.string()).optional(), "Slugs of the former platforms.", ["jekyll"]),
  status: field(z.string().optional(), "The former ownership.", "unclaimed"),
});

const UNTOLD =
  "Null if the site was removed, or if its former scans were corrected or taken back: what they said is not told.";

/** A change of one site in one publication. */
export const StoredChange = z.strictObject({
  host: field(
    Host.nullable(),
    "Canonical host of the site. Null stands for all sites that the publication removed, more than " +
      `${REMOVAL_NAMED_DAYS} days ago: they are not named any more. A reader who had not read them ` +
      "before compares its sites with those in search.",
    "example.org",
  ),
  generation: field(Ordinal, "The number of the publication.", 12),
  publishedAt: field(DateTime, "When it was published."),
  change: field(
    z.enum(["added", "changed", "removed"]),
    "`added` to search, `changed` (its summary or its report), or `removed` from search. A site that " +
      "was not in search at `since` is `added` first, whatever happened between.",
    "changed",
  ),
  score: field(Scores.nullable(), `The score. ${UNTOLD}`),
  band: field(Texts.nullable(), `Id of the band. ${UNTOLD}`),
  scoreVersion: field(
    Texts.nullable(),
    `Version of the methodology: scores of two versions cannot be compared. ${UNTOLD}`,
    { from: "2026.1", to: "2026.1" },
  ),
  checks: field(
    z
      .strictObject({
        gained: field(z.array(z.string()), "Ids of checks that it passes now, sorted.", ["https"]),
        lost: field(z.array(z.string()), "Ids of checks that it passed before, sorted.", []),
      })
      .nullable(),
    `Achievements and capabilities. ${UNTOLD}`,
  ),
  was: field(FormerTerms.nullable(), `Former values of filters, if they differ. ${UNTOLD}`),
});
export type StoredChange = z.infer<typeof StoredChange>;

/** A change as the API answers it. */
const SiteChange = StoredChange.extend({
  site: field(
    SiteSummary.nullable(),
    "The site as it is in search now, after all later changes too; null if it is not in search.",
  ),
}).meta({ id: "SiteChange" });

export const ChangesBody = z
  .strictObject({
    data: field(z.array(SiteChange), "The oldest publication first, then by host."),
    cursor: textField("Where to go on, now or later: the next request's `since`.", "12-5f0c3a9e"),
    next: nullableText(
      "Path and query of the next page; null if these are all changes.",
      "/api/changes?since=11-5f0c3a9e~example.org",
    ),
  })
  .meta({ id: "Changes" });
export type ChangesBody = z.infer<typeof ChangesBody>;

/** The index of the files with changes in an exported tree. */
export const ChangesIndex = z
  .strictObject({
    generation: field(Ordinal, "The number of the current publication.", 12),
    since: field(Ordinal, "All changes after this publication are in the files.", 3),
    cursor: textField("The changes up to here, for the changes read.", "12-5f0c3a9e"),
    files: field(
      z.array(
        z.strictObject({
          file: textField("Its name beside this one. Its content never changes.", "5f0c….json"),
          first: field(Ordinal, "The publication of its first change.", 4),
          last: field(Ordinal, "The publication of its last change.", 12),
          entries: field(Ordinal, "How many changes it has.", 80),
        }),
      ),
      "Oldest first.",
    ),
  })
  .meta({ id: "ChangesIndex" });

/** A file with changes in an exported tree. */
export const ChangesPage = z
  .strictObject({
    data: field(z.array(StoredChange), "By publication, then by host."),
  })
  .meta({ id: "ChangesPage" });
