import { describe } from "vitest";
import { type BadRow, itRefuses, PLACES } from "./tiny.js";

const { listings, listing, scans, scan } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const WEB = "an http: or https: address without credentials";
const HOST =
  "a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";
const LISTING_KEYS =
  'known keys here are "host", "url", "name", "tagline", "description", "status", "visibility", "category", "tags", "platforms", "hosting", "linkRel", "logoUrl", "ogImageUrl", "entitlements", "publishedScan"';
const ORPHAN = 'scans/2026/b/b1.json:1:1  $  is left out: there is no listing for "beta.example"';
const DATE_TIME = "a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";

const LISTINGS: readonly BadRow[] = [
  [
    "host is lower case: the canonical form is named",
    [listings, '"beta.example"', '"Beta.Example"'],
    'listings/ab.ndjson:2:9  $.host  found "Beta.Example", expected the canonical form "beta.example"',
    [ORPHAN],
  ],
  [
    "host is unique across lines, and both places are named",
    [listings, '"beta.example"', '"alpha.example"'],
    'listings/ab.ndjson:2:9  $.host  found "alpha.example" a second time; the first is at listings/ab.ndjson:1:9',
    [
      'listings/ab.ndjson:2:31  $.url  found an address on "beta.example", which is neither the listing\'s host nor a subdomain of it',
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
      'listings/single/gamma.json:3:11  $.host  found "beta.example" a second time; the first is at listings/ab.ndjson:2:9',
      "listings/single/gamma.json:5:18  $.description  found 5, expected a string or null",
    ],
  ],
  [
    "visibility is one of six",
    [listing, '"blocked"', '"hidden"'],
    'listings/single/gamma.json:6:17  $.visibility  found "hidden", expected one of "listed", "blocked", "opted-out", "redirected", "removed", "deleted"',
  ],
  [
    "category is in the taxonomy",
    [listings, '"animals"', '"animal"'],
    'listings/ab.ndjson:1:86  $.category  found "animal", expected the slug of a category in taxonomy.json; did you mean "animals"?',
  ],
  [
    "tags are in the taxonomy, and each tag is checked",
    [listings, '["free"]', '["free","fre","paid-for-by-others"]'],
    [
      'listings/ab.ndjson:1:111  $.tags[1]  found "fre", expected the slug of a tag in taxonomy.json; did you mean "free"?',
      'listings/ab.ndjson:1:117  $.tags[2]  found "paid-for-by-others", expected the slug of a tag in taxonomy.json',
    ],
  ],
  [
    "platforms are in the taxonomy, where tags do not count",
    [listings, '["web"]', '["free"]'],
    'listings/ab.ndjson:1:125  $.platforms[0]  found "free", expected the slug of a platform in taxonomy.json',
  ],
  [
    "the nearest known key is named for an unknown key",
    [listings, '"publishedScan"', '"publishedscan"'],
    'listings/ab.ndjson:1:132  $.publishedscan  is not a known key; did you mean "publishedScan"?',
  ],
  [
    "$schema is for .json files, not for lines",
    [listings, '{"host":"beta', '{"$schema":"x","host":"beta'],
    `listings/ab.ndjson:2:2  $["$schema"]  is not a known key; ${LISTING_KEYS}`,
  ],
  [
    "$schema is for the top of a file",
    [listing, '"visibility": "blocked"', '"entitlements": { "$schema": "x" }'],
    'listings/single/gamma.json:6:21  $.entitlements["$schema"]  is not a known key; known keys here are "history", "fixPrompts", "starterFiles", "highlight"',
  ],
  [
    "publishedScan exists",
    [listings, '"a2"', '"a3"'],
    'listings/ab.ndjson:1:148  $.publishedScan  found "a3", expected the id of one of the listing\'s scans; did you mean "a1"?',
  ],
  [
    "all mistakes of a record are reported at once",
    [
      listings,
      '"url":"https://beta.example/","status":"unclaimed"',
      '"category":"cars","tags":[1,"free","x"],"stauts":"unclaimed","linkRel":null',
    ],
    [
      "listings/ab.ndjson:2:1  $.status  is missing, expected a string",
      `listings/ab.ndjson:2:1  $.url  is missing, expected ${WEB}`,
      'listings/ab.ndjson:2:35  $.category  found "cars", expected the slug of a category in taxonomy.json',
      `listings/ab.ndjson:2:50  $.tags[0]  found 1, expected ${SLUG}`,
      'listings/ab.ndjson:2:59  $.tags[2]  found "x", expected the slug of a tag in taxonomy.json',
      'listings/ab.ndjson:2:64  $.stauts  is not a known key; did you mean "status"?',
      "listings/ab.ndjson:2:95  $.linkRel  found null, expected a string",
    ],
  ],
];

const SCANS: readonly BadRow[] = [
  [
    "host is required, and a redirect's host does not replace it",
    [scan, '  "host": "beta.example",\n', ""],
    `scans/2026/b/b1.json:1:1  $.host  is missing, expected ${HOST}`,
  ],
  [
    "id is unique per host, and both places are named",
    [scans, '"id":"a2"', '"id":"a1"'],
    [
      'listings/ab.ndjson:1:148  $.publishedScan  found "a2", expected the id of one of the listing\'s scans; did you mean "a1"?',
      'scans/2026/a.ndjson:2:30  $.id  found "a1" a second time; the first is at scans/2026/a.ndjson:1:30',
    ],
  ],
  [
    "finishedAt has an offset",
    [scan, "00:00:00+02:00", "00:00:00"],
    `scans/2026/b/b1.json:5:17  $.finishedAt  found "2026-01-01T00:00:00", expected ${DATE_TIME}`,
  ],
  [
    "score is a whole number",
    [scans, '"score":60', '"score":60.5'],
    "scans/2026/a.ndjson:2:99  $.score  found 60.5, expected a whole number from 0 to 100 or null",
  ],
  [
    "a moved scan has no score",
    [scan, '"redirect"', '"score": 50, "redirect"'],
    'scans/2026/b/b1.json:6:12  $.score  found 50, expected null, because the status is "moved"',
  ],
  [
    "a moved scan has a redirect",
    [scan, ',\n  "redirect": { "host": "other.example", "status": 301 }', ""],
    'scans/2026/b/b1.json:1:1  $.redirect  is missing, expected an object, because the status is "moved"',
  ],
  [
    "band is the rubric's if the version is the rubric's",
    [scans, '"band":"high"', '"band":"low"'],
    'scans/2026/a.ndjson:2:109  $.band  found "low", expected "high", the band of score 60 in rubric "v2"',
  ],
  [
    "checkId is unique",
    [
      scans,
      '"details":{}}',
      '"details":{}},{"checkId":"https","checkVersion":1,"title":"","label":"","kind":"achievement","block":1,"status":"pass","points":60,"maxPoints":60,"lifecycle":"active","summary":null,"details":{}}',
    ],
    'scans/2026/a.ndjson:2:371  $.checks[1].checkId  found "https" a second time; the first is $.checks[0].checkId',
  ],
  [
    "a key missing deep inside is reported at its object",
    [scans, '"points":60,', ""],
    "scans/2026/a.ndjson:2:178  $.checks[0].points  is missing, expected a number",
  ],
  [
    "counts are whole numbers from 0",
    [
      scan,
      '"redirect"',
      '"stats": { "pagesScanned": -1, "bytesFetched": 9007199254740993 }, "redirect"',
    ],
    [
      "scans/2026/b/b1.json:6:30  $.stats.pagesScanned  found -1, expected a whole number from 0 to 9007199254740991 or null",
      "scans/2026/b/b1.json:6:50  $.stats.bytesFetched  found 9007199254740992, expected a whole number from 0 to 9007199254740991 or null",
    ],
  ],
];

describe("published format: a listing is refused where it breaks a rule", () =>
  itRefuses(LISTINGS));
describe("published format: a scan is refused where it breaks a rule", () => itRefuses(SCANS));
