import { describe, expect, it } from "vitest";
import { type BadCase, outcomeOf, PLACES } from "./tiny.js";

const { scan, scans } = PLACES;
const SLUG = "a slug: lowercase letters, digits and single hyphens, at most 80 characters";
const DATE_TIME = "a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";

const CASES: readonly BadCase[] = [
  {
    rule: "host is required, and a redirect's host does not replace it",
    edits: [[scan, '  "host": "beta.example",\n', ""]],
    problems: [
      "scans/2026/b/b1.json:1:1  $.host  is missing, expected a canonical host: lowercase ASCII or punycode, no scheme, path, port, leading www or trailing dot",
    ],
  },
  {
    rule: "id is required",
    edits: [[scan, '  "id": "b1",\n', ""]],
    problems: [
      "scans/2026/b/b1.json:1:1  $.id  is missing, expected a scan id: 1 to 128 letters, digits, _ and -",
    ],
  },
  {
    rule: "id has letters, digits, _ and -",
    edits: [[scan, '"b1"', '"b/1"']],
    problems: [
      'scans/2026/b/b1.json:3:9  $.id  found "b/1", expected a scan id: 1 to 128 letters, digits, _ and -',
    ],
  },
  {
    rule: "id is unique per host, and both places are named",
    edits: [[scans, '"id":"a2"', '"id":"a1"']],
    problems: [
      'listings/ab.ndjson:1:148  $.publishedScan  found "a2", expected the id of one of the listing\'s scans; did you mean "a1"?',
      'scans/2026/a.ndjson:2:30  $.id  found "a1" a second time; the first is at scans/2026/a.ndjson:1:30',
    ],
  },
  {
    rule: "host is canonical",
    edits: [[scan, '"host": "beta.example"', '"host": "BETA.example"']],
    problems: [
      'scans/2026/b/b1.json:2:11  $.host  found "BETA.example", expected the canonical form "beta.example"',
    ],
    warnings: ['scans/2026/b/b1.json:1:1  $  is left out: there is no listing for "BETA.example"'],
  },
  {
    rule: "finishedAt has an offset",
    edits: [[scan, "00:00:00+02:00", "00:00:00"]],
    problems: [
      `scans/2026/b/b1.json:5:17  $.finishedAt  found "2026-01-01T00:00:00", expected ${DATE_TIME}`,
    ],
  },
  {
    rule: "finishedAt has seconds",
    edits: [[scan, "T00:00:00+02:00", "T00:00Z"]],
    problems: [
      `scans/2026/b/b1.json:5:17  $.finishedAt  found "2026-01-01T00:00Z", expected ${DATE_TIME}`,
    ],
  },
  {
    rule: "finishedAt is a day that exists",
    edits: [[scan, "2026-01-01T", "2026-02-30T"]],
    problems: [
      `scans/2026/b/b1.json:5:17  $.finishedAt  found "2026-02-30T00:00:00+02:00", expected ${DATE_TIME}`,
    ],
  },
  {
    rule: "score is a whole number",
    edits: [[scans, '"score":60', '"score":60.5']],
    problems: [
      "scans/2026/a.ndjson:2:99  $.score  found 60.5, expected a whole number from 0 to 100 or null",
    ],
  },
  {
    rule: "score is at most 100",
    edits: [[scans, '"score":60,"band":"high"', '"score":101']],
    problems: [
      "scans/2026/a.ndjson:2:99  $.score  found 101, expected a whole number from 0 to 100 or null",
    ],
  },
  {
    rule: "score is not a text",
    edits: [[scans, '"score":60', '"score":"60"']],
    problems: [
      'scans/2026/a.ndjson:2:99  $.score  found "60", expected a whole number from 0 to 100 or null',
    ],
  },
  {
    rule: "a moved scan has no score",
    edits: [[scan, '"redirect"', '"score": 50, "redirect"']],
    problems: [
      'scans/2026/b/b1.json:6:12  $.score  found 50, expected null, because the status is "moved"',
    ],
  },
  {
    rule: "a moved scan has a redirect",
    edits: [[scan, ',\n  "redirect": { "host": "other.example", "status": 301 }', ""]],
    problems: [
      'scans/2026/b/b1.json:1:1  $.redirect  is missing, expected an object, because the status is "moved"',
    ],
  },
  {
    rule: "a moved scan's redirect is not null",
    edits: [[scan, '{ "host": "other.example", "status": 301 }', "null"]],
    problems: [
      'scans/2026/b/b1.json:6:15  $.redirect  found null, expected an object, because the status is "moved"',
    ],
  },
  {
    rule: "band is the rubric's if the version is the rubric's",
    edits: [[scans, '"band":"high"', '"band":"low"']],
    problems: [
      'scans/2026/a.ndjson:2:109  $.band  found "low", expected "high", the band of score 60 in rubric "v2"',
    ],
  },
  {
    rule: "band is a slug",
    edits: [[scans, '"band":"poor"', '"band":"Very Poor"']],
    problems: [`scans/2026/a.ndjson:1:109  $.band  found "Very Poor", expected ${SLUG}`],
  },
  {
    rule: "checkId is unique",
    edits: [
      [
        scans,
        '"details":{}}',
        '"details":{}},{"checkId":"https","checkVersion":1,"title":"","label":"","kind":"achievement","block":1,"status":"pass","points":60,"maxPoints":60,"lifecycle":"active","summary":null,"details":{}}',
      ],
    ],
    problems: [
      'scans/2026/a.ndjson:2:371  $.checks[1].checkId  found "https" a second time; the first is $.checks[0].checkId',
    ],
  },
  {
    rule: "a check's status is one of four",
    edits: [[scans, '"status":"pass"', '"status":"passed"']],
    problems: [
      'scans/2026/a.ndjson:2:276  $.checks[0].status  found "passed", expected one of "pass", "warn", "fail", "na"',
    ],
  },
  {
    rule: "a key missing deep inside is reported at its object",
    edits: [[scans, '"points":60,', ""]],
    problems: ["scans/2026/a.ndjson:2:178  $.checks[0].points  is missing, expected a number"],
  },
  {
    rule: "details are an object",
    edits: [[scans, '"details":{}', '"details":[]']],
    problems: [
      "scans/2026/a.ndjson:2:356  $.checks[0].details  found an array, expected an object",
    ],
  },
  {
    rule: "profile is an object or null",
    edits: [[scans, '{"api":{"open":true}}', '"none"']],
    problems: ['scans/2026/a.ndjson:2:146  $.profile  found "none", expected an object'],
  },
  {
    rule: "counts are whole numbers from 0",
    edits: [
      [
        scan,
        '"redirect"',
        '"stats": { "pagesScanned": -1, "bytesFetched": 9007199254740993 }, "redirect"',
      ],
    ],
    problems: [
      "scans/2026/b/b1.json:6:30  $.stats.pagesScanned  found -1, expected a whole number from 0 to 9007199254740991 or null",
      "scans/2026/b/b1.json:6:50  $.stats.bytesFetched  found 9007199254740992, expected a whole number from 0 to 9007199254740991 or null",
    ],
  },
];

describe("published format, Scan: a record is refused where it breaks a rule", () => {
  it.each(CASES)("$rule", async (bad) => {
    const { problems, warnings } = await outcomeOf(bad);
    expect(problems).toEqual(bad.problems);
    expect(warnings).toEqual(bad.warnings ?? []);
  });
});
