import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aFolder, refusal, tableIn } from "./tables.js";

describe("the form of a table", () => {
  it.each([
    ["commas and quoted line ends", 'a,b\n1,"x\ny"\n'],
    ["semicolons", 'a;b\r\n1;"x\ny"\r\n'],
    ["tabs", 'a\tb\n\n1\t"x\ny"'],
    ["bars", 'a|b\n1|"x\ny"'],
    ["CR ends", 'a,b\r1,"x\ny"\r'],
    ["a delimiter that is named", 'sep=;\r\na;b\r\n1;"x\ny"\r\n'],
    ["blank rows and lines", '\n\na,b\n\n1,"x\ny"\n\n'],
    ["columns without a name and without a value", 'a,b,,\n1,"x\ny",, \n'],
    ["rows that are longer than the header, with nothing in them", 'a,b\n1,"x\ny",,\n'],
    ["JSON", '[{"a":"1","b":"x\\ny"}]'],
    ["lines of JSON", '\n{"a":"1","b":"x\\ny"}\n'],
    [
      "an object with an array of objects",
      '{"count":1,"ids":[7],"entries":[{"a":"1","b":"x\\ny"}]}',
    ],
  ])("may be %s", (_, text) => {
    const { columns, rows } = tableIn(text);
    expect(columns).toEqual(["a", "b"]);
    expect(rows.map(({ cells }) => Object.fromEntries(cells))).toEqual([{ a: "1", b: "x\ny" }]);
  });

  it.each([
    ["LF", 'a,b\n1,"x\ny"\n2,\n\n3,z\n', [2, 4, 6]],
    ["CRLF", 'a,b\r\n1,"x\r\ny"\r\n2,\r\n\r\n3,z\r\n', [2, 4, 6]],
    ["CR", 'a,b\r1,"x\ry"\r2,\r\r3,z', [2, 4, 6]],
    ["a first line sep=", 'sep=,\na,b\n1,"x\n\ny"\n2,\n3,ü', [3, 6, 7]],
    ["JSON", '[{"a":1},\n\n{"a":\n{"x":1}}\n,{"a":"\\n"}]', [1, 3, 5]],
    ["an object", '{"a":{"x":\n{}},\n"b":[\n{"a":1},{"a":2},\n{"a":[{}]}]}', [4, 4, 5]],
    ["lines", '{"a":1}\r\n{"a":2}\n\n{"a":3}', [1, 2, 4]],
  ])("has the lines of its rows: %s", (_, text, lines) => {
    expect(tableIn(text).rows.map(({ line }) => line)).toEqual(lines);
  });

  it.each([
    ["a,b\n1,2,3\n", "x.csv:2 $ has 3 fields, but the header has 2"],
    ['a,b\n1,"x', "x.csv:2 $ has a quote that is not closed, or text beside a quoted field"],
    ['a,b\n\n"1"x,2', "x.csv:3 $ has a quote that is not closed, or text beside a quoted field"],
    ["[1]", "x.csv:1 $ is not an object"],
    ['[{"a":1},\n2]', "x.csv:2 $ is not an object"],
    [
      '{"a":[{"x":1}],"b":[{"y":2}]}',
      'x.csv:1 $ is an object with several arrays of objects: "a", "b"; write the right one to a file',
    ],
  ])("%j is refused", async (text, problem) => {
    const { given } = await aFolder();
    expect(await refusal(given("x.csv", text))).toEqual([problem]);
  });

  it.each(['{"a":1}\n{"a"}\n', '{"a"}\n{"a":1}\n', '{\n"a":1,\n}'])(
    "%j is refused with the place of the mistake",
    async (text) => {
      const { given } = await aFolder();
      const [problem] = await refusal(given("x.json", text));
      expect(problem).toMatch(/^x\.json:[123] \$ is not JSON: found/);
    },
  );

  it("says which array it took, and takes an object with a host as a record", async () => {
    const { given, recordsIn } = await aFolder();
    const { warnings } = await given("a.json", '{"count":1,"entries":[{"host":"a.example"}]}');
    expect(warnings).toEqual(['a.json: took the 1 object of "entries"']);
    await given("b.json", '{\n"host":"b.example",\n"links":[{"host":"c.example"}]}');
    expect(await recordsIn("listings/b.ndjson")).toMatchObject([{ host: "b.example" }]);
  });

  it("says how many values are in columns without a name", async () => {
    const { given } = await aFolder();
    const { warnings } = await given("a.csv", "host,,\na.example,x,\nb.example,y,z\n");
    expect(warnings).toEqual(["a.csv: a column without a name has 3 values, which are left out"]);
    const one = await given("b.csv", "host,\nc.example,x\n");
    expect(one.warnings).toEqual(["b.csv: a column without a name has 1 value, which is left out"]);
  });
});

describe("the bytes of a table", () => {
  const table = "host,name\na.example,Café 1€\n";
  const utf16be = Buffer.from(`\ufeff${table}`, "utf16le").swap16();

  it.each([
    ["UTF-8 with a byte-order mark", Buffer.from(`\ufeff${table}`), undefined],
    ["UTF-16, little endian", Buffer.from(`\ufeff${table}`, "utf16le"), undefined],
    ["UTF-16, big endian", utf16be, undefined],
    ["gzip", gzipSync(table), undefined],
    ["Windows-1252", Buffer.from(table.replace("€", "\x80"), "latin1"), "windows-1252"],
  ])("may be %s", async (_, bytes, encoding) => {
    const { given, recordsIn } = await aFolder();
    await given("a.csv.gz", bytes, { encoding });
    expect(await recordsIn("listings/a.ndjson")).toMatchObject([{ name: "Café 1€" }]);
  });

  const latin1 = Buffer.from("host,name\na.example,A\nb.example,B\u00fc\n", "latin1");
  const zeros = gzipSync(Buffer.alloc(256 * 1024 * 1024 + 1));
  it.each([
    [
      "x.csv",
      latin1,
      "x.csv:3 $ is not UTF-8: found the byte 0xfc; save it as UTF-8, or name its encoding, as in " +
        "--encoding windows-1252",
    ],
    [
      "x.csv",
      Buffer.from("host,name\n", "utf16le"),
      "x.csv:1 $ is UTF-16; save it as UTF-8, or name its encoding, as in --encoding utf-16le",
    ],
    [
      "x.xlsx",
      Buffer.from("PK\x03\x04xx"),
      "is a spreadsheet (.xlsx, .ods) or another zip file; save it as CSV UTF-8, and import that",
    ],
    [
      "x.xls",
      Buffer.from("d0cf11e0a1", "hex"),
      "is a spreadsheet of an old form (.xls); save it as CSV UTF-8, and import that",
    ],
    [
      "x.yaml",
      Buffer.from("- host: a.example\n"),
      "is YAML; convert it to JSON first, as docs/publishing.md#from-yaml shows",
    ],
    [
      "x.csv.gz",
      gzipSync(table).subarray(0, 20),
      "is damaged: it cannot be unpacked (unexpected end of file)",
    ],
    ["x.csv.gz", zeros, "unpacks to more than 268435456 bytes; split it into several tables"],
  ])("are refused with the reason and the remedy: %s", async (name, bytes, problem) => {
    const { given } = await aFolder();
    const [found] = await refusal(given(name, bytes));
    expect(found).toContain(problem);
  });

  it("are refused at their line if they do not fit the encoding that is named", async () => {
    const { given } = await aFolder();
    const sjis = Buffer.from("host,name\na.example,A\nb.example,\xff\xff\n", "latin1");
    expect(await refusal(given("x.csv", sjis, { encoding: "shift_jis" }))).toEqual([
      "x.csv:3 $ has bytes that are not shift_jis; name its encoding with --encoding",
    ]);
    const cut = Buffer.concat([
      Buffer.from("\ufeffhost\na.example\n", "utf16le"),
      Buffer.from("x"),
    ]);
    expect(await refusal(given("x.csv", cut))).toEqual([
      "x.csv:3 $ has bytes that are not utf-16le; name its encoding with --encoding",
    ]);
    await expect(given("x.csv", sjis, { encoding: "klingon" })).rejects.toThrow(TypeError);
  });
});
