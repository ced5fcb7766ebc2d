import { describe, expect, it } from "vitest";
import { type BadCase, outcomeOf, PLACES } from "./tiny.js";

const { listing, listings } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const WEB = "an http: or https: address without credentials";
const HOST =
  "a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";
const LISTING_KEYS =
  'known keys here are "host", "url", "name", "tagline", "description", "status", "visibility", "category", "tags", "platforms", "hosting", "linkRel", "logoUrl", "ogImageUrl", "entitlements", "publishedScan"';
const ORPHAN = 'scans/2026/b/b1.json:1:1  $  is left out: there is no listing for "beta.example"';

const OTHER_HOST = (place: string, host: string) =>
  `${place}  $.url  found an address on "${host}", which is neither the listing's host nor a subdomain of it`;

const CASES: readonly BadCase[] = [
  {
    rule: "host is required",
    edits: [[listings, '"host":"beta.example",', ""]],
    problems: [`listings/ab.ndjson:2:1  $.host  is missing, expected ${HOST}`],
    warnings: [ORPHAN],
  },
  {
    rule: "host is a text",
    edits: [[listings, '"host":"beta.example"', '"host":7']],
    problems: [`listings/ab.ndjson:2:9  $.host  found 7, expected ${HOST}`],
    warnings: [ORPHAN],
  },
  {
    rule: "host is lower case: the canonical form is named",
    edits: [[listings, '"beta.example"', '"Beta.Example"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "Beta.Example", expected the canonical form "beta.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host has no leading www",
    edits: [[listings, '"beta.example"', '"www.beta.example"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "www.beta.example", expected the canonical form "beta.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host has no trailing dot",
    edits: [[listings, '"beta.example"', '"beta.example."']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "beta.example.", expected the canonical form "beta.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host has no port",
    edits: [[listings, '"beta.example"', '"beta.example:8080"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "beta.example:8080", expected the canonical form "beta.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host has no scheme and path",
    edits: [[listings, '"beta.example"', '"https://beta.example/docs"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "https://beta.example/docs", expected the canonical form "beta.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host is punycode, not Unicode",
    edits: [[listings, '"beta.example"', '"bücher.example"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "bücher.example", expected the canonical form "xn--bcher-kva.example"',
    ],
    warnings: [ORPHAN],
  },
  {
    rule: "host has at least two labels",
    edits: [[listings, '"beta.example"', '"localhost"']],
    problems: [`listings/ab.ndjson:2:9  $.host  found "localhost", expected ${HOST}`],
    warnings: [ORPHAN],
  },
  {
    rule: "host is not an IP address",
    edits: [[listings, '"beta.example"', '"127.0.0.1"']],
    problems: [`listings/ab.ndjson:2:9  $.host  found "127.0.0.1", expected ${HOST}`],
    warnings: [ORPHAN],
  },
  {
    rule: "host is unique across lines, and both places are named",
    edits: [[listings, '"beta.example"', '"alpha.example"']],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "alpha.example" a second time; the first is at listings/ab.ndjson:1:9',
    ],
    warnings: [OTHER_HOST("listings/ab.ndjson:2:31", "beta.example"), ORPHAN],
  },
  {
    rule: "host is unique across files, and the later file by name is wrong",
    edits: [
      [listing, '"gamma.example"', '"beta.example"'],
      [listing, '"status"', '"description": 5, "status"'],
    ],
    problems: [
      'listings/single/gamma.json:3:11  $.host  found "beta.example" a second time; the first is at listings/ab.ndjson:2:9',
      "listings/single/gamma.json:5:18  $.description  found 5, expected a string or null",
    ],
  },
  {
    rule: "a host given three times is wrong twice",
    edits: [
      [listings, '"beta.example"', '"alpha.example"'],
      [listing, '"gamma.example"', '"alpha.example"'],
    ],
    problems: [
      'listings/ab.ndjson:2:9  $.host  found "alpha.example" a second time; the first is at listings/ab.ndjson:1:9',
      'listings/single/gamma.json:3:11  $.host  found "alpha.example" a second time; the first is at listings/ab.ndjson:1:9',
    ],
    warnings: [
      OTHER_HOST("listings/ab.ndjson:2:31", "beta.example"),
      OTHER_HOST("listings/single/gamma.json:4:10", "gamma.example"),
      ORPHAN,
    ],
  },
  {
    rule: "url is required",
    edits: [[listing, '  "url": "https://gamma.example/",\n', ""]],
    problems: [`listings/single/gamma.json:1:1  $.url  is missing, expected ${WEB}`],
  },
  {
    rule: "url is an address",
    edits: [[listings, '"https://beta.example/"', '"javascript:alert(1)"']],
    problems: [`listings/ab.ndjson:2:30  $.url  found "javascript:alert(1)", expected ${WEB}`],
  },
  {
    rule: "logoUrl is an address",
    edits: [
      [listings, '"status":"unclaimed"', '"status":"unclaimed","logoUrl":"//cdn.example/l.png"'],
    ],
    problems: [`listings/ab.ndjson:2:85  $.logoUrl  found "//cdn.example/l.png", expected ${WEB}`],
  },
  {
    rule: "name is a text or null",
    edits: [[listings, '"status":"unclaimed"', '"status":"unclaimed","name":false']],
    problems: ["listings/ab.ndjson:2:82  $.name  found false, expected a string or null"],
  },
  {
    rule: "visibility is one of six",
    edits: [[listing, '"blocked"', '"hidden"']],
    problems: [
      'listings/single/gamma.json:6:17  $.visibility  found "hidden", expected one of "listed", "blocked", "opted-out", "redirected", "removed", "deleted"',
    ],
  },
  {
    rule: "visibility has a default, and may not be null",
    edits: [[listing, '"blocked"', "null"]],
    problems: [
      'listings/single/gamma.json:6:17  $.visibility  found null, expected one of "listed", "blocked", "opted-out", "redirected", "removed", "deleted"',
    ],
  },
  {
    rule: "category is in the taxonomy",
    edits: [[listings, '"animals"', '"animal"']],
    problems: [
      'listings/ab.ndjson:1:86  $.category  found "animal", expected a category in taxonomy.json; did you mean "animals"?',
    ],
  },
  {
    rule: "tags are in the taxonomy, and each tag is checked",
    edits: [[listings, '["free"]', '["free","fre","paid-for-by-others"]']],
    problems: [
      'listings/ab.ndjson:1:111  $.tags[1]  found "fre", expected a tag in taxonomy.json; did you mean "free"?',
      'listings/ab.ndjson:1:117  $.tags[2]  found "paid-for-by-others", expected a tag in taxonomy.json',
    ],
  },
  {
    rule: "platforms are in the taxonomy, where tags do not count",
    edits: [[listings, '["web"]', '["free"]']],
    problems: [
      'listings/ab.ndjson:1:125  $.platforms[0]  found "free", expected a platform in taxonomy.json',
    ],
  },
  {
    rule: "an invalid slug is reported once",
    edits: [[listings, '["free"]', '["Free!"]']],
    problems: [
      'listings/ab.ndjson:1:104  $.tags[0]  found "Free!", expected the slug of a tag in taxonomy.json; did you mean "free"?',
    ],
  },
  {
    rule: "tags are an array",
    edits: [[listings, '["free"]', '"free"']],
    problems: ['listings/ab.ndjson:1:103  $.tags  found "free", expected an array'],
  },
  {
    rule: "an array may be left out, but not be null",
    edits: [[listings, '["free"]', "null"]],
    problems: ["listings/ab.ndjson:1:103  $.tags  found null, expected an array"],
  },
  {
    rule: "the nearest known key is named for an unknown key",
    edits: [[listings, '"publishedScan"', '"publishedscan"']],
    problems: [
      'listings/ab.ndjson:1:132  $.publishedscan  is not a known key; did you mean "publishedScan"?',
    ],
  },
  {
    rule: "all known keys are named for an unknown key near none of them",
    edits: [[listing, '"visibility": "blocked"', '"entitlements": { "sponsorship": 1 }']],
    problems: [
      'listings/single/gamma.json:6:21  $.entitlements.sponsorship  is not a known key; known keys here are "history", "fixPrompts", "starterFiles", "highlight"',
    ],
  },
  {
    rule: "fixPrompts is a whole number from 0, or null",
    edits: [
      [listing, '"visibility": "blocked"', '"entitlements": { "history": true, "fixPrompts": -1 }'],
    ],
    problems: [
      "listings/single/gamma.json:6:52  $.entitlements.fixPrompts  found -1, expected a whole number from 0 to 9007199254740991 or null",
    ],
  },
  {
    rule: "entitlements are true or false",
    edits: [[listing, '"visibility": "blocked"', '"entitlements": { "history": "yes" }']],
    problems: [
      'listings/single/gamma.json:6:32  $.entitlements.history  found "yes", expected true or false',
    ],
  },
  {
    rule: "$schema is for .json files, not for lines",
    edits: [[listings, '{"host":"beta', '{"$schema":"x","host":"beta']],
    problems: [`listings/ab.ndjson:2:2  $["$schema"]  is not a known key; ${LISTING_KEYS}`],
  },
  {
    rule: "$schema is for the top of a file",
    edits: [[listing, '"visibility": "blocked"', '"entitlements": { "$schema": "x" }']],
    problems: [
      'listings/single/gamma.json:6:21  $.entitlements["$schema"]  is not a known key; known keys here are "history", "fixPrompts", "starterFiles", "highlight"',
    ],
  },
  {
    rule: "publishedScan exists",
    edits: [[listings, '"a2"', '"a3"']],
    problems: [
      'listings/ab.ndjson:1:148  $.publishedScan  found "a3", expected the id of one of the listing\'s scans; did you mean "a1"?',
    ],
  },
  {
    rule: "publishedScan is a scan of this listing",
    edits: [
      [listings, '"status":"unclaimed"', '"status":"unclaimed","publishedScan":"a1-of-alpha"'],
    ],
    problems: [
      'listings/ab.ndjson:2:91  $.publishedScan  found "a1-of-alpha", expected the id of one of the listing\'s scans',
    ],
  },
  {
    rule: "publishedScan is a scan id",
    edits: [[listings, '"a2"', '"a 2"']],
    problems: [
      'listings/ab.ndjson:1:148  $.publishedScan  found "a 2", expected a scan id: 1 to 128 letters, digits, _ and -',
    ],
  },
  {
    rule: "all mistakes of a record are reported at once",
    edits: [
      [
        listings,
        '"url":"https://beta.example/","status":"unclaimed"',
        '"category":"cars","tags":[1,"free","x"],"stauts":"unclaimed","linkRel":null',
      ],
    ],
    problems: [
      "listings/ab.ndjson:2:1  $.status  is missing, expected a string",
      `listings/ab.ndjson:2:1  $.url  is missing, expected ${WEB}`,
      'listings/ab.ndjson:2:35  $.category  found "cars", expected a category in taxonomy.json',
      `listings/ab.ndjson:2:50  $.tags[0]  found 1, expected ${SLUG}`,
      'listings/ab.ndjson:2:59  $.tags[2]  found "x", expected a tag in taxonomy.json',
      'listings/ab.ndjson:2:64  $.stauts  is not a known key; did you mean "status"?',
      "listings/ab.ndjson:2:95  $.linkRel  found null, expected a string",
    ],
  },
];

describe("published format, Listing: a record is refused where it breaks a rule", () => {
  it.each(CASES)("$rule", async (bad) => {
    const { problems, warnings } = await outcomeOf(bad);
    expect(problems).toEqual(bad.problems);
    expect(warnings).toEqual(bad.warnings ?? []);
  });
});
