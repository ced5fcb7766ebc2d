import * as z from "zod";
import { DateTime, field, Host, Ordinal, Score } from "../../contract/field.js";
import {
  FILTERS,
  type FormerKind,
  STATED_FILTERS,
  type StatedFilterName,
} from "../../contract/filters.js";
import { REMOVAL_NAMED_DAYS } from "./stored-changes.js";

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

type Filters = typeof FILTERS;

/** The former values of those members that filters compare and that have changed. */
const FormerTerms = z.strictObject(formerShape());

function formerShape() {
  const types = {
    slug: z.string().nullable().optional(),
    slugs: z.array(z.string()).optional(),
    word: z.string().optional(),
  } as const satisfies Readonly<Record<FormerKind, z.ZodType>>;
  const members = STATED_FILTERS.map((name) => {
    const { column, former } = FILTERS[name];
    return [column, field<z.ZodType>(types[former.kind], former.description, former.example)];
  });
  // A list of entries has one type for all of them.
  return Object.fromEntries(members) as {
    [N in StatedFilterName as Filters[N]["column"]]: (typeof types)[Filters[N]["former"]["kind"]];
  };
}

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
