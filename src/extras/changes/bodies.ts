import * as z from "zod";
import { errorBody } from "../../contract/error.js";
import { derivedExample, field, nullableText, Ordinal, textField } from "../../contract/field.js";
import { SiteSummary } from "../../contract/listing.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import {
  CHANGES,
  CHANGES_FILE,
  CHANGES_LIMITS,
  GONE,
  SEARCH_FEED,
  SEARCH_JSON_FEED,
  SITE_FEED,
  SITE_JSON_FEED,
  WATCH_FEED,
  WATCH_JSON_FEED,
} from "./reads.js";
import { StoredChange } from "./stored-change.js";
import { REMOVAL_NAMED_DAYS } from "./stored-changes.js";

/* What the API's description says of the reads of changes: schemas of their bodies, and texts. */

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

/** The index of the files with changes in an exported tree. */
const ChangesIndex = z
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
const ChangesPage = z
  .strictObject({
    data: field(z.array(StoredChange), "By publication, then by host."),
  })
  .meta({ id: "ChangesPage" });

/** The members of a feed in JSON (jsonfeed.org, version 1.1) that every reader needs. */
const JsonFeed = z.looseObject({
  version: textField("Address of the format's version.", "https://jsonfeed.org/version/1.1"),
  title: textField("The feed's title.", "Changes of a search · Example directory"),
  items: field(
    z.array(
      z.looseObject({
        id: textField("Id of the item, which stays the same.", "https://example.org/#12-5f0c3a9e"),
        url: textField("The page that it is about.", "https://example.org/sites/example.com"),
        title: textField("What happened.", "example.com: 71 to 86"),
        content_text: textField("More about it.", "It passed two more checks."),
        date_published: textField("When it was published.", "2026-08-01T12:00:00Z"),
      }),
    ),
    "The items, the newest first.",
  ),
});

/** The body of `/changes/{file}`. */
export const ChangesFileBody = z
  .union([ChangesIndex, ChangesPage])
  .meta({ examples: [derivedExample(ChangesIndex)] });

/** How far back feeds look. */
const LOOKED_AT =
  `the latest first, among the last ${CHANGES_LIMITS.feedChangesMax} changes of the last ` +
  `${CHANGES_LIMITS.feedDays} days`;

/** What the two forms of a feed share. */
const ABOUT_FEED =
  `Sites that entered, left or changed, ${LOOKED_AT}. It takes every search; order, page and ` +
  "limit have no effect. A site that was removed is named for " +
  `${REMOVAL_NAMED_DAYS} days in the feeds of the searches that may have found it: of its texts ` +
  "they know the host alone, and filters of scores, bands and checks do not count.";
const ABOUT_SITE =
  `What changed about the site, ${LOOKED_AT}. A site that was removed has a feed that says so for ` +
  `${REMOVAL_NAMED_DAYS} days; other hosts that are not in search have none.`;
const ABOUT_WATCH =
  `What changed about any of the sites, ${LOOKED_AT}. Hosts are reduced as those of a batch are, ` +
  "and must not be given twice. Those that are not in search are never in the feed, but a site " +
  `that was removed is named for ${REMOVAL_NAMED_DAYS} days.`;

export const CHANGES_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: CHANGES,
    body: ChangesBody,
    errors: {
      410: {
        description:
          "Changes this old, or a dump that a newer one has replaced, are no longer kept.",
        examples: { old: { value: errorBody(GONE) } },
      },
    },
    texts: {
      summary: "Read what changed since a publication",
      description:
        `The oldest first. A site that was not in search at \`since\` is added first, whatever happened ` +
        "between. A site that leaves search is named once, as removed, and is in no older change. After " +
        `${REMOVAL_NAMED_DAYS} days it is not named at all: \`host\` is then null, and a reader who had ` +
        "not read the change compares its sites with those in search. 410 means that the changes are not " +
        "known: begin again with all sites, and with the cursor in its issue.",
    },
  },
  {
    route: CHANGES_FILE,
    body: ChangesFileBody,
    texts: {
      summary: "Read a file with changes, as exported trees have it",
      description:
        `\`index.json\` lists the other files. They have changes without the sites as they are now. A ` +
        `file changes only in that it no longer names sites that were removed ${REMOVAL_NAMED_DAYS} days ` +
        "ago.",
    },
  },
  {
    route: SEARCH_FEED,
    body: null,
    texts: { summary: "Follow a search with Atom", description: ABOUT_FEED },
  },
  {
    route: SEARCH_JSON_FEED,
    body: JsonFeed,
    texts: { summary: "Follow a search with JSON Feed", description: ABOUT_FEED },
  },
  {
    route: SITE_FEED,
    body: null,
    texts: { summary: "Follow a site with Atom", description: ABOUT_SITE },
  },
  {
    route: SITE_JSON_FEED,
    body: JsonFeed,
    texts: { summary: "Follow a site with JSON Feed", description: ABOUT_SITE },
  },
  {
    route: WATCH_FEED,
    body: null,
    texts: { summary: "Follow several sites with Atom", description: ABOUT_WATCH },
  },
  {
    route: WATCH_JSON_FEED,
    body: JsonFeed,
    texts: { summary: "Follow several sites with JSON Feed", description: ABOUT_WATCH },
  },
];
