import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { mayRepeatKeys, repeatedKeys } from "../../../src/published/checking/repeated-keys.js";
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

describe("repeated keys of a JSON text", () => {
  /** JSON texts as anybody may write them: blanks anywhere, keys again, colons and quotes in texts. */
  const blank = fc.constantFrom("", "", " ", "\n", "\t\r\n ");
  const text = fc
    .array(fc.constantFrom("a", "b", ":", '"', "\\", " ", "{", ","), { maxLength: 4 })
    .map((parts) => JSON.stringify(parts.join("")));
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", "null", "true"),
      text,
      fc
        .array(fc.tuple(blank, text, blank, blank, tie("json")), { maxLength: 4 })
        .map((all) => `{${all.map(([a, key, b, c, value]) => `${a}${key}${b}:${c}${value}`)}}`),
      fc
        .array(fc.tuple(blank, tie("json"), blank), { maxLength: 3 })
        .map((all) => `[${all.map((one) => one.join(""))}]`),
    ),
  }));

  /** How many keys objects of a value have, and how many its text must have had. */
  const keysIn = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 0
      : Object.values(value).reduce<number>((sum, item) => sum + keysIn(item), 0) +
        (Array.isArray(value) ? 0 : Object.keys(value).length);

  /** A second opinion: makes every key another, so that the parser keeps all. */
  const keysOfText = (source: string) => {
    let n = 0;
    return keysIn(
      JSON.parse(
        source.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (_, key, colon) =>
          colon === undefined ? key : `"${n++}"${colon}`,
        ),
      ),
    );
  };

  it("are found, each at its place, and a text without any is seldom scanned twice", () => {
    let repeating = 0;
    fc.assert(
      fc.property(json, (source) => {
        const keys = keysIn(JSON.parse(source));
        const found = [...repeatedKeys(source)];
        const hasAny = keysOfText(source) > keys;
        if (hasAny) repeating += 1;
        expect(found.length > 0).toBe(hasAny);
        if (hasAny) expect(mayRepeatKeys(source, keys)).toBe(true);
        for (const { path, at } of found) {
          const key = JSON.stringify(path.at(-1));
          expect(source.startsWith(key, at as number)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(repeating).toBeGreaterThan(20);
    expect(mayRepeatKeys('{"a":"x: \\"b\\": 1","c\\\\" : 2}', 2)).toBe(false);
  });
});
