import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ImportUsageError } from "../../../src/extras/import/columns.js";
import { importTables } from "../../../src/extras/import/import.js";
import { validate } from "../../../src/publish/build.js";
import { aFolder, refusal } from "./tables.js";

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
    ["table-wrong", "sites.csv", "name\na.example\n"],
    ["table-wrong", "sites.csv", 'host\n"a.example\n'],
  ])("has the code %s", async (code, name, table) => {
    const { given } = await aFolder();
    await expect(given(name, table)).rejects.toMatchObject({ problems: [{ code }] });
  });

  it("has the code file-unreadable if there is no table", async () => {
    const { folder, published } = await aFolder();
    const absent = importTables([join(folder, "none.csv")], { published });
    await expect(absent).rejects.toMatchObject({
      problems: [{ code: "file-unreadable", message: "does not exist (ENOENT)" }],
    });
  });

  it("names the mistakes of all tables, and the documents' own", async () => {
    const { folder, published, given } = await aFolder();
    await writeFile(join(folder, "a.csv"), "host\nlocalhost\n");
    await writeFile(join(folder, "b.csv"), "host\n\n127.0.0.1\n");
    const tables = ["a.csv", "b.csv"].map((name) => join(folder, name));
    expect(await refusal(importTables(tables, { published }))).toEqual([
      expect.stringMatching(/^a\.csv:2 \$\.host found "localhost", expected/),
      expect.stringMatching(/^b\.csv:3 \$\.host found "127/),
    ]);
    await writeFile(join(published, "taxonomy.json"), '{"categories": {}}');
    const [problem] = await refusal(given("sites.csv", "host,category\na.example,x\n"));
    expect(problem).toContain("taxonomy.json:1 $.categories ");
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
    const { published, given, recordsIn, document } = await aFolder();
    const table = [
      "Host,name,category,tags,entitlements.fix_prompts,entitlements.history,status",
      'www.Example.com,"Example, ""Inc.""",Open data,"Books; Music",3,t,claimed',
      ",,,,,,",
      "example.org,,,,ALL,no,",
      "",
    ];
    expect(await given("sites.csv", table.join("\r\n"))).toEqual({
      files: [
        {
          table: "sites.csv",
          kind: "listings",
          paths: ["listings/sites.ndjson"],
          added: 2,
          updated: 0,
          unchanged: 0,
          unused: [],
        },
      ],
      filled: [
        { field: "url", from: "from the host column" },
        { field: "status", from: '"unclaimed"' },
      ],
      terms: [
        { list: "categories", slug: "open-data", name: "Open data", file: "sites.csv", line: 2 },
        { list: "tags", slug: "books", name: "Books", file: "sites.csv", line: 2 },
        { list: "tags", slug: "music", name: "Music", file: "sites.csv", line: 2 },
      ],
      joined: [],
      drafted: [],
      warnings: [],
    });
    expect(await recordsIn("listings/sites.ndjson")).toEqual([
      {
        host: "example.com",
        name: 'Example, "Inc."',
        category: "open-data",
        tags: ["books", "music"],
        entitlements: { fixPrompts: 3, history: true },
        status: "claimed",
        url: "https://www.example.com/",
      },
      {
        host: "example.org",
        entitlements: { fixPrompts: null, history: false },
        url: "https://example.org/",
        status: "unclaimed",
      },
    ]);
    const { categories } = await document("taxonomy.json");
    expect(categories?.at(-1)).toMatchObject({ slug: "open-data", name: "Open data" });
    expect(await validate(published, { jobs: 1 })).toMatchObject({ listings: 2 });
  });

  it("names the columns that do not fit, with the nearest field, and leaves them out", async () => {
    const { given, recordsIn } = await aFolder();
    const { files } = await given("sites.csv", "host,tagine,Homepage,colour\na.example,x,y,z\n");
    expect(files[0]?.unused).toEqual([
      { column: "tagine", nearest: "tagline" },
      { column: "Homepage", nearest: "url" },
      { column: "colour", nearest: null },
    ]);
    const [record] = await recordsIn("listings/sites.ndjson");
    expect(Object.keys(record ?? {})).toEqual(["host", "url", "status"]);
  });

  it.each([
    ["entitlements", { fixPrompts: "all", history: "yes", highlight: 0 }],
    ["entitlements", { fixPrompts: "7", history: "\\N" }],
    ["redirect", { host: "b.example", status: "301" }],
    ["redirect", { host: "NULL", status: " " }],
    ["stats", { durationMs: "5" }],
  ])("reads an object as columns of its members: %s %j", async (key, object) => {
    const kind = key === "entitlements" ? "listings" : "scans";
    const row = { host: "a.example", ...(kind === "scans" && { finishedAt: "2026-05-01" }) };
    const members = Object.entries(object).map(([name, value]) => [`${key}.${name}`, value]);
    const records = [
      { ...row, ...Object.fromEntries(members) },
      { ...row, [key]: object },
      { ...row, [key]: JSON.stringify(object) },
    ].map(async (record) => {
      const { given, recordsIn } = await aFolder();
      await given("a.json", JSON.stringify([record]), { null: ["NULL"] });
      return recordsIn(`${kind}/a.ndjson`);
    });
    const [columns, ...objects] = await Promise.all(records);
    expect(objects).toEqual([columns, columns]);
  });

  it("takes null in an object for a value where the field may have it, and for nothing elsewhere", async () => {
    const { given, recordsIn } = await aFolder();
    const entitlements = { fixPrompts: null, history: null };
    await given("a.json", JSON.stringify([{ host: "a.example", entitlements }]));
    const [record] = (await recordsIn("listings/a.ndjson")) as { entitlements: object }[];
    expect(record?.entitlements).toEqual({ fixPrompts: null });
  });

  it("says what does not fit in an object of a cell", async () => {
    const { given } = await aFolder();
    const entitlements = { fixPrompts: "1,5", history: "maybe", "a.b": 1 };
    const problems = await refusal(
      given("a.json", JSON.stringify([{ host: "a.example", entitlements }])),
    );
    expect(problems).toEqual([
      expect.stringMatching(
        /^a\.json:1 \$\.entitlements\.fixPrompts found "1,5", which has a comma/,
      ),
    ]);
    const rest = { ...entitlements, fixPrompts: "1" };
    const others = await refusal(
      given("a.json", JSON.stringify([{ host: "a.example", entitlements: rest }])),
    );
    expect(others).toEqual([
      expect.stringContaining('a.json:1 $.entitlements.history found "maybe"'),
      expect.stringContaining('a.json:1 $.entitlements["a.b"] is not a known key'),
    ]);
  });

  it("may be an export of JSON, whose objects and lists are as in a record", async () => {
    const { given, recordsIn } = await aFolder();
    const rows = [{ host: "a.example", entitlements: { fixPrompts: null }, tags: ["a,b"] }];
    await given("sites.json", JSON.stringify(rows));
    expect(await recordsIn("listings/sites.ndjson")).toMatchObject([
      { entitlements: { fixPrompts: null }, tags: ["a-b"] },
    ]);
  });
});

describe("the host of a site", () => {
  it.each([
    ["https://www.x.example/a?b", "x.example", "https://www.x.example/a?b"],
    ["http://x.example:8080/", "x.example", "http://x.example:8080/"],
    ["x.example:8080", "x.example", "https://x.example:8080/"],
    ["x.example/shop", "x.example", "https://x.example/shop"],
    ["www.x.example", "x.example", "https://www.x.example/"],
    ["X.example.", "x.example", "https://x.example/"],
    ["Bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example/"],
  ])("is read from %s, and the address stays as given", async (cell, host, url) => {
    const { given, recordsIn } = await aFolder();
    await given("a.csv", `host\n${cell}\n`);
    expect(await recordsIn("listings/a.ndjson")).toMatchObject([{ host, url }]);
  });

  it.each([
    "info@mail.example",
    "mailto:info@mail.example",
    "https://me:pw@x.example/",
    "https://me@x.example",
    "two words",
    "1.2.3.4",
  ])("is not in %s, which is refused", async (cell) => {
    const { given } = await aFolder();
    const [problem] = await refusal(given("a.csv", `host\n${cell}\n`));
    expect(problem).toContain("a.csv:2 $.host found");
  });

  it.each(["domain", "Hostname"])("may be in a column %s beside its address", async (column) => {
    const { given, recordsIn } = await aFolder();
    await given("a.csv", `${column},url\nwww.x.example,https://x.example/home\n`);
    expect(await recordsIn("listings/a.ndjson")).toMatchObject([
      { host: "x.example", url: "https://x.example/home" },
    ]);
  });

  it.each(["url", "Link", "website", "home page", "address", "site"])(
    "is taken from a column %s if there is no other",
    async (column) => {
      const { given, recordsIn } = await aFolder();
      const table = `${column},name\nhttp://www.x.example/a,X\ny.example,Y\n`;
      const { filled } = await given("a.csv", table);
      expect(filled).toContainEqual({ field: "host", from: `from the ${column} column` });
      expect(await recordsIn("listings/a.ndjson")).toMatchObject([
        { host: "x.example", url: "http://www.x.example/a" },
        { host: "y.example", url: "https://y.example/" },
      ]);
      await given("b.csv", `${column},finished_at,score\nhttp://www.x.example/a,2026-01-01,5\n`);
      expect(await recordsIn("scans/b.ndjson")).toMatchObject([{ host: "x.example" }]);
    },
  );

  it("is refused if two rows name one, whatever the spelling and the file", async () => {
    const { folder, published, given } = await aFolder();
    await writeFile(join(folder, "a.csv"), "host\nx.example\nwww.x.example\n");
    await writeFile(join(folder, "b.csv"), "url\nhttps://X.example/\n");
    const tables = ["a.csv", "b.csv"].map((name) => join(folder, name));
    expect(await refusal(importTables(tables, { published }))).toEqual([
      "a.csv:3 $ is x.example a second time; the first is a.csv:2",
      "b.csv:2 $ is x.example a second time; the first is a.csv:2",
    ]);
    const scan = "x.example,2026-01-01";
    expect(await refusal(given("s.csv", `host,finishedAt\n${scan}\nwww.${scan}\n`))).toEqual(
      [
        "s.csv:3 $ is scan scan-2026-01-01T00-00-00 of x.example a second time; the first is s.csv:2",
      ].map((text) => text.replace("01T00", "01-00")),
    );
  });
});

describe("columns", () => {
  it.each([
    ["host,Name,name\n", "has two columns for name: Name and name; leave one out with --map"],
    ["domain,hostname\n", "has two columns for host: domain and hostname; leave one out"],
    ["website,link\n", "has two columns for url: website and link; leave one out with --map"],
    ["host,host\n", 'has two columns named "host"'],
    ["name,tags\n", "has no column host, which listings need: its columns are name, tags"],
    [
      "slug,name\n",
      "has no column host, which listings need: if it is a table of terms, import it",
    ],
  ])("%j are refused", async (table, problem) => {
    const { given } = await aFolder();
    const [found] = await refusal(given("x.csv", table));
    expect(found).toContain(`x.csv:1 $ ${problem}`);
  });

  it.each([
    ["sep=;\nname;tags\n", 2, "has no column host"],
    ["sep=;\r\nhost;Name;name\r\n", 2, "has two columns for name"],
    ["sep=;\nhost;host\n", 2, "has two columns named"],
    ["\n\nname,tags\n", 3, "has no column host"],
    ["sep=,\n\nhost,Name,name\n", 3, "has two columns for name"],
    ["sep=,\nhost,finishedAt,score,check.no such\na.example,2026-05-01,1,pass\n", 2, "is no check"],
  ])("are refused at the line of the header: %j", async (table, line, problem) => {
    const { given } = await aFolder();
    const [found] = await refusal(given("x.csv", table));
    expect(found).toMatch(new RegExp(`^x\\.csv:${line} \\$.* ${problem}`));
  });

  it.each(["", "\n\n", "sep=;\n", "[]", "{}", ",,\n"])(
    "are lacking in a table that is empty: %j",
    async (table) => {
      const { given } = await aFolder();
      const [found, ...more] = await refusal(given("x.csv", table));
      expect(found).toMatch(/^x\.csv:[12] \$ is empty: it has no columns$/);
      expect(more).toEqual([]);
    },
  );

  it("get the fields that --map gives them; one without a field is left out", async () => {
    const { given, recordsIn } = await aFolder();
    const map = { "Domain, full": "host", Kategorie: "category", Name: "", Rang: "tagline" };
    const table = '"Domain, full",Kategorie,Name,Rang,title\na.example,News,x,3,A\n';
    const { files } = await given("a.csv", table, { map });
    expect(files[0]?.unused).toEqual([{ column: "title", nearest: "name" }]);
    expect(await recordsIn("listings/a.ndjson")).toEqual([
      {
        host: "a.example",
        category: "news",
        tagline: "3",
        url: "https://a.example/",
        status: "unclaimed",
      },
    ]);
  });

  it.each([
    [{ Domian: "host" }, '--map: there is no column "Domian"; did you mean "Domain"?'],
    [{ Domain: "hots" }, '--map: listings have no field "hots"; did you mean host?'],
  ])("must exist, as must their fields: %j", async (map, message) => {
    const { given } = await aFolder();
    await expect(given("a.csv", "Domain\na.example\n", { map })).rejects.toThrow(
      new ImportUsageError(message),
    );
  });
});

describe("empty cells", () => {
  it("are blank, or have \\N, or a word that the caller names", async () => {
    const { given, recordsIn } = await aFolder();
    const table = "host,name,tagline,tags\na.example,\\N, ,NULL\nb.example,NULL,None,\\N\n";
    const { warnings } = await given("a.csv", table, { null: ["NULL"] });
    expect(warnings).toEqual([
      "a.csv: column tagline has 1 time None, which is kept as text; if it means no value, use --null None",
    ]);
    expect(await recordsIn("listings/a.ndjson")).toEqual([
      { host: "a.example", url: "https://a.example/", status: "unclaimed" },
      { host: "b.example", tagline: "None", url: "https://b.example/", status: "unclaimed" },
    ]);
  });

  it.each(["NULL", "null", "nan", "NaN", "None", "N/A", "#N/A", "undefined"])(
    "do not have %s, which stays as it is, with a warning for its column",
    async (word) => {
      const { given, recordsIn } = await aFolder();
      const table = `host,name,hosting\na.example,${word},x\nb.example,${word},${word}\n`;
      const { warnings } = await given("a.csv", table);
      expect(warnings.map((one) => one.replace(/, which.*use/, ""))).toEqual([
        `a.csv: column name has 2 times ${word} --null ${word}`,
        `a.csv: column hosting has 1 time ${word} --null ${word}`,
      ]);
      expect(await recordsIn("listings/a.ndjson")).toMatchObject([{ name: word }, { name: word }]);
    },
  );
});

describe("a table of scans", () => {
  it("is recognised by its columns, and may have numbers as SQL writes them", async () => {
    const { given, recordsIn } = await aFolder();
    const rows = [
      { host: "a.example", finished_at: "2026-05-01 10:00:00", score: 70, id: 12 },
      { host: "a.example", finished_at: "2026-05-02 10:00+02", score: null, id: 13 },
      { host: "b.example", finished_at: "2026-05-03", score: 0, stats: { durationMs: 5 } },
    ];
    const { files, filled, warnings } = await given("runs.json", JSON.stringify(rows));
    expect([files[0]?.kind, warnings]).toEqual(["scans", []]);
    expect(filled).toEqual([
      { field: "id", from: "from finishedAt" },
      { field: "status", from: '"complete"' },
      { field: "scoreVersion", from: `the rubric's, "2026.1"` },
    ]);
    const status = "complete";
    expect(await recordsIn("scans/runs.ndjson")).toEqual([
      {
        host: "a.example",
        finishedAt: "2026-05-01T10:00:00Z",
        score: 70,
        id: "12",
        status,
        scoreVersion: "2026.1",
      },
      { host: "a.example", finishedAt: "2026-05-02T10:00:00+02:00", id: "13", status },
      {
        host: "b.example",
        finishedAt: "2026-05-03T00:00:00Z",
        score: 0,
        scoreVersion: "2026.1",
        stats: { durationMs: 5 },
        id: "scan-2026-05-03-00-00-00",
        status,
      },
    ]);
  });

  it.each([
    ["2026-09-01", "2026-09-01T00:00:00Z"],
    ["2026-09-01 10:00", "2026-09-01T10:00:00Z"],
    ["2026-09-01T10:00:00.5", "2026-09-01T10:00:00.5Z"],
    ["2026-09-01 10:00:00 UTC", "2026-09-01T10:00:00Z"],
    ["2026-09-01 10:00 gmt", "2026-09-01T10:00:00Z"],
    ["2026-09-01T10:00Z", "2026-09-01T10:00:00Z"],
    ["2026-09-01 10:00:00+02", "2026-09-01T10:00:00+02:00"],
    ["2026-09-01 10:00:00 -0330", "2026-09-01T10:00:00-03:30"],
    ["01.09.2026", null],
    ["2026-09-01 10:00 CET", null],
    ["1788249600", null],
    ["2026-13-01", null],
    ["2026-13-45 10:00", null],
    ["2026-02-30 10:00 UTC", null],
    ["2026-09-01 25:00", null],
  ])("has times such as %s", async (time, expected) => {
    const { given, recordsIn } = await aFolder();
    const importing = given("a.csv", `host,finishedAt\na.example,${time}\n`);
    if (expected === null) {
      const [problem] = await refusal(importing);
      expect(problem).toContain(`a.csv:2 $.finishedAt found ${JSON.stringify(time)}, expected`);
      return;
    }
    await importing;
    expect(await recordsIn("scans/a.ndjson")).toMatchObject([{ finishedAt: expected }]);
  });

  it.each(["3,5", "1.200,00", "1,200", "1e2", "abc"])("has no numbers such as %s", async (cell) => {
    const { given } = await aFolder();
    const table = `host;finishedAt;block1\na.example;2026-05-01;${cell}\n`;
    const [problem] = await refusal(given("a.csv", table));
    expect(problem).toContain(`a.csv:2 $.block1 found "${cell}", `);
    expect(problem?.includes("write it with a point")).toBe(cell.includes(","));
  });

  it("is distinguished from a table of listings", async () => {
    const { given } = await aFolder();
    const table = "host,status,finishedAt\na.example,moved,2026-05-01\n";
    const lacking = await refusal(given("b.csv", "host,status\na.example,x\n", { as: "scans" }));
    expect(lacking).toEqual([
      "b.csv:1 $ has no column finishedAt, which scans need: its columns are host, status",
    ]);
    const [moved] = await refusal(given("a.csv", table, { as: "scans" }));
    expect(moved).toContain("a.csv:2 $.redirect is missing");
  });

  it("has results of checks, which get their facts from standards.json", async () => {
    const { published, given, recordsIn, document } = await aFolder();
    const standards = await document("standards.json");
    const checks = [
      {
        id: "https",
        name: "HTTPS",
        title: "Served",
        version: 2,
        kind: "achievement",
        block: 1,
        maxPoints: 6,
      },
      { id: "wall", name: "Wall", kind: "penalty", weight: 5, maxPoints: 0 },
    ];
    await writeFile(join(published, "standards.json"), JSON.stringify({ ...standards, checks }));
    const table = [
      "host,id,finishedAt,check.https,robots_ok",
      "a.example,1,2026-05-01,PASS,no",
      "a.example,2,2026-05-01,warn,n/a",
      "a.example,3,2026-05-01,0,1",
      "a.example,4,2026-05-01,,skipped",
    ];
    await given("a.csv", table.join("\n"), { map: { robots_ok: "check.wall" } });
    const found = (await recordsIn("scans/a.ndjson")) as { checks: object[] }[];
    expect(found[0]?.checks[0]).toEqual({
      checkId: "https",
      checkVersion: 2,
      title: "Served",
      label: "HTTPS",
      kind: "achievement",
      block: 1,
      status: "pass",
      points: 6,
      maxPoints: 6,
      lifecycle: "active",
      summary: null,
      details: {},
    });
    const results = found.map((scan) =>
      scan.checks.map((one) => {
        const { checkId, status, points } = one as Record<string, string>;
        return `${checkId} ${status} ${points}`;
      }),
    );
    expect(results).toEqual([
      ["https pass 6", "wall fail -5"],
      ["https warn 0", "wall na 0"],
      ["https fail 0", "wall pass 0"],
      ["wall na 0"],
    ]);
    expect(
      await refusal(given("b.csv", `host,finishedAt,check.htps\na.example,2026-05-01,pass`)),
    ).toEqual(['b.csv:1 $.check.htps is no check of standards.json; did you mean "https"?']);
    expect(
      await refusal(given("c.csv", `host,finishedAt,check.https\na.example,2026-05-01,maybe`)),
    ).toEqual(['c.csv:2 $.check.https found "maybe", expected pass, warn, fail or na']);
  });

  it("drafts the checks of standards.json if it has none, and says that the rubric is a template", async () => {
    const { folder, recordsIn } = await aFolder();
    const published = join(folder, "new");
    await writeFile(
      join(folder, "a.csv"),
      "host,finishedAt,score,check.robots-txt\na.example,2026-05-01,7,pass\n",
    );
    const { drafted, warnings } = await importTables([join(folder, "a.csv")], { published });
    expect(drafted).toEqual(["robots-txt"]);
    expect(warnings).toEqual([expect.stringContaining("write standards.json first")]);
    const standards: object = JSON.parse(await readFile(join(published, "standards.json"), "utf8"));
    expect(standards).toMatchObject({
      rubric: { version: "1" },
      checks: [{ id: "robots-txt", name: "Robots txt", kind: "capability", maxPoints: 0 }],
    });
    expect(await validate(published)).toMatchObject({ scans: 1 });
    await expect(recordsIn("scans/a.ndjson")).rejects.toThrow("ENOENT");
  });
});

describe("a new directory", () => {
  it("has the documents of init, without licence, contact, description or invented check", async () => {
    const { folder } = await aFolder();
    const published = join(folder, "deep/new");
    await writeFile(join(folder, "a.csv"), "host\na.example\n");
    await importTables([join(folder, "a.csv")], { published });
    const [directory, standards] = await Promise.all(
      ["directory.json", "standards.json"].map(async (name): Promise<object> => {
        return JSON.parse(await readFile(join(published, name), "utf8")) as object;
      }),
    );
    expect(Object.keys(directory ?? {})).toEqual(["format", "name", "baseUrl", "description"]);
    expect(directory).toMatchObject({ description: null });
    expect(standards).toMatchObject({ checks: [], aiCrawlers: [], badgeExamples: [] });
    expect(await validate(published)).toMatchObject({ listings: 1 });
  });
});
