import { describe, expect, it } from "vitest";
import { edit, type Files, PLACES, readPublished, tinyDirectory, writeFiles } from "../tiny.js";

function minimal(host: string): string {
  return JSON.stringify({ host, url: `https://${host}/`, status: "claimed" });
}

function scanOf(host: string): string {
  return JSON.stringify({ host, id: "s", status: "done", finishedAt: "2026-01-01T00:00:00Z" });
}

const HOSTS = Array.from({ length: 60 }, (_, n) => `h${n}.example`);
const RECORDS = HOSTS.map(minimal);
const SCANS = { "scans/many.ndjson": HOSTS.map(scanOf).join("\n") };

function utf16(text: string, endian: "LE" | "BE", mark: boolean): Buffer {
  const bytes = Buffer.from(`${mark ? "\ufeff" : ""}${text}`, "utf16le");
  return endian === "LE" ? bytes : bytes.swap16();
}

async function outcomeWith(files: Files) {
  return readPublished(writeFiles({ ...tinyDirectory(), ...SCANS, ...files }));
}

describe("a mistake of a whole file is one error, and its scans are not reported as orphans", () => {
  it.each([
    ["over several lines", `[\n${RECORDS.join(",\n")}\n]\n`],
    ["after a byte-order mark and blank lines", `\ufeff\n \n[\n${RECORDS.join(",\n")}]`],
  ])("a JSON array in an .ndjson file, %s", async (_what, text) => {
    const { problems, warnings } = await outcomeWith({ "listings/many.ndjson": text });
    expect(problems).toEqual([
      "listings/many.ndjson:1:1  $  is a JSON array, expected one record per line, without brackets around them or commas between them",
    ]);
    expect(warnings).toEqual([]);
  });

  it("records over several lines in an .ndjson file, as jq prints them", async () => {
    const text = RECORDS.map((record) => JSON.stringify(JSON.parse(record), null, 2)).join("\n");
    const { problems, warnings } = await outcomeWith({ "listings/many.ndjson": text });
    expect(problems).toEqual([
      "listings/many.ndjson:1:1  $  has records that span several lines, expected one record per line, as jq -c prints them",
    ]);
    expect(warnings).toEqual([]);
  });

  it("a JSON array in a .json file", async () => {
    const text = JSON.stringify(
      RECORDS.map((record) => JSON.parse(record)),
      null,
      2,
    );
    const { problems, warnings } = await outcomeWith({ "listings/many.json": text });
    expect(problems).toEqual([
      "listings/many.json:1:1  $  is a JSON array, expected one record; put several records into an .ndjson file, one per line",
    ]);
    expect(warnings).toEqual([]);
  });

  it("a comma after each line", async () => {
    const text = RECORDS.map((record) => `  ${record}, \r\n`).join("");
    const { problems, warnings, listings } = await outcomeWith({ "listings/many.ndjson": text });
    expect(problems).toEqual([
      "listings/many.ndjson:1:71  $  ends in a comma (one of 60 such lines in this file), expected one record per line with nothing between them",
    ]);
    expect(warnings).toEqual([]);
    expect(listings).toHaveLength(63);
  });

  it("a comma, in addition to errors of records that are still found", async () => {
    const lines = [...RECORDS, minimal("Bad.example")];
    const { problems } = await outcomeWith({ "listings/many.ndjson": lines.join(",\n") });
    expect(problems.map((line) => line.split("  ")[0])).toEqual([
      "listings/many.ndjson:1:69",
      "listings/many.ndjson:61:9",
    ]);
  });

  it.each([
    ["LE", true],
    ["BE", false],
  ] as const)("UTF-16%s, with a byte-order mark: %s", async (endian, mark) => {
    const files = {
      "listings/many.ndjson": utf16(RECORDS.join("\r\n"), endian, mark),
      "listings/one.json": utf16(minimal("one.example"), endian, mark),
      "taxonomy.json": utf16("{}", endian, mark),
    };
    const { problems, warnings } = await outcomeWith(files);
    const message = "is UTF-16, expected UTF-8: save it as UTF-8";
    expect(problems).toEqual(Object.keys(files).map((name) => `${name}:1:1  $  ${message}`));
    expect(warnings).toEqual([]);
  });
});

describe("a name where a slug belongs", () => {
  it("is one error per name, with its count and the slug", async () => {
    const files = tinyDirectory();
    edit(
      files,
      PLACES.taxonomy,
      '"slug": "animals", "name": "Animals"',
      '"slug": "fauna", "name": "Cats & Dogs"',
    );
    edit(files, PLACES.listings, '"animals"', '"fauna"');
    const listing = (n: number) => ({
      host: `h${n}.example`,
      url: `https://h${n}.example/`,
      status: "claimed",
      category: n < 40 ? "Cats & Dogs" : "cats, dogs",
      tags: ["Free"],
      platforms: ["WEB"],
    });
    files["listings/many.ndjson"] = HOSTS.map((_, n) => JSON.stringify(listing(n))).join("\n");
    const { problems } = await readPublished(writeFiles(files), 3);
    const expected = (what: string, found: string, slug: string, times: number) =>
      `found "${found}", expected the slug of a ${what} in taxonomy.json; did you mean "${slug}"? (${times} times, first here)`;
    expect(problems).toEqual([
      `listings/many.ndjson:1:80  $.category  ${expected("category", "Cats & Dogs", "fauna", 40)}`,
      `listings/many.ndjson:1:102  $.tags[0]  ${expected("tag", "Free", "free", 60)}`,
      `listings/many.ndjson:1:123  $.platforms[0]  ${expected("platform", "WEB", "web", 60)}`,
      `listings/many.ndjson:41:82  $.category  ${expected("category", "cats, dogs", "fauna", 20)}`,
    ]);
  });
});
