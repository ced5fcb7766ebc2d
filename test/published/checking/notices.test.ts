import { describe, expect, it } from "vitest";
import { quote } from "../../../src/published/checking/finding.js";
import {
  type Change,
  edit,
  outcomeOf,
  PLACES,
  readPublished,
  tinyDirectory,
  writeFiles,
} from "../tiny.js";

const { directory, standards, taxonomy, listing, listings, scans } = PLACES;
const twice = (key: string) =>
  `the key "${key}" occurs more than once in an object; only the last one counts`;

const html = (found: string) =>
  `found "${found}", but this is plain text: readers see HTML as it is written`;

const unknownStatus = 'which the search cannot filter by: it knows only "unclaimed" and "claimed"';
const away = (host: string) =>
  `listings/ab.ndjson:2:30  $.url  found an address on "${host}", which is neither the listing's host nor a subdomain of it`;

const WARNED: readonly (readonly [rule: string, change: Change, warnings: readonly string[]])[] = [
  [
    "is about a status that the search cannot filter by",
    [listings, '"status":"claimed"', '"status":"Claimed"'],
    [
      `listings/ab.ndjson:1:65  $.status  found "Claimed", ${unknownStatus}; did you mean "claimed"?`,
    ],
  ],
  [
    "is about a check's id that standards.json lacks",
    [scans, '"checkId":"https"', '"checkId":"htps"'],
    [
      'scans/2026/a.ndjson:2:189  $.checks[0].checkId  found "htps", which is not a check in standards.json; did you mean "https"?',
    ],
  ],
  [
    "is about a fix for a check that standards.json lacks",
    [
      scans,
      '"scoreVersion":"v2"',
      '"scoreVersion":"v2","fixes":[{"checkId":"sitemaps","title":"","kind":"","status":"","recoverablePoints":0,"promptStatus":"archived"}]',
    ],
    [
      'scans/2026/a.ndjson:2:156  $.fixes[0].checkId  found "sitemaps", which is not a check in standards.json',
    ],
  ],
  [
    "is about points above their maximum",
    [scans, '"points":60,', '"points":60.5,'],
    [
      'scans/2026/a.ndjson:2:292  $.checks[0].points  found more points for "https" than its maxPoints',
    ],
  ],
  [
    "is about an address on another host",
    [listings, '"https://beta.example/"', '"https://www.example/beta.example"'],
    [away("www.example")],
  ],
  [
    "is about an address on the parent domain",
    [listings, '"https://beta.example/"', '"https://example/"'],
    [away("example")],
  ],
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
      `directory.json:4:14  $.baseUrl  found "https://tiny.example/api", but the API's addresses already begin with /api: this gives "https://tiny.example/api/api/sites"`,
    ],
  ],
  [
    "is about HTML in a line of plain text, in listings and documents",
    [
      [
        listings,
        '"status":"claimed"',
        '"name":"A &amp; B","tagline":"<b >B</b>","status":"claimed"',
      ],
      [listings, '"status":"unclaimed"', '"hosting":"x<BR>&eacute;","status":"unclaimed"'],
      [directory, '"name": "Tiny"', '"name": "Ti&#110;y"'],
      [taxonomy, '"name": "Free"', '"name": "<i class=x>Free"'],
    ],
    [
      `directory.json:3:11  $.name  ${html("&#110;")}`,
      `listings/ab.ndjson:1:63  $.name  ${html("&amp;")}`,
      `listings/ab.ndjson:1:85  $.tagline  ${html("<b>")}`,
      `listings/ab.ndjson:2:64  $.hosting  ${html("<BR>")}`,
      `taxonomy.json:6:38  $.tags[0].name  ${html("<i>")}`,
    ],
  ],
];

const inDescription = (text: string) =>
  [listing, '"status"', `"description": ${JSON.stringify(text)}, "status"`] as const;

describe("a warning", () => {
  it.each(WARNED)("%s", async (_rule, change, expected) => {
    const { problems, warnings } = await outcomeOf(change);
    expect([problems, warnings]).toEqual([[], expected]);
  });

  it.each([
    ["CafÃ© Rio", "Ã©"],
    ["the worldâ€™s best", "â€™"],
    ["Ã\u00a0 Paris", "Ã\u00a0"],
    ["it\u00e2\u0080\u0099s", "â\u0080\u0099"],
    ["fun ðŸ˜€", "ðŸ"],
    ["ÐœÐ¾ÑÐºÐ²Ð°", "ÐœÐ¾"],
  ])("is about %s, which was read in the wrong encoding", async (text, found) => {
    expect((await outcomeOf(inDescription(text))).warnings).toEqual([
      `listings/single/gamma.json:5:18  $.description  found ${quote(found)}, which looks like UTF-8 that was read as Latin-1 or Windows-1252: read it as UTF-8`,
    ]);
  });

  it.each<[string, Change]>([
    ["the status of a listing that is not in search", [listing, '"unclaimed"', '"gone"']],
    [
      "points of a penalty whose maximum is below 0",
      [scans, '"points":60,"maxPoints":60', '"points":0,"maxPoints":-5'],
    ],
    ...[
      "http://www.beta.example",
      "https://shop.BETA.example:8443/x",
      "https://beta.example./",
    ].map((url): [string, Change] => [
      `the address ${url}, which is on the listing's host or a subdomain`,
      [listings, '"https://beta.example/"', `"${url}"`],
    ]),
    ...[
      ...["Café – São Paulo", "MANHÃ… IRMÃ”", "<3 & more; R&D; AT&T", "List<Item> a<c>d"],
      ...["1 < 2 > 0", "ßé»", "Âme"],
    ].map((text): [string, Change] => [
      `the text ${text}`,
      [listing, '"status"', `"name": ${JSON.stringify(text)}, "status"`],
    ]),
  ])("is not about %s", async (_what, change) => {
    const { problems, warnings } = await outcomeOf(change);
    expect([problems, warnings]).toEqual([[], []]);
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
