import { describe, expect, it } from "vitest";
import { type BadCase, bytes, outcomeOf, PLACES } from "./tiny.js";

const { directory, listing, listings, scan, scans } = PLACES;
const WEB = "an http: or https: address without credentials";
const HOST =
  "a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";
const LISTING_KEYS =
  'known keys here are "host", "url", "name", "tagline", "description", "status", "visibility", "category", "tags", "platforms", "hosting", "linkRel", "logoUrl", "ogImageUrl", "entitlements", "publishedScan"';
const DATE_TIME = "a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";
const ORPHAN = 'scans/2026/b/b1.json:1:1  $  is left out: there is no listing for "beta.example"';

const CASES: readonly BadCase[] = [
  {
    rule: "one comma too many",
    edits: [[listing, '"blocked"\n', '"blocked",\n']],
    problems: [
      "listings/single/gamma.json:7:1  $  is not JSON: found `}`, expected a key in double quotes",
    ],
  },
  {
    rule: "one comma too few",
    edits: [[listing, '"unclaimed",', '"unclaimed"']],
    problems: [
      'listings/single/gamma.json:6:3  $  is not JSON: found `"visibility"`, expected `,`',
    ],
  },
  {
    rule: "a brace that is not closed",
    edits: [[scan, "301 }\n}", "301 }"]],
    problems: ["scans/2026/b/b1.json:6:57  $  is not JSON: found the end, expected `}`"],
  },
  {
    rule: "a text that is not closed",
    edits: [[listings, '"unclaimed"}', '"unclaimed}']],
    problems: [
      "listings/ab.ndjson:2:63  $  is not JSON: found a text without its closing quote on the same line",
    ],
  },
  {
    rule: "two records on one line",
    edits: [[listings, '"status":"unclaimed"}', '"status":"unclaimed"} {}']],
    problems: ["listings/ab.ndjson:2:76  $  is not JSON: found `{` after the end of the record"],
  },
  {
    rule: "a record that spans two lines",
    edits: [[listings, '"url":"https://beta', '\n"url":"https://beta']],
    problems: [
      "listings/ab.ndjson:2:24  $  is not JSON: found the end, expected a key in double quotes",
      "listings/ab.ndjson:3:6  $  is not JSON: found `:` after the end of the record",
    ],
  },
  {
    rule: "a comment",
    edits: [[directory, "{\n", "{ // who\n"]],
    problems: ["directory.json:1:3  $  is not JSON: found a comment"],
  },
  {
    rule: "a value that JSON does not have",
    edits: [[scans, '"score":60', '"score":NaN']],
    problems: [
      "scans/2026/a.ndjson:2:99  $  is not JSON: found `NaN`, expected a quoted text, a number, true, false or null",
    ],
  },
  {
    rule: "a number with a leading zero",
    edits: [[scans, '"score":60', '"score":060']],
    problems: ["scans/2026/a.ndjson:2:100  $  is not JSON: found `60`, expected `,`"],
  },
  {
    rule: "an escape that JSON does not have",
    edits: [[listings, '"unclaimed"', '"un\\claimed"']],
    problems: [
      "listings/ab.ndjson:2:66  $  is not JSON: found `\\c`, which is not an escape in JSON",
    ],
  },
  {
    rule: "a tab in a text",
    edits: [[listings, '"unclaimed"', '"un\tclaimed"']],
    problems: [
      "listings/ab.ndjson:2:66  $  is not JSON: found `\\u0009` in a text, expected its escape sequence",
    ],
  },
  {
    rule: "a line that is an array",
    edits: [
      [
        listings,
        '{"host":"beta.example","url":"https://beta.example/","status":"unclaimed"}',
        "[]",
      ],
    ],
    problems: ["listings/ab.ndjson:2:1  $  found an array, expected an object"],
    warnings: [ORPHAN],
  },
  {
    rule: "an error after wide characters, with the column in UTF-16 units",
    edits: [[listings, '"url":"https://beta.example/"', '"name":"\ud83d\ude00\u00e9","url":7']],
    problems: [`listings/ab.ndjson:2:43  $.url  found 7, expected ${WEB}`],
  },
  {
    rule: "an empty .json file",
    files: { "listings/empty.json": "" },
    problems: ["listings/empty.json:1:1  $  is empty, expected an object"],
  },
  {
    rule: "a .json file with only a byte-order mark",
    files: { "listings/empty.json": "\ufeff" },
    problems: ["listings/empty.json:1:1  $  is empty, expected an object"],
  },
  {
    rule: "a byte-order mark that is not at the start",
    files: {
      "listings/x.ndjson":
        '{"host":"x.example","url":"https://x.example","status":"claimed"}\n\ufeff{"host":"y.example","url":"https://y.example","status":"x"}\n',
    },
    problems: [
      "listings/x.ndjson:2:1  $  is not JSON: found `\\ufeff`, expected a quoted text, a number, true, false or null",
    ],
  },
  {
    rule: "a byte that is not UTF-8",
    files: {
      "listings/x.ndjson": bytes(
        '\n{"host":"x.example","name":"\u00c3\u00a9\u00ef\u00bf\u00bd caf\u00e9"}\n',
      ),
    },
    problems: ["listings/x.ndjson:2:35  $  is not UTF-8: found the byte 0xe9"],
  },
  {
    rule: "a surrogate written as UTF-8",
    files: { "listings/x.json": bytes('{"host":"x.example","name":"\u00ed\u00a0\u0080"}') },
    problems: ["listings/x.json:1:29  $  is not UTF-8: found the byte 0xed"],
  },
  {
    rule: "a text cut in the middle of a character",
    files: { "listings/x.json": bytes('{"host":"\u00f0\u009f\u0098') },
    problems: ["listings/x.json:1:10  $  is not UTF-8: found the byte 0xf0"],
  },
  {
    rule: "UTF-16",
    files: { [directory]: bytes("\u00ff\u00fe{\u0000}\u0000") },
    problems: ["directory.json:1:1  $  is UTF-16, expected UTF-8: save it as UTF-8"],
  },
  {
    rule: "a lone surrogate escape",
    edits: [[listings, '"status":"unclaimed"', '"status":"un\\ud800claimed"']],
    problems: [
      "listings/ab.ndjson:2:63  $.status  found a lone surrogate, expected well-formed Unicode text",
    ],
  },
  {
    rule: "a lone surrogate in a free-form key",
    edits: [[scans, '{"api":{"open":true}}', '{"api":{"\\uDC00":true}}']],
    problems: [
      'scans/2026/a.ndjson:2:154  $.profile.api["\\udc00"]  found a lone surrogate, expected well-formed Unicode text',
    ],
  },
  {
    rule: "the key __proto__ in a free-form object",
    edits: [[scans, '{"open":true}', '{"__proto__":{"polluted":true}}']],
    problems: ["scans/2026/a.ndjson:2:154  $.profile.api.__proto__  is a key that is not allowed"],
  },
  {
    rule: "the key __proto__ written with escapes",
    edits: [[scans, '{"open":true}', '{"\\u005f_pro\\u0074o_\\u005F":1}']],
    problems: ["scans/2026/a.ndjson:2:154  $.profile.api.__proto__  is a key that is not allowed"],
  },
  {
    rule: "the key __proto__ in an object with fixed keys",
    edits: [[listings, '"status":"unclaimed"', '"status":"unclaimed","__proto__":{}']],
    problems: ["listings/ab.ndjson:2:75  $.__proto__  is a key that is not allowed"],
  },
  {
    rule: "the key __proto__ under a repeated key",
    edits: [[scans, '{"open":true}', '{"__proto__":1},"api":{}']],
    problems: ["scans/2026/a.ndjson:2:154  $.profile.api.__proto__  is a key that is not allowed"],
  },
  {
    rule: "keys of Object.prototype, which are unknown like any others",
    edits: [
      [listings, '"status":"unclaimed"', '"status":"unclaimed","constructor":1,"toString":1'],
    ],
    problems: [
      `listings/ab.ndjson:2:75  $.constructor  is not a known key; ${LISTING_KEYS}`,
      `listings/ab.ndjson:2:91  $.toString  is not a known key; ${LISTING_KEYS}`,
    ],
  },
  {
    rule: "a number too large",
    edits: [[scans, '{"open":true}', '{"open":[1,-1e999]}']],
    problems: [
      "scans/2026/a.ndjson:2:164  $.profile.api.open[1]  found a number that is too large to store",
    ],
  },
  {
    rule: "a number too large in the place of a number",
    edits: [[scans, '"score":60', '"score":1e999']],
    problems: ["scans/2026/a.ndjson:2:99  $.score  found a number that is too large to store"],
  },
  {
    rule: "errors under a repeated key, of which the last counts",
    edits: [
      [
        listings,
        '"status":"unclaimed"',
        '"status":"x","name":"ok","tags":["free"],"tags":["none"],"status":5',
      ],
    ],
    problems: [
      'listings/ab.ndjson:2:103  $.tags[0]  found "none", expected a tag in taxonomy.json',
      "listings/ab.ndjson:2:120  $.status  found 5, expected a string",
    ],
  },
  {
    rule: "errors of several records, each with its own line",
    files: {
      "listings/many.ndjson":
        '\r\n{"host":"m1.example","url":"https://m1.example","status":1}\r\n\r\n  {"host":"m2.example","url":"x","status":"s"}\n\n{nonsense}',
    },
    problems: [
      "listings/many.ndjson:2:58  $.status  found 1, expected a string",
      `listings/many.ndjson:4:30  $.url  found "x", expected ${WEB}`,
      "listings/many.ndjson:6:2  $  is not JSON: found `nonsense`, expected a quoted text, a number, true, false or null",
    ],
  },
  {
    rule: "a record with an unknown host, which is still checked",
    files: {
      "scans/lost.ndjson": '{"id":"l 1","status":"x","score":"1"}\n{"host":null,"id":"l2"}\nnull\n',
    },
    problems: [
      `scans/lost.ndjson:1:1  $.finishedAt  is missing, expected ${DATE_TIME}`,
      `scans/lost.ndjson:1:1  $.host  is missing, expected ${HOST}`,
      'scans/lost.ndjson:1:7  $.id  found "l 1", expected a scan id: 1 to 128 letters, digits, _ and -',
      'scans/lost.ndjson:1:34  $.score  found "1", expected a whole number from 0 to 100 or null',
      `scans/lost.ndjson:2:1  $.finishedAt  is missing, expected ${DATE_TIME}`,
      "scans/lost.ndjson:2:1  $.status  is missing, expected a string",
      `scans/lost.ndjson:2:9  $.host  found null, expected ${HOST}`,
      "scans/lost.ndjson:3:1  $  found null, expected an object",
    ],
  },
];

describe("published format, general rules: invalid JSON is refused at its place", () => {
  it.each(CASES)("$rule", async (bad) => {
    const { problems, warnings } = await outcomeOf(bad);
    expect(problems).toEqual(bad.problems);
    expect(warnings).toEqual(bad.warnings ?? []);
  });
});
