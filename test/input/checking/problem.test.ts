import { describe, expect, it } from "vitest";
import {
  didYouMean,
  formatPath,
  formatProblem,
  type Problem,
  ProblemList,
  quote,
} from "../../../src/input/checking/problem.js";

function problemAt(file: string, line: number, column = 1, message = "m"): Problem {
  return { code: "value-wrong", file, line, column, path: "$", message };
}

describe("a problem's line", () => {
  it("is file:line:column  path  message, without terminal controls, whatever the file's name", () => {
    const path = formatPath(["checks", 3, "b_1", "c d", ""]);
    expect(formatProblem({ ...problemAt("a\nb\u001b[31m\u202e", 12, 34, "is wrong"), path })).toBe(
      'a\\u000ab\\u001b[31m\\u202e:12:34  $.checks[3].b_1["c d"][""]  is wrong',
    );
  });

  it("quotes texts on one line, cut at 60 units, and never inside a character", () => {
    expect(quote('a"\n\u009b\u200b')).toBe('"a\\"\\n\\u009b\\u200b"');
    expect(quote("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
    expect(quote(`${"x".repeat(59)}\u{1f600}y`)).toBe(`"${"x".repeat(59)}…"`);
  });
});

describe("didYouMean", () => {
  it.each([
    ["stauts", ["name", "status", "tags"], "status"],
    ["base_url", ["baseUrl", "siteUrl"], "baseUrl"],
    ["Host", ["host", "hosting"], "host"],
    ["entitlement", ["entitlements"], "entitlements"],
    ["abc", ["abd", "abe"], "abd"],
  ])("%j among %j is %j", (text, candidates, nearest) => {
    expect(didYouMean(text, candidates)).toBe(`; did you mean ${JSON.stringify(nearest)}?`);
  });

  it.each([
    ["sponsorship", ["history", "highlight"]],
    ["a", ["b", ""]],
    ["toString", []],
  ])("%j has no near match among %j", (text, candidates) => {
    expect(didYouMean(text, candidates)).toBe("");
  });
});

describe("ProblemList", () => {
  it("keeps the first problems in order, in whatever order they are found, and counts all", () => {
    const all = Array.from({ length: 100 }, (_, place) => problemAt("f", 1 + ((place * 37) % 100)));
    const list = new ProblemList(10);
    for (const problem of all) list.add([problem]);
    expect(list.count).toBe(100);
    expect(list.sorted.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    list.add([problemAt("e", 500)]);
    expect(list.sorted[0]).toEqual(problemAt("e", 500));
    expect(list.sorted).toHaveLength(10);
    expect(list.count).toBe(101);
  });

  it("counts all problems by code and field, however many it holds, whichever list found them", () => {
    const scan = (n: number, path: string, message: string, code: Problem["code"]) => ({
      ...problemAt(`scans/${n}.ndjson`, n, 1, message),
      path,
      code,
    });
    const lists = [new ProblemList(10), new ProblemList(10), new ProblemList(10)] as const;
    for (let n = 300; n > 0; n -= 1) {
      const value = [`"a, \\"${n}"`, "null", "an array"][n % 3]!;
      lists[n % 2]!.add([
        scan(n, `$.checks[${n}].points`, `found ${value}, expected a number`, "value-wrong"),
        scan(
          n,
          `$.tags[${n}]`,
          `found "t${n}", expected a tag; did you mean "s${n}"?`,
          "slug-unknown",
        ),
        scan(n, `$.tags[${n}]`, `found "t${n}", expected a slug`, "value-wrong"),
      ]);
    }
    lists[0].add([problemAt("listings/a/b.json", 1)]);
    for (const list of [lists[0], lists[1]]) lists[2].receive(list.take());
    expect(lists[0].groups).toEqual([]);
    const kinds = lists[2].groups.map(({ files, path, count, first }) => [
      files,
      path,
      count,
      first.line,
    ]);
    expect(kinds).toEqual([
      ["listings/**/*.json", "$", 1, 1],
      ["scans/*.ndjson", "$.checks[*].points", 300, 1],
      ["scans/*.ndjson", "$.tags[*]", 300, 1],
      ["scans/*.ndjson", "$.tags[*]", 300, 1],
    ]);
    expect(lists[2].count).toBe(901);
    for (let n = 0; n < 5_000; n += 1) {
      lists[2].add([
        scan(1, `$.k${n}`, "m", "field-unknown"),
        scan(2, "$.late", `m${n}`, "field-missing"),
      ]);
    }
    const { groups } = lists[2];
    expect(groups.length).toBeLessThan(2_000);
    const late = groups.filter(({ path }) => path === "$.late" || path.includes("*"));
    expect(late.map(({ count }) => count)).toEqual([300, 300, 300, 5_000]);
  });
});
