import { execFileSync } from "node:child_process";
import { truncate } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importTables } from "../../../src/extras/import/import.js";
import { slowIt } from "../../slow.js";
import { aFolder, refusal, tableIn } from "./tables.js";

describe("a table beyond the limits", () => {
  const wide = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

  it.each([
    [
      "a header of 200,000 columns",
      wide(200_000).join(","),
      1,
      "[1-9]\\d+ of at most 1000 columns",
    ],
    [
      "a row of 200,000 fields",
      `host\n${",".repeat(200_000)}`,
      2,
      "[1-9]\\d+ of at most 1000 columns",
    ],
    [
      "objects with other keys each",
      wide(1_001)
        .map((key) => JSON.stringify({ [key]: 1 }))
        .join("\n"),
      1_001,
      "[1-9]\\d+ of at most 1000 columns",
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
    ["a quote that never ends", `a\n"${'""'.repeat(20_000_000)}`, 2, "is a quote not closed"],
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
    for (const table of [`host${blank}\n`, `{"host":"a.example"}\n{"host":"b.example"}${blank}`]) {
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
      refusal(importTables([resolve(folder, path)], { published, replace: true })),
    );
    expect(await Promise.all(refused)).toEqual([
      [
        "large.csv:1 $ cannot be read, because it has 268435457 bytes, more than 268435456; split it " +
          "into several tables",
      ],
      ...["pipe.csv", "zero"].map((name) => [
        `${name}:1 $ cannot be read, because it is not a regular file; write the table to a file, and import that`,
      ]),
      [`${basename(folder)}:1 $ is a folder; name the files in it`],
    ]);
  });

  it("may have all columns that the limit allows, and megabytes of quotes in a cell", async () => {
    const { given } = await aFolder();
    const { files } = await given("x.csv", `host,${wide(999).join(",")}\na.example,1\n`);
    expect(files[0]?.unused.length).toBe(999);
    const { rows } = tableIn(`a\n"${'""'.repeat(1_000_000)}"\n`);
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
    await given("b.csv", `host,finishedAt,id\nb.example,2026-05-01,${id}\n`);
    for (const name of ["a", "b"])
      expect(await recordsIn(`scans/${name}.ndjson`)).toMatchObject([{ id }]);
  });
});
