import { describe, expect, it, vi } from "vitest";
import { quote } from "../../../src/published/checking/finding.js";
import { openPublished } from "../../../src/published/published.js";
import {
  type BadCase,
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

const CASES: readonly (BadCase & { readonly warnings: readonly string[] })[] = [
  {
    rule: "is about a status that the search cannot filter by",
    edits: [[listings, '"status":"claimed"', '"status":"Claimed"']],
    problems: [],
    warnings: [
      'listings/ab.ndjson:1:65  $.status  found "Claimed", which the search cannot filter by: it knows only "unclaimed" and "claimed"; did you mean "claimed"?',
    ],
  },
  {
    rule: "is not about the status of a listing that is not in search",
    edits: [[listing, '"unclaimed"', '"gone"']],
    problems: [],
    warnings: [],
  },
  {
    rule: "is about a check's id that standards.json lacks",
    edits: [[scans, '"checkId":"https"', '"checkId":"htps"']],
    problems: [],
    warnings: [
      'scans/2026/a.ndjson:2:189  $.checks[0].checkId  found "htps", which is not a check in standards.json; did you mean "https"?',
    ],
  },
  {
    rule: "is about a fix for a check that standards.json lacks",
    edits: [
      [
        scans,
        '"scoreVersion":"v2"',
        '"scoreVersion":"v2","fixes":[{"checkId":"sitemaps","title":"","kind":"","status":"","recoverablePoints":0,"promptStatus":"archived"}]',
      ],
    ],
    problems: [],
    warnings: [
      'scans/2026/a.ndjson:2:156  $.fixes[0].checkId  found "sitemaps", which is not a check in standards.json',
    ],
  },
  {
    rule: "is about points above their maximum",
    edits: [[scans, '"points":60,', '"points":60.5,']],
    problems: [],
    warnings: [
      'scans/2026/a.ndjson:2:292  $.checks[0].points  found more points for "https" than its maxPoints',
    ],
  },
  {
    rule: "is not about points of a penalty whose maximum is below 0",
    edits: [[scans, '"points":60,"maxPoints":60', '"points":0,"maxPoints":-5']],
    problems: [],
    warnings: [],
  },
  {
    rule: "is about an address on another host",
    edits: [[listings, '"https://beta.example/"', '"https://www.example/beta.example"']],
    problems: [],
    warnings: [
      'listings/ab.ndjson:2:30  $.url  found an address on "www.example", which is neither the listing\'s host nor a subdomain of it',
    ],
  },
  {
    rule: "is about an address on the parent domain",
    edits: [[listings, '"https://beta.example/"', '"https://example/"']],
    problems: [],
    warnings: [
      'listings/ab.ndjson:2:30  $.url  found an address on "example", which is neither the listing\'s host nor a subdomain of it',
    ],
  },
  ...["http://www.beta.example", "https://shop.BETA.example:8443/x", "https://beta.example./"].map(
    (url) => ({
      rule: `is not about the address ${url}, which is on the listing's host or a subdomain`,
      edits: [[listings, '"https://beta.example/"', `"${url}"`] as const],
      problems: [],
      warnings: [],
    }),
  ),
  {
    rule: "is about a repeated key, in records and documents, free-form objects and with escapes",
    edits: [
      [listings, '"tags":["free"]', '"tags":["free"],"t\\u0061gs":["free"]'],
      [scans, '{"open":true}', '{"open":[{"a b":1,"x":{"a b":2},"a b":3}]}'],
      [directory, '"name": "Tiny"', '"name" : "Big", "name": "Tiny"'],
      [taxonomy, '"slug": "free"', '"slug": "paid", "slug"\n: "free"'],
      [standards, '"version": "v2"', '"version": "v1", "version": "v2"'],
    ],
    problems: [],
    warnings: [
      `directory.json:3:19  $.name  ${twice("name")}`,
      `listings/ab.ndjson:1:112  $.tags  ${twice("tags")}`,
      `scans/2026/a.ndjson:2:185  $.profile.api.open[0]["a b"]  ${twice("a b")}`,
      `standards.json:3:22  $.rubric.version  ${twice("version")}`,
      `taxonomy.json:6:30  $.tags[0].slug  ${twice("slug")}`,
    ],
  },
  {
    rule: "is about a baseUrl that already has the API's /api",
    edits: [[directory, "https://api.tiny.example", "https://tiny.example/api"]],
    problems: [],
    warnings: [
      `directory.json:4:14  $.baseUrl  found "https://tiny.example/api", but the API's addresses already begin with /api: this gives "https://tiny.example/api/api/sites"`,
    ],
  },
  ...[
    ["CafÃ© Rio", "Ã©"],
    ["the worldâ€™s best", "â€™"],
    ["Ã\u00a0 Paris", "Ã\u00a0"],
    ["it\u00e2\u0080\u0099s", "â\u0080\u0099"],
    ["fun ðŸ˜€", "ðŸ"],
    ["ÐœÐ¾ÑÐºÐ²Ð°", "ÐœÐ¾"],
  ].map(([text, found]) => ({
    rule: `is about ${text}, which was read in the wrong encoding`,
    edits: [[listing, '"status"', `"description": ${JSON.stringify(text)}, "status"`] as const],
    problems: [],
    warnings: [
      `listings/single/gamma.json:5:18  $.description  found ${quote(found!)}, which looks like UTF-8 that was read as Latin-1 or Windows-1252: read it as UTF-8`,
    ],
  })),
  {
    rule: "is about HTML in a line of plain text, in listings and documents",
    edits: [
      [
        listings,
        '"status":"claimed"',
        '"name":"A &amp; B","tagline":"<b >Big</b>","status":"claimed"',
      ],
      [
        listings,
        '"status":"unclaimed"',
        '"tagline":"Caf&eacute;","hosting":"x<BR>","status":"unclaimed"',
      ],
      [directory, '"name": "Tiny"', '"name": "Ti&#110;y"'],
      [taxonomy, '"name": "Free"', '"name": "<i class=x>Free"'],
    ],
    problems: [],
    warnings: [
      `directory.json:3:11  $.name  ${html("&#110;")}`,
      `listings/ab.ndjson:1:63  $.name  ${html("&amp;")}`,
      `listings/ab.ndjson:1:85  $.tagline  ${html("<b>")}`,
      `listings/ab.ndjson:2:64  $.tagline  ${html("&eacute;")}`,
      `listings/ab.ndjson:2:88  $.hosting  ${html("<BR>")}`,
      `taxonomy.json:6:38  $.tags[0].name  ${html("<i>")}`,
    ],
  },
  ...[
    "Café – São Paulo",
    "MANHÃ… IRMÃ”",
    "<3 & more; R&D; AT&T",
    "List<Item> a<c>d",
    "1 < 2 > 0",
    "ßé»",
    "Âme",
  ].map((text) => ({
    rule: `is not about the text ${text}`,
    edits: [[listing, '"status"', `"name": ${JSON.stringify(text)}, "status"`] as const],
    problems: [],
    warnings: [],
  })),
  {
    rule: "is not about a record with errors",
    edits: [[listings, '"url":"https://beta.example/","status"', '"url":7,"status":"x","status"']],
    problems: [
      "listings/ab.ndjson:2:30  $.url  found 7, expected an http: or https: address without credentials",
    ],
    warnings: [],
  },
];

describe("a warning", () => {
  it.each(CASES)("$rule", async (good) => {
    const { problems, warnings } = await outcomeOf(good);
    expect(problems).toEqual(good.problems);
    expect(warnings).toEqual(good.warnings);
  });

  it("takes one line per value, with its count and first place, for any buckets", async () => {
    const files = tinyDirectory();
    const record = (n: number, status: string) =>
      `{"host":"h${n}.example","url":"https://h${n}.example/","status":"${status}"}`;
    const statuses = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? "new" : "active"));
    files["listings/z.ndjson"] = statuses.map((status, n) => record(n, status)).join("\n");
    files["listings/c.json"] = record(999, "active");
    const folder = writeFiles(files);
    const { warnings } = await readPublished(folder, 0);
    const known = 'which the search cannot filter by: it knows only "unclaimed" and "claimed"';
    expect(warnings).toEqual([
      `listings/c.json:1:63  $.status  found "active", ${known} (201 times, first here)`,
      `listings/z.ndjson:1:59  $.status  found "new", ${known} (100 times, first here)`,
    ]);
    for (const bits of [1, 5])
      expect((await readPublished(folder, bits)).warnings).toEqual(warnings);
  });

  it("is placed at the first record that has the mistake, even if others of its host do not", async () => {
    const files = tinyDirectory();
    edit(files, PLACES.scans, '"points":60,', '"points":61,');
    const good = String(files[PLACES.scans]).split("\n")[0]!;
    files["scans/2025.ndjson"] = good.replace('"a1"', '"a0"');
    const { warnings } = await readPublished(writeFiles(files));
    expect(warnings.map((line) => line.split("  ")[0])).toEqual(["scans/2026/a.ndjson:2:292"]);
  });

  it("of many kinds in one record is placed by reading the record twice, not once for each kind", async () => {
    const files = tinyDirectory();
    const check = /\{"checkId":"https".*?\}\}/.exec(files[scans] as string)![0];
    const checks = Array.from({ length: 300 }, (_, at) => check.replace("https", `unknown-${at}`));
    edit(files, scans, check, checks.join(","));
    const published = await openPublished(writeFiles(files));
    for (const { scans } of published.readBucket(0, 0)) for (const scan of scans) scan.read();
    const parse = vi.spyOn(JSON, "parse");
    published.tellNotices();
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(published.problems).toEqual([]);
    expect(published.warnings).toHaveLength(300);
    published.close();
    expect(parsed).toBeLessThan(10);
  });

  it("shortens values", async () => {
    const files = tinyDirectory();
    edit(files, PLACES.listings, '"status":"claimed"', `"status":"${"x".repeat(100_000)}\\u202e"`);
    const { warnings } = await readPublished(writeFiles(files));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.length).toBeLessThan(250);
  });
});
