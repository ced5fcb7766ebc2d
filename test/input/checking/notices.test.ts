import { describe, expect, it } from "vitest";
import { quote } from "../../../src/input/checking/problem.js";
import { aCheck } from "../../fixtures.js";
import {
  type Change,
  edit,
  outcomeOf,
  PLACES,
  readPublished,
  type SaidRow,
  saidOf,
  tinyDirectory,
  writeFiles,
} from "../tiny.js";

const { directory, standards, taxonomy, listings, scans } = PLACES;
const twice = (key: string) =>
  `the key "${key}" occurs more than once in an object; only the last one counts`;

const html = (found: string) =>
  `found "${found}", but this is plain text: readers see HTML as it is written`;

const unknownStatus = 'which the search cannot filter by: it knows only "unclaimed" and "claimed"';
const LISTINGS: readonly SaidRow[] = [
  [{ status: "Claimed" }, `$.status  found "Claimed", ${unknownStatus}; did you mean "claimed"?`],
  ...[
    ["https://www.example/b1.example", "www.example"],
    ["https://example/", "example"],
  ].map(
    ([url, on]): SaidRow => [
      { url },
      `$.url  found an address on "${on}", which is neither the listing's host nor a subdomain of it`,
    ],
  ),
  [
    { name: "A &amp; B", tagline: "<b >B</b>" },
    `$.name  ${html("&amp;")}`,
    `$.tagline  ${html("<b>")}`,
  ],
  [{ hosting: "x<BR>&eacute;" }, `$.hosting  ${html("<BR>")}`],
  ...[
    ["CafÃ© Rio", "Ã©"],
    ["the worldâ€™s best", "â€™"],
    ["Ã\u00a0 Paris", "Ã\u00a0"],
    ["it\u00e2\u0080\u0099s", "â\u0080\u0099"],
    ["fun ðŸ˜€", "ðŸ"],
    ["ÐœÐ¾ÑÐºÐ²Ð°", "ÐœÐ¾"],
  ].map(
    ([description, found]): SaidRow => [
      { description },
      `$.description  found ${quote(found!)}, which looks like UTF-8 that was read as Latin-1 or ` +
        "Windows-1252: read it as UTF-8",
    ],
  ),
  // None of these is worth a word.
  [{ visibility: "blocked", status: "gone" }],
  ...["http://www.b.example", "https://shop.B.example:8443/x", "https://b.example./"].map(
    (url, n): SaidRow => [{ host: `${n}.b.example`, url: url.replace(/b/i, `${n}.$&`) }],
  ),
  ...[
    "Café – São Paulo",
    "MANHÃ… IRMÃ”",
    "<3 & more; R&D; AT&T",
    "List<Item> a<c>d",
    "1 < 2 > 0",
    "ßé»",
    "Âme",
  ].map((name): SaidRow => [{ name }]),
];

const check = aCheck();
const fix = { checkId: "sitemaps", title: "", kind: "", status: "", recoverablePoints: 0 };
const SCANS: readonly SaidRow[] = [
  [
    { checks: [{ ...check, checkId: "htps" }] },
    '$.checks[0].checkId  found "htps", which is not a check in standards.json; did you mean "https"?',
  ],
  [
    { fixes: [{ ...fix, promptStatus: "archived" }] },
    '$.fixes[0].checkId  found "sitemaps", which is not a check in standards.json',
  ],
  [
    { checks: [{ ...check, points: 60.5 }] },
    '$.checks[0].points  found more points for "https" than its maxPoints',
  ],
  // A penalty's maximum is below 0.
  [{ checks: [{ ...check, points: 0, maxPoints: -5 }] }],
];

const WARNED: readonly (readonly [rule: string, change: Change, warnings: readonly string[]])[] = [
  [
    "is about a repeated key, in records and documents, free-form objects and with escapes",
    [
      [listings, '"tags":["free"]', '"tags":["free"],"t\\u0061gs":["free"]'],
      [scans, '{"open":true}', '{"open":[{"a b":1,"x":{"a b":2},"a b":3}]}'],
      [directory, '"name": "Tiny"', '"name" : "Big", "name": "Tiny"'],
      [taxonomy, '"slug": "free"', '"slug": "paid", "slug"\n: "free"'],
      [standards, '"version": "v2"', '"version": "v1", "version": "v2"'],
    ],
    [
      `directory.json:3:19  $.name  ${twice("name")}`,
      `listings/ab.ndjson:1:112  $.tags  ${twice("tags")}`,
      `scans/2026/a.ndjson:2:185  $.profile.api.open[0]["a b"]  ${twice("a b")}`,
      `standards.json:3:22  $.rubric.version  ${twice("version")}`,
      `taxonomy.json:6:30  $.tags[0].slug  ${twice("slug")}`,
    ],
  ],
  [
    "is about a baseUrl that already has the API's /api",
    [directory, "https://api.tiny.example", "https://tiny.example/api"],
    [
      `directory.json:4:14  $.baseUrl  found "https://tiny.example/api", but the API's addresses ` +
        `already begin with /api: this gives "https://tiny.example/api/api/sites"`,
    ],
  ],
  [
    "is about HTML in a line of a document",
    [
      [directory, '"name": "Tiny"', '"name": "Ti&#110;y"'],
      [taxonomy, '"name": "Free"', '"name": "<i class=x>Free"'],
    ],
    [
      `directory.json:3:11  $.name  ${html("&#110;")}`,
      `taxonomy.json:6:38  $.tags[0].name  ${html("<i>")}`,
    ],
  ],
];

describe("a warning", () => {
  it.each(WARNED)("%s", async (_rule, change, expected) => {
    const { problems, warnings } = await outcomeOf(change);
    expect([problems, warnings]).toEqual([[], expected]);
  });

  it.each([
    ["listings", LISTINGS],
    ["scans", SCANS],
  ] as const)("is at the values of %s that deserve it, and at no others", async (kind, rows) => {
    const none = rows.map(([changes]) => [changes]);
    expect(await saidOf(kind, rows)).toEqual({ problems: none, warnings: rows });
  });

  it("is not about a record with errors", async () => {
    const bad = '"url":7,"status":"x","status"';
    const change = [listings, '"url":"https://beta.example/","status"', bad] as const;
    const { problems, warnings } = await outcomeOf(change);
    expect([problems.length, warnings]).toEqual([1, []]);
  });

  it("is at its value, or, after the first thousand, at the line of its record, for any parts", async () => {
    const files = tinyDirectory();
    const record = (n: number) =>
      `{"host":"h${n}.example","url":"https://h${n}.example/","status":"new"}`;
    const folder = writeFiles({ ...files, "listings/z.ndjson": lines(900, record) });
    const { warnings } = await readPublished(folder, 0);
    expect(warnings).toHaveLength(900);
    expect(warnings[0]).toBe(`listings/z.ndjson:1:59  $.status  found "new", ${unknownStatus}`);
    expect((await readPublished(folder, 5)).warnings).toEqual(warnings);
    writeFiles({ "listings/z.ndjson": lines(1_100, record) }, folder);
    const more = (await readPublished(folder)).warnings;
    expect(more).toHaveLength(1_100);
    const unplaced = more.filter((line) =>
      /^listings\/z\.ndjson:\d+:1 {2}\$\.status {2}/.test(line),
    );
    expect(unplaced).toHaveLength(100);
  });

  it("is one of at most a thousand of a record, of which the last one says that there are more", async () => {
    const files = tinyDirectory();
    const check = /\{"checkId":"https".*?\}\}/.exec(files[scans] as string)![0];
    const checks = Array.from({ length: 1_200 }, (_, at) =>
      check.replace("https", `unknown-${at}`),
    );
    edit(files, scans, check, checks.join(","));
    const { problems, warnings } = await readPublished(writeFiles(files));
    expect([problems.length, warnings.length]).toEqual([0, 1_001]);
    expect(
      warnings.filter((line) => line.includes("has more mistakes than the 1000")),
    ).toHaveLength(1);
  });
});

function lines(count: number, record: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => record(n)).join("\n");
}
