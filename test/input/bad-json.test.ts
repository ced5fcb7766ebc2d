import { describe, expect, it } from "vitest";
import { type BadRow, bytes, itRefuses, outcomeOf, PLACES } from "./tiny.js";

const { listings, scans } = PLACES;
const WEB = "an http: or https: address without credentials";
const HOST =
  "a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot";
const LISTING_KEYS =
  'known keys here are "host", "url", "name", "tagline", "description", "status", "visibility", ' +
  '"category", "tags", "platforms", "hosting", "linkRel", "logoUrl", "ogImageUrl", "entitlements", ' +
  '"publishedScan"';
const DATE_TIME = "a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";

const CASES: readonly BadRow[] = [
  [
    "a record that spans two lines",
    [listings, '"url":"https://beta', '\n"url":"https://beta'],
    [
      "listings/ab.ndjson:2:24  $  is not JSON: found the end, expected a key in double quotes",
      "listings/ab.ndjson:3:6  $  is not JSON: found `:` after the end of the record",
    ],
  ],
  [
    "an error after wide characters, with the column in UTF-16 units",
    [listings, '"url":"https://beta.example/"', '"name":"\ud83d\ude00\u00e9","url":7'],
    `listings/ab.ndjson:2:43  $.url  found 7, expected ${WEB}`,
  ],
  [
    "a byte-order mark that is not at the start",
    {
      "listings/x.ndjson":
        '{"host":"x.example","url":"https://x.example","status":"claimed"}\n\ufeff{"host":"y.example","url":"https://y.example","status":"x"}\n',
    },
    "listings/x.ndjson:2:1  $  is not JSON: found `\\ufeff`, expected a quoted text, a number, true, false or null",
  ],
  [
    "a byte that is not UTF-8",
    {
      "listings/x.ndjson": bytes(
        '\n{"host":"x.example","name":"\u00c3\u00a9\u00ef\u00bf\u00bd caf\u00e9"}\n',
      ),
    },
    "listings/x.ndjson:2:35  $  is not UTF-8: found the byte 0xe9",
  ],
  [
    "a lone surrogate in a free-form key",
    [scans, '{"api":{"open":true}}', '{"api":{"\\uDC00":true}}'],
    'scans/2026/a.ndjson:2:154  $.profile.api["\\udc00"]  found a lone surrogate, expected well-formed Unicode text',
  ],
  [
    "the key __proto__ in a free-form object",
    [scans, '{"open":true}', '{"__proto__":{"polluted":true}}'],
    "scans/2026/a.ndjson:2:154  $.profile.api.__proto__  is a key that is not allowed",
  ],
  [
    "keys of Object.prototype, which are unknown like any others",
    [listings, '"status":"unclaimed"', '"status":"unclaimed","constructor":1,"toString":1'],
    [
      `listings/ab.ndjson:2:75  $.constructor  is not a known key; ${LISTING_KEYS}`,
      `listings/ab.ndjson:2:91  $.toString  is not a known key; ${LISTING_KEYS}`,
    ],
  ],
  [
    "a number too large",
    [scans, '{"open":true}', '{"open":[1,-1e999]}'],
    "scans/2026/a.ndjson:2:164  $.profile.api.open[1]  found -1e999, which is too large for a " +
      "number; write it as text, in quotes, or with fewer digits",
  ],
  [
    "numbers that would be rounded, whatever the field",
    [
      scans,
      '{"open":true}',
      '{"open":[1e5,-0,12345678901234567890]},"score":0.1234567890123456789',
    ],
    [
      "scans/2026/a.ndjson:2:169  $.profile.api.open[2]  found 12345678901234567890, which would be " +
        "rounded to `12345678901234567000`; write it as text, in quotes, or with fewer digits",
      "scans/2026/a.ndjson:2:200  $.profile.score  found 0.1234567890123456789, which would be rounded " +
        "to `0.12345678901234568`; write it as text, in quotes, or with fewer digits",
    ],
  ],
  [
    "a number that would be rounded where a text belongs",
    [listings, '"status":"unclaimed"', '"status":12345678901234567890'],
    "listings/ab.ndjson:2:63  $.status  found 12345678901234567890, which would be rounded to " +
      "`12345678901234567000`; write it as text, in quotes, or with fewer digits",
  ],
  [
    "errors under a repeated key, of which the last counts",
    [
      listings,
      '"status":"unclaimed"',
      '"status":"x","name":"ok","tags":["free"],"tags":["none"],"status":5',
    ],
    [
      'listings/ab.ndjson:2:103  $.tags[0]  found "none", expected the slug of a tag in taxonomy.json',
      "listings/ab.ndjson:2:120  $.status  found 5, expected a string",
    ],
  ],
  [
    "a record with an unknown host, which is still checked",
    {
      "scans/lost.ndjson": '{"id":"l 1","status":"x","score":"1"}\n{"host":null,"id":"l2"}\nnull\n',
    },
    [
      `scans/lost.ndjson:1:1  $.finishedAt  is missing, expected ${DATE_TIME}`,
      `scans/lost.ndjson:1:1  $.host  is missing, expected ${HOST}`,
      'scans/lost.ndjson:1:7  $.id  found "l 1", expected a scan id: 1 to 128 letters, digits, _ and -',
      'scans/lost.ndjson:1:34  $.score  found "1", expected a whole number from 0 to 100 or null',
      `scans/lost.ndjson:2:1  $.finishedAt  is missing, expected ${DATE_TIME}`,
      "scans/lost.ndjson:2:1  $.status  is missing, expected a string",
      `scans/lost.ndjson:2:9  $.host  found null, expected ${HOST}`,
      "scans/lost.ndjson:3:1  $  found null, expected an object",
    ],
  ],
];

describe("invalid JSON is refused at its place", () => itRefuses(CASES));

describe("a mistake of a whole file", () => {
  const hosts = Array.from({ length: 60 }, (_, n) => `h${n}.example`);
  const record = (host: string) => ({ host, url: `https://${host}/`, status: "claimed" });
  const records = hosts.map(record);
  const lines = records.map((one) => JSON.stringify(one));
  const scanOf = (host: string) =>
    JSON.stringify({ host, id: "s", status: "done", finishedAt: "2026-01-01T00:00:00Z" });
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  const array = "is a JSON array, expected one record";

  it.each<[mistake: string, file: string, content: string | Buffer, message: string]>([
    ["an array in lines", "a.ndjson", `\ufeff\n \n[\n${lines.join(",\n")}\n]`, `${array} per line`],
    ["an array in a .json file", "a.json", JSON.stringify(records, null, 2), `${array}; put`],
    [
      "records over several lines",
      "a.ndjson",
      records.map((one) => JSON.stringify(one, null, 2)).join("\n"),
      "has records that span several lines",
    ],
    ["UTF-16 with a mark", "a.ndjson", utf16(`\ufeff${lines.join("\r\n")}`), "is UTF-16"],
    ["UTF-16 without", "a.json", utf16(lines[0] ?? "").swap16(), "is UTF-16"],
  ])("%s is one error, and its scans are no orphans", async (_mistake, file, content, message) => {
    const scans = hosts.map(scanOf).join("\n");
    const change = { [`listings/${file}`]: content, "scans/many.ndjson": scans };
    const { problems, warnings } = await outcomeOf(change);
    expect([problems.length, warnings]).toEqual([1, []]);
    expect(problems[0]).toContain(`listings/${file}:1:1  $  ${message}`);
  });
});
