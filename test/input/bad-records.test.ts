import { describe, expect, it } from "vitest";
import { aCheck } from "../fixtures.js";
import { type BadRow, itRefuses, PLACES, type SaidRow, saidOf } from "./tiny.js";

const { listings, listing, scans } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const WEB = "an http: or https: address without credentials";
const HOST =
  "a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";
const ORPHAN = 'scans/2026/b/b1.json:1:1  $  is left out: there is no listing for "beta.example"';
const TAG = "expected the slug of a tag in taxonomy.json";
const KEYS =
  'is not a known key; known keys here are "host", "url", "name", "tagline", "description", ' +
  '"status", "visibility", "category", "tags", "platforms", "hosting", "linkRel", "logoUrl", ' +
  '"ogImageUrl", "entitlements", "publishedScan"';
const PLAN = '"history", "fixPrompts", "starterFiles", "highlight"';
const COUNT = "expected a whole number from 0 to 9007199254740991 or null";
const MOVED = 'because the status is "moved"';

const LISTINGS: readonly SaidRow[] = [
  [{ host: "B0.Example" }, '$.host  found "B0.Example", expected the canonical form "b0.example"'],
  [
    { visibility: "hidden" },
    '$.visibility  found "hidden", expected one of "listed", "blocked", "opted-out", "redirected", ' +
      '"removed", "deleted"',
  ],
  [
    { category: "animal" },
    '$.category  found "animal", expected the slug of a category in taxonomy.json; did you mean "animals"?',
  ],
  [
    { tags: ["free", "fre", "paid-for-by-others"] },
    `$.tags[1]  found "fre", ${TAG}; did you mean "free"?`,
    `$.tags[2]  found "paid-for-by-others", ${TAG}`,
  ],
  [
    { platforms: ["free"] },
    '$.platforms[0]  found "free", expected the slug of a platform in taxonomy.json',
  ],
  [{ publishedscan: "a" }, '$.publishedscan  is not a known key; did you mean "publishedScan"?'],
  // It is for .json files, and for the top of a file.
  [{ $schema: "x" }, `$["$schema"]  ${KEYS}`],
  [
    { entitlements: { $schema: "x" } },
    `$.entitlements["$schema"]  is not a known key; known keys here are ${PLAN}`,
  ],
  [
    { publishedScan: "a3" },
    '$.publishedScan  found "a3", expected the id of one of the listing\'s scans',
  ],
  [
    {
      url: undefined,
      status: undefined,
      category: "cars",
      tags: [1, "free", "x"],
      stauts: "",
      linkRel: null,
    },
    "$.status  is missing, expected a string",
    `$.url  is missing, expected ${WEB}`,
    '$.category  found "cars", expected the slug of a category in taxonomy.json',
    `$.tags[0]  found 1, expected ${SLUG}`,
    `$.tags[2]  found "x", ${TAG}`,
    '$.stauts  is not a known key; did you mean "status"?',
    "$.linkRel  found null, expected a string",
  ],
];

const CHECK = aCheck();
const redirect = { host: "other.example", status: 301 };
const SCANS: readonly SaidRow[] = [
  // The host of a redirect does not replace it.
  [{ host: undefined, redirect }, `$.host  is missing, expected ${HOST}`],
  [{ id: "a1" }, '$.id  found "a1" a second time; the first is at scans/2026/a.ndjson:1:30'],
  [
    { finishedAt: "2026-01-01T00:00:00" },
    '$.finishedAt  found "2026-01-01T00:00:00", expected a date-time with seconds and offset, such ' +
      "as 2026-08-09T03:31:12Z",
  ],
  [{ score: 60.5 }, "$.score  found 60.5, expected a whole number from 0 to 100 or null"],
  [{ status: "moved", score: 50, redirect }, `$.score  found 50, expected null, ${MOVED}`],
  [{ status: "moved" }, `$.redirect  is missing, expected an object, ${MOVED}`],
  [
    { score: 60, band: "low", scoreVersion: "v2" },
    '$.band  found "low", expected "high", the band of score 60 in rubric "v2"',
  ],
  [
    { checks: [CHECK, CHECK] },
    '$.checks[1].checkId  found "https" a second time; the first is $.checks[0].checkId',
  ],
  [
    { checks: [{ ...CHECK, points: undefined }] },
    "$.checks[0].points  is missing, expected a number",
  ],
  [
    { stats: { pagesScanned: -1, bytesFetched: 2 ** 53 } },
    `$.stats.pagesScanned  found -1, ${COUNT}`,
    `$.stats.bytesFetched  found 9007199254740992, ${COUNT}`,
  ],
];

// Columns are those of any text in checking/positions.test.ts.
describe("a record is refused where it breaks a rule", () => {
  it.each([
    ["listings", LISTINGS],
    ["scans", SCANS],
  ] as const)("%s, each with all of its mistakes", async (kind, rows) => {
    expect((await saidOf(kind, rows)).problems).toEqual(rows);
  });
});

const REPEATED: readonly BadRow[] = [
  [
    "host is unique across lines, and both places are named",
    [listings, '"beta.example"', '"alpha.example"'],
    'listings/ab.ndjson:2:9  $.host  found "alpha.example" a second time; the first is at listings/ab.ndjson:1:9',
    [
      'listings/ab.ndjson:2:31  $.url  found an address on "beta.example", which is neither the ' +
        "listing's host nor a subdomain of it",
      ORPHAN,
    ],
  ],
  [
    "host is unique across files, and the later file by name is wrong",
    [
      [listing, '"gamma.example"', '"beta.example"'],
      [listing, '"status"', '"description": 5, "status"'],
    ],
    [
      'listings/single/gamma.json:3:11  $.host  found "beta.example" a second time; the first is at ' +
        "listings/ab.ndjson:2:9",
      "listings/single/gamma.json:5:18  $.description  found 5, expected a string or null",
    ],
  ],
  [
    "id is unique per host, and both places are named",
    [scans, '"id":"a2"', '"id":"a1"'],
    [
      'listings/ab.ndjson:1:148  $.publishedScan  found "a2", expected the id of one of the listing\'s ' +
        'scans; did you mean "a1"?',
      'scans/2026/a.ndjson:2:30  $.id  found "a1" a second time; the first is at scans/2026/a.ndjson:1:30',
    ],
  ],
];

describe("what is there twice is refused", () => itRefuses(REPEATED));
