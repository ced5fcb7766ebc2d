import { execFileSync } from "node:child_process";
import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type ImportOptions, importTable } from "../../../src/extras/import/import.js";
import { readTable } from "../../../src/extras/import/table.js";
import { BadInputError } from "../../../src/input/checking/problem.js";
import { validate } from "../../../src/publish/build.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../../fixtures.js";
import { slowIt } from "../../slow.js";

/** An empty published directory beside a folder for tables. */
async function aFolder() {
  const folder = await temporaryFolder();
  const documents = aPublishedDirectory({ listings: [], scans: [] });
  const published = await writePublished(join(folder, "published"), documents);
  const given = async (name: string, table: string | Buffer, options?: ImportOptions) => {
    await writeFile(join(folder, name), table);
    return importTable(join(folder, name), { published, ...options });
  };
  const recordsIn = async (file: string) =>
    (await readFile(join(published, file), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  return { folder, published, given, recordsIn };
}

async function refusal(work: Promise<unknown>): Promise<string[]> {
  const error = await work.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(BadInputError);
  const { problems } = error as BadInputError;
  return problems.map(({ file, line, path, message }) => `${file}:${line} ${path} ${message}`);
}

describe("a refusal", () => {
  it.each([
    ["value-wrong", "sites.csv", "host,url\na.example,x\n"],
    ["host-not-canonical", "sites.csv", "host\nlocalhost\n"],
    [
      "number-inexact",
      "scans.csv",
      "host,finishedAt,score\na.example,2026-05-01,7.00000000000000001\n",
    ],
    ["json-wrong", "sites.json", "[{]"],
    ["encoding-wrong", "sites.csv", Buffer.from([0xff, 0x41])],
    ["table-wrong", "sites.csv", "domain\na.example\n"],
    ["table-wrong", "sites.csv", 'host\n"a.example\n'],
  ])("has the code %s", async (code, name, table) => {
    const { given } = await aFolder();
    await expect(given(name, table)).rejects.toMatchObject({ problems: [{ code }] });
  });

  it("has the code file-unreadable if there is no table", async () => {
    const { folder, published } = await aFolder();
    const absent = importTable(join(folder, "none.csv"), { published });
    await expect(absent).rejects.toMatchObject({ problems: [{ code: "file-unreadable" }] });
  });
});

describe("a table's name", () => {
  it.each([".csv", "..csv", ".hidden.csv", `${"x".repeat(201)}.csv`])(
    "%s is refused",
    async (name) => {
      const { given } = await aFolder();
      expect((await refusal(given(name, "host\nexample.com\n"))).join()).toContain("has a name");
    },
  );
});

describe("a table of listings", () => {
  it("becomes records: hosts, lists, plans and terms in the form of the format", async () => {
    const { published, given, recordsIn } = await aFolder();
    const table = [
      "Host,name,category,tags,entitlements.fix_prompts,entitlements.history,status",
      'https://www.Example.com/x,"Example, ""Inc.""",Open data,"Books; Music",3,t,claimed',
      "example.org,,,,,no,",
      "",
    ];
    expect(await given("sites.csv", table.join("\r\n"))).toEqual({
      kind: "listings",
      file: "listings/sites.ndjson",
      records: 2,
      unused: [],
      filled: ["url", "status"],
      added: { categories: 1, tags: 2, platforms: 0 },
    });
    expect(await recordsIn("listings/sites.ndjson")).toEqual([
      {
        host: "example.com",
        name: 'Example, "Inc."',
        category: "open-data",
        tags: ["books", "music"],
        entitlements: { fixPrompts: 3, history: true },
        status: "claimed",
        url: "https://example.com/",
      },
      {
        host: "example.org",
        entitlements: { history: false },
        url: "https://example.org/",
        status: "unclaimed",
      },
    ]);
    const taxonomy = JSON.parse(await readFile(join(published, "taxonomy.json"), "utf8")) as {
      categories: object[];
    };
    expect(taxonomy.categories.at(-1)).toMatchObject({ slug: "open-data", name: "Open data" });
    expect(await validate(published, { jobs: 1 })).toMatchObject({ listings: 2 });
  });

  it("names the columns that do not fit, with the nearest field, and leaves them out", async () => {
    const { given, recordsIn } = await aFolder();
    const { unused } = await given("sites.csv", "host,tagine,Homepage,colour\na.example,x,y,z\n");
    expect(unused).toEqual([
      { column: "tagine", nearest: "tagline" },
      { column: "Homepage", nearest: "url" },
      { column: "colour", nearest: null },
    ]);
    const [record] = await recordsIn("listings/sites.ndjson");
    expect(Object.keys(record ?? {})).toEqual(["host", "url", "status"]);
  });

  it("is refused as a whole if a row does not fit, with the line of each mistake", async () => {
    const { published, given } = await aFolder();
    const table = 'host,name,logoUrl\na.example,"two\nlines",\nlocalhost,,\nb.example,,ftp://x\n';
    expect(await refusal(given("sites.csv", table))).toEqual([
      expect.stringMatching(/^sites\.csv:4 \$\.host found "localhost", expected/),
      expect.stringMatching(/^sites\.csv:5 \$\.logoUrl found "ftp:\/\/x", expected an http/),
    ]);
    await expect(readFile(join(published, "listings/sites.ndjson"))).rejects.toThrow("ENOENT");
    expect(await refusal(given("domains.csv", "domain;name\na.example;A\n"))).toEqual([
      "domains.csv:1 $ has no column host, which listings need: rename domain",
    ]);
  });

  it("replaces an earlier import only if it may", async () => {
    const { published, given, recordsIn } = await aFolder();
    await mkdir(join(published, "listings"), { recursive: true });
    await given("sites.csv", "host\na.example\n");
    expect(await refusal(given("sites.csv", "host\nb.example\n"))).toEqual([
      "sites.csv:1 $ listings/sites.ndjson exists already; --replace replaces it",
    ]);
    await given("sites.csv", "host\nb.example\n", { replace: true });
    expect(await recordsIn("listings/sites.ndjson")).toMatchObject([{ host: "b.example" }]);
  });
});

describe("a table of scans", () => {
  it("is recognised by its columns, and may have times and numbers as SQL writes them", async () => {
    const { given, recordsIn } = await aFolder();
    const rows = [
      { host: "a.example", finished_at: "2026-05-01 10:00:00", score: 70, id: 12 },
      { host: "a.example", finished_at: "2026-05-02 10:00+02", score: null, id: 13 },
      { host: "b.example", finished_at: "2026-05-03", score: 0, stats: { durationMs: 5 } },
    ];
    const { kind, filled } = await given("runs.json", JSON.stringify(rows));
    expect([kind, filled]).toEqual(["scans", ["status", "id", "scoreVersion"]]);
    expect(await recordsIn("scans/runs.ndjson")).toEqual([
      {
        host: "a.example",
        finishedAt: "2026-05-01T10:00:00Z",
        score: 70,
        id: "12",
        status: "complete",
        scoreVersion: "2026.1",
      },
      { host: "a.example", finishedAt: "2026-05-02T10:00:00+02:00", id: "13", status: "complete" },
      {
        host: "b.example",
        finishedAt: "2026-05-03T00:00:00Z",
        score: 0,
        scoreVersion: "2026.1",
        stats: { durationMs: 5 },
        id: "scan-2026-05-03-00-00-00",
        status: "complete",
      },
    ]);
  });

  it("is distinguished from a table of listings", async () => {
    const { given } = await aFolder();
    const table = "host,status,finishedAt\na.example,moved,2026-05-01\n";
    expect((await given("a.csv", table, { as: "scans" })).kind).toBe("scans");
    expect(
      await refusal(given("b.csv", "host,status\na.example,moved\n", { as: "scans" })),
    ).toEqual([
      "b.csv:1 $ has no column finishedAt, which scans need: its columns are host, status",
    ]);
  });
});

describe("the documents of the published directory", () => {
  it("may begin with a byte-order mark, as for a build", async () => {
    const { published, given, recordsIn } = await aFolder();
    for (const name of ["taxonomy.json", "standards.json"]) {
      const path = join(published, name);
      await writeFile(path, `\uFEFF${await readFile(path, "utf8")}`);
    }
    const { added } = await given("sites.csv", "host,category\na.example,New things\n");
    expect(added.categories).toBe(1);
    await given("scans.csv", "host,finishedAt,score\na.example,2026-05-01,70\n");
    expect(await recordsIn("scans/scans.ndjson")).toMatchObject([{ scoreVersion: "2026.1" }]);
    expect(await validate(published)).toMatchObject({ listings: 1, scans: 1 });
  });

  it.each([
    ["null", "taxonomy.json:1 $ "],
    ['{"categories": {}}', "taxonomy.json:1 $.categories "],
  ])("are refused with their mistakes: a taxonomy.json of %s", async (text, mistake) => {
    const { published, given } = await aFolder();
    await writeFile(join(published, "taxonomy.json"), text);
    const problems = await refusal(given("sites.csv", "host,category\na.example,x\n"));
    expect(problems[0]).toContain(mistake);
  });
});

describe("the forms of a table", () => {
  it.each([
    ["commas and quoted line ends", 'a,b\n1,"x\ny"\n'],
    ["semicolons", 'a;b\r\n1;"x\ny"\r\n'],
    ["tabs and a byte-order mark", '\uFEFFa\tb\n\n1\t"x\ny"'],
    ["JSON", '[{"a":"1","b":"x\\ny"}]'],
    ["lines of JSON", '\n{"a":"1","b":"x\\ny"}\n'],
  ])("%s", (_, text) => {
    const { columns, rows } = readTable(text);
    expect(columns).toEqual(["a", "b"]);
    expect(rows.map(({ cells }) => Object.fromEntries(cells))).toEqual([{ a: "1", b: "x\ny" }]);
  });

  it.each([
    ["a,b\n1,2,3\n", "x.csv:2 $ has 3 fields, but the header has 2"],
    ["a,a\n", 'x.csv:1 $ has two columns named "a"'],
    ["host,Name,name\n", "x.csv:1 $ has two columns for name: Name and name"],
    ['a,b\n1,"x', "x.csv:2 $ has a quote that is not closed, or text beside a quoted field"],
    ["[1]", "x.csv:1 $ is not an object"],
    ['{"a":1}\n{"a"}\n', expect.stringMatching(/^x\.csv:2 \$ is not JSON: /)],
  ])("%j is refused", async (text, problem) => {
    const { given } = await aFolder();
    expect(await refusal(given("x.csv", text))).toEqual([problem]);
  });

  it("that is not UTF-8 is refused, as its letters would be lost", async () => {
    const { given } = await aFolder();
    const latin1 = Buffer.from("host,name\na.example,A\nb.example,B\u00fc\n", "latin1");
    expect(await refusal(given("x.csv", latin1))).toEqual([
      "x.csv:3 $ is not UTF-8: found the byte 0xfc",
    ]);
    expect(await refusal(given("y.csv", Buffer.from("host,name\n", "utf16le")))).toEqual([
      "y.csv:1 $ is UTF-16, expected UTF-8: save it as UTF-8",
    ]);
  });

  it("may have megabytes in a quoted field", () => {
    const { rows } = readTable(`a,b\n"${'x""'.repeat(200_000)}${"y".repeat(10_000_000)}",2\n`);
    expect(rows.map(({ cells }) => [String(cells.get("a")).length, cells.get("b")])).toEqual([
      [10_400_000, "2"],
    ]);
  });

  it("a table that does not exist is refused", async () => {
    const { folder, published } = await aFolder();
    expect(await refusal(importTable(join(folder, "none.csv"), { published }))).toEqual([
      "none.csv:1 $ does not exist (ENOENT)",
    ]);
  });
});

describe("a table beyond the limits", () => {
  const wide = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

  it.each([
    ["a header of 200,000 columns", wide(200_000).join(","), 1, "1001 of at most 1000 columns"],
    ["a row of 200,000 fields", `host\n${",".repeat(200_000)}`, 2, "1001 of at most 1000 columns"],
    [
      "objects with other keys each",
      wide(1_001)
        .map((key) => JSON.stringify({ [key]: 1 }))
        .join("\n"),
      1_001,
      "1001 of at most 1000 columns",
    ],
    ["a long name", `host,${"x".repeat(201)}`, 1, "201 of at most 200 characters in the name"],
    [
      "a cell of 17 MiB",
      `host\n"${"x".repeat(17 * 1024 * 1024)}"`,
      2,
      "of at most 16777216 characters in a row",
    ],
    [
      "a line of 17 MiB",
      `{}\n{"a":"${"x".repeat(17 * 1024 * 1024)}"}`,
      2,
      "of at most 16777216 characters in a row",
    ],
    ["a quote that never ends", `a\n"${'""'.repeat(20_000_000)}`, 2, "a quote that is not closed"],
    ["20,000,000 brackets", "[".repeat(20_000_000), 1, "is nested deeper than 200 levels"],
  ])("is refused: %s", async (_, text, line, message) => {
    const { given } = await aFolder();
    const began = process.cpuUsage();
    expect(await refusal(given("x.csv", text))).toEqual([
      expect.stringMatching(new RegExp(`^x\\.csv:${line} \\$.* .*${message}`)),
    ]);
    // Quadratic work took minutes.
    expect(process.cpuUsage(began).user).toBeLessThan(20_000_000);
  });

  slowIt("is refused: 1,000,001 rows", async () => {
    const { given } = await aFolder();
    const blank = "\n".repeat(1_000_001);
    for (const table of [`host${blank}\n`, `{"host":"example.com"}${blank}`]) {
      expect((await refusal(given("x.csv", table))).join()).toContain("of at most 1000000 rows");
    }
    expect(await refusal(given("x.csv", `host\n${"1\n".repeat(1_000_001)}`))).toEqual([
      "x.csv:1000002 $ has 1000001 of at most 1000000 rows; split it into several tables",
    ]);
  });

  it("is refused before it is read if it is too large, or no regular file", async () => {
    const { folder, given, published } = await aFolder();
    await given("large.csv", "host\na.example\n");
    await truncate(join(folder, "large.csv"), 256 * 1024 * 1024 + 1);
    execFileSync("mkfifo", [join(folder, "pipe.csv")]);
    const refused = ["large.csv", "pipe.csv", "/dev/zero", "."].map((path) =>
      refusal(importTable(resolve(folder, path), { published, replace: true })),
    );
    expect(await Promise.all(refused)).toEqual([
      [
        "large.csv:1 $ cannot be read, because it has 268435457 bytes, more than 268435456; split it " +
          "into several tables",
      ],
      ...["pipe.csv", "zero", basename(folder)].map((name) => [
        `${name}:1 $ cannot be read, because it is not a regular file; write the table to a file, and import that`,
      ]),
    ]);
  });

  it("may have all columns that the limit allows, and megabytes of quotes in a cell", async () => {
    const { given } = await aFolder();
    const { unused } = await given("x.csv", `host,${wide(999).join(",")}\na.example,1\n`);
    expect(unused.length).toBe(999);
    const { rows } = readTable(`a\n"${'""'.repeat(1_000_000)}"\n`);
    expect(String(rows[0]?.cells.get("a")).length).toBe(1_000_000);
  });
});

describe("a key with two values", () => {
  const twice = (key: string, values: string) =>
    `the key "${key}" occurs more than once with different values: ${values}; keep the one that you mean`;

  it.each([
    [
      "x.json",
      '[{"host":"a.example"},\n {"host":"b.example","status":"x","host":"c.example"}]',
      `x.json:2 $[1].host ${twice("host", '"b.example", then "c.example"')}`,
    ],
    [
      "x.ndjson",
      '{"host":"a.example","tags":["a"],"tags":["a"]}\n{"host":"b.example","entitlements":{"history":true,"history":false}}',
      `x.ndjson:2 $.entitlements.history ${twice("history", "true, then false")}`,
    ],
    [
      "x.csv",
      'host,finishedAt,profile\na.example,2026-05-01,"{""api"":1,""api"":2}"\n',
      `x.csv:2 $.profile.api ${twice("api", "1, then 2")}`,
    ],
  ])("is refused at its place, and equal values are not: %s", async (name, table, problem) => {
    const { given } = await aFolder();
    expect(await refusal(given(name, table))).toEqual([problem]);
  });
});

describe("a number that would be rounded", () => {
  const id = "12345678901234567890";

  it.each([
    [
      "x.json",
      `[{"host":"a.example",\n "finishedAt":"2026-05-01","id":${id}}]`,
      "x.json:2 $[0].id",
    ],
    ["x.ndjson", `\n{"host":"a.example","finishedAt":"2026-05-01","id":${id}}`, "x.ndjson:2 $.id"],
    [
      "x.csv",
      `host,finishedAt,profile\na.example,2026-05-01,"{""build"":[${id}]}"\n`,
      "x.csv:2 $.profile.build[0]",
    ],
    [
      "x.csv",
      `host,finishedAt,stats.durationMs\na.example,2026-05-01,${id}\n`,
      "x.csv:2 $.stats.durationMs",
    ],
  ])("is refused at its place: %s %s", async (name, table, place) => {
    const { given } = await aFolder();
    const [first] = await refusal(given(name, table));
    expect(first).toBe(
      `${place} found ${id}, which would be rounded to \`12345678901234567000\`; write it as text, in ` +
        "quotes, or with fewer digits",
    );
  });

  it("keeps all digits as text", async () => {
    const { given, recordsIn } = await aFolder();
    await given("a.json", `[{"host":"a.example","finishedAt":"2026-05-01","id":"${id}"}]`);
    await given("b.csv", `host,finishedAt,id\na.example,2026-05-01,${id}\n`);
    for (const name of ["a", "b"])
      expect(await recordsIn(`scans/${name}.ndjson`)).toMatchObject([{ id }]);
  });
});
