import * as z from "zod";
import { REMOVAL_NAMED_DAYS } from "./changes.js";
import { EXTENSION_LIMITS, type ExtensionName } from "./extensions.js";
import {
  Count,
  DateTime,
  derivedExample,
  field,
  Host,
  nullableText,
  Ordinal,
  Score,
  Slug,
  textField,
} from "./field.js";
import {
  FILTERS,
  type FormerKind,
  HOST_LISTS,
  STATED_FILTERS,
  type StatedFilterName,
} from "./filters.js";
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

/** A change as the API answers it. */
const SiteChange = StoredChange.extend({
  site: field(
    SiteSummary.nullable(),
    "The site as it is in search now, after all later changes too; null if it is not in search.",
  ),
}).meta({ id: "SiteChange" });

const ChangesBody = z
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

const generation = field(Ordinal, "The number of the publication.", 12);
const scannedTo = field(
  DateTime.nullable(),
  "When the last of the listings was scanned; null if none was.",
);

const TrendsBody = z.strictObject({
  data: field(
    z.strictObject({
      category: field(Slug.nullable(), "The category; null for all listings.", "health"),
      check: field(Slug.nullable(), "The check; null if none was asked for.", "llms-txt"),
      points: field(
        z.array(
          z.strictObject({
            generation,
            publishedAt: field(
              DateTime.nullable(),
              "When it was published; null for the first publication of a store.",
            ),
            scannedTo,
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

const file = textField("Name of the file.", "listings.parquet");
const url = field(
  z.string().meta({ format: "uri" }),
  "Address of the file of this dump.",
  "https://api.directory.example/api/dump/listings.parquet?content=4f7c05433bf392a2d85464860ba54b23",
);

const DumpBody = z.strictObject({
  data: field(
    z.strictObject({
      content: textField(
        "Identifies all that the directory serves. Dumps with the same content have the same bytes.",
        "4f7c05433bf392a2d85464860ba54b23",
      ),
      generation,
      scannedTo,
      rows: field(Count, "Listings in each file, one a row, sorted by host.", 132),
      license: field(
        z
          .strictObject({
            name: textField("Its name, or its address if it has no other.", "CC0-1.0"),
            url: nullableText(
              "Its address; null if it is not known.",
              "https://spdx.org/licenses/CC0-1.0.html",
            ),
          })
          .nullable(),
        "The license of the data; null if the publisher names none.",
      ),
      files: field(
        z.array(
          z.strictObject({
            file,
            url,
            mediaType: textField("Its media type.", "application/vnd.apache.parquet"),
            bytes: field(Count, "Its size in bytes.", 802_374),
            sha256: textField(
              "The sha256 of its bytes, in hex.",
              "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            ),
          }),
        ),
        "The files. Each has all rows.",
      ),
      columns: field(
        z.array(
          z.strictObject({
            name: textField("Name of the column.", "host"),
            type: field(
              z.enum(["text", "integer", "boolean", "list of texts"]),
              "Type of its values. CSV joins lists by spaces.",
              "text",
            ),
            isNullable: field(
              z.boolean(),
              "Whether a row may have no value, which is null.",
              false,
            ),
            description: textField("What it says.", "Canonical host of the site."),
          }),
        ),
        "The columns of all files. NDJSON has the objects that search answers with.",
      ),
      lists: field(
        z.array(
          z.strictObject({
            file: textField("Name of the file.", "category-health.txt"),
            url,
            hosts: field(Count, "The number of its hosts.", 31),
            filter: field(
              z.enum(HOST_LISTS).optional(),
              "The filter of search that finds the hosts; left out for all hosts.",
              "category",
            ),
            value: field(Slug.optional(), "The value of the filter.", "health"),
          }),
        ),
        "Lists of hosts, one a line.",
      ),
      croissant: field(
        z.string().meta({ format: "uri" }),
        "Address of the same description as Croissant 1.1.",
        "https://api.directory.example/api/dump/croissant.json?content=4f7c05433bf392a2d85464860ba54b23",
      ),
    }),
    "The dump.",
  ),
});
export type DumpIndex = z.infer<typeof DumpBody>;

const AgentCatalog = z.looseObject({
  specVersion: textField("Version of the format.", "1.0"),
  entries: field(
    z.array(
      z.looseObject({
        identifier: textField("Name of the resource.", "urn:air:api.example:mcp:directory"),
        type: textField("Media type of its description.", "application/mcp-server-card+json"),
        url: textField("Where its description is.", "https://api.example/mcp/server-card"),
      }),
    ),
    "What agents can use here.",
  ),
});

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

/** The schemas of the bodies of 200 answers. Null: the body is not JSON. */
export const EXTENSION_BODIES = {
  changes: ChangesBody,
  changesFile: z
    .union([ChangesIndex, ChangesPage])
    .meta({ examples: [derivedExample(ChangesIndex)] }),
  searchFeed: null,
  searchJsonFeed: JsonFeed,
  batch: z.strictObject({
    data: field(
      z.array(
        z.strictObject({
          host: textField("The host that was meant.", "example.com"),
          asked: field(
            z.string().optional(),
            "The text of the request, where it differs from the host.",
            "https://WWW.Example.com/about",
          ),
          listed: field(z.boolean(), "Whether the host is in search.", true),
          site: field(SiteSummary.optional(), "The listing, as search answers with it."),
        }),
      ),
      "One item for each host, in the order of the request.",
    ),
  }),
  trends: TrendsBody,
  dump: DumpBody,
  dumpFile: null,
  mcp: z.looseObject({
    jsonrpc: textField("Version of JSON-RPC: always `2.0`.", "2.0"),
  }),
  serverCard: z.looseObject({
    name: textField("The server's name, in reverse DNS form.", "example.api/directory"),
    remotes: field(
      z.array(z.looseObject({ url: textField("Where it answers.", "https://api.example/mcp") })),
      "The server's addresses.",
    ),
  }),
  ard: AgentCatalog,
  aiCatalog: AgentCatalog,
} as const satisfies Readonly<Record<ExtensionName, z.ZodType | null>>;

/** The schemas of the bodies that are posted. */
export const POSTED_BODIES = {
  batch: z.strictObject({
    hosts: field(
      z.array(z.string()).min(1).max(EXTENSION_LIMITS.batchPostMax),
      "Hosts, or web addresses whose hosts are meant.",
      ["birchclinic.example", "https://www.nowhere.example/about"],
    ),
  }),
  mcp: z.looseObject({
    jsonrpc: textField("Version of JSON-RPC: always `2.0`.", "2.0"),
    method: textField("What is asked.", "tools/list"),
  }),
} as const satisfies { readonly [N in ExtensionName]?: z.ZodType };
